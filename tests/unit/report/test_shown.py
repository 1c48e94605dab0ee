"""What a report shows: data as text, never as markup; pictures of every kind of result."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

import toolkit as tk
from toolkit import report
from toolkit.report.words import WORDS, in_words

NASTY = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def nasty():
    rows = []
    for i in range(40):
        for construct in (NASTY, "b"):
            for rater, kind in [(f"ann{NASTY}", "human"), (f"gpt{NASTY}", "judge")]:
                label = f"yes{NASTY}" if (i + (kind == "judge") * (i % 7 == 0)) % 2 else "no"
                rows.append((f"i{i}{NASTY}", construct, rater, kind, label))
    columns = ["item_id", "construct", "rater_id", "rater_kind", "label"]
    return tk.read_labels(pd.DataFrame(rows, columns=columns))


def test_names_and_labels_from_data_are_shown_as_text(nasty):
    agreement = tk.agreement(nasty)
    contrast = tk.contrast(nasty, NASTY, "b")
    diagnosis = tk.diagnose(nasty, NASTY, "b", draws=500)
    pages = [
        report.headline(diagnosis, nasty).data,
        report.gap_text(diagnosis).data,
        report.evidence_table(diagnosis).data,
        report.criteria_table(diagnosis).data,
        report.people_text(diagnosis).data,
        report.bullets("a", report.in_lines(report.checks_not_run(diagnosis))).data,
        report.read_table(nasty).data,
        report.left_out_table(nasty, agreement, contrast).data,
        report.agreement_table(agreement).data,
        report.contrast_text(contrast).data,
        report.disagreement_table(diagnosis).data,
        nasty._repr_html_(),
        agreement._repr_html_(),
        contrast._repr_html_(),
        tk.contrasts(nasty)._repr_html_(),
    ]
    assert not [page for page in pages if "<script" in page]
    assert any("&lt;script" in page for page in pages)


def test_pictures_are_drawn_for_undefined_results_too():
    frame = pd.DataFrame({"item_id": range(20), "ann": 0, "gpt": 0})
    labels = tk.read_labels(frame, wide="rater", construct="harm")
    agreement = tk.agreement(labels, judge="gpt")
    assert report.forest(agreement).axes
    assert report.confusion(agreement).axes
    two = tk.simulate(["a", "b"], n_calls=30)
    apart = two.frame.assign(call_id=two.frame["construct"] + two.frame["call_id"])
    assert report.difference(tk.contrast(tk.read_labels(apart), "a", "b")).axes


def test_what_was_left_out_is_one_row_per_construct_with_a_column_per_reason():
    frame = tk.simulate(["a", "b"], n_calls=60, humans=2, human_error=0.2).frame.astype(object)
    frame.loc[(frame["item_id"] == frame["item_id"].iloc[0]), "label"] = "unsure"
    given = {"categories": [0, 1], "abstain": ["unsure"]}
    labels = tk.read_labels(frame, schema={"constructs": {"a": given, "b": given}})
    agreement = tk.agreement(labels)
    page = report.left_out_table(labels, agreement, tk.contrast(labels, "a", "b")).data
    head, *rows = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in page.split("<tr")[1:]]
    tied = agreement.left_out.set_index(["construct", "reason"])["items"][:, "tied_reference"]
    both = tk.contrast(labels, "a", "b").left_out
    said = "1 by judge, 1 by human1, 1 by human2"
    assert head[:2] == ["construct", "labels: rater abstained"]
    shown = {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}
    assert list(shown) == ["a", "b", "a against b"]
    for name in ("a", "b"):
        assert shown[name]["labels: rater abstained"] == said
        assert shown[name]["items: people were tied"] == str(tied[name])
    assert shown["a against b"]["labels: rater abstained"] == ""
    assert shown["a against b"]["items: people were tied"] == str(both["tied_reference"])


def test_a_comparison_without_shared_calls_is_one_sentence_and_no_table_of_undefined_numbers():
    two = tk.simulate(["a", "b"], n_calls=30)
    apart = two.frame.assign(call_id=two.frame["construct"] + two.frame["call_id"])
    shown = report.contrast_text(tk.contrast(tk.read_labels(apart), "a", "b")).data
    assert shown == f"<p>Nothing to compare: {in_words('no_shared_calls')}.</p>"


def test_a_note_on_every_construct_does_not_name_them_all():
    labels = tk.simulate({"a": {"categories": 3}, "b": {"categories": 3}}, n_calls=1200)
    bare = tk.read_labels(labels.frame)
    page = report.agreement_table(tk.agreement(bare)).data
    assert f"every construct: {in_words('more_than_two_categories')}" in page
    assert "<td>1,200</td>" in page


# pytest undoes the filter that the module sets when it is imported
@pytest.mark.filterwarnings("ignore:Glyph")
def test_dollar_signs_and_foreign_scripts_in_names_are_drawn_without_complaint(tmp_path):
    names = [r"$\bad$", "$^$", "costs $1-$5", "自殺"]
    labels = tk.simulate(names, n_calls=40)
    agreement = tk.agreement(labels)
    contrast = tk.contrast(labels, names[0], names[3])
    figures = [report.forest(agreement), report.confusion(agreement), report.difference(contrast)]
    for number, figure in enumerate(figures):
        figure.savefig(tmp_path / f"{number}.png")
    shown = [label.get_text() for label in figures[0].axes[0].get_yticklabels()]
    assert any("costs" in text for text in shown)


def test_every_reason_and_flag_of_a_result_has_words():
    labels = tk.simulate({"a": {}, "scale": {"categories": 5}}, n_calls=40, conversations=4)
    bare = labels.frame.drop(columns=["rater_kind", "call_id"])
    inferred = tk.read_labels(bare)
    agreement = tk.agreement(inferred, judge="judge", cluster="cluster")
    contrast = tk.contrast(inferred, "a", "scale", judge="judge")
    codes = {*inferred.flags, *agreement.flags, *contrast.flags, *contrast.reasons}
    for one in agreement:
        codes |= {*one.kappa.reasons, *one.kappa.flags, *one.kappa.left_out}
    alone = tk.read_labels(bare[bare["rater_id"] == "judge"], overlap=False)
    codes |= {flag.partition(":")[0] for flag in alone.flags}
    assert len(codes) >= 5
    assert not [code for code in codes if code not in WORDS]
    assert in_words("no_labels:self_harm") == "self_harm: declared, but no usable label"
    assert in_words("an_unknown_code") == "an unknown code"


def test_results_hold_no_absolute_path_and_no_folder(tmp_path):
    labels = tk.simulate(["a"], n_calls=50)
    given = {"labels": str(tmp_path / "my.csv"), "out": str(tmp_path), "schema": None, "seed": 0}
    made = report.write_results(
        tmp_path,
        parameters=given,
        labels=labels,
        diagnosis=tk.diagnose(labels, draws=500),
    )
    text = (tmp_path / "results.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    assert made["parameters"] == {"labels": "my.csv", "schema": None, "seed": 0}
    assert set(json.loads(text)) == {
        "schema_version", "parameters", "versions", "read", "left_out",
        "agreement", "people", "contrast", "diagnosis", "verdict", "not_run",
    }  # fmt: skip
