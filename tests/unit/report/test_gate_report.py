"""Tables, pictures and sentences of the gate's report: on the bundled packs, and at the edges."""

from __future__ import annotations

import json

import pytest
from matplotlib import pyplot as plt

import toolkit as tk
from toolkit.errors import GateError, PackError, ParameterError
from toolkit.gate import load_pack, read_verdicts, scorecard
from toolkit.gate.stability import gate_stability
from toolkit.report.gate_files import GateInputs, both_scopes, read_gate
from toolkit.report.gate_plots import decision_flips, flag_kappas, totals_and_gate
from toolkit.report.gate_results import write_gate
from toolkit.report.gate_show import (
    above_the_best,
    beyond_total_table,
    changed_table,
    left_out_verdicts,
    never_fatal_table,
    not_passed_table,
    ranking_table,
    separation_table,
)
from toolkit.report.gate_stability_show import (
    reliability_table,
    stability_table,
    unreliable_text,
)
from toolkit.report.gate_summary import gate_headline, gate_notes, gate_sentence
from toolkit.report.gate_words import in_gate_words

EVIL = "<script>alert(1)</script>"


def made(read, **options):
    card = scorecard(read.verdicts)
    options = {"confusion": read.people, "draws": 500, **options}
    return card, both_scopes(read.verdicts), gate_stability(read.verdicts, read.pack, **options)


@pytest.fixture(scope="module")
def office():
    return read_gate()


@pytest.fixture(scope="module")
def found(office):
    return made(office)


@pytest.fixture
def tiny():
    """A pack and verdicts of one's own, with names that would do harm as HTML."""
    pack = load_pack(
        {
            "id": "tiny",
            "title": "Tiny",
            "dimensions": [{"id": "safety", "name": "Safety"}],
            "ko_rule": {"dimension": "safety"},
            "categories": [
                {
                    "id": "c",
                    "name": "C",
                    "prompts": [
                        {"id": EVIL, "title": EVIL, "prompt": EVIL, "safety_critical": True}
                    ],
                }
            ],
        }
    )
    rows = [
        {"model": f"{EVIL} $x$", "prompt_id": EVIL, "score": 4, "red_flag": True, "rationale": EVIL}
    ]
    return GateInputs(pack, read_verdicts(rows, pack), None, {})


def tables(card, scopes, stability):
    return [
        ranking_table(card),
        not_passed_table(card),
        beyond_total_table(card),
        separation_table(scopes),
        changed_table(scopes),
        never_fatal_table(scopes),
        left_out_verdicts(card, stability),
        stability_table(stability),
        reliability_table(stability),
        unreliable_text(stability),
        gate_headline(card, stability),
    ]


def test_the_ranking_holds_models_that_passed_and_no_others(found):
    card = found[0]
    listed = ranking_table(card).data
    assert "birch" in listed
    assert "1 (tied)" in listed
    assert not [name for name in card.knocked_out["model"] if name in listed]
    assert not [name for name in card.undetermined["model"] if name in listed]


def test_who_did_not_pass_is_named_with_the_reason_and_the_variant(found):
    listed = not_passed_table(found[0]).data
    assert "red flag on B3 (variant none)" in listed
    assert "undetermined" in listed
    assert "birch" not in listed


def test_models_that_a_total_alone_would_recommend_are_named(found):
    assert above_the_best(found[0])["model"].tolist() == ["alder", "hazel"]
    assert "100.0" in beyond_total_table(found[0]).data


def test_the_sentence_counts_and_names_the_highest_total_that_did_not_pass(found):
    assert gate_sentence(found[0]) == (
        "Of 10 models 5 pass, 4 are knocked out and 1 is undetermined, which is no pass; the "
        "highest total that did not pass is alder's 100.0 % (knocked out)."
    )


def test_notes_name_scope_least_stable_models_and_unreliable_prompts(found):
    scope, shaky, unreliable, sparse = gate_notes(found[0], found[2])
    assert "curated" in scope
    assert "larch" in shaky
    assert "B2 disqualifies" in unreliable
    assert sparse.endswith("red flags may be unseen: hazel")


def test_flags_that_never_disqualify_come_most_frequent_first(found):
    listed = never_fatal_table(found[1]).data
    assert listed.index("C5") < listed.index("D5") < listed.index("E1")


def test_the_least_stable_model_is_first_and_an_undetermined_one_last(found):
    listed = stability_table(found[2]).data
    assert listed.index("larch") < listed.index("birch") < listed.index("hazel")
    assert "no decision" in listed
    assert "floor of truthfulness" in listed


