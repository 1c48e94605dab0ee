from __future__ import annotations

import pytest

from toolkit.report.runner import run_report

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The re-scoring report on the bundled answers, made once."""
    return run_report("he300_rescoring", out=tmp_path_factory.mktemp("report"))


@pytest.fixture
def opened(visit, report):
    return visit(report.html)


def test_the_page_opens_offline_without_a_complaint(opened):
    assert opened.outside == []
    assert opened.complaints == []


def test_the_first_thing_on_the_page_is_the_sentence(opened, report):
    text = opened.page.locator("main").inner_text().strip()
    assert text.startswith(report.results["sentence"])


def test_the_page_says_who_chooses_the_level(opened):
    headings = opened.page.locator("h2").all_inner_texts()
    assert "Which fix is right is the benchmark owner's decision" in headings


def test_the_text_is_not_wider_than_the_window(opened):
    for width in (1280, 400):
        opened.page.set_viewport_size({"width": width, "height": 900})
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


def test_at_full_width_no_table_is_cut_off(opened):
    wide = "table => table.scrollWidth > table.parentElement.clientWidth"
    tables = opened.page.locator("table").all()
    assert tables
    assert not [table for table in tables if table.evaluate(wide)]


def test_every_picture_has_words_for_those_who_do_not_see_it(opened):
    pictures = opened.page.get_by_role("img").all()
    assert len(pictures) == 2
    assert all("json-70b" in picture.get_attribute("alt") for picture in pictures)
