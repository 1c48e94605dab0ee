from __future__ import annotations

import os
import signal

import pytest

from toolkit.labels.journal import journal_events

pytestmark = pytest.mark.browser

CELL = """
from toolkit.widgets import Labeler
items = [{"item_id": f"i{n}", "text": f"words of item {n}"} for n in range(5)]
schema = {"constructs": {"tone": {"categories": ["calm", "harsh"]}}}
labeler = Labeler(items, schema, rater="ann", study="pilot", interactive=True)
labeler
"""
SOON = 2_000  # milliseconds in which a rater must see that nothing is saved


def test_a_stopped_kernel_shows_not_saved_and_a_killed_one_loses_nothing(desk):
    lab = desk(CELL)
    lab.root.focus()
    lab.keys("1", "Enter")
    lab.wait_for_status("saved · item 2 of 5")
    second = lab.pane.inner_text()

    os.kill(lab.kernel, signal.SIGSTOP)
    try:
        lab.keys("2", "Enter")
        lab.alert.wait_for(timeout=SOON)
        assert lab.alert.inner_text().startswith("NOT SAVED")
        assert lab.pane.inner_text() == second
        assert lab.root.get_by_role("button", name="harsh").get_attribute("aria-pressed") == "true"
        # What was sent stays: no digit and no click changes it; Enter asks once more.
        lab.root.get_by_role("button", name="calm").click()
        lab.keys("1", "Enter", "Enter")
        lab.alert.wait_for(timeout=SOON)
        assert len(lab.events("label")) == 1
    finally:
        os.kill(lab.kernel, signal.SIGCONT)
    lab.wait_for_status("saved · item 3 of 5")
    assert lab.alert.is_hidden()
    assert [event["labels"]["tone"] for event in lab.events("label")] == ["calm", "harsh"]
    third = lab.pane.inner_text()

    os.kill(lab.kernel, signal.SIGKILL)
    lab.keys("2", "Enter")
    lab.alert.wait_for(timeout=SOON)
    assert lab.pane.inner_text() == third
    dialog = lab.page.locator(".jp-Dialog")
    dialog.wait_for(timeout=60_000)
    dialog.get_by_role("button").last.click()
    lab.run_again()
    assert lab.pane.inner_text() == third
    assert "2 of 5 done" in lab.root.locator(".ct-counts").inner_text()
    lab.root.focus()
    lab.keys("2", "Enter")
    lab.wait_for_status("saved · item 4 of 5")
    events = journal_events(lab.folder / "labels")
    labels = events[events["kind"] == "label"]
    assert labels["item_id"].is_unique
    assert [label["tone"] for label in labels["labels"]] == ["calm", "harsh", "harsh"]
    assert sorted(labels["sitting"]) == [1, 1, 2]


def test_a_full_disk_shows_why_and_does_not_advance(desk):
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    lab = desk(CELL, limit)
    lab.root.focus()
    before = lab.pane.inner_text()
    size = max(path.stat().st_size for path in (lab.folder / "labels").iterdir())
    lab.run_cell(f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size + 20}, -1))")
    lab.root.focus()
    lab.keys("2", "Enter")
    lab.alert.wait_for(timeout=30_000)
    assert "NOT SAVED" in lab.alert.inner_text()
    assert "too large" in lab.alert.inner_text()
    assert lab.pane.inner_text() == before
    assert lab.events("label") == []
    lab.run_cell("resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))")
    lab.root.focus()
    lab.keys("Enter")
    lab.wait_for_status("saved · item 2 of 5")
    assert len(lab.events("label")) == 1
