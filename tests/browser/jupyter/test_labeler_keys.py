from __future__ import annotations

import json
import time

import nbformat
import pytest

pytestmark = pytest.mark.browser

SENTINEL = "judge-said-so"
CELL = """
import pandas as pd
import toolkit as tk
from toolkit.widgets import Labeler
schema = {"constructs": {
    "escalation": {"categories": {0: "no", 1: "yes"}, "present": [1]},
    "empathy": {"kind": "ordinal", "categories": [1, 2, 3, 4, 5]},
    "topics": {"kind": "multiple", "categories": ["work", "family", "money"]},
}}
items = pd.DataFrame({
    "item_id": [f"i{n}" for n in range(12)],
    "text": [f"words of item {n}" for n in range(12)],
    "stratum": "judge-said-so-1", "design_weight": 8642097531.25,
    "judge_escalation": "judge-said-so-2",
})
labeler = Labeler(items, schema, rater="ann", study="pilot", order_seed=3,
                  guidelines={"escalation": "Yes when it gets worse."}, interactive=True)
labeler
"""


def test_labels_by_keyboard_in_jupyterlab(desk):  # noqa: PLR0915 - a page costs seconds
    lab = desk(CELL, "1")
    page = lab.page
    cells = page.locator(".jp-Notebook .jp-Cell").count()
    lab.root.focus()

    # Two constructs by digit, several options by toggling, saved by Enter.
    lab.keys("2", "4", "1", "3", "Enter")
    lab.wait_for_status("saved · item 2 of 12")
    first = lab.events("label")
    assert [event["labels"] for event in first] == [
        {"escalation": 1, "empathy": 4, "topics.work": 1, "topics.family": 0, "topics.money": 1}
    ]
    assert first[0]["order_index"] == 0
    assert first[0]["order_seed"] == 3
    assert lab.pane.inner_text() != f"words of item {first[0]['item_id'][1:]}"

    # Not everything is answered: nothing is saved, and the page says what is missing.
    lab.keys("1", "Enter")
    lab.wait_for_status("not saved: empathy is not answered")
    assert len(lab.events("label")) == 1
    lab.keys("u", "0", "Enter")
    lab.wait_for_status("saved · item 3 of 12")
    assert lab.events("unsure")[0]["labels"] == {"empathy": None}

    # Typed without waiting: in order, nothing lost.
    lab.keys(*["1", "2", "0", "Enter"] * 3)
    lab.wait_for_status("saved · item 6 of 12")
    third = [event for event in lab.events("label") if event["order_index"] in (2, 3, 4)]
    assert [event["order_index"] for event in third] == [2, 3, 4]
    assert {event["labels"]["empathy"] for event in third} == {2}

    # JupyterLab never sees the keys: dd would delete the cell, b insert one, x cut it.
    lab.keys("d", "d", "b", "a", "x", "m", "y", "Shift+M")
    assert page.locator(".jp-Notebook .jp-Cell").count() == cells

    lab.keys("f")
    lab.wait_for_status("saved: flagged")
    assert lab.root.get_by_role("button", name="Flag").get_attribute("aria-pressed") == "true"
    lab.keys("h")
    assert (
        "Yes when it gets worse." in lab.root.get_by_role("region", name="Guideline").inner_text()
    )
    lab.keys("n")
    page.keyboard.type("dd x 1, as I type")
    lab.keys("Escape", "2", "5", "0", "Enter")
    lab.wait_for_status("saved · item 7 of 12")
    assert lab.events("label")[-1]["note"] == "dd x 1, as I type"
    lab.keys(" ")
    lab.wait_for_status("saved: skipped · item 8 of 12")

    # Undone, and shown as it was, ready to be corrected.
    lab.keys("Backspace", "Backspace")
    lab.wait_for_status("saved: taken back · item 6 of 12")
    pressed = lab.root.locator("[aria-pressed=true]").all_inner_texts()
    assert [text.split()[-1] for text in pressed] == ["yes", "5", "these", "Flag"]
    assert lab.root.get_by_role("textbox", name="Note").input_value() == "dd x 1, as I type"
    lab.keys("ArrowLeft")
    lab.wait_for_status("item 5 of 12")
    lab.keys("ArrowRight", "1", "Enter")
    page.wait_for_timeout(300)

    # Ctrl+S is JupyterLab's and saves the notebook.
    lab.keys("Control+s")
    deadline = time.monotonic() + 10  # the file is empty for a moment while it is written
    while "Study pilot, rater ann" not in lab.path.read_text() and time.monotonic() < deadline:
        page.wait_for_timeout(100)
    page.wait_for_timeout(300)
    assert "Study pilot, rater ann" in lab.path.read_text()

    # Blind: nothing of the judge on the page, in the notebook's outputs or in the journal.
    outputs = [cell.get("outputs") for cell in nbformat.read(lab.path, as_version=4).cells]
    journals = [path.read_text() for path in (lab.folder / "labels").glob("*.jsonl")]
    for text in (json.dumps(outputs), *journals, lab.root.evaluate("node => node.outerHTML")):
        assert SENTINEL not in text
        assert "8642097531" not in text

    lab.keys("Escape")
    assert not lab.root.evaluate("node => node.contains(document.activeElement)")
    assert lab.outside == []
    assert lab.complaints == []


