from __future__ import annotations

import json

import make_labelling

from toolkit.report import bundled
from toolkit.widgets import Adjudicator

SENTINEL = "JUDGE-SENTINEL"
NAMES = ("olga", "bengt")


def told_by(at):
    """All that reaches a browser, a saved notebook or the adjudicator's journal."""
    told = [json.dumps(at.reply)]
    for _ in at.labeler.queue:
        at.rule(*[0] * len(at.screen["asked"]))
        told.append(json.dumps(at.reply))
    assert at.screen["item_id"] is None
    told.append(json.dumps(at.labeler._repr_mimebundle_()))
    told.append(json.dumps(at.labeler.widget.get_state(), default=str))
    told.append((at.labeler.folder / "pilot.eve.1.jsonl").read_text())
    return told


def test_neither_a_judge_nor_a_raters_name_is_shown(label, eve):
    items = [{"item_id": f"i{n}", "text": f"words {n}", "judge": SENTINEL} for n in range(6)]
    label("olga", {f"i{n}": 0 for n in range(6)}, note="a note")
    label("bengt", {f"i{n}": 1 for n in range(6)})
    told = told_by(eve(items=items))
    assert any("a note" in text for text in told)
    for text in told:
        for secret in (SENTINEL, *NAMES):
            assert secret not in text


def test_long_and_hostile_notes_come_as_text_and_cut(label, eve):
    label("olga", {"i0": 0}, note="\u202e<b>x</b>\x1b[31m" + "y" * 1_000_000)
    label("bengt", {"i0": 1})
    at = eve()
    assert len(json.dumps(at.reply)) < 100_000
    note = next(vote["note"] for vote in at.screen["votes"] if vote["note"])
    assert note[0] == [0x202E, 1]
    assert note[1] == "<b>x</b>"
    assert "more characters" in note[-1]


def test_script_and_style_name_no_address_and_make_no_markup(label, adjudicator):
    label("olga", {"i0": 0})
    state = adjudicator().widget.get_state()
    assert set(state["setup"]) == {"study", "adjudicator", "total", "questions", "reasons"}
    assert "words" not in json.dumps(state["setup"])
    for name in ("_esm", "_css"):
        assert "://" not in state[name]
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert way not in state["_esm"]


def test_the_bundled_raters_differ_on_some_items(tmp_path):
    for path in bundled("labelling").glob("example.*.jsonl"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    opened = Adjudicator(
        bundled("labelling/items.jsonl"),
        study="example",
        adjudicator="eve",
        folder=tmp_path,
        guidelines=bundled("labelling/guidelines.yaml"),
        interactive=False,
    )
    assert opened.left_out["reason"].isin(["unsure", "skip", "single"]).all()
    assert 5 < len(opened.queue) < make_labelling.ITEMS / 2
    agreement = opened.agreement().set_index("construct")["estimate"]
    assert agreement["escalation"] < 0.6 < agreement.drop("escalation").min()
