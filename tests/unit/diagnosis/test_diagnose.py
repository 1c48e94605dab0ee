"""Public behaviour of `tk.diagnose`."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.diagnosis.measure import CAUSES
from toolkit.errors import LabelError, StatisticsError, ToolkitError

PAIR = {"low": "a", "high": "c", "draws": 300}
COLUMNS = [
    "cause",
    "status",
    "effect",
    "low",
    "high",
    "share",
    "share_low",
    "share_high",
    "n",
    "compared",
    "sentence",
    "next_step",
    "kappa_without",
    "witness",
]


@pytest.fixture(scope="module")
def labels():
    return tk.simulate(["a", "b", "c"], n_calls=300, humans=2, cause="threshold_shift", seed=1)


@pytest.fixture(scope="module")
def made(labels):
    return tk.diagnose(labels, **PAIR)


def _with(labels, **columns):
    """The same labels with columns given by item."""
    frame = labels.frame.drop(columns=[c for c in columns if c in labels.frame])
    items = pd.Index(frame["item_id"].unique())
    place = items.get_indexer(frame["item_id"])
    added = {name: np.asarray(values)[place] for name, values in columns.items()}
    return tk.read_labels(frame.assign(**added), schema=labels.schema)


def test_there_is_one_row_for_every_cause(made):
    frame = made.evidence.to_frame()
    assert frame["cause"].tolist() == list(CAUSES)
    assert len(frame) == 13
    assert set(COLUMNS) <= set(frame.columns)
    assert made.to_frame().equals(frame)


def test_every_row_says_what_was_found(made):
    for one in made.evidence:
        assert one.status in {"supported", "minor", "refuted", "undetermined"}
        assert one.sentence.endswith(".")
        assert one.rule
        if one.status in {"supported", "undetermined"}:
            assert one.next_step
    assert "nan" not in " ".join(one.sentence for one in made.evidence)


def test_kappa_without_the_cause_is_kappa_and_its_share_of_the_gap(made):
    one, gap = made.evidence["threshold_shift"], made.gap
    assert one.kappa_without - one.share * gap.difference == pytest.approx(gap.kappa_low)


def test_an_unknown_cause_is_refused_with_those_there_are(made):
    with pytest.raises(ToolkitError) as caught:
        made.evidence["typo"]
    assert caught.value.got == "typo"
    assert caught.value.allowed == list(CAUSES)


def test_the_result_is_frozen(made):
    for part in (made, made.verdict, made.gap, made.evidence, made.evidence["drift"]):
        name = dataclasses.fields(part)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(part, name, None)


def test_the_result_is_strict_json(made):
    text = json.dumps(made.to_dict(), allow_nan=False)
    again = json.loads(text)
    assert again["verdict"]["causes"] == ["threshold_shift"]
    assert set(again["evidence"]) == set(CAUSES)


def test_the_same_seed_gives_the_same_result(labels, made):
    assert tk.diagnose(labels, **PAIR).to_dict() == made.to_dict()


def test_another_seed_gives_other_intervals(labels, made):
    other = tk.diagnose(labels, **PAIR, seed=1)
    assert other.gap.difference == made.gap.difference
    assert other.gap.lower != made.gap.lower


def test_the_labels_are_left_as_they_were(labels):
    before = labels.frame.copy()
    tk.diagnose(labels, **PAIR)
    pd.testing.assert_frame_equal(labels.frame, before)


def test_parameters_name_what_was_used(made):
    assert made.parameters["judge"] == "judge"
    assert made.parameters["reference"] == ["human1", "human2"]
    assert made.parameters["seed"] == 0
    assert made.parameters["order"] is None


def test_the_result_shows_itself(made):
    assert made.verdict.sentence in repr(made)
    page = made._repr_html_()
    assert "a threshold shift" in page
    assert "<table" in page


@pytest.mark.parametrize(
    ("options", "got"),
    [
        ({"low": "d"}, "d"),
        ({"high": "d"}, "d"),
        ({"low": "a", "high": "a"}, "a"),
        ({"judge": "nobody"}, "nobody"),
        ({"reference": "nobody"}, "nobody"),
        ({"witness": "nobody"}, "nobody"),
        ({"witness": "judge"}, "judge"),
        ({"order": "nothing"}, "nothing"),
        ({"stratum": "nothing"}, "nothing"),
    ],
)
def test_unknown_names_are_refused_with_those_there_are(labels, options, got):
    with pytest.raises(LabelError) as caught:
        tk.diagnose(labels, **{**PAIR, **options})
    assert caught.value.got == got
    assert caught.value.allowed


def test_an_unknown_cluster_column_is_refused(labels):
    with pytest.raises(ToolkitError, match="nothing"):
        tk.diagnose(labels, **PAIR, cluster="nothing")


@pytest.mark.parametrize("material", [0.0, 1.0, -0.1, float("nan"), "0.1", None])
def test_a_material_gap_outside_of_0_and_1_is_refused(labels, material):
    with pytest.raises(StatisticsError) as caught:
        tk.diagnose(labels, **PAIR, material=material)
    assert caught.value.allowed == "above 0 and below 1"
    assert caught.value.example == "material=.10"


@pytest.mark.parametrize(("option", "value"), [("level", 2), ("draws", 0), ("seed", -1)])
def test_options_of_the_intervals_are_checked(labels, option, value):
    with pytest.raises(StatisticsError):
        tk.diagnose(labels, **{**PAIR, option: value})


def test_what_is_no_label_table_is_refused(labels):
    with pytest.raises(LabelError, match="no label table"):
        tk.diagnose(labels.frame, **PAIR)


def test_a_larger_material_gap_leaves_nothing_to_explain(labels):
    made = tk.diagnose(labels, **PAIR, material=0.9)
    assert made.verdict.causes == ()
    assert made.gap.material == 0.9


def test_dates_are_an_order(labels):
    days = pd.date_range("2026-01-01", periods=300, freq="h")
    dated = _with(labels, day=days.strftime("%Y-%m-%dT%H:%M"))
    numbered = _with(labels, day=np.arange(300))
    one, other = (tk.diagnose(x, **PAIR, order="day") for x in (dated, numbered))
    assert one.evidence["drift"].effect == pytest.approx(other.evidence["drift"].effect)
    assert one.evidence["drift"].status == other.evidence["drift"].status
    assert not one.evidence["drift"].sentence.startswith("Not testable")


def test_the_order_of_the_rows_is_not_time(made):
    assert made.evidence["drift"].sentence.startswith("Not testable")
    assert made.evidence["drift"].status == "undetermined"


def test_the_column_order_is_used_unasked(labels):
    made = tk.diagnose(_with(labels, order=np.arange(300)), **PAIR)
    assert made.parameters["order"] == "order"
    assert not made.evidence["drift"].sentence.startswith("Not testable")


def test_words_are_no_order(labels):
    with pytest.raises(LabelError, match="no order") as caught:
        tk.diagnose(_with(labels, batch=["am", "pm"] * 150), **PAIR, order="batch")
    assert caught.value.got == "am"
    assert "stratum" in caught.value.example


@pytest.mark.parametrize("role", ["order", "stratum"])
def test_a_column_that_differs_within_an_item_is_refused(labels, role):
    frame = labels.frame.assign(place=np.arange(len(labels.frame)))
    with pytest.raises(LabelError, match="not one value for every item") as caught:
        tk.diagnose(tk.read_labels(frame, schema=labels.schema), **PAIR, **{role: "place"})
    assert caught.value.where.startswith("item ")


@pytest.mark.parametrize("role", ["order", "stratum"])
def test_a_standard_column_that_cannot_be_used_stops_nothing_unless_named(labels, role):
    frame = labels.frame.assign(**{role: np.arange(len(labels.frame))})
    uneven = tk.read_labels(frame, schema=labels.schema)
    made = tk.diagnose(uneven, **PAIR)
    cause = {"order": "drift", "stratum": "stratum"}[role]
    assert made.parameters[role] is None
    assert made.evidence[cause].sentence.startswith("Not testable")
    with pytest.raises(LabelError, match="not one value for every item"):
        tk.diagnose(uneven, **PAIR, **{role: role})


def test_a_number_as_stratum_is_cut_into_quarters(labels):
    made = tk.diagnose(_with(labels, length=np.arange(300)), **PAIR, stratum="length")
    one = made.evidence["stratum"]
    assert not one.sentence.startswith("Not testable")


def test_words_as_strata(labels):
    made = tk.diagnose(_with(labels, batch=["am", "pm", "night"] * 100), **PAIR, stratum="batch")
    assert not made.evidence["stratum"].sentence.startswith("Not testable")


@pytest.mark.parametrize("weights", [None, "linear", "quadratic", "schema"])
def test_weights_of_a_scale(weights):
    names = ["a", "b", "c"]
    labels = tk.simulate(names, n_calls=250, categories=5, cause="threshold_shift", seed=3)
    made = tk.diagnose(labels, **PAIR, weights=weights)
    table = tk.agreement(labels, weights=weights, draws=300)
    assert made.agreement["a"].kappa.estimate == table["a"].kappa.estimate
    assert made.parameters["weights"] == weights
    json.dumps(made.to_dict(), allow_nan=False)


def test_schema_weights_of_a_scale_are_quadratic():
    labels = tk.simulate(["a", "b", "c"], n_calls=200, categories=4, humans=1, seed=3)
    one, other = (tk.diagnose(labels, **PAIR, weights=w).gap for w in ("schema", "quadratic"))
    assert one == other


def test_weights_as_a_matrix():
    labels = tk.simulate(["a", "b", "c"], n_calls=200, categories=3, humans=1, seed=3)
    matrix = [[1, 0.75, 0], [0.75, 1, 0.75], [0, 0.75, 1]]
    made = tk.diagnose(labels, **PAIR, weights=matrix)
    assert made.gap.kappa_low == tk.diagnose(labels, **PAIR, weights="quadratic").gap.kappa_low
    assert made.to_dict()["parameters"]["weights"] == matrix


def test_two_judges_need_a_choice():
    labels = tk.simulate(["a", "b", "c"], n_calls=200, judges=2, seed=3)
    with pytest.raises(LabelError) as caught:
        tk.diagnose(labels, **PAIR)
    assert caught.value.allowed
    made = tk.diagnose(labels, **PAIR, judge="judge2")
    assert made.parameters["judge"] == "judge2"


def test_a_list_of_persons_is_the_reference():
    labels = tk.simulate(["a", "b", "c"], n_calls=200, humans=3, human_error=0.1, seed=3)
    made = tk.diagnose(labels, **PAIR, reference=["human1", "human3"])
    assert made.parameters["reference"] == ["human1", "human3"]
    one = tk.diagnose(labels, **PAIR, reference="human1")
    assert made.gap.kappa_low != one.gap.kappa_low


def test_item_weights_count():
    labels = tk.simulate(["a", "b", "c"], n_calls=200, humans=1, cause="definition", seed=3)
    even, uneven = _with(labels, weight=np.full(200, 2.0)), _with(labels, weight=[1.0, 3.0] * 100)
    plain = tk.diagnose(labels, **PAIR)
    assert tk.diagnose(even, **PAIR).gap.kappa_low == pytest.approx(plain.gap.kappa_low)
    weighted = tk.diagnose(uneven, **PAIR)
    assert weighted.gap.kappa_low != pytest.approx(plain.gap.kappa_low)
    assert weighted.gap.kappa_low == pytest.approx(weighted.contrast.kappa_low)


def test_calls_are_counted_as_they_are_and_shares_as_they_weigh():
    labels = tk.simulate(["a", "b", "c"], n_calls=200, humans=1, cause="definition", seed=3)
    uneven = _with(labels, weight=[1.0, 3.0] * 100)
    frame = uneven.frame[uneven.frame["rater_id"] == "human1"]
    people = frame[frame["construct"] == "a"]
    found = tk.diagnose(uneven, **PAIR).evidence["prevalence"]
    rare = people["label"] == people["label"].value_counts().idxmin()
    weight = people["weight"].to_numpy()
    assert found.facts["counts"][0] == rare.sum()
    assert found.facts["shares"][0] == pytest.approx(weight[rare].sum() / weight.sum())
    assert found.sentence.startswith("Weighted, ")


def test_markup_in_names_is_escaped_once(made):
    assert "&amp;" not in made._repr_html_()
    assert "judge&#x27;s" not in made.evidence._repr_html_()


def test_clusters_widen_the_interval():
    labels = tk.simulate(
        ["a", "b", "c"],
        n_calls=300,
        humans=1,
        conversations=10,
        conversation_effect=0.6,
        cause="definition",
        seed=3,
    )
    made = tk.diagnose(labels, **PAIR, cluster="cluster")
    plain = tk.diagnose(labels, **PAIR)
    assert made.gap.difference == pytest.approx(plain.gap.difference)
    assert made.gap.half_width > plain.gap.half_width
    assert made.parameters["cluster"] == "cluster"


def test_a_second_person_is_the_witness_by_name(labels):
    made = tk.diagnose(labels, **PAIR, reference="human1", witness="human2")
    assert made.parameters["witness"] == "human2"
    assert any("human2" in one.witness for one in made.evidence)


def test_disagreements_show_the_clear_ones_first(made):
    frame = made.disagreements
    assert {"people_agree", "high_agrees"} <= set(frame.columns)
    assert frame["people_agree"].is_monotonic_decreasing


def test_one_person_alone_does_not_agree_and_no_label_is_not_right(labels, made):
    seen = made.disagreements.set_index("item_id")
    item = seen.index[seen["people_agree"] & seen["high_agrees"]][0]
    frame = labels.frame
    here, rater = frame["item_id"] == item, frame["rater_id"]
    alone = here & (frame["construct"] == "a") & (rater == "human2")
    unsaid = here & (frame["construct"] == "c")
    for gone, column in ((alone, "people_agree"), (unsaid, "high_agrees")):
        other = tk.diagnose(tk.read_labels(frame[~gone], schema=labels.schema), **PAIR)
        left = other.disagreements.set_index("item_id").loc[item]
        assert not left[column]
        assert left[["people_agree", "high_agrees"]].sum() == 1


def test_the_verdict_and_the_waterfall_are_tables_too(made):
    ruled = made.verdict.to_frame()
    assert tuple(ruled["cause"][ruled["standing"] == "named"]) == made.verdict.causes
    assert tuple(ruled["cause"][ruled["standing"] == "excluded"]) == made.verdict.excluded
    assert all(ruled["rule"][ruled["standing"] == "named"])
    steps = made.waterfall.to_frame().set_index("step")
    told = made.to_dict()["waterfall"]["steps"]
    assert {name: row["kappa"] for name, row in told.items()} == steps["kappa"].to_dict()
    assert made.verdict._repr_html_().count("<tr>") == len(ruled)
    assert "<table" in made.waterfall._repr_html_()


def test_what_could_not_be_run_says_what_would_enable_it(made):
    assert made.not_run
    for one in made.not_run:
        assert set(one) == {"check", "why", "enable"}
        assert all(one.values())


def test_with_too_few_calls_what_enables_a_check_is_more_calls():
    few = tk.diagnose(tk.simulate(["a", "b", "c"], n_calls=8), "a", "b", draws=200)
    assert few.not_run
    assert {check["enable"].split(" with")[0] for check in few.not_run} == {"20 or more calls"}


def test_the_shares_can_be_drawn(made):
    figure = made.plot()
    assert figure.axes
