"""Words that answer yes or no beside 0 and 1: the proposal keeps every label."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from toolkit.errors import LabelError
from toolkit.labels import read_labels

HARM = {"constructs": {"harm": {"categories": [0, 1], "present": [1]}}}


def table(labels):
    rows = {"item_id": ["a", "a", "b", "b"], "construct": "harm", "rater_id": ["ann", "gpt"] * 2}
    return pd.DataFrame(rows).assign(label=labels)


@pytest.mark.parametrize("schema", [HARM, None])
@pytest.mark.parametrize(
    "labels", [["no", "yes", "yes", "no"], ["No", 1, 0, "Yes"], ["absent", "present", 1, 0]]
)
def test_the_proposed_recoding_reads_every_label(labels, schema):
    frame = table(labels)
    if schema is None and not {0, 1} & set(labels):
        assert read_labels(frame).schema["harm"].k == 2
        return
    with pytest.raises(LabelError) as caught:
        read_labels(frame, schema)
    assert "abstain" not in str(caught.value)
    recoding = re.fullmatch(
        r"tk\.read_labels\(frame\.replace\((.*)\), \.\.\.\)", caught.value.example
    )
    mapping = eval(recoding[1])  # noqa: S307  the example that users copy
    read = read_labels(frame.replace(mapping), schema)
    positive = ("yes", "Yes", "present", 1)
    assert read.frame["label"].tolist() == [int(label in positive) for label in labels]
    assert read.left_out.empty


def test_other_words_may_still_be_abstentions():
    with pytest.raises(LabelError, match=r"abstain: \[unsure\] in the schema of 'harm'"):
        read_labels(table(["unsure", 1, 0, 1]), HARM)
