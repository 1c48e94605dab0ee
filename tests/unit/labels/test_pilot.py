"""The bundled pilot data are what their generator makes, and what their card says."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("make_pilot", DATA / "make_pilot.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_files_are_byte_for_byte_what_the_generator_makes(generator):
    assert generator.differences() == []


def test_a_difference_is_shown_by_file_and_line(generator, tmp_path):
    copy = tmp_path / "pilot"
    shutil.copytree(DATA / "pilot", copy)
    (copy / "schema.yaml").unlink()
    labels = (copy / "labels.csv").read_text()
    (copy / "labels.csv").write_text(labels.replace(",judge,0,", ",judge,7,", 1))
    found = generator.differences(copy)
    assert "schema.yaml is missing" in found
    assert "--- labels.csv, there" in found
    assert any(line.startswith("-") and ",judge,7," in line for line in found)


def test_other_line_ends_are_a_difference(generator, tmp_path):
    copy = tmp_path / "pilot"
    shutil.copytree(DATA / "pilot", copy)
    card = copy / "README.md"
    card.write_bytes(card.read_bytes().replace(b"\n", b"\r\n"))
    assert generator.differences(copy) == ["README.md differs in line ends"]


def test_an_unknown_argument_is_refused(generator, capsys):
    assert generator.main(["--chek"]) == 2
    assert "--check" in capsys.readouterr().err
