"""Labels that say by themselves that they were drawn with unequal probabilities."""

from __future__ import annotations

import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import StatisticsError


def labels(*weights):
    """Six items, labelled by a judge and a person, with the weights by which they were drawn."""
    wide = pd.DataFrame({"item_id": list("abcdef"), "gpt": [1, 1, 1, 0, 0, 0]})
    wide["ann"] = [1, 1, 0, 0, 0, 1]
    if weights:
        wide["design_weight"] = [weights[0]] * 3 + [weights[1]] * 3
    raters = {"gpt": "judge", "ann": "human"}
    return tk.read_labels(wide, wide="rater", construct="tone", rater=raters)


def test_plain_kappa_of_an_unequal_draw_is_refused_and_the_right_one_named():
    with pytest.raises(StatisticsError, match="unequal probabilities") as error:
        tk.agreement(labels(10.0, 100.0))
    for name in ("tk.weighted_kappa", "tk.sample_kappa", "from 10 to 100"):
        assert name in str(error.value)


def test_contrasts_of_an_unequal_draw_are_refused():
    given = labels(10.0, 100.0)
    two = given.frame[given.frame["rater_id"] == "gpt"].assign(rater_id="other")
    both = tk.read_labels(pd.concat([given.frame, two]), overlap=False)
    with pytest.raises(StatisticsError, match="unequal probabilities"):
        tk.contrast(both, construct="tone", judges=["gpt", "other"])


def test_equal_weights_and_no_weights_give_the_same_kappa():
    equal, none = (tk.agreement(each).to_frame() for each in (labels(10.0, 10.0), labels()))
    pd.testing.assert_frame_equal(equal, none)


def test_the_named_way_out_works():
    design = labels(10.0, 100.0).frame.drop_duplicates("item_id")
    design = design[["item_id", "design_weight"]].assign(stratum=["yes"] * 3 + ["no"] * 3)
    design["inclusion_probability"] = 1 / design["design_weight"]
    made = tk.weighted_kappa(labels(10.0, 100.0), design)
    assert made.estimate != tk.agreement(labels())["tone"].kappa.estimate
