"""Which side moved where agreement is worse: the judge, or people. A third witness tells.

Another judge labels the same items in calls of its own. Where the judge moved, the judge leaves the
witness; where people moved, people do. Without another judge a second person can show that one
person moved, but not that all people did not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from toolkit.diagnosis.case import LOW, Case, Floats, Marks, indicators, z_of
from toolkit.diagnosis.places import on_people, standardised
from toolkit.labels.roles import Codes

JUDGE, PEOPLE, OPEN, UNKNOWN = "judge", "people", "judge, or all people together", "unknown"
LEAST_ITEMS = 20  # of the witness in either part
LARGER, Z_WITNESS, Z_PEOPLE = 0.1, 2.5, 3.0


class Side(NamedTuple):
    """Who moved; how clearly (z of the fall in kappa with the witness); and the witness."""

    moved: str
    z: float
    witness: str


def side_of(case: Case, good: Marks, bad: Marks) -> Side:
    """Tell which side moved between the good and the bad part."""
    scale = case.scales[LOW]
    judge, people = case.judged(LOW), case.referred(LOW)
    other = _fullest(case.judges[LOW], good, bad)
    if other is not None:
        witness = indicators(case.judges[LOW][:, other], scale.k)
        of_judge = _fall(case, witness, judge, good, bad)
        of_people = _fall(case, witness, people, good, bad)
        return _larger(of_judge, of_people, case.names.judges[other])
    first = case.people[LOW][:, :1]
    second = _fullest(np.where(first >= 0, case.people[LOW][:, 1:], -1), good, bad)
    if second is None:
        return Side(UNKNOWN, float("nan"), "")
    one, two = (indicators(case.people[LOW][:, at], scale.k) for at in (0, 1 + second))
    fall = _fall(case, one, two, good, bad)
    z = z_of(fall)
    moved = PEOPLE if z > Z_PEOPLE and fall[0] > LARGER else OPEN
    return Side(moved, z, case.names.people[1 + second])


def _fullest(codes: Codes, good: Marks, bad: Marks) -> int | None:
    """Column with the most labels, if there are enough in both parts."""
    if codes.shape[1] == 0:
        return None
    labelled = codes >= 0
    least = np.minimum(labelled[good].sum(axis=0), labelled[bad].sum(axis=0))
    column = int(np.argmax(least))
    return column if least[column] >= LEAST_ITEMS else None


def _fall(case: Case, left: Floats, right: Floats, good: Marks, bad: Marks) -> Floats:
    """Stack of standardised kappas of two raters, good minus bad part."""
    whole, fine, poor = (
        case.tables(left * keep[:, None], right) for keep in (good | bad, good, bad)
    )
    steady = on_people(fine[:1], poor[:1], whole[:1])
    weights = case.scales[LOW].weights
    better, worse = (standardised(part, whole, weights, steady) for part in (fine, poor))
    return better - worse


def _larger(of_judge: Floats, of_people: Floats, witness: str) -> Side:
    z = {JUDGE: z_of(of_judge), PEOPLE: z_of(of_people)}
    more = abs(float(of_judge[0])) - abs(float(of_people[0]))
    moved = JUDGE if more > 0 else PEOPLE
    clear = abs(more) > LARGER and abs(z[moved]) > Z_WITNESS
    return Side(moved if clear else UNKNOWN, z[moved], witness)
