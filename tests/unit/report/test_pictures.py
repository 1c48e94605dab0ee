"""Pictures say in words what they show, in the notebook and on the page."""

from __future__ import annotations

from html.parser import HTMLParser

import pandas as pd
import pytest

import toolkit as tk
from toolkit import report


class Alternatives(HTMLParser):
    """Collects the text alternative of every picture of a page."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.found.append(dict(attributes).get("alt"))


@pytest.fixture(scope="module")
def labels():
    # Markup in a name may not end the attribute.
    names = {'"><b>self_harm': {}, "irony": {"sensitivity": 0.6, "specificity": 0.7}}
    return tk.simulate(names, n_calls=200, seed=3)


@pytest.fixture(scope="module")
def page(labels, tmp_path_factory):
    out = tmp_path_factory.mktemp("pictures")
    labels.frame.to_csv(out / "labels.csv", index=False)
    made = tk.run_report("construct_diagnosis", out=out, labels=str(out / "labels.csv"), draws=500)
    return made.html.read_text(encoding="utf-8")


def test_every_picture_of_the_page_says_what_it_shows(page, labels):
    alternatives = Alternatives(page).found
    assert len(alternatives) >= 6
    for said in alternatives:
        assert said
        assert "No description" not in said
    # All but the shares of the causes are about constructs.
    named = [said for said in alternatives if all(name in said for name in labels.constructs)]
    assert len(named) >= len(alternatives) - 1


def test_the_words_of_a_picture_hold_its_numbers(labels):
    agreement, contrast = tk.agreement(labels), tk.contrast(labels, "irony", '"><b>self_harm')
    forest = report.forest(agreement).alt
    assert forest.index("irony") < forest.index("self_harm")
    assert all(f"{one.construct} {one.kappa.estimate:.2f}" in forest for one in agreement)
    difference = report.difference(contrast).alt
    assert f"{contrast.difference:.2f}" in difference
    assert f"{contrast.low:.2f} to {contrast.high:.2f}, which does not hold 0" in difference
    same, n = agreement["irony"].table.to_numpy().trace(), agreement["irony"].measures["n"]
    assert f"irony {same:.0f} of {n}" in report.confusion(agreement).alt
    people = tk.agreement(labels, judge="human2", reference="human1")
    assert "human2 against human1" in report.forest(agreement, people=people).alt


def test_what_is_undefined_is_called_so_in_words_too():
    frame = pd.DataFrame({"item_id": range(20), "ann": 0, "gpt": 0})
    wide = tk.read_labels(frame, wide="rater", construct="harm")
    assert "undefined: harm" in report.forest(tk.agreement(wide, judge="gpt")).alt
    two = tk.simulate(["a", "b"], n_calls=30)
    apart = two.frame.assign(call_id=two.frame["construct"] + two.frame["call_id"])
    said = report.difference(tk.contrast(tk.read_labels(apart), "a", "b")).alt
    assert said == "Kappa of b minus kappa of a: undefined (no shared calls)."
