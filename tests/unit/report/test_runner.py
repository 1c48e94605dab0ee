from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from toolkit import errors
from toolkit.errors import LabelError, NotebookError, ParameterError
from toolkit.report.runner import run_report


def status(out):
    return json.loads((out / "status.json").read_text())


@pytest.fixture
def earlier_run(elsewhere):
    """Leave the files of an earlier run of the notebook `small`."""
    out = elsewhere / "run1"
    out.mkdir()
    for name in ("results.json", "small.html", "small.ipynb", "status.json"):
        (out / name).write_text("old")
    (out / "notes.txt").write_text("mine")
    return out


def test_a_run_leaves_page_notebook_results_and_status(write_notebook, elsewhere):
    run = run_report(write_notebook(), out="run1", low="irony", reference=("ann", "ben"))
    assert run.status == "ok"
    assert run.results["low"] == "irony"
    assert run.results["reference"] == ["ann", "ben"]
    assert (run.html, run.notebook, run.out) == (
        Path("run1/small.html"),
        Path("run1/small.ipynb"),
        Path("run1"),
    )
    assert sorted(path.name for path in (elsewhere / "run1").iterdir()) == [
        "results.json",
        "small.html",
        "small.ipynb",
        "status.json",
    ]
    assert status(run.out) == {"status": "ok", "kind": None, "message": None}
    assert str(elsewhere.parent) not in run.notebook.read_text()
    nbformat.validate(nbformat.read(run.notebook, as_version=4))


@pytest.mark.usefixtures("elsewhere")
def test_the_default_folder_is_reports_and_the_name(write_notebook):
    assert run_report(write_notebook()).html == Path("reports/small/small.html")


def test_relative_paths_are_relative_to_the_callers_folder(write_notebook, elsewhere):
    (elsewhere / "my labels.csv").write_text("found")
    notebook = write_notebook(
        "import json; from pathlib import Path\n"
        "Path(out, 'results.json').write_text(json.dumps(Path(labels).read_text()))"
    )
    assert run_report(notebook, out="a {b}", labels=Path("my labels.csv")).results == "found"


@pytest.mark.usefixtures("elsewhere")
def test_odd_text_reaches_the_notebook_unchanged(write_notebook):
    text = 'a"b\'c\\d\\"\n{e} %f $g é \U0001f600 #'
    assert run_report(write_notebook(), low=text).results["low"] == text


@pytest.mark.usefixtures("elsewhere")
def test_the_same_call_gives_the_same_results(write_notebook):
    notebook = write_notebook()
    first = run_report(notebook, out="run1").out / "results.json"
    before = first.read_bytes()
    assert run_report(notebook, out="run1").out / "results.json" == first
    assert first.read_bytes() == before


def test_a_python3_kernelspec_of_the_machine_is_not_used(write_notebook, elsewhere, monkeypatch):
    spec = elsewhere / "jupyter" / "kernels" / "python3"
    spec.mkdir(parents=True)
    argv = [
        str(elsewhere / "another-python"),
        "-m",
        "ipykernel_launcher",
        "-f",
        "{connection_file}",
    ]
    (spec / "kernel.json").write_text(
        json.dumps({"argv": argv, "display_name": "other", "language": "python"})
    )
    monkeypatch.setenv("JUPYTER_PATH", str(elsewhere / "jupyter"))
    notebook = write_notebook(
        "import json, sys; from pathlib import Path\n"
        "Path(out, 'results.json').write_text(json.dumps(sys.executable))"
    )
    assert run_report(notebook).results == sys.executable


def test_a_folder_of_the_caller_does_not_replace_the_package(write_notebook, elsewhere):
    (elsewhere / "toolkit").mkdir()
    (elsewhere / "toolkit" / "__init__.py").write_text("raise SystemExit('the wrong toolkit')")
    notebook = write_notebook(
        "import json, toolkit; from pathlib import Path\n"
        "Path(out, 'results.json').write_text(json.dumps(toolkit.__version__))"
    )
    assert run_report(notebook).status == "ok"


def test_an_unknown_parameter_is_refused_and_old_results_are_gone(write_notebook, earlier_run):
    with pytest.raises(ParameterError, match="did you mean 'low'"):
        run_report(write_notebook(), out="run1", lo="irony")
    assert sorted(path.name for path in earlier_run.iterdir()) == ["notes.txt", "status.json"]
    assert status(earlier_run)["status"] == "bad_input"
    assert status(earlier_run)["kind"] == "ParameterError"
    assert "did you mean 'low'" in status(earlier_run)["message"]


@pytest.mark.usefixtures("elsewhere")
def test_a_misspelled_notebook_makes_no_folder_unless_told_which():
    with pytest.raises(ParameterError, match="no notebook of that name"):
        run_report("construct_diagnosys")
    assert not Path("reports").exists()
    with pytest.raises(ParameterError, match="no notebook of that name"):
        run_report("construct_diagnosys", out="run1")
    assert status(Path("run1"))["status"] == "bad_input"


