"""The first sitting is the first, whatever its column is made of, or the column is refused."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pandas as pd
import pytest

from toolkit.errors import LabelError
from toolkit.labels import read_labels
from toolkit.labels.pairs import Alignment


def read(sittings):
    """Read a rater who said 0 in the earlier sitting, which stands second, and 1 in the later."""
    later, earlier = range(2)
    frame = pd.DataFrame({"item_id": "a", "rater_id": ["ann", "ann", "gpt"], "label": [1, 0, 1]})
    rows = pd.Series(sittings).iloc[[later, earlier, earlier]].reset_index(drop=True)
    return read_labels(frame.assign(sitting=rows), construct="tone")


LATER_EARLIER = {
    "numbers": [10, 9],
    "text": ["10", "9"],
    "decimals": [Decimal(10), Decimal(9)],
    "durations": pd.to_timedelta([10, 9], unit="D"),
    "duration objects": pd.Series([dt.timedelta(10), dt.timedelta(9)], dtype=object),
    "times": pd.to_datetime(["2026-10-01", "2026-09-01"]),
    "dates": [dt.date(2026, 10, 1), dt.date(2026, 9, 1)],
    "ordered categories": pd.Categorical(["post", "pre"], ["pre", "post"], ordered=True),
    "times of day": ["10:00", "09:05"],
    "padded": ["round 10", "round 09"],
    "longer": ["2026-01-31T09:00", "2026-01-31"],
    "leading zeros": ["w2.07", "w2.007"],
}


@pytest.mark.parametrize("sittings", LATER_EARLIER.values(), ids=LATER_EARLIER)
def test_the_earlier_sitting_counts(sittings):
    labels = read(sittings)
    assert Alignment(labels).matrix("tone").tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("later", "earlier"), [("10:00", "9:05"), ("round 10", "round 9"), ("v1.10.0", "v1.9.30")]
)
def test_text_that_sorts_otherwise_than_the_numbers_in_it_is_refused(later, earlier):
    with pytest.raises(LabelError) as refusal:
        read([later, earlier])
    message = str(refusal.value)
    assert "sitting is text that sorts otherwise than the numbers in it (DataFrame" in message
    assert "index 0 and 1, column 'sitting')" in message
    assert f"Got: ['{earlier}', '{later}']" in message
    assert "Example: sitting: 1, 2, 3 or 2026-01-31T09:00" in message


def test_a_sitting_without_a_category_is_null():
    sittings = pd.Categorical([None, "pre"], ["pre", "post"], ordered=True)
    labels = read_labels(
        pd.DataFrame({"item_id": ["a", "a"], "rater_id": ["ann", "gpt"], "label": [1, 0]}).assign(
            sitting=sittings
        ),
        construct="tone",
    )
    assert labels.frame["sitting"].isna().tolist() == [True, False]
    assert Alignment(labels).matrix("tone").tolist() == [[1, 0]]
