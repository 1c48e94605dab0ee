from __future__ import annotations

import dataclasses
import importlib
import inspect

import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate

MODULES = [
    "toolkit",
    "toolkit.answers",
    "toolkit.labels",
    "toolkit.planning",
    "toolkit.coefficients",
    "toolkit.scoring",
    "toolkit.diagnosis",
    "toolkit.gate",
    "toolkit.widgets",
    "toolkit.report",
]
NAMES = sorted(
    f"{module}.{name}"
    for module in MODULES
    for name in importlib.import_module(module).__all__
    if callable(getattr(importlib.import_module(module), name))  # constants explain themselves
)
IGNORED = {
    "ES01": "a summary that says it all needs no second paragraph",
    "SA01": "See Also only where it helps",
    "PR04": "types stand in the signature; parameters that are like another function's say so",
    "RT03": "a result class describes itself",
    "SS05": "takes nouns in -s (bias, analysis) for verbs in the third person",
}
# They arrange data; there is nothing to cite.
NO_STATISTICS = {"as_tables", "code_ratings", "crosstab"}
STATISTICS = [
    name
    for name in NAMES
    if name.startswith("toolkit.coefficients.") and name.rpartition(".")[2] not in NO_STATISTICS
]


def find(name):
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last)


def fields(thing):
    """Fields that a result class adds; numpydoc takes them for parameters of its constructor."""
    if not dataclasses.is_dataclass(thing) and not hasattr(thing, "_fields"):
        return set()
    return {name for name in inspect.get_annotations(thing) if not name.startswith("_")}


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_a_numpydoc_docstring_with_an_example(name):
    thing = find(name)
    ignored = set(IGNORED) | ({"PR01"} if fields(thing) else set())
    faults = [f"{code}: {text}" for code, text in validate(name)["errors"] if code not in ignored]
    assert faults == []
    assert ">>>" in "".join(get_doc_object(thing)["Examples"])


@pytest.mark.parametrize("name", [name for name in NAMES if fields(find(name))])
def test_a_result_class_documents_every_field(name):
    document = get_doc_object(find(name))
    documented = {
        each.strip()
        for section in ("Parameters", "Attributes")
        for entry in document[section]
        for each in entry.name.split(",")
    }
    assert fields(find(name)) <= documented


@pytest.mark.parametrize("name", [name for name in STATISTICS if inspect.isfunction(find(name))])
def test_a_statistic_cites_its_source_with_a_doi(name):
    assert "doi" in "".join(get_doc_object(find(name))["References"]).lower()
