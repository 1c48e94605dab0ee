"""What a schema may become between the sittings of a study."""

from __future__ import annotations

import pytest

from toolkit.errors import LabelError
from toolkit.labels.journal import Journal, read_journal

WORDS = {"categories": [0, 1], "labels": ["calm", "harsh"]}
SWAPPED = {"categories": [0, 1], "labels": ["harsh", "calm"]}


def sit(folder, rater, construct, *labels):
    """One sitting: the opening, and a label on each of i0, i1, ..."""
    with Journal.open(folder, study="pilot", rater=rater) as journal:
        journal.append("open", constructs={"tone": construct})
        for n, label in enumerate(labels):
            journal.append("label", item_id=f"i{n}", labels={"tone": label})


def said(labels):
    return labels.frame.groupby("rater_id")["label"].apply(list).to_dict()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (WORDS, SWAPPED),
        ({"categories": [1, 0], "kind": "ordinal"}, {"categories": [0, 1], "kind": "ordinal"}),
        ({"categories": [0, 1], "kind": "ordinal"}, {"categories": [0, 1]}),
    ],
)
def test_a_category_that_meant_two_things_is_refused_with_both_people(tmp_path, one, other):
    sit(tmp_path, "ann", one, 1)
    sit(tmp_path, "ben", other, 1)
    with pytest.raises(LabelError, match="tone mean something else to ben than to ann"):
        read_journal(tmp_path)
    labels = read_journal(tmp_path, schema={"constructs": {"tone": one}})  # who says which holds
    assert said(labels) == {"ann": [1], "ben": [1]}


def test_an_opening_in_which_nothing_was_decided_means_nothing(tmp_path):
    sit(tmp_path, "ben", SWAPPED)
    sit(tmp_path, "ann", WORDS, 1)
    assert said(read_journal(tmp_path)) == {"ann": [1]}


def test_who_merely_opens_with_another_schema_changes_nothing(tmp_path):
    sit(tmp_path, "ann", {"categories": [0, 1, 2]}, 1)
    sit(tmp_path, "ben", {"categories": [2, 1, 0]})
    assert read_journal(tmp_path).schema["tone"].categories == (0, 1, 2)


def test_categories_that_were_added_later_are_read(tmp_path):
    sit(tmp_path, "ann", {"categories": [0, 1]}, 1)
    sit(tmp_path, "ben", {"categories": [0, 1, 2]}, 2)
    labels = read_journal(tmp_path)
    assert said(labels) == {"ann": [1], "ben": [2]}
    assert "schema_changed" in labels.flags
