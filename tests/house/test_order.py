from __future__ import annotations

import re
import subprocess
import sys

from toolkit.report.resources import notebooks


def test_notebook_cells_keep_their_order_while_tests_are_shuffled(repository):
    options = ["--collect-only", "-q", "-p", "randomly", "--randomly-seed=1"]
    paths = ["notebooks", "tests/house/test_versions.py"]
    listed = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "pytest", *options, *paths],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    tests = re.findall(r"test_versions\.py::(\w+)", listed.stdout)
    source = (repository / "tests/house/test_versions.py").read_text()
    assert tests != re.findall(r"def (test_\w+)", source)
    cells = re.findall(r"^notebooks/(\w+)\.ipynb::Cell (\d+)", listed.stdout, re.MULTILINE)
    assert {name for name, _ in cells} == set(notebooks())
    assert [(name, int(number)) for name, number in cells] == sorted(
        (name, int(number)) for name, number in cells
    )
