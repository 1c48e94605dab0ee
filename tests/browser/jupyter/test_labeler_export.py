from __future__ import annotations

import pytest

from toolkit.report.runner import run_report
from toolkit.widgets import Labeler

pytestmark = pytest.mark.browser


def test_an_export_shows_what_is_labelled_offline(visit, tmp_path):
    folder = tmp_path / "labels"
    items = [{"item_id": n, "text": f"words {n}"} for n in range(3)]
    (tmp_path / "items.csv").write_text("item_id,text\n0,words 0\n1,words 1\n2,words 2\n")
    (tmp_path / "schema.yaml").write_text("constructs: {tone: {categories: [calm, harsh]}}\n")
    options = {"rater": "ann", "study": "example", "folder": folder, "interactive": False}
    labeler = Labeler(items, tmp_path / "schema.yaml", **options)
    sheet = labeler.to_csv(tmp_path / "sheet.csv")
    sheet.write_text(sheet.read_text().replace(",words 1,tone,,", ",words 1,tone,harsh,"))
    assert labeler.from_csv(sheet) == 1
    before = sorted(path.name for path in folder.iterdir())

    given = {"items": str(tmp_path / "items.csv"), "schema": str(tmp_path / "schema.yaml")}
    run = run_report("labelling", out=tmp_path / "report", folder=str(folder), **given)
    opened = visit(run.html)
    assert "1 of 3 items done" in opened.page.locator("main").inner_text()
    assert "calm: 0, harsh: 1" in opened.page.locator("main").inner_text()
    assert opened.outside == []
    assert opened.complaints == []
    assert run.results["counts"]["labelled"] == 1
    assert sorted(path.name for path in folder.iterdir()) == before


def test_an_export_shows_what_is_decided_and_the_loop_offline(visit, tmp_path):
    run = run_report("adjudication", out=tmp_path / "report")
    opened = visit(run.html)
    text = opened.page.locator("main").inner_text()
    assert "Study example, adjudicator eve: 0 of 13 items done" in text
    assert "half-widths so far" in text
    assert opened.outside == []
    assert opened.complaints == []
    assert run.results["counts"] == {"open": 13, "decided": 0, "skipped": 0}
    # The answers are what was planted in the pool, so its kappas are met; data/pool/README.md.
    assert abs(run.results["kappa"]["escalation"] - 0.5051) < 0.1
    assert abs(run.results["kappa"]["self_harm"] - 0.8919) < 0.05
    assert "Supported" in run.results["verdict"]
    journals = sorted(path.name for path in (tmp_path / "report" / "labels").iterdir())
    assert journals == ["example.ann.1.jsonl", "example.ben.1.jsonl"]