@pytest.fixture(scope="module")
def lab(shared_desk):
    """A page for tests that only look."""
    return shared_desk(CELL)


def test_what_a_screen_reader_is_told(lab):
    lab.root.focus()
    lab.keys("ArrowUp", "ArrowUp", "2")  # the first construct, whatever a test before left
    tree = lab.root.aria_snapshot()
    assert 'group "Labeler, study pilot, rater ann"' in tree
    assert 'group "escalation"' in tree
    assert 'button "yes" [pressed]' in tree
    assert 'region "Item 1 of 12"' in tree
    assert 'progressbar "Items done"' in tree
    assert lab.status.get_attribute("role") == "status"
    assert lab.alert.get_attribute("role") == "alert"
    # Native buttons: reached by Tab, and pressed by the keys that press buttons.
    unsure = lab.root.get_by_role("group", name="escalation").get_by_role("button", name="unsure")
    unsure.focus()
    lab.keys("Space")
    assert unsure.get_attribute("aria-pressed") == "true"
    assert lab.events("skip") == []
    outline = unsure.evaluate("node => getComputedStyle(node).outlineStyle")
    assert outline == "solid"


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_text_has_a_contrast_of_at_least_four_and_a_half(lab, theme):
    lab.use_theme(theme)
    lab.root.focus()
    lab.keys("1", "h")
    low = lab.low_contrast()
    lab.keys("h")
    assert low == []


def test_the_labeler_fits_at_twice_the_zoom(lab):
    lab.page.set_viewport_size({"width": 640, "height": 500})  # what 200 % leaves of 1280 by 1000
    over = lab.root.evaluate("node => node.scrollWidth - node.clientWidth")
    lab.page.set_viewport_size({"width": 1280, "height": 1000})
    assert over <= 0


def test_what_is_not_asked_of_an_item_is_not_shown_and_not_waited_for(desk):
    read = """
    "read_escalation": [n % 2 == 0 for n in range(12)], "read_topics": False,
    "read_empathy": [n < 11 for n in range(12)],
    """
    lab = desk(CELL.replace('"stratum":', f'{read}"stratum":'))
    assert lab.root.get_by_text("nothing is to be read on them: 1 of 12 items").is_visible()
    lab.root.focus()
    for after in [*(f"saved · item {n} of 11" for n in range(2, 12)), "all items are done"]:
        odd = int(lab.pane.inner_text().split()[-1]) % 2
        blocks = [each for each in lab.root.locator(".ct-question").all() if each.is_visible()]
        names = [each.locator(".ct-name").inner_text() for each in blocks]
        assert names == ["escalation", "empathy"][odd:]
        # The first digit goes to the first that is asked; the arrows pass over the others.
        lab.keys("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", *["2", "4"][odd:], "Enter")
        lab.wait_for_status(after)
    stored = {event["item_id"]: event["labels"] for event in lab.events("label")}
    both, one = {"escalation": 1, "empathy": 4}, {"empathy": 4}
    assert stored == {f"i{n}": one if n % 2 else both for n in range(11)}
    assert lab.complaints == []


def test_labels_by_keyboard_in_notebook_7(desk):
    book = desk(CELL, "1", app="notebook")
    cells = book.page.locator(".jp-Notebook .jp-Cell").count()
    book.pane.click()  # Notebook 7 takes a cell that is not the active one from the page
    book.keys("2", "4", "0", "Enter")
    book.wait_for_status("saved · item 2 of 12")
    book.keys("d", "d", "b", "x")
    assert book.page.locator(".jp-Notebook .jp-Cell").count() == cells
    assert len(book.events("label")) == 1
    assert book.outside == []
