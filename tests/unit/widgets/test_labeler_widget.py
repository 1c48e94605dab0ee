from __future__ import annotations

import json
import os

import pytest
from jupyter_client.manager import start_new_kernel

import toolkit as tk


class Wire:
    """Stands where the browser is: messages in through the widget, replies out of its comm."""

    def __init__(self, widget):
        self.widget, self.sent = widget, []
        widget.send = lambda content, buffers=None: self.sent.append(content)  # noqa: ARG005


def test_a_message_is_answered_with_its_own_number(make):
    wire = Wire(make().widget)
    wire.widget._handle_custom_msg({"kind": "hello", "ask": "v-1"}, [])  # noqa: SLF001
    assert [(reply["ask"], reply["kind"]) for reply in wire.sent] == [("v-1", "screen")]


def test_script_and_style_come_with_the_package_and_name_no_address(make):
    state = make().widget.get_state()
    assert len(state["_esm"]) > 5000
    for name in ("_esm", "_css"):
        assert "://" not in state[name]
        assert "@import" not in state[name]
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert way not in state["_esm"]


def test_the_state_holds_questions_and_guidelines_and_no_item(make):
    setup = make(guidelines={"tone": "Harsh when it hurts."}).widget.setup
    assert set(setup) == {"study", "rater", "total", "left_out", "questions"}
    assert setup["questions"][0] == {
        "name": "tone",
        "kind": "nominal",
        "options": ["calm", "harsh"],
        "keys": ["1", "2"],
        "guideline": "Harsh when it hurts.",
    }
    assert "words" not in json.dumps(setup)


@pytest.mark.parametrize(
    ("kind", "categories", "keys"),
    [
        ("nominal", [0, 1], ["0", "1"]),
        ("ordinal", [1, 2, 3], ["1", "2", "3"]),
        ("nominal", [3, 0, 9], ["3", "0", "9"]),
        ("nominal", {0: "no", 1: "yes"}, ["1", "2"]),
        ("nominal", ["0", "10"], ["1", "2"]),
        ("nominal", [f"c{n}" for n in range(11)], [*"123456789", "", ""]),
        ("multiple", [0, 1], ["1", "2"]),  # 0 is none of these
    ],
)
def test_categories_that_are_digits_have_their_own_keys(make, kind, categories, keys):
    schema = {"constructs": {"tone": {"kind": kind, "categories": categories}}}
    question = make(schema=schema).widget.setup["questions"][0]
    assert question["keys"] == keys


def test_the_adjudicator_has_the_same_keys(sit, adjudicator):
    schema = {"constructs": {"tone": {"categories": [0, 1]}}}
    for name, answer in (("ann", 0), ("ben", 1)):
        sit(schema=schema, rater=name).decide("label", answers=[[answer]])
    assert adjudicator().widget.setup["questions"][0]["keys"] == ["0", "1"]


def kernel_that_asks(*, allow_stdin):
    """Ask a kernel of its own, which has the variables of a page, whether somebody is there."""
    manager, client = start_new_kernel(
        env=os.environ | {"JPY_SESSION_NAME": "a.ipynb"}, kernel_name="python3"
    )
    try:
        told = []
        client.execute_interactive(
            "from toolkit.widgets.widget import somebody_is_there\nprint(somebody_is_there())",
            allow_stdin=allow_stdin,
            output_hook=lambda message: told.append(message["content"].get("text", "")),
            timeout=60,
        )
        return "".join(told).strip()
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_a_kernel_that_inherits_a_page_but_runs_a_notebook_through_is_alone():
    assert kernel_that_asks(allow_stdin=True) == "True"
    assert kernel_that_asks(allow_stdin=False) == "False"


def test_a_report_made_from_a_page_shows_a_summary_and_writes_no_label(tmp_path, monkeypatch):
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "page.ipynb"))
    run = tk.run_report("labelling", out=tmp_path / "out", folder=str(tmp_path / "labels"))
    assert run.results["counts"]["open"] == run.results["items"]
    assert not (tmp_path / "labels").exists()
