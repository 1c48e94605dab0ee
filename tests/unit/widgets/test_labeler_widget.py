from __future__ import annotations

import json


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
        "guideline": "Harsh when it hurts.",
    }
    assert "words" not in json.dumps(setup)
