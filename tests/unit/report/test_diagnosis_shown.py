"""The parts of a diagnosis as a reader sees them: in pictures that have words, and in tables."""

from __future__ import annotations

import io
import itertools
import re

import pytest
from IPython.display import HTML

import toolkit as tk
from toolkit import report
from toolkit.diagnosis.words import TITLES

NAMES = ["escalation", "advice", "self_harm"]
SCALE = {"categories": 5}


def planted(cause="threshold_shift", n_calls=300, constructs=NAMES, **options):
    labels = tk.simulate(constructs, n_calls=n_calls, cause=cause, **options)
    names = list(constructs)
    return labels, tk.diagnose(labels, names[0], names[-1], judge="judge", draws=500)


@pytest.fixture(scope="module")
def full():
    """Two people, two judges, strata and an order."""
    return planted(humans=2, judges=2, strata=3, ordered=True)


@pytest.fixture(scope="module")
def drifted():
    return planted("drift", ordered=True, humans=1)


@pytest.fixture(scope="module")
def single():
    labels = tk.simulate(["a"], n_calls=60, humans=1)
    return labels, tk.diagnose(labels, draws=500)


@pytest.fixture(scope="module")
def apart():
    """No item carries both constructs."""
    frame = tk.simulate(["a", "b"], n_calls=60).frame
    half = frame["item_id"].str[1:].astype(int) % 2 == (frame["construct"] == "a")
    labels = tk.read_labels(frame[half])
    return labels, tk.diagnose(labels, "a", "b", draws=500)


def pairs(labels, judge="judge"):
    two = report.people_to_compare(labels, judge)
    return [
        tk.agreement(labels, judge=one, reference=other, draws=500)
        for one, other in report.pairs_of_raters(two, judge)
    ]


def everything(labels, diagnosis):
    """All that the notebook shows of a diagnosis."""
    return [
        report.headline(diagnosis, labels),
        report.gap_text(diagnosis),
        report.evidence_table(diagnosis),
        report.shares(diagnosis),
        report.waterfall(diagnosis),
        report.prevalence_curves(diagnosis, labels),
        report.trait_matrix(diagnosis),
        report.criteria_table(diagnosis),
        report.rolling_agreement(diagnosis, labels),
        report.strata_forest(diagnosis),
        report.ceiling(pairs(labels)),
        report.people_text(diagnosis),
        report.disagreement_table(diagnosis),
    ]


def is_shown(part):
    """Whether a part is a page without `nan`, or a picture that can be drawn and has words."""
    if isinstance(part, HTML):
        return "nan" not in re.split(r"[^a-z]+", part.data)
    part.savefig(io.BytesIO())
    return len(part.alt) > 20 and not re.search(r"\bnan\b", part.alt)


def test_every_picture_is_drawn_where_the_labels_allow_it_and_has_words(full):
    parts = everything(*full)
    assert [is_shown(part) for part in parts] == [True] * len(parts)
    assert sum(not isinstance(part, HTML) for part in parts) == 7


@pytest.mark.parametrize("which", ["single", "apart", "drifted"])
def test_what_can_not_be_drawn_is_a_sentence(which, request):
    parts = everything(*request.getfixturevalue(which))
    assert [is_shown(part) for part in parts] == [True] * len(parts)


def test_five_categories_and_clusters_are_shown():
    scales = dict.fromkeys(NAMES, SCALE)
    labels = tk.simulate(scales, n_calls=300, cause="halo", humans=3, conversations=4)
    diagnosis = tk.diagnose(labels, "escalation", "self_harm", cluster="cluster", draws=500)
    parts = everything(labels, diagnosis)
    assert [is_shown(part) for part in parts] == [True] * len(parts)
    assert "Not drawn for escalation and self_harm" in parts[5].data
    assert "person set aside" in parts[11].data


def test_a_judge_that_gives_one_label_is_shown():
    frame = tk.simulate(["a", "b"], n_calls=80, humans=2).frame
    judge = (frame["construct"] == "a") & (frame["rater_kind"] == "judge")
    labels = tk.read_labels(frame.assign(label=frame["label"].mask(judge, 0)))
    diagnosis = tk.diagnose(labels, "a", "b", draws=500)
    assert all(is_shown(part) for part in everything(labels, diagnosis))


