from __future__ import annotations

import json
import os
import signal

import nbformat
import pytest

pytestmark = pytest.mark.browser

SOON = 2_000  # milliseconds in which one must see that nothing is saved
SCHEMA = """{"constructs": {
    "escalation": {"categories": {0: "no", 1: "yes"}, "present": [1]},
    "empathy": {"kind": "ordinal", "categories": [1, 2, 3, 4, 5]},
}}"""
# Three raters on six items: two items on which they agree, four on which they differ.
LABELS = f"""
from toolkit.widgets import Adjudicator, Labeler
items = [{{"item_id": f"i{{n}}", "text": f"words of item {{n}}", "judge": "judge-said-so"}}
         for n in range(6)]
SAID = {{"olga": [0, 0, 0, 0, 0, 0], "bengt": [0, 0, 1, 1, 1, 0], "zoe": [0, 0, 1, 0, 1, 0]}}
FELT = {{"olga": [2, 2, 2, 2, 2, 2], "bengt": [2, 2, 3, 2, 4, 2], "zoe": [2, 2, 1, 2, 2, 4]}}
for rater, said in SAID.items():
    sitting = Labeler(items, {SCHEMA}, rater=rater, study="pilot", interactive=True)._begin()
    while sitting.item is not None:
        n = int(sitting.item[1:])
        note = NOTE if (rater, n) == ("bengt", 2) else ""
        sitting.receive({{"kind": "label", "item_id": sitting.item, "event_id": f"{{rater}}{{n}}",
                         "answers": [[said[n]], [FELT[rater][n]]], "note": note}})
"""
OPEN = """
adjudicator = Adjudicator(items, study="pilot", adjudicator="eve", interactive=True,
                          guidelines={"escalation": "Yes when it gets worse."})
adjudicator
"""
PLAIN = 'NOTE = "reads as sarcasm to me"\n'
RUN = "window.ran=1;alert(1)"
HOSTILE = (
    f"</td></table><script>{RUN}</script><img src=http://example.invalid/a.png onerror='{RUN}'>"
    "\u202egnihton\x1b[31m\x00<style>*{display:none}</style>"
)


def cells(note=PLAIN, opened=OPEN):
    return note + LABELS, opened


def raters_files(desk):
    return {
        path.name: path.read_bytes()
        for path in (desk.folder / "labels").glob("*.jsonl")
        if ".eve." not in path.name
    }


