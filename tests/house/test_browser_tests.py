"""Browser tests are never left out in silence."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

TEST = "tests/browser/test_report_page.py::test_every_picture_is_drawn"
SWITCHES = ("CI", "TOOLKIT_REQUIRED")


@pytest.fixture
def run(repository):
    """Run a browser test where no Chromium is to be found."""

    def run(*options, **variables):
        environment = {key: value for key, value in os.environ.items() if key not in SWITCHES}
        return subprocess.run(  # noqa: S603
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, TEST],
            cwd=repository,
            env={**environment, "PATH": os.devnull, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_without_chromium_the_last_lines_say_what_was_left_out_and_how_to_get_it(run):
    done = run("--numprocesses=1")
    assert done.returncode == 0
    assert "LEFT OUT: 1 browser tests" in done.stdout
    assert "apt-get install chromium" in done.stdout


def test_without_chromium_ci_fails(run):
    done = run(TOOLKIT_REQUIRED="browser")
    assert done.returncode == 1
    assert "no Chromium" in done.stdout


def test_ci_asks_for_the_browser_tests(repository):
    assert "export TOOLKIT_REQUIRED=browser,mount" in (repository / ".ci" / "run").read_text()
