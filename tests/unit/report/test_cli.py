from __future__ import annotations

import json
import signal
import subprocess
import time

import pytest
from click.testing import CliRunner

from toolkit import __version__
from toolkit.report.cli import main
from toolkit.report.resources import notebooks

REFUSE = "from toolkit.errors import LabelError\nraise LabelError('unknown label', got='Yes')"


@pytest.fixture
def cli(elsewhere):
    def run(*arguments):
        return CliRunner().invoke(main, [str(argument) for argument in arguments])

    run.folder = elsewhere
    return run


def test_a_report_ends_with_0_and_prints_where_the_page_is(cli, write_notebook):
    done = cli("report", write_notebook(), "-p", "low=007", "-p", "level=0.9", "--out", "run1")
    assert (done.exit_code, done.stdout) == (0, "run1/small.html\n")
    results = json.loads((cli.folder / "run1" / "results.json").read_text())
    assert (results["low"], results["level"]) == ("007", 0.9)


@pytest.mark.parametrize(
    "arguments",
    [
        ("-p", "lo=irony"),
        ("-p", "level=nan"),
        ("-p", "draws=many"),
        ("-p", "api_key=hunter2"),
        ("-p", "labels="),
        ("-p", "labels"),
        ("-p", "out=run2"),
        ("-p", "low=a", "-p", "low=b"),
    ],
)
def test_bad_parameters_end_with_2_one_line_and_a_status(cli, write_notebook, arguments):
    done = cli("report", write_notebook(), "--out", "run1", *arguments)
    assert done.exit_code == 2
    running, message = done.stderr.splitlines()
    assert running.startswith("Running ")
    assert message.startswith("construct-toolkit: ")
    assert "hunter2" not in done.output
    assert json.loads((cli.folder / "run1/status.json").read_text())["status"] == "bad_input"


@pytest.mark.parametrize("name", ["construct_diagnosys", "missing.ipynb", "../x", ""])
def test_an_unknown_notebook_ends_with_2(cli, name):
    done = cli("report", name)
    assert done.exit_code == 2
    assert "construct-toolkit: no " in done.stderr


def test_bad_options_end_with_2(cli):
    assert cli("report").exit_code == 2
    assert cli("report", "a", "--outt", "b").exit_code == 2
    assert cli("rapport").exit_code == 2


def test_a_refusal_inside_the_notebook_ends_with_2(cli, write_notebook):
    done = cli("report", write_notebook(REFUSE))
    assert done.exit_code == 2
    assert done.stderr.splitlines()[1:] == ["construct-toolkit: unknown label. Got: 'Yes'."]


def test_a_notebook_that_fails_ends_with_3(cli, write_notebook):
    done = cli("report", write_notebook("1 / 0"))
    assert done.exit_code == 3
    assert "ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.output


def test_list_names_each_notebook_with_its_parameters(cli):
    done = cli("list")
    assert done.exit_code == 0
    assert [line for line in done.stdout.splitlines() if not line.startswith(" ")] == [*notebooks()]


def test_version_and_help(cli):
    assert __version__ in cli("--version").stdout
    assert "Exit codes" in cli("-h").stdout
    assert "construct_diagnosis -p labels=my.csv" in cli("report", "-h").stdout


def test_as_a_process_codes_are_the_same_and_only_short_messages_are_printed(
    command, write_notebook, elsewhere
):
    for cell, code in [(REFUSE, 2), ("1 / 0", 3)]:
        done = subprocess.run(  # noqa: S603
            [*command, "report", str(write_notebook(cell))],
            capture_output=True,
            text=True,
            check=False,
            cwd=elsewhere,
        )
        assert done.returncode == code
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 2


@pytest.mark.parametrize(
    ("sent", "left", "results"),
    [(signal.SIGINT, "failed", False), (signal.SIGKILL, "running", True)],
)
def test_a_run_that_is_stopped_never_says_ok(
    command, write_notebook, elsewhere, sent, left, results
):
    notebook = write_notebook(
        "import time; from pathlib import Path\n"
        "Path(out, 'results.json').write_text('{}'); time.sleep(60)"
    )
    written = elsewhere / "run1" / "results.json"
    with subprocess.Popen(  # noqa: S603
        [*command, "report", str(notebook), "--out", "run1"], cwd=elsewhere, stderr=subprocess.PIPE
    ) as process:
        while not written.exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(sent)
        _, printed = process.communicate(timeout=60)
    assert process.returncode != 0
    assert b"Traceback" not in printed
    assert json.loads((elsewhere / "run1" / "status.json").read_text())["status"] == left
    assert written.exists() == results