def test_decides_by_keyboard_in_jupyterlab(desk):  # noqa: PLR0915 - a page costs seconds
    lab = desk(*cells())
    page = lab.page
    count = page.locator(".jp-Notebook .jp-Cell").count()
    before = raters_files(lab)
    assert len(before) == 3
    lab.root.focus()

    # Least agreement first: of item 2 one of six pairs agrees, of item 4 two.
    assert lab.pane.inner_text() == "words of item 2"
    votes = lab.root.get_by_role("region", name="What the raters said")
    assert "1 of 6 pairs of labels agree" in votes.inner_text()
    assert "reads as sarcasm to me" in votes.inner_text()
    for name in ("olga", "bengt", "zoe"):
        assert name not in lab.root.evaluate("node => node.outerHTML")

    # Nothing is saved without a decision on each construct and a reason.
    lab.keys("2", "Enter")
    lab.wait_for_status("not saved: empathy is not decided")
    lab.keys("3", "Enter")
    lab.wait_for_status("not saved: give the reason")
    lab.keys("g", "t", "n")
    page.keyboard.type("dd x 1, as I type")
    lab.keys("Escape", "Enter")
    lab.wait_for_status("saved · item 2 of 4")
    first = lab.events("adjudicate")[0]
    assert first["labels"] == {"escalation": 1, "empathy": 3}
    assert (first["reason"], first["update_guideline"]) == ("guideline_gap", True)
    assert first["note"] == "dd x 1, as I type"
    assert first["provenance"] == {"escalation": "adjudicated", "empathy": "adjudicated"}
    assert sorted(first["sources"]) == ["bengt2", "olga2", "zoe2"]
    assert first["rater"] == "eve"

    # Typed without waiting: in order, each on its own item.
    assert lab.pane.inner_text() == "words of item 4"
    lab.keys("1", "u", "s", "Enter", "2", "a", "Enter")
    lab.wait_for_status("saved · item 4 of 4")
    labels = [event["labels"] for event in lab.events("adjudicate")[1:]]
    assert labels[0] == {"escalation": 0, "empathy": None}
    assert len(labels[1]) == 1
    lab.keys(" ")
    lab.wait_for_status("saved: skipped · all items are done")
    lab.keys("Backspace", "Backspace")
    lab.wait_for_status("saved: taken back · item 3 of 4")
    pressed = lab.root.locator("[aria-pressed=true]").all_inner_texts()
    assert len(pressed) == 2
    assert "ambiguous text" in pressed[1]
    lab.keys("ArrowLeft")
    lab.wait_for_status("item 2 of 4")
    lab.keys("h")
    guide = lab.root.get_by_role("region", name="Guideline").inner_text()
    assert "Yes when it gets worse." in guide

    # JupyterLab never sees the keys, also where the focused button has gone with its item.
    lab.root.get_by_role("button", name="cannot be decided").first.focus()
    lab.keys("ArrowLeft")
    lab.wait_for_status("item 1 of 4")
    lab.keys("d", "d", "b", "x", "m", "y", "Shift+M")
    assert page.locator(".jp-Notebook .jp-Cell").count() == count

    lab.keys("Control+s")
    page.wait_for_timeout(3000)
    outputs = [cell.get("outputs") for cell in nbformat.read(lab.path, as_version=4).cells]
    journal = (lab.folder / "labels" / "pilot.eve.1.jsonl").read_text()
    for text in (json.dumps(outputs), journal, lab.root.evaluate("node => node.outerHTML")):
        assert "judge-said-so" not in text
    assert "2 of 4 items done" in json.dumps(outputs) or "0 of 4 items done" in json.dumps(outputs)
    assert raters_files(lab) == before
    lab.keys("Escape")
    assert not lab.root.evaluate("node => node.contains(document.activeElement)")
    assert lab.outside == []
    assert lab.complaints == []


def test_a_dead_kernel_shows_not_saved_and_nothing_is_lost(desk):
    lab = desk(*cells())
    lab.root.focus()
    lab.keys("2", "3", "g", "Enter")
    lab.wait_for_status("saved · item 2 of 4")
    second = lab.pane.inner_text()
    os.kill(lab.kernel, signal.SIGKILL)
    lab.keys("1", "2", "r", "Enter")
    lab.alert.wait_for(timeout=SOON)
    assert lab.alert.inner_text().startswith("NOT SAVED")
    assert lab.pane.inner_text() == second
    dialog = lab.page.locator(".jp-Dialog")
    dialog.wait_for(timeout=60_000)
    dialog.get_by_role("button").last.click()
    lab.run_again()
    assert lab.pane.inner_text() == second
    assert "1 of 4 done" in lab.root.locator(".ct-counts").inner_text()
    lab.root.focus()
    lab.keys("1", "2", "r", "Enter")
    lab.wait_for_status("saved · item 3 of 4")
    assert [event["sitting"] for event in lab.events("adjudicate")] == [1, 2]


def test_a_folder_that_is_gone_shows_why_and_does_not_advance(desk):
    lab = desk(*cells(), "import shutil\n")
    before = lab.pane.inner_text()
    # Whoever tests as root may write anywhere, so the folder is replaced instead of protected.
    lab.run_cell("shutil.move('labels', 'elsewhere'); open('labels', 'w').close()")
    for path in (lab.folder / "elsewhere").glob("pilot.eve.*"):
        path.unlink()
    lab.root.focus()
    lab.keys("2", "3", "g", "Enter")
    lab.alert.wait_for(timeout=30_000)
    assert "NOT SAVED" in lab.alert.inner_text()
    assert lab.pane.inner_text() == before
    assert "0 of 4 done" in lab.root.locator(".ct-counts").inner_text()


