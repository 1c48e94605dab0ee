from __future__ import annotations

import json
import statistics

import pytest

pytestmark = [pytest.mark.browser]

CELL = """
from toolkit.widgets import Labeler
items = [{{"item_id": f"i{{n}}", "text": f"words of item {{n}} " * 50}} for n in range({count})]
schema = {{"constructs": {{"tone": {{"categories": ["calm", "harsh"]}},
                           "care": {{"kind": "ordinal", "categories": [1, 2, 3]}}}}}}
labeler = Labeler(items, schema, rater="ann", study="pilot", interactive=True)
labeler
"""
# Notes when Enter was pressed and when the page said that the label is saved.
WATCH = """() => {
  window.times = []; let pressed = 0;
  addEventListener('keydown', e => { if (e.key === 'Enter') pressed = performance.now(); }, true);
  new MutationObserver(() => {
    const text = [...document.querySelectorAll('.ct-status')].at(-1).textContent;
    if (text.startsWith('saved')) window.times.push(performance.now() - pressed);
  }).observe([...document.querySelectorAll('.ct-status')].at(-1), {childList: true});
}"""


def label_all(lab, count: int) -> list[tuple[int, int]]:
    """Label by keyboard as fast as labels are saved; what is meant follows from the item shown."""
    meant = []
    for number in range(1, count + 1):
        item = int(lab.pane.inner_text().split()[3])
        meant.append((item, item % 2 + 1, item % 3 + 1))
        lab.keys(str(item % 2 + 1), str(item % 3 + 1), "Enter")
        lab.wait_for_status(f"item {number + 1} of")
    return meant


@pytest.mark.parametrize(
    ("count", "labelled"), [(300, 25), pytest.param(10_000, 500, marks=pytest.mark.slow)]
)
def test_a_fast_rater_loses_and_misplaces_nothing(desk, record_property, count, labelled):
    lab = desk(CELL.format(count=count))
    lab.page.evaluate(WATCH)
    lab.root.focus()
    meant = label_all(lab, labelled)
    words = ["calm", "harsh"]
    stored = [
        (int(e["item_id"][1:]), words.index(e["labels"]["tone"]) + 1, e["labels"]["care"])
        for e in lab.events("label")
    ]
    assert stored == meant
    assert len({item for item, _, _ in stored}) == labelled
    times = lab.page.evaluate("window.times")
    record_property("median_ms_from_enter_to_saved", statistics.median(times))
    print(json.dumps({"n": len(times), "median": statistics.median(times), "most": max(times)}))  # noqa: T201
