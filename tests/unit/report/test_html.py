from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from toolkit.report.html import to_html

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)
WIDGET = {"application/vnd.jupyter.widget-view+json": {"model_id": "a"}}


class Page(HTMLParser):
    """Collects what a browser would load."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.loaded, self.style, self.policy = [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        given = dict(attributes)
        self.loaded += [given[key] for key in ("src", "srcset", "data", "poster") if key in given]
        if tag == "link":
            self.loaded.append(given["href"])
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        self.style.append(given.get("style") or "")

    def handle_data(self, text):
        if self.tags and self.tags[-1] == "style":
            self.style.append(text)


@pytest.fixture
def render(tmp_path):
    def run(*outputs, text="# A & B", **metadata):
        cells = [new_markdown_cell(text), new_code_cell("secret_of_the_code = 1")]
        cells[1].outputs = [new_output("display_data", data=data) for data in outputs]
        path = tmp_path / "small.ipynb"
        nbformat.write(new_notebook(cells=cells, metadata=metadata), path)
        return to_html(path)

    return run


def test_the_page_loads_nothing_and_runs_nothing(render):
    table = "<table><tr><td>1</td></tr></table>"
    state = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    page = Page(
        render(
            {"text/html": table},
            {"image/png": PIXEL, "text/plain": "figure"},
            {"text/latex": "$x$", "text/plain": "x"},
            {**WIDGET, "text/html": table},
            {"application/javascript": "fetch('a')", "text/plain": "script"},
            widgets=state,
        )
    )
    assert "script" not in page.tags
    assert all(link.startswith("data:") for link in page.loaded)
    assert page.loaded
    style = "".join(page.style)
    assert "@import" not in style
    assert "url(" not in style
    assert page.policy.startswith("default-src 'none'")


def test_a_widget_is_shown_by_its_html(render):
    page = render({**WIDGET, "text/html": "<p>12 labels on disk</p>", "text/plain": "Labeler()"})
    assert "12 labels on disk" in page


def test_what_a_model_wrote_is_text(render):
    page = render({"text/plain": "<img src=http://outside.example/a.png onerror=alert(1)>"})
    assert "img" not in Page(page).tags


def test_code_is_there_but_folded(render):
    page = render()
    folded = page.index("<details"), page.index("secret_of_the_code"), page.index("</details>")
    assert list(folded) == sorted(folded)
    assert "open" not in page[folded[0] : folded[1]].split(">")[0]


@pytest.mark.parametrize("tag", ["parameters", "injected-parameters", "hide-input"])
def test_code_that_only_sets_up_is_left_out_and_its_output_is_not(tmp_path, tag):
    cell = new_code_cell("secret_of_the_code = 1", metadata={"tags": ["other", tag]})
    cell.outputs = [new_output("stream", text="shown")]
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "a.ipynb")
    page = to_html(tmp_path / "a.ipynb")
    assert "secret_of_the_code" not in page
    assert "shown" in page


def test_the_title_is_the_notebooks_else_the_first_heading_else_the_name(render):
    assert "<title>A &amp; B</title>" in render()
    assert "<title>C</title>" in render(title="C")
    assert "<title>small</title>" in render(text="no heading")


def test_the_same_notebook_gives_the_same_page(render, tmp_path):
    assert render({"text/plain": "a"}, {"image/png": PIXEL}) == to_html(tmp_path / "small.ipynb")


def test_an_error_is_shown_with_its_lines(tmp_path):
    cell = new_code_cell("1 / 0")
    cell.outputs = [new_output("error", ename="E", evalue="v", traceback=["line <1>", "line 2"])]
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "a.ipynb")
    assert "line &lt;1&gt;" in to_html(Path(tmp_path, "a.ipynb"))
