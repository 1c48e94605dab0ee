"""The page about conventions is true: its file is read, and its examples run."""

from __future__ import annotations

import doctest
import re

import pytest

from toolkit.answers import Convention, Registry


@pytest.fixture
def page(pytestconfig):
    return (pytestconfig.rootpath / "docs" / "conventions.md").read_text(encoding="utf-8")


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", page, flags=re.DOTALL)


def test_its_file_is_read_and_its_examples_give_what_they_show(page, tmp_path, monkeypatch):
    (tmp_path / "support.yaml").write_text(blocks(page, "yaml")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    examples = doctest.DocTestParser().get_doctest(
        blocks(page, "python")[0], {}, "conventions.md", "conventions.md", 0
    )
    assert len(examples.examples) > 5
    failed, _ = doctest.DocTestRunner(optionflags=options).run(examples)
    assert failed == 0


def test_every_field_has_its_line(page):
    described = set(re.findall(r"^\| `(\w+)` \|", page, flags=re.MULTILINE))
    fields = set(Convention.model_fields) - {"benchmark", "subset"}
    assert described == fields | {"subsets", "benchmark", "conventions", "by_subcategory"}


def test_the_second_file_is_read(pytestconfig):
    registry = Registry.read(pytestconfig.rootpath / "docs" / "conventions" / "bbh.yaml")
    assert len(registry.subsets("bbh")) == 5
    assert {one.labels.index(one.positive) for one in registry.conventions} == {1}
