"""What a rater types, clicks and hears, in one page: another keyboard, another pace, by mistake."""

from __future__ import annotations

import os
import signal

import pytest

pytestmark = pytest.mark.browser

CELL = """
from toolkit.widgets import Labeler
items = [{"item_id": f"i{n}", "text": f"words of item {n}"} for n in range(30)]
schema = {"constructs": {
    "tone": {"categories": [0, 1]},
    "care": {"kind": "ordinal", "categories": ["low", "middle", "high"]},
}}
labeler = Labeler(items, schema, rater="ann", study="pilot", guidelines="Read slowly.",
                  interactive=True)
labeler
"""
# Keys that come before the first reply can: all of them in one turn of the browser.
AT_ONCE = """(root, keys) => {
  for (const key of keys) root.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
}"""
PRESS = """(node, options) => node.dispatchEvent(
  new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...options}))"""


def tones(lab):
    return [event["labels"]["tone"] for event in lab.events("label")]


def twice(page, button, gap):
    """Click twice as a hand does."""
    box = button.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for count in (1, 2):
        page.mouse.down(click_count=count)
        page.mouse.up(click_count=count)
        page.wait_for_timeout(gap)


def test_what_is_typed_and_clicked_by_mistake_decides_nothing(desk):  # noqa: PLR0915 - one page
    lab = desk(CELL, "1")
    page, told = lab.page, lab.root.locator(".ct-told")
    note = lab.root.get_by_role("textbox", name="Note")
    flag = lab.root.get_by_role("button", name="Flag")
    lab.root.focus()

    # A digit is the category of that name; the page says aloud what it did, and to which construct.
    lab.keys("1")
    assert told.inner_text() == "tone: 1 · now care"
    shortcuts = "node => node.getAttribute('aria-keyshortcuts')"
    high = lab.root.get_by_role("button", name="high")
    assert high.evaluate(shortcuts) == "3"
    assert lab.root.get_by_role("button", name="Skip").evaluate(shortcuts) == "Space"
    # French keyboards have digits with Shift; under caps lock every letter is a capital.
    lab.root.evaluate(PRESS, {"key": "3", "shiftKey": True})
    assert high.get_attribute("aria-pressed") == "true"
    lab.root.evaluate(PRESS, {"key": "U"})
    assert told.inner_text() == "care: unsure"
    lab.keys("9")
    lab.wait_for_status("care has no 9")
    lab.keys("ArrowUp")
    assert told.inner_text() == "now tone: 1"
    assert lab.events("label", "unsure", "skip") == []

    # Esc that ends the composing of a character does not end the note.
    lab.keys("n")
    note.evaluate(PRESS, {"key": "Escape", "isComposing": True})
    assert note.evaluate("node => node === document.activeElement")

    # Choice and note stay with an item that is left without saving.
    page.keyboard.insert_text("precious")
    lab.keys("Escape", "ArrowRight")
    lab.wait_for_status("item 2 of 30")
    assert note.input_value() == ""
    lab.keys("ArrowLeft")
    lab.wait_for_status("item 1 of 30 · what you chose here is not saved yet")
    assert note.input_value() == "precious"
    lab.keys("Enter")
    lab.wait_for_status("saved · item 2 of 30")
    assert lab.events("label")[0]["note"] == "precious"
    assert lab.events("unsure")[0]["labels"] == {"care": None}
    lab.keys("ArrowLeft")
    lab.wait_for_status("item 1 of 30")
    assert "not saved" not in lab.status.inner_text()
    assert "item 1 of 30 · i" in lab.root.locator(".ct-place").inner_text()

    # Typed ahead of a refusal: nothing falls on the item that is still there.
    lab.root.evaluate(AT_ONCE, ["ArrowLeft", "0", "2", "Enter"])
    lab.wait_for_status("nothing saved: there is no further item that way")
    page.wait_for_timeout(300)
    assert tones(lab) == [1]
    lab.keys("ArrowRight")
    lab.wait_for_status("item 2 of 30")
    lab.root.evaluate(AT_ONCE, ["0", "2", "Enter", "1", "Enter", "1", "2", "Enter"])
    lab.wait_for_status("not saved: care is not answered")
    page.wait_for_timeout(300)
    assert tones(lab) == [1, 0]
    assert lab.status.inner_text().startswith("not saved")

    # Typed within a moment, in order, each on its own item.
    lab.root.evaluate(AT_ONCE, ["2", "Enter", *["0", "3", "Enter"] * 2])
    lab.wait_for_status("saved · item 6 of 30")
    assert tones(lab) == [1, 0, 1, 0, 0]

    # Typed again while the kernel is slow and the old text still stands: dropped, and said.
    os.kill(lab.kernel, signal.SIGSTOP)
    try:
        lab.keys("1", "1", "Enter")
        page.wait_for_timeout(400)
        lab.keys("0", "1", "Enter")
        page.wait_for_timeout(200)
    finally:
        os.kill(lab.kernel, signal.SIGCONT)
    lab.wait_for_status("saved · item 7 of 30 · keys pressed before it was shown were dropped")
    page.wait_for_timeout(300)
    assert tones(lab) == [1, 0, 1, 0, 0, 1]
    assert lab.root.locator("[aria-pressed=true]").count() == 0

    # After a decision without an answer one may leave; what was chosen stays with the item.
    os.kill(lab.kernel, signal.SIGSTOP)
    try:
        lab.keys("1", "1", "Enter")
        lab.alert.wait_for(timeout=2_000)
        lab.keys("ArrowLeft")
    finally:
        os.kill(lab.kernel, signal.SIGCONT)
    lab.alert.wait_for(state="hidden", timeout=30_000)
    page.wait_for_timeout(300)
    assert len(tones(lab)) == 7

    # A double click is one click, and a key held down on a button one press.
    skip = lab.root.get_by_role("button", name="Skip")
    twice(page, skip, 150)
    lab.wait_for_status("saved: skipped")
    page.wait_for_timeout(600)
    assert len(lab.events("skip")) == 1
    skip.focus()
    for _ in range(4):
        page.keyboard.down("Enter")
        page.wait_for_timeout(150)
    page.keyboard.up("Enter")
    page.wait_for_timeout(300)
    assert len(lab.events("skip")) == 2
    twice(page, lab.root.get_by_role("button", name="Undo"), 150)
    page.wait_for_timeout(600)
    assert len(lab.events("undo")) == 1

    # What one reads and selects in the guideline is not painted anew.
    lab.root.focus()
    lab.keys("h")
    guide = lab.root.locator(".ct-guide")
    guide.evaluate("node => { node.firstChild.kept = true; }")
    lab.keys("f")
    lab.wait_for_status("saved: flagged")
    page.wait_for_timeout(100)
    assert guide.evaluate("node => node.firstChild.kept")

    # Another view of the same labeler shows the same flag.
    lab.run_cell("display(labeler.widget)")
    page.wait_for_function("() => document.querySelectorAll('.ct-root .ct-place').length === 2")
    lab.root.focus()
    lab.keys("f")
    lab.wait_for_status("saved: flag taken off")
    assert (
        page.locator(".ct-root")
        .first.get_by_role("button", name="Flag")
        .get_attribute("aria-pressed")
        == flag.get_attribute("aria-pressed")
        == "false"
    )
    assert lab.complaints == []
