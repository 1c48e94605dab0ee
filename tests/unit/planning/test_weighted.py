"""tk.weighted_kappa: kappa of the pool from a stratified sample of it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toolkit as tk
from toolkit.coefficients import cohen_kappa, gwet_ac, observed_agreement
from toolkit.coefficients.options import Resampling
from toolkit.errors import LabelError, PlanError, ToolkitError
from toolkit.planning.design_variance import design_variance, influence_values
from toolkit.planning.estimation import Task, estimate
from toolkit.planning.posterior import label_prior, pool_draws
from toolkit.planning.sample_kappa import sample_kappa
from toolkit.planning.weighted import weighted_kappa

TESTS = next(folder for folder in Path(__file__).resolve().parents if folder.name == "tests")
ORACLES = {
    case["id"]: case
    for case in json.loads((TESTS / "oracles" / "planning.json").read_text(encoding="utf-8"))
}
OPTIONS = Resampling("jeffreys", 0.95, 4_000, 0)
SCHEMA = {"constructs": {"tone": {"categories": [0, 1], "present": [1]}}}


def two_strata(sizes, drawn, positive):
    """Labels and design of two strata, judge 1 and judge 0, of which `positive` are people's 1."""
    judge = np.repeat([1, 0], drawn)
    person = np.concatenate([np.arange(n) < y for n, y in zip(drawn, positive, strict=True)])
    items = [f"i{i}" for i in range(len(judge))]
    weight = np.repeat(np.divide(sizes, drawn), drawn)
    design = pd.DataFrame({"item_id": items, "stratum": judge.astype(str)})
    design["inclusion_probability"], design["design_weight"] = 1 / weight, weight
    wide = pd.DataFrame({"item_id": items, "gpt": judge, "ann": person.astype(int)})
    return read(wide), design


def read(wide):
    raters = {"gpt": "judge", "ann": "human"}
    return tk.read_labels(wide, SCHEMA, wide="rater", construct="tone", rater=raters)


@pytest.mark.parametrize("name", ["katki_chlamydia", "design_weighted_scenario"])
def test_estimate_and_error_are_those_of_three_packages(name):
    case = ORACLES[name]
    inputs, expected = case["inputs"], case["expected"]
    sizes, drawn = inputs["N_by_judge_1_0"], inputs["n_by_judge_1_0"]
    labels, design = two_strata(sizes, drawn, inputs["human_positive"])
    made = weighted_kappa(labels, design, draws=200)
    corrected = expected.get("se_n_minus_1_fpc", expected.get("se_n_minus_1_with_fpc"))
    assert made.estimate == pytest.approx(expected["kappa"], abs=case["tolerance"])
    assert made.se == pytest.approx(corrected, abs=case["tolerance"])
    # CompareTests and svykappa without correction: strata so large that the correction is nothing.
    table, counts = _counts(labels, design)
    value = influence_values(table, "cohen_kappa", None, cohen_kappa)
    huge = np.array(sizes[::-1]) * 10**9
    free = float(np.sqrt(design_variance(counts, value, huge, estimand="pool")))
    if "se_n_minus_1_no_fpc" in expected:
        assert free == pytest.approx(expected["se_n_minus_1_no_fpc"], abs=case["tolerance"])
    smooth = design_variance(
        counts, value, huge, estimand="pool", prior=np.full(counts.shape, 1e-12)
    )
    known = expected["se_n_denominator_no_fpc"]
    assert float(np.sqrt(smooth)) == pytest.approx(known, abs=max(case["tolerance"], 1e-8))
    if "se_two_phase" in expected:
        two_phase = weighted_kappa(labels, design, estimand="deployment", draws=200)
        assert two_phase.se == pytest.approx(expected["se_two_phase"], abs=1e-8)
        assert not two_phase.fpc
    if "unweighted_kappa_wrong" in expected:
        plain = sample_kappa(labels, design, draws=200)
        assert plain.estimate == pytest.approx(expected["unweighted_kappa_wrong"], abs=5e-5)


