"""The real label files are read, and hold what their README says."""

from __future__ import annotations

import pytest

from toolkit.errors import LabelError
from toolkit.labels import read_labels

pytestmark = pytest.mark.real


def test_mentalalign_has_seven_ordinal_constructs_by_an_expert_and_two_judges(shared_data):
    labels = read_labels(shared_data / "mentalalign_dev.csv.gz")
    assert (len(labels.frame), labels.items) == (104_951, 5_000)
    assert set(labels.constructs) == {
        *("guidance", "informativeness", "relevance", "safety"),
        *("empathy", "helpfulness", "understanding"),
    }
    for name in labels.constructs:
        construct = labels.schema[name]
        assert (construct.kind, construct.categories) == ("ordinal", (1, 2, 3, 4, 5))
    kinds = dict(labels.raters[["rater_id", "rater_kind"]].to_numpy())
    assert kinds == {"expert": "human", "claude-3-7-sonnet": "judge", "gpt-4o": "judge"}
    assert labels.flags == ("schema_inferred",)
    assert labels.left_out.empty


def test_convabuse_has_binary_constructs_and_a_severity_whose_order_is_numeric(shared_data):
    labels = read_labels(shared_data / "convabuse.csv.gz")
    assert (len(labels.frame), labels.items, len(labels.constructs)) == (140_448, 4_185, 11)
    assert labels.schema["severity"].categories == (-3, -2, -1, 0, 1)
    for name in set(labels.constructs) - {"severity"}:
        assert (labels.schema[name].categories, labels.schema[name].present) == ((0, 1), (1,))
    strata = labels.frame.groupby("stratum")["item_id"].nunique()
    assert strata.to_dict() == {"carbonbot": 1_515, "eliza": 2_670}
    shares = (
        labels.frame[labels.frame["construct"] == "abusive"].groupby("rater_id")["label"].mean()
    )
    assert round(shares["Annotator5"], 3) == 0.279
    assert round(shares["Annotator7"], 3) == 0.068


def test_humanebench_has_uneven_coverage_and_call_ids_of_judges_only(shared_data):
    labels = read_labels(shared_data / "humanebench.csv.gz")
    assert (len(labels.frame), labels.items, len(labels.constructs)) == (317, 48, 8)
    assert {labels.schema[name].categories for name in labels.constructs} == {
        (-1.0, -0.5, 0.5, 1.0)
    }
    raters = labels.raters
    people = raters[raters["rater_kind"] == "human"]
    assert sorted(people["labels"]) == [30, 47, 48, 48]
    assert raters.loc[raters["rater_kind"] == "judge", "labels"].tolist() == [48, 48, 48]
    with_call = labels.frame["call_id"].notna()
    assert labels.frame.loc[with_call, "rater_kind"].unique().tolist() == ["judge"]


def test_openai_moderation_has_one_rater_and_is_read_for_prevalences_only(shared_data):
    path = shared_data / "openai_moderation.csv.gz"
    with pytest.raises(LabelError, match=r"only one rater.*'openai_labels'.*overlap=False"):
        read_labels(path)
    labels = read_labels(path, overlap=False)
    assert labels.flags == ("schema_inferred", "one_rater")
    harm = labels.frame[labels.frame["construct"] == "self_harm"]
    assert (len(harm), harm["label"].sum()) == (1_447, 51)


def test_a_file_of_other_things_is_refused(shared_data):
    with pytest.raises(LabelError, match="missing column 'construct', 'rater_id', 'label'"):
        read_labels(shared_data / "bbh_raw_dev.csv.gz")