def test_a_failing_cell_leaves_status_and_notebook_and_no_results(write_notebook, earlier_run):
    notebook = write_notebook(
        "from pathlib import Path; Path(out, 'results.json').write_text('{}')", "1 / 0"
    )
    with pytest.raises(NotebookError, match=r"In \[4\]: ZeroDivisionError.*run1/small\.ipynb"):
        run_report(notebook, out="run1")
    assert status(earlier_run)["status"] == "failed"
    assert status(earlier_run)["kind"] == "NotebookError"
    assert "ZeroDivisionError" in (earlier_run / "small.ipynb").read_text()
    assert not (earlier_run / "results.json").exists()
    assert not (earlier_run / "small.html").exists()
    assert (earlier_run / "notes.txt").read_text() == "mine"


def test_a_refusal_in_the_notebook_keeps_its_kind_and_its_words(write_notebook, elsewhere):
    raised = "LabelError('unknown label', got='Yes', allowed=[0, 1], where='a.csv, line 3')"
    with pytest.raises(LabelError) as refused:
        run_report(write_notebook(f"from toolkit.errors import LabelError\nraise {raised}"))
    assert str(refused.value) == str(eval(raised, vars(errors)))  # noqa: S307 - the text above
    assert status(elsewhere / "reports" / "small")["status"] == "bad_input"


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("cell", "match"),
    [
        ("open(out + '/results.json', 'w').write('{\"kappa\": NaN}')", "NaN is no JSON value"),
        ("import os; os.write(2, b'out of memory'); os.abort()", "DeadKernelError.*Got: '.*memory"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("input()", "StdinNotImplementedError"),
        ("from toolkit.errors import NotebookError\nraise NotebookError('a')", "NotebookError: a"),
    ],
)
def test_a_notebook_that_goes_wrong_has_failed(write_notebook, cell, match):
    with pytest.raises(NotebookError, match=match):
        run_report(write_notebook(cell))
    assert status(Path("reports/small"))["status"] == "failed"


def test_a_folder_that_can_not_be_written_is_bad_input(write_notebook, elsewhere):
    (elsewhere / "taken").write_text("a file")
    for out in ("taken", "taken/below"):
        with pytest.raises(ParameterError, match="can't be written there"):
            run_report(write_notebook(), out=out)


@pytest.mark.usefixtures("elsewhere")
def test_a_notebook_without_the_parameter_out_is_refused(write_notebook):
    with pytest.raises(ParameterError, match="needs a parameter 'out'"):
        run_report(write_notebook(parameters="seed: int = 0"))


@pytest.mark.usefixtures("elsewhere")
def test_it_runs_inside_a_running_event_loop_as_in_jupyter(write_notebook):
    async def cell():
        return run_report(write_notebook())

    assert asyncio.run(cell()).status == "ok"


def test_widgets_leave_no_state_and_logging_is_as_before(write_notebook, elsewhere):
    logging.getLogger("papermill").setLevel(logging.INFO)
    pytest.importorskip("ipywidgets", reason="pip install 'construct-toolkit[lab]'")
    notebook = write_notebook(
        "import ipywidgets; ipywidgets.Button()",
        "from pathlib import Path; Path(out, 'results.json').write_text('{}')",
    )
    run = run_report(notebook, out=elsewhere / "absolute")
    assert "widgets" not in nbformat.read(run.notebook, as_version=4).metadata
    assert logging.getLogger("papermill").level == logging.INFO


def test_nothing_is_printed_and_the_home_folder_is_left_alone(write_notebook, elsewhere):
    home = elsewhere / "home"
    home.mkdir()
    code = "import sys; from toolkit.report.runner import run_report; run_report(sys.argv[1])"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-W", "error", "-c", code, str(write_notebook())],
        env={"HOME": str(home), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("", "")
    # Matplotlib keeps its font list there; Jupyter and IPython leave nothing.
    assert {path.name for path in home.iterdir()} <= {".cache", ".config"}


@pytest.mark.usefixtures("elsewhere")
def test_a_notebook_is_never_overwritten_by_its_own_run(write_notebook):
    source = write_notebook()
    before = source.read_bytes()
    with pytest.raises(ParameterError, match="would take the place of its source"):
        run_report(source, out=source.parent)
    assert source.read_bytes() == before


@pytest.mark.parametrize("out", ["", "a\0b", 5])
@pytest.mark.usefixtures("elsewhere")
def test_what_is_no_folder_is_refused(write_notebook, out):
    with pytest.raises(ParameterError, match="no folder"):
        run_report(write_notebook(), out=out)


@pytest.mark.usefixtures("elsewhere")
def test_a_full_disk_is_said_in_one_line(write_notebook, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("toolkit.report.runner.to_html", full)
    with pytest.raises(NotebookError, match="could not be written: No space left on device"):
        run_report(write_notebook(), out="run1")
    assert json.loads(Path("run1/status.json").read_text())["status"] == "failed"
    assert not Path("run1/results.json").exists()