def _counts(labels, design):
    """Counts by stratum ("0", "1") and cell (reference, judge), and the pool's table."""
    table = np.zeros((2, 2, 2), dtype=np.int64)
    wide = labels.frame.pivot_table(index="item_id", columns="rater_id", values="label")
    wide = wide.reindex(design["item_id"]).astype(int)
    np.add.at(table, (design["stratum"].astype(int), wide["ann"], wide["gpt"]), 1)
    sizes = design.groupby("stratum")["design_weight"].sum().to_numpy()
    shares = table / table.sum((1, 2), keepdims=True)
    return np.einsum("h,hij->ij", sizes / sizes.sum(), shares), table.reshape(2, 4)


def test_other_measures_of_the_two_phase_table_are_those_of_comparetests():
    case = ORACLES["katki_chlamydia"]
    inputs, expected = case["inputs"], case["expected"]
    labels, design = two_strata(
        inputs["N_by_judge_1_0"], inputs["n_by_judge_1_0"], inputs["human_positive"]
    )
    made = weighted_kappa(labels, design, coefficient=observed_agreement, draws=200)
    assert made.estimate == pytest.approx(expected["percent_agreement"], abs=1e-7)
    table = _counts(labels, design)[0]
    assert table[1, 1] / table[1].sum() == pytest.approx(expected["sensitivity"], abs=1e-6)
    assert table[0, 0] / table[0].sum() == pytest.approx(expected["specificity"], abs=1e-6)


def test_prediction_powered_mean_is_poststratification():
    case = ORACLES["ppi_is_poststratification"]
    inputs = case["inputs"]
    labels, design = two_strata(
        inputs["N_judge_1_0"], inputs["n_judge_1_0"], inputs["human_positive"]
    )
    prevalence = _counts(labels, design)[0][1].sum()
    assert prevalence == pytest.approx(case["expected"]["poststratified"], abs=case["tolerance"])


def test_one_stratum_has_the_error_of_fleiss_cohen_and_everitt():
    # The oracle has the judge in rows; here the reference is, so the table is transposed.
    case = ORACLES["fce_ase"]
    table = np.array(case["inputs"]["table_rows_judge_1_0_cols_human_1_0"]).T
    counts, sizes = table.reshape(1, 4), np.array([10**15])
    made = estimate(counts, sizes, Task(), OPTIONS, "pool")
    assert made.estimate == pytest.approx(case["expected"]["kappa"], abs=case["tolerance"])
    n = table.sum()
    assert made.se * np.sqrt((n - 1) / n) == pytest.approx(case["expected"]["ase"], abs=1e-9)


def test_zero_positives_are_no_certainty():
    case = ORACLES["zero_positive"]
    n = case["expected"]["n"]
    rate = case["inputs"]["false_omission_rate"]
    assert (1 - rate) ** n <= 0.05 < (1 - rate) ** (n - 1)
    assert np.log(0.05) / np.log(1 - rate) == pytest.approx(case["expected"]["n_raw"], abs=1e-3)
    labels, design = two_strata([1_000, 19_000], [50, n], [25, 0])
    made = weighted_kappa(labels, design)
    assert made.low < made.estimate - 0.1  # missed positives that nobody saw
    linear = weighted_kappa(labels, design, interval="linearised")
    assert linear.high - linear.low > 2 * 1.96 * linear.se


def test_one_stratum_without_correction_is_the_default_interval_of_kappa():
    table = np.array([[40, 9], [6, 45]])
    huge = np.array([10**12])
    options = Resampling("jeffreys", 0.95, 100_000, 0)
    made = estimate(table.reshape(1, 4), huge, Task(), options, "pool")
    plain = tk.kappa(table, draws=100_000)
    assert [made.low, made.high] == pytest.approx([plain.low, plain.high], abs=3e-3)


def test_census_has_width_0():
    labels, design = two_strata([30, 50], [30, 50], [20, 4])
    for interval in ("jeffreys", "linearised"):
        made = weighted_kappa(labels, design, interval=interval)
        assert made.low == made.high == pytest.approx(made.estimate)
        assert "census" in made.flags
    assert weighted_kappa(labels, design, estimand="deployment").high > made.high


def test_a_proportional_design_gives_plain_kappa():
    labels, design = two_strata([300, 500], [30, 50], [20, 4])
    plain = tk.kappa([[46, 10], [4, 20]])
    assert weighted_kappa(labels, design).estimate == pytest.approx(plain.estimate)


