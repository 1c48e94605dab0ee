from __future__ import annotations

import importlib
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

HEAVY = [
    "IPython",
    "matplotlib",
    "nbconvert",
    "pandas",
    "papermill",
    "pyarrow",
    "pydantic",
    "scipy",
    "seaborn",
    "sklearn",
    "statsmodels",
]
# Put together here so that this file does not hold what it looks for.
MACHINE = re.compile("|".join(f"/{folder}/" for folder in ("root", "work", "Users", r"home/\w+")))
PRIVATE_ADDRESS = re.compile(r"\b(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2,3}\b")
BUILD_FILES = ["Makefile", ".ci/run", "pyproject.toml", "environment.yml", "constraints.txt"]


def length(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_file_is_above_400_lines(tracked, repository):
    long = {
        str(path.relative_to(repository)): length(path)
        for path in tracked
        if path.suffix == ".py" and length(path) > 400
    }
    assert long == {}


def test_the_median_file_of_the_package_has_about_150_lines(repository):
    assert statistics.median(map(length, (repository / "toolkit").rglob("*.py"))) <= 160


def test_packages_import_only_the_packages_named_before_them(repository, capsys, monkeypatch):
    monkeypatch.syspath_prepend(repository)
    status = lint_imports(str(repository / "pyproject.toml"), no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys, toolkit; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) & set(HEAVY) == set()
    assert "toolkit" in done.stdout.split()


@pytest.mark.parametrize("pattern", [MACHINE, PRIVATE_ADDRESS])
def test_no_file_names_a_machine(tracked, repository, pattern):
    found = []
    for path in tracked:
        if path.suffix in {".png", ".parquet", ".gz"}:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if pattern.search(line):
                found.append(f"{path.relative_to(repository)}:{number}: {line.strip()[:100]}")
    assert found == []


@pytest.mark.parametrize("name", BUILD_FILES)
def test_build_files_name_no_host(repository, name):
    assert "://" not in (repository / name).read_text()


@pytest.mark.parametrize("package", ["toolkit", "toolkit.report"])
def test_no_lazy_name_is_hidden_by_a_module_of_that_name(package):
    # Once imported, a submodule stands in the package and __getattr__ is asked no more.
    module = importlib.import_module(package)
    folder = Path(module.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} | {path.name for path in folder.iterdir()}
    assert not set(module.__all__) & modules - {"coefficients"}
