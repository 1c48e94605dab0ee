from __future__ import annotations

import pytest

from toolkit.report.runner import run_report

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report on the bundled data, made once."""
    return run_report("construct_diagnosis", out=tmp_path_factory.mktemp("report"), draws=2000)


@pytest.fixture
def opened(visit, report):
    return visit(report.html)


def test_the_report_opens_offline_without_a_complaint(opened):
    assert opened.outside == []
    assert opened.complaints == []


def test_the_first_thing_on_the_page_is_the_sentence(opened, report):
    sentence = report.results["verdict"]["sentence"]
    assert opened.page.locator("main").inner_text().strip().startswith(sentence)
    box = opened.page.get_by_text(sentence).first.bounding_box()
    assert 0 <= box["y"] < 300


def test_the_code_is_folded_and_opens_with_the_keyboard(opened):
    code = opened.page.locator("details.code").first
    assert not code.locator(".highlight").is_visible()
    code.locator("summary").focus()
    opened.page.keyboard.press("Enter")
    assert code.locator(".highlight").is_visible()


def test_the_text_is_not_wider_than_the_window(opened):
    for width in (1280, 400):
        opened.page.set_viewport_size({"width": width, "height": 900})
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


def test_at_full_width_no_table_is_cut_off(opened):
    wide = "table => table.scrollWidth > table.parentElement.clientWidth"
    tables = opened.page.locator("table:visible").all()
    assert tables
    assert not [table for table in tables if table.evaluate(wide)]


def test_the_evidence_has_a_row_a_cause_and_its_rules_open_with_the_keyboard(opened):
    evidence = opened.page.locator("table.evidence tbody tr")
    assert evidence.count() == 13
    rules = opened.page.locator("details.rules")
    assert not rules.locator("table").is_visible()
    rules.locator("summary").focus()
    opened.page.keyboard.press("Enter")
    assert rules.locator("table").is_visible()


def test_no_cell_complains(opened):
    assert opened.page.locator("[data-mime-type$='stderr']").count() == 0


def test_every_picture_is_drawn(opened):
    assert opened.page.locator("img").count() > 0
    assert opened.page.evaluate(
        "[...document.images].every(image => image.complete && image.naturalWidth > 0)"
    )


def test_every_picture_has_words_for_those_who_do_not_see_it(opened):
    pictures = opened.page.get_by_role("img")
    assert pictures.count() == opened.page.locator("img").count() > 0
    for picture in pictures.all():
        said = picture.get_attribute("alt")
        assert said
        assert "No description" not in said


def test_a_page_that_is_not_ours_would_be_caught(visit, tmp_path):
    page = tmp_path / "a.html"
    page.write_text("<img src='http://outside.example/a.png'><script>undefined_name</script>")
    opened = visit(page)
    assert opened.outside == ["http://outside.example/a.png"]
    assert any("undefined_name" in complaint for complaint in opened.complaints)
