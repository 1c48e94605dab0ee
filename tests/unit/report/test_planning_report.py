"""The report of a plan: what it reads, says, draws and writes."""

from __future__ import annotations

import dataclasses
import json

import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import ParameterError
from toolkit.planning.curve import width_curve
from toolkit.planning.stratify import strata
from toolkit.planning.targets import plan_for_budget
from toolkit.report.parameters import read_parameters
from toolkit.report.planning_elsewhere import elsewhere_curves, elsewhere_text, kappa_elsewhere
from toolkit.report.planning_example import example_plan
from toolkit.report.planning_files import named_numbers, read_planning
from toolkit.report.planning_plots import allocation_chart, positives_chart, width_curves
from toolkit.report.planning_show import (
    allocation_table,
    batch_table,
    designs_table,
    plan_headline,
    plan_notes,
    plan_sentence,
    widths_table,
)
from toolkit.report.resources import find_notebook
from toolkit.report.values import values_from_text

TRUE, JUDGE = "true_prevalence_moved", "judge_shares_moved"


@pytest.fixture(scope="module")
def plan():
    return example_plan()


def run(out, **parameters):
    return tk.run_report("corpus_rebalancing", out=out, **parameters)


def test_the_first_sentence_says_what_to_do_what_it_buys_and_what_chance_would_cost(plan):
    said = plan_sentence(plan)
    assert said.startswith(f"Label {plan.total} items: kappa is then known, on average, ")
    assert "to ±0.100 for escalation and to ±0.050 for self_harm" in said
    assert "times as many" in said
    assert said in plan_headline(plan).data


def test_the_band_the_certificate_and_the_estimand_stand_below_it(plan):
    notes = " ".join(plan_notes(plan))
    assert "10-90 % band" in notes
    assert f"less than {plan.certificate:,.5g} labels" in notes
    assert "every second sample" in notes
    assert "not of other traffic" in notes


def test_an_assured_plan_promises_its_targets_and_with_what_probability(plan):
    assured = dataclasses.replace(plan, assurance=0.9, assured=0.93)
    assert "to ±0.050 for self_harm, or better, with probability 0.93" in plan_sentence(assured)
    assert "93 % of simulated samples (asked for: 90 %)" in " ".join(plan_notes(assured))
    assert "this plan, with its assurance" in designs_table(assured).data
    assert "the least of a plan without assurance" in designs_table(assured).data


def test_other_designs_are_measured_by_what_a_plan_needs_on_average_as_they_do(plan):
    assured = dataclasses.replace(plan, assurance=0.9, assured=0.93, total=600, cost=600.0)
    random = plan.comparison.set_index("design").loc["simple random", "labels"]
    times = random / plan.certificate
    assert f"sample {random:,.0f}, {times:.1f} times as many" in plan_sentence(assured)
    shown = designs_table(assured).data
    assert "times the least" in shown
    assert f"{times:.2f}" in shown
    assert "times the plan" in designs_table(plan).data


def test_warnings_stand_above_everything_else_in_the_report(plan):
    warned = dataclasses.replace(plan, warnings=("The plan for tone is a guess",))
    shown = plan_headline(warned).data
    assert shown.index("The plan for tone is a guess") < shown.index("10-90 % band")


def test_one_target_needs_no_brackets_and_several_may_stand_between_commas():
    assert read_planning(targets="escalation=0.1").targets == {"escalation": 0.1}
    both = read_planning(targets="escalation=0.1, self_harm=0.05", keep="text")
    assert both.targets == {"escalation": 0.1, "self_harm": 0.05}
    assert both.keep == ("text",)
    assert read_planning(constructs="escalation,self_harm", budget=300).constructs == (
        "escalation",
        "self_harm",
    )
    with pytest.raises(ParameterError) as caught:
        read_planning(targets="0.1")
    assert '-p targets="[escalation=0.10, self_harm=0.05]"' in str(caught.value)


def test_the_command_takes_a_target_without_brackets():
    found = read_parameters(find_notebook("corpus_rebalancing"))
    given = values_from_text(found, ["targets=escalation=0.1", "keep=text", "scores=p"])
    assert named_numbers("targets", given["targets"]) == {"escalation": 0.1}
    assert given["scores"] == "p"


def test_tables_name_every_stratum_construct_and_design(plan):
    tables = allocation_table(plan).data + widths_table(plan).data + designs_table(plan).data
    for name in (*plan.strata.names, *plan.strata.constructs, "simple random sample"):
        assert name in tables


def test_a_budget_without_targets_is_shown_too():
    read = read_planning(budget=300)
    assert read.targets == {}
    made = plan_for_budget(strata(read.pool, read.constructs, schema=read.schema), read.pilot, 300)
    assert "Label 300 items" in plan_sentence(made)
    assert "escalation" in widths_table(made).data
    assert "300 labels" in width_curves(made, width_curve(made, points=3)).alt


def test_pictures_say_what_they_show(plan):
    curve = width_curve(plan, points=3)
    assert f"{plan.total} labels" in width_curves(plan, curve).alt
    assert "labels of 14,437 items" in allocation_chart(plan).alt
    assert "at random" in positives_chart(plan).alt


def test_people_do_not_see_the_judge_in_the_shown_batch():
    batch = pd.DataFrame(
        {"item_id": ["a"], "stratum": ["s"], "judge_tone": [1], "plan_sha256": ["x"]}
    )
    shown = batch_table(batch).data
    assert "judge_tone" not in shown
    assert "sha256" not in shown