def test_the_table_has_a_row_a_cause_with_sign_and_word_and_named_causes_first(full):
    diagnosis = full[1]
    page = report.evidence_table(diagnosis).data
    rows = page.partition("<tbody>")[2].partition("</tbody>")[0].split("<tr>")[1:]
    assert len(rows) == len(TITLES) == len(diagnosis.evidence.causes)
    assert TITLES[diagnosis.verdict.causes[0]] in rows[0]
    for row in rows:
        assert re.search(
            "(●\u00a0supported|◆\u00a0minor|○\u00a0refuted|\\?\u00a0undet|not\u00a0testable)", row
        )


def test_the_picture_of_shares_names_the_named_cause_first(full):
    said = report.shares(full[1]).alt
    first = full[1].verdict.causes[0]
    share = full[1].evidence[first].share
    assert said.index(TITLES[first]) < said.index(TITLES["prevalence"])
    assert f"{TITLES[first]} {share:.2f}" in said
    labels = [text.get_text() for text in full[1].plot().axes[0].get_yticklabels()]
    assert labels[-1] == f"{TITLES[first]} (named)"


def test_the_steps_lead_from_the_low_to_the_high_kappa(full):
    split = full[1].waterfall
    axes = report.waterfall(full[1]).axes[0]
    bars = [(bar.get_x(), bar.get_width()) for bar in axes.patches]
    assert bars[0] == (0, pytest.approx(float(split.start[0])))
    for (x, width), (next_x, _) in itertools.pairwise(bars[:-1]):
        assert next_x == pytest.approx(x + width)
    assert bars[-1][1] == pytest.approx(sum(bars[-2]))


def test_a_marker_stands_on_the_curve_of_its_construct_at_its_own_kappa(full):
    labels, diagnosis = full
    axes = report.prevalence_curves(diagnosis, labels).axes[0]
    points = [line.get_xydata()[0] for line in axes.lines if len(line.get_xdata()) == 1]
    for point, name in zip(points, ("escalation", "self_harm"), strict=True):
        one = diagnosis.agreement[name]
        assert point[0] == pytest.approx(one.table.to_numpy()[1].sum() / one.table.to_numpy().sum())
        assert point[1] == pytest.approx(one.kappa.estimate)


def test_the_matrix_is_cut_to_people_and_judge_where_it_would_be_unreadable(full):
    assert len(report.trait_matrix(full[1]).axes[0].get_yticks()) == 9
    many = [f"c{number}" for number in range(6)]
    found = planted(constructs=many, judges=2, n_calls=100)[1]
    assert len(report.trait_matrix(found).axes[0].get_yticks()) == 12


def test_the_window_shows_the_drop_inside_the_shaded_stretch(drifted):
    labels, diagnosis = drifted
    figure = report.rolling_agreement(diagnosis, labels)
    low = next(line for line in figure.axes[0].lines if line.get_label() == "escalation")
    (stretch,) = diagnosis.evidence["drift"].facts["stretches"]
    x, kappa = low.get_xdata(), low.get_ydata()
    inside = (x > stretch["from"]) & (x < stretch["to"])
    assert kappa[inside].mean() < kappa[~inside].mean() - 0.2
    assert "escalation from" in figure.alt


def test_dates_stand_below_the_axis_as_dates():
    labels, _ = planted("drift", ordered=True, humans=1)
    days = labels.frame["order"].map(lambda day: f"2026-{1 + day % 12:02d}-{1 + day % 28:02d}")
    dated = tk.read_labels(labels.frame.assign(order=days))
    diagnosis = tk.diagnose(dated, "escalation", "self_harm", draws=500)
    figure = report.rolling_agreement(diagnosis, dated)
    ticks = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    assert ticks == sorted(ticks)
    assert all(re.fullmatch(r"2026-\d\d-\d\d", tick) for tick in ticks)


def test_results_hold_the_whole_diagnosis_and_the_verdict_with_its_status(full, tmp_path):
    labels, diagnosis = full
    made = report.write_results(tmp_path, parameters={}, labels=labels, diagnosis=diagnosis)
    assert made["verdict"]["status"] == "lower"
    assert made["verdict"]["causes"] == ["threshold_shift"]
    assert made["diagnosis"]["evidence"]["threshold_shift"]["status"] == "supported"
    before = (tmp_path / "results.json").read_bytes()
    report.write_results(tmp_path, parameters={}, labels=labels, diagnosis=diagnosis)
    assert (tmp_path / "results.json").read_bytes() == before


def test_steps_that_start_from_an_undone_reversal_say_so():
    diagnosis = planted("reversed_polarity", humans=2)[1]
    first = report.waterfall(diagnosis).axes[0].get_yticklabels()[0].get_text()
    assert first == "kappa of escalation, a reversed convention undone"