def test_any_coefficient_on_tables_can_be_asked_for():
    labels, design = two_strata([300, 5_000], [30, 50], [20, 4])
    made = weighted_kappa(labels, design, coefficient=gwet_ac)
    table = _counts(labels, design)[0]
    assert made.coefficient == "gwet_ac"
    assert made.estimate == pytest.approx(float(gwet_ac(table)))
    assert made.low < made.estimate < made.high
    numeric = influence_values(table, "unknown", None, gwet_ac)
    assert numeric == pytest.approx(influence_values(table, "gwet_ac", None, gwet_ac), abs=1e-4)
    with pytest.raises(PlanError, match="takes no weights"):
        weighted_kappa(labels, design, coefficient=observed_agreement, weights="linear")


def test_items_without_label_are_counted_and_their_stratum_keeps_its_weight():
    labels, design = two_strata([300, 5_000], [30, 50], [20, 4])
    fewer = design["item_id"].iloc[[0, 40]].tolist()
    frame = labels.frame[
        ~(labels.frame["item_id"].isin(fewer) & (labels.frame["rater_id"] == "ann"))
    ]
    made = weighted_kappa(tk.read_labels(frame, SCHEMA), design)
    assert made.left_out == {"no_reference_label": 2}
    assert "labels_missing" in made.flags
    assert made.n == 78
    assert made.strata["1"] == {"size": 300, "drawn": 30, "labelled": 29}


def test_labels_of_items_that_were_not_drawn_do_not_count():
    labels, design = two_strata([300, 5_000], [30, 50], [20, 4])
    more = pd.DataFrame({"item_id": ["x", "y"], "gpt": [1, 1], "ann": [0, 0]})
    both = tk.read_labels(pd.concat([labels.frame, read(more).frame]), SCHEMA)
    made = weighted_kappa(both, design, draws=200)
    assert made.estimate == weighted_kappa(labels, design, draws=200).estimate
    assert made.left_out == {"not_in_design": 2}
    assert "labels_outside_design" in made.flags
    with pytest.raises(PlanError, match="no labelled item is in the design"):
        weighted_kappa(read(more), design)


def test_a_stratum_without_labels_makes_the_estimate_undefined():
    labels, design = two_strata([300, 5_000], [30, 50], [20, 4])
    only = labels.frame[labels.frame["item_id"].isin(design["item_id"][design["stratum"] == "1"])]
    made = weighted_kappa(tk.read_labels(only, SCHEMA), design)
    assert np.isnan([made.estimate, made.low, made.high, made.se]).all()
    assert made.reasons == ("stratum_without_labels",)


def test_one_label_in_a_stratum_has_no_error_but_an_interval():
    labels, design = two_strata([300, 5_000], [1, 50], [1, 4])
    made = weighted_kappa(labels, design)
    assert np.isnan(made.se)
    assert "one_label_in_stratum" in made.flags
    assert made.low < made.high


def test_result_is_a_kappa_with_its_estimand():
    labels, design = two_strata([300, 5_000], [30, 50], [20, 4])
    made = weighted_kappa(labels, design)
    assert set(vars(tk.kappa([[1, 2], [3, 4]]))) <= set(vars(made))
    assert json.loads(json.dumps(made.to_dict(), allow_nan=False))["estimand"] == "pool"
    assert "with finite-population correction" in str(made)
    assert made == weighted_kappa(labels, design)
    assert "design_unverified" in made.flags


def test_the_plain_kappa_says_that_it_is_not_the_populations():
    labels, design = two_strata([300, 5_000], [30, 50], [20, 4])
    made = sample_kappa(labels, design)
    assert str(made).startswith("sample kappa, not the population's")
    assert made.flags[0] == "sample_not_population"
    assert made.estimate == tk.kappa([[46, 10], [4, 20]]).estimate


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.drop(columns="design_weight"), "no design"),
        (lambda d: d.assign(design_weight=1.0), "not those of a stratified"),
        (lambda d: d.assign(design_weight=np.nan), "not those of a stratified"),
        (lambda d: pd.concat([d, d.head(1)]), "twice"),
        (lambda d: d.head(0), "without items"),
        (lambda d: [d, d], "as they were drawn"),
        (lambda _: "missing.csv", "can't be read"),
        (lambda _: 3, "no design"),
    ],
)
def test_a_design_that_does_not_fit_is_refused(change, words):
    labels, design = two_strata([300, 5_001], [30, 50], [20, 4])
    with pytest.raises(PlanError, match=words):
        weighted_kappa(labels, change(design))