def test_a_batch_is_cut_and_says_so():
    batch = pd.DataFrame({"item_id": [f"i{n}" for n in range(25)], "stratum": "s"})
    assert "and 15 more items" in batch_table(batch).data


def test_nothing_is_said_of_other_traffic_until_it_is_named_what_moved(plan):
    found = kappa_elsewhere(plan, None, {"escalation": 0.1})
    assert found == {}
    assert JUDGE in elsewhere_text(found).data
    assert TRUE in elsewhere_text(found).data
    assert elsewhere_curves(found) is None


def test_both_assumptions_are_shown_and_the_named_one_is_marked(plan):
    found = kappa_elsewhere(plan, JUDGE, {"escalation": 0.1})
    shown = elsewhere_text(found).data
    assert "shares moved (named)" in shown
    assert "contradict each other" in shown
    assert shown.count("contradict each other") == 1  # self_harm was not asked to move
    assert "escalation kappa" in elsewhere_curves(found).alt


def test_an_unknown_construct_of_other_traffic_is_refused(plan):
    with pytest.raises(ParameterError, match="unknown construct"):
        kappa_elsewhere(plan, TRUE, {"tone": 0.1})


@pytest.mark.parametrize("text", ["escalation", "escalation=x", "=0.1", "escalation=1.5"])
def test_a_target_that_is_no_pair_is_refused(text):
    with pytest.raises(ParameterError, match="no construct=number"):
        named_numbers("targets", [text])


def test_a_construct_has_one_target():
    with pytest.raises(ParameterError, match="twice"):
        named_numbers("targets", ["a=0.1", "a=0.2"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pool": "my.csv"}, "needs a pilot"),
        ({"pilot": "my.csv"}, "needs its pool"),
        ({"pool": "my.csv", "pilot": "p.csv"}, "targets or a budget"),
        ({"pool": "my.csv", "pilot": "p.csv", "budget": 100.0}, "needs the constructs"),
    ],
)
def test_an_incomplete_question_is_refused(given, said):
    with pytest.raises(ParameterError, match=said):
        read_planning(**given)


def test_counts_by_stratum_are_read_as_counts(tmp_path):
    table = pd.DataFrame({"stratum": ["t=1"], "construct": "t", "label": 1, "count": 3})
    table.to_csv(tmp_path / "pilot.csv", index=False)
    read = read_planning("pool.csv", str(tmp_path / "pilot.csv"), targets=["t=0.1"])
    assert isinstance(read.pilot, pd.DataFrame)
    assert read.constructs == ("t",)


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return run(tmp_path_factory.mktemp("one"))


def test_the_same_seed_gives_the_same_bytes_in_any_folder(one, tmp_path):
    other = run(tmp_path / "two" / "deeper")
    for name in ("results.json", "batch.csv", "batch.json"):
        assert (one.out / name).read_bytes() == (other.out / name).read_bytes()
        assert str(one.out).encode() not in (one.out / name).read_bytes()


def test_the_page_has_its_pictures_and_the_drawn_items_stand_beside_it(one):
    page = one.html.read_text(encoding="utf-8")
    assert page.count("<img alt=") == 4
    batch = pd.read_csv(one.out / "batch.csv")
    assert len(batch) == one.results["plan"]["total"] == one.results["batch"]["items"]
    assert len(json.loads((one.out / "batch.json").read_text())) == len(batch)
    assert set(pd.read_csv(one.out / "to_label.csv")) == {"item_id", "text"}
    assert set(one.results["elsewhere"]) == {"escalation", "self_harm"}


def test_labels_of_the_written_batch_give_the_kappa_of_the_pool(one):
    """The pool's kappa is .5051, whatever the shares of the strata in the batch."""
    drawn = pd.read_csv(one.out / "batch.csv", dtype={"item_id": str})
    truth = pd.read_csv(tk.bundled("pool/truth.csv.gz"), dtype={"item_id": str})
    labels = drawn[["item_id"]].merge(truth[["item_id", "escalation"]])
    labels = labels.rename(columns={"escalation": "label"})
    read = tk.read_labels(
        labels.assign(construct="escalation", rater_id="ann", rater_kind="human"), overlap=False
    )
    made = tk.weighted_kappa(read, design=one.out / "batch.csv", construct="escalation")
    assert made.low < 0.5051 < made.high
    assert (made.high - made.low) / 2 < 0.1


def test_pool_pilot_and_targets_are_parameters(tmp_path):
    made = run(
        tmp_path / "run",
        pool=str(tk.bundled("pool/pool.csv.gz")),
        pilot=str(tk.bundled("pool/pilot.csv")),
        targets=["escalation=0.15"],
        assurance=None,
        scores=["escalation_score"],
        quantiles=[0.9],
        estimand="deployment",
    ).results
    assert made["parameters"]["targets"] == {"escalation": 0.15}
    assert made["plan"]["estimand"] == "deployment"
    assert made["elsewhere"] == {}
    assert len(made["plan"]["allocation"]) > 2


def test_an_unreachable_target_is_bad_input(tmp_path):
    with pytest.raises(tk.ToolkitError):
        run(tmp_path / "run", targets=["tone=0.1"])
    assert json.loads((tmp_path / "run/status.json").read_text())["status"] == "bad_input"
