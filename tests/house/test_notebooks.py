from __future__ import annotations

import ast
import re

import nbformat
import pytest

from toolkit.report.parameters import read_parameters
from toolkit.report.resources import notebooks
from toolkit.report.values import looks_secret

PATHS = list(notebooks().values())
pytestmark = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def read(path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    return notebook


def trees(path):
    return [ast.parse(cell.source) for cell in read(path).cells if cell.cell_type == "code"]


def test_one_cell_is_tagged_parameters_and_it_is_the_first_code(path):
    code = [cell for cell in read(path).cells if cell.cell_type == "code"]
    tagged = ["parameters" in cell.metadata.get("tags", []) for cell in code]
    assert tagged == [True, *[False] * (len(code) - 1)]


def test_parameters_are_annotated_literals_with_help_and_no_secrets(path):
    parameters = read_parameters(path)
    names = [parameter.name for parameter in parameters]
    assert len(names) == len(set(names))
    assert "out" in names
    assert [parameter.name for parameter in parameters if not parameter.help] == []
    assert not any(looks_secret(name) for name in names)


def test_the_kernel_is_python3_and_papermill_left_nothing(path):
    notebook = read(path)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    assert notebook.metadata.kernelspec == kernel
    assert "papermill" not in notebook.metadata
    assert "widgets" not in notebook.metadata
    assert not any("papermill" in cell.metadata for cell in notebook.cells)


def test_cell_ids_are_words(path):
    # A generated id is eight hexadecimal digits and changes whenever a cell is made again.
    notebook = read(path)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    for cell in notebook.cells:
        assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", cell.id)
        assert not re.fullmatch(r"[0-9a-f]{8}", cell.id)


def test_the_source_holds_no_outputs(path):
    code = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert [cell.id for cell in code if cell.outputs or cell.execution_count] == []


def test_no_function_is_longer_than_five_lines(path):
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for node in (node for tree in trees(path) for node in ast.walk(tree)):
        if isinstance(node, functions):
            assert node.end_lineno - node.lineno < 5, node.name


def test_only_public_names_are_used(path):
    for node in (node for tree in trees(path) for node in ast.walk(tree)):
        match node:
            case ast.Attribute(attr=name):
                used = [name]
            case ast.ImportFrom(module=module, names=names):
                used = [*(module or "").split("."), *(alias.name for alias in names)]
            case ast.Import(names=names):
                used = [part for alias in names for part in alias.name.split(".")]
            case _:
                used = []
        assert [name for name in used if name.startswith("_")] == []