@pytest.mark.parametrize(
    "options",
    [
        {"interval": "percentile"},
        {"estimand": "sample"},
        {"level": 95},
        {"draws": 3},
        {"coefficient": "kappa"},
        {"coefficient": len},
        {"construct": "harm"},
        {"judge": "claude"},
        {"weights": "cubic"},
    ],
)
def test_options_that_do_not_fit_are_refused(options):
    labels, design = two_strata([300, 5_000], [30, 50], [20, 4])
    with pytest.raises((PlanError, LabelError, ToolkitError)):
        weighted_kappa(labels, design, **options)


def test_a_design_survives_a_csv_file(tmp_path):
    labels, design = two_strata([300, 5_000], [30, 50], [20, 4])
    made = weighted_kappa(labels, design)
    assert weighted_kappa(labels, pd.read_csv(io.StringIO(design.to_csv(index=False)))) == made
    design.to_csv(tmp_path / "batch.csv", index=False)
    assert weighted_kappa(labels, tmp_path / "batch.csv") == made


def test_another_judge_may_be_measured_on_strata_of_the_first():
    labels, design = two_strata([300, 5_000], [30, 50], [20, 4])
    other = labels.frame[labels.frame["rater_id"] == "gpt"].assign(rater_id="new")
    other["label"] = [int(i % 3 == 0) for i in range(len(other))]
    both = tk.read_labels(pd.concat([labels.frame, other]), SCHEMA)
    assert weighted_kappa(both, design, judge="gpt").estimate == pytest.approx(
        weighted_kappa(labels, design).estimate
    )
    made = weighted_kappa(both, design, judge="new")
    assert made.low < made.estimate < made.high


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 20), st.integers(0, 20), st.integers(0, 50)),
        min_size=1,
        max_size=4,
    ),
    st.integers(0, 100),
)
def test_draws_of_the_pool_hold_what_was_read_and_all_items(strata, seed):
    counts = np.array([[one, two, 0, 0] for one, two, _ in strata])
    sizes = counts.sum(1) + np.array([rest for _, _, rest in strata])
    prior = label_prior(counts.reshape(-1, 2, 2).sum(1), sizes)
    drawn = pool_draws(counts, prior, sizes, 20, np.random.default_rng(seed))
    assert drawn.sum(-1) == pytest.approx(np.full(20, sizes.sum()))
    assert (drawn >= counts.sum(0)).all()


def test_strata_of_one_judge_label_share_the_prior():
    judge = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    prior = label_prior(judge, np.array([10, 30, 50, 20]))
    assert prior.sum(0) == pytest.approx([0.5, 0.5, 0.5, 0.5])
    assert prior[1, 0] == pytest.approx(0.5 * 30 / 50)
    assert label_prior(judge)[:3].sum(1) == pytest.approx([1, 1, 1])


def test_labels_of_other_items_are_refused():
    pool = pd.DataFrame({"item_id": [f"p{i}" for i in range(100)], "tone": [0, 1] * 50})
    st = tk.strata(pool, constructs=["tone"], floor=5)
    counts = pd.DataFrame(
        [(s, "tone", j, 10) for s in st.names for j in (0, 1)],
        columns=["stratum", "construct", "label", "count"],
    )
    batch = tk.draw(tk.plan_for_budget(st, counts, budget=40), pool, seed=1)
    other = pd.DataFrame(
        [(f"q{i}", "tone", "ann", i % 2) for i in range(30)],
        columns=["item_id", "construct", "rater_id", "label"],
    )
    with pytest.raises(PlanError, match="no labelled item is in the design"):
        tk.weighted_kappa(tk.read_labels(other, overlap=False), batch, construct="tone")