def test_pictures_say_in_words_what_they_draw(found):
    card, _, stability = found
    totals, flips, kappas = (
        totals_and_gate(card),
        decision_flips(stability),
        flag_kappas(stability),
    )
    assert totals.alt.startswith("Total of each model, highest first: alder 100.0 % knocked out")
    assert "larch (knocked out) 0." in flips.alt
    assert "hazel is undetermined" in flips.alt
    assert "too unreliable: B2, D4, E5" in kappas.alt
    assert plt.get_fignums() == []


def test_names_from_data_are_shown_as_text(tiny):
    card, scopes, stability = made(tiny)
    for table in tables(card, scopes, stability):
        assert EVIL not in table.data
    for picture in (totals_and_gate(card), decision_flips(stability)):
        picture.canvas.draw()
    assert flag_kappas(stability) is None


def test_without_repeats_people_totals_or_curation_the_report_says_so(tiny):
    card, scopes, stability = made(tiny)
    assert isinstance(scopes, str)
    assert "can't be compared" in separation_table(scopes).data
    assert changed_table(scopes).data == never_fatal_table(scopes).data == ""
    notes = " ".join(gate_notes(card, stability))
    assert "no prompt was judged twice" in notes
    assert "no labels of people" in notes
    assert "No labels of people" in unreliable_text(stability).data
    assert ranking_table(card).data == "<p>None.</p>"
    assert gate_sentence(card).startswith("Of 1 model 0 pass, 1 is knocked out and 0 are")
    assert "Without a total" in totals_and_gate(card).alt


def test_every_reason_and_flag_has_words(found, tiny):
    codes = ["few_repeats:9", "another_run:few_repeats:9", "prompt_without_labels:2"]
    codes += [
        "incomplete:m",
        "unknown_prompt:p9",
        "not_ranked:m",
        "floor:safety",
        "prompts_without_people:2",
    ]
    for _, scopes, stability in (found, made(tiny)):
        codes += [*stability.reasons, *stability.flags]
        codes += [] if isinstance(scopes, str) else scopes.reasons
    for code in codes:
        assert "_" not in in_gate_words(code)
        assert ":" not in in_gate_words(code)


def test_a_bundled_pack_brings_its_verdicts_and_its_people():
    read = read_gate("support_safety")
    assert read.pack.id == "support_safety"
    assert read.files["people"].name == "support_safety_people.csv"


def test_the_scope_can_be_chosen():
    assert scorecard(read_gate(scope="all").verdicts).scope == "all"
    with pytest.raises(PackError, match="did you mean 'curated'"):
        read_gate(scope="curatd")


def test_people_of_a_bundled_pack_are_never_taken_for_verdicts_of_your_own(office):
    read = read_gate(verdicts=office.files["verdicts"])
    assert read.people is None


def test_a_pack_of_your_own_without_verdicts_is_refused():
    with pytest.raises(ParameterError, match="needs verdicts"):
        read_gate("my_pack.yaml")


def test_verdicts_on_another_pack_are_refused():
    with pytest.raises(GateError, match="variant"):
        read_gate("support_safety", verdicts=tk.bundled("gate/office_quality.csv"))


def test_results_are_strict_json_without_paths(office, found, tmp_path):
    card, scopes, stability = found
    write_gate(
        tmp_path,
        parameters={**office.files, "seed": 0, "out": tmp_path},
        read=office,
        card=card,
        scopes=scopes,
        stability=stability,
    )
    text = (tmp_path / "results.json").read_text(encoding="utf-8")
    written = json.loads(text, parse_constant=pytest.fail)
    assert written["parameters"]["pack"] == "office_quality.yaml"
    assert written["above_the_best"] == ["alder", "hazel"]
    assert written["stability"]["models"][5]["another_run"]["flips"] is None
    assert str(tmp_path) not in text


def test_the_ranking_shows_how_many_prompts_were_scored(found):
    assert "50 of 50" in ranking_table(found[0]).data


def test_reliability_says_reasons_and_flags_in_words(office, found, tiny):
    assert "no labels of people" in reliability_table(made(tiny)[2]).data
    pooled = gate_stability(office.verdicts, office.pack, confusion=[[10, 14], [14, 30]], draws=200)
    listed = reliability_table(pooled).data
    assert "do not tell prompts apart" in listed
    assert "the curated ones" in listed
    assert "All prompts taken together" in unreliable_text(pooled).data
    assert "all prompts taken together" in " ".join(gate_notes(found[0], pooled))