def test_a_hostile_note_is_shown_as_written_and_does_nothing(desk):
    lab = desk(*cells(f"NOTE = {HOSTILE!r}\n"))
    lab.page.evaluate("window.ran = 0")
    votes = lab.root.locator(".ct-votes")
    written = (
        HOSTILE.replace("\u202e", "U+202E").replace("\x1b", "U+001B").replace("\x00", "U+0000")
    )
    assert written in votes.locator(".ct-said").evaluate_all(
        "nodes => nodes.map(node => node.textContent)"
    )
    assert votes.locator("script, img, style").count() == 0
    lab.root.focus()
    lab.keys("2", "3", "g", "Enter")
    lab.wait_for_status("saved · item 2 of 4")
    assert lab.page.evaluate("window.ran") == 0
    assert lab.dialogs == []
    assert lab.complaints == []
    assert lab.outside == []


def test_where_raters_agree_there_is_nothing_to_decide(desk):
    lab = desk(*cells(opened=OPEN.replace('"eve",', '"eve", raters=["olga"],')))
    assert "There is nothing to decide" in lab.root.locator(".ct-done").inner_text()
    lab.root.focus()
    lab.keys("1", "Enter", " ", "Backspace")
    lab.wait_for_status("nothing saved: there is nothing to undo")
    lab.keys("ArrowLeft")
    lab.wait_for_status("nothing saved: there is no further item that way")
    assert lab.events("adjudicate", "skip", "undo") == []


@pytest.fixture(scope="module")
def lab(shared_desk):
    """A page for tests that only look."""
    return shared_desk(*cells())


def test_what_a_screen_reader_is_told(lab):
    lab.root.focus()
    lab.keys("2", "g", "t")
    tree = lab.root.aria_snapshot()
    for told in (
        'group "Adjudicator, study pilot, eve"',
        'region "Item 1 of 4"',
        'region "What the raters said"',
        'columnheader "Rater A"',
        'rowheader "≠ escalation"',
        'group "escalation"',
        "[pressed]",
        'group "Reason"',
        'button "guideline gap" [pressed]',
        'button "guideline should be updated" [pressed]',
        'progressbar "Items done"',
    ):
        assert told in tree
    assert lab.status.get_attribute("role") == "status"
    assert lab.alert.get_attribute("role") == "alert"
    reason = lab.root.get_by_role("button", name="edge case")
    reason.focus()
    lab.keys("Space")
    assert reason.get_attribute("aria-pressed") == "true"
    assert lab.events("skip") == []
    assert reason.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_text_has_a_contrast_of_at_least_four_and_a_half(lab, theme):
    lab.use_theme(theme)
    lab.root.focus()
    lab.keys("1", "e", "h")
    low = lab.low_contrast()
    lab.keys("h")
    assert low == []


def test_the_adjudicator_fits_at_twice_the_zoom(lab):
    lab.page.set_viewport_size({"width": 640, "height": 500})  # what 200 % leaves of 1280 by 1000
    over = lab.root.evaluate("node => node.scrollWidth - node.clientWidth")
    lab.page.set_viewport_size({"width": 1280, "height": 1000})
    assert over <= 0


def test_decides_by_keyboard_in_notebook_7(desk):
    book = desk(*cells(), app="notebook")
    book.pane.click()  # Notebook 7 takes a cell that is not the active one from the page
    book.keys("2", "3", "g", "Enter")
    book.wait_for_status("saved · item 2 of 4")
    book.keys("d", "d", "b", "x", "Control+s")
    book.page.wait_for_timeout(3000)
    assert len(nbformat.read(book.path, as_version=4).cells) == 2
    assert [event["reason"] for event in book.events("adjudicate")] == ["guideline_gap"]
    assert book.outside == []
