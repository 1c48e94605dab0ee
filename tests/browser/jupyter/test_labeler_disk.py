"""A disk that is full or turned read-only, in a browser."""

from __future__ import annotations

import json
import os
import signal

import pytest
from disks import remount

pytestmark = pytest.mark.browser

CELL = """
from toolkit.widgets import Labeler
items = [{{"item_id": f"i{{n}}", "text": f"words of item {{n}}"}} for n in range(5)]
schema = {{"constructs": {{"tone": {{"categories": ["calm", "harsh"]}}}}}}
labeler = Labeler(items, schema, rater="ann", study="pilot", folder={folder!r}, interactive=True)
labeler
"""


def tones(place):
    text = "".join(path.read_text() for path in sorted(place.glob("*.jsonl")))
    events = [json.loads(line) for line in text.splitlines()]
    return [event["labels"]["tone"] for event in events if event["kind"] == "label"]


def test_a_full_disk_and_one_that_turned_read_only_say_so_and_save_once(desk, small_disk):
    lab = desk(CELL.format(folder=str(small_disk)))
    lab.root.focus()
    lab.keys("1", "Enter")
    lab.wait_for_status("saved · item 2 of 5")
    second = lab.pane.inner_text()

    # Full: the journal may fill the page of memory that it has, so the note is longer than one.
    filler = small_disk / "filler"
    with pytest.raises(OSError, match="No space left"):
        filler.write_bytes(b"x" * 65_536)
    lab.keys("n")
    lab.page.keyboard.insert_text("x" * 9000)
    lab.keys("Escape", "2", "Enter")
    lab.alert.wait_for(timeout=30_000)
    assert lab.alert.inner_text().startswith("NOT SAVED")
    assert "No space left" in lab.alert.inner_text()
    assert "What you chose is still here" in lab.alert.inner_text()
    assert lab.pane.inner_text() == second
    assert tones(small_disk) == ["calm"]
    filler.unlink()
    lab.keys("Enter")
    lab.wait_for_status("saved · item 3 of 5")
    assert tones(small_disk) == ["calm", "harsh"]

    # A disk can't be made read-only under an open file, so the next sitting meets it.
    third = lab.pane.inner_text()
    os.kill(lab.kernel, signal.SIGKILL)
    dialog = lab.page.locator(".jp-Dialog")
    dialog.wait_for(timeout=60_000)
    dialog.get_by_role("button").last.click()
    remount(small_disk, "ro")
    lab.root.evaluate("node => node.remove()")
    lab.page.get_by_role("menuitem", name="Run", exact=True).click()
    lab.page.get_by_text("Run All Cells", exact=True).click()
    output = lab.page.locator(".jp-OutputArea-output").filter(has_text="Read-only file system")
    output.first.wait_for(timeout=60_000)
    assert lab.root.count() == 0
    remount(small_disk, "rw")
    lab.run_all()
    assert lab.pane.inner_text() == third
    lab.root.focus()
    lab.keys("1", "Enter")
    lab.wait_for_status("saved · item 4 of 5")
    assert tones(small_disk) == ["calm", "harsh", "calm"]
