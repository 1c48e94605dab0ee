"""Which people are compared with each other, and with the judge."""

from __future__ import annotations

import itertools

from toolkit.labels.table import Labels


def people_to_compare(labels: Labels, judge: str) -> tuple[str, str] | None:
    """Find the two people, the judge apart, who share the most items.

    Parameters
    ----------
    labels : Labels
        What was read.
    judge : str
        The rater who is measured; never one of the two.

    Returns
    -------
    tuple of two str, or None
        None where no two people share an item.

    Examples
    --------
    >>> import toolkit as tk
    >>> people_to_compare(tk.simulate(["self_harm"], n_calls=10), "judge")
    ('human1', 'human2')
    """
    frame, raters = labels.frame, labels.raters
    kinds = raters["rater_kind"].astype(object)
    # Where nobody has a kind, all raters but the judge are taken as people, as in `agreement`.
    human = (kinds == "human") | (not kinds.notna().any())
    people = [str(person) for person in raters.loc[human, "rater_id"] if person != judge]
    own = {person: set(frame.loc[frame["rater_id"] == person, "item_id"]) for person in people}
    pairs = itertools.combinations(people, 2)
    best = max(pairs, key=lambda pair: len(own[pair[0]] & own[pair[1]]), default=None)
    return best if best and own[best[0]] & own[best[1]] else None


def pairs_of_raters(people: tuple[str, str] | None, judge: str) -> list[tuple[str, str]]:
    """Give the pairs to compare: the two people, then the judge with each.

    Parameters
    ----------
    people : tuple of two str, or None
        From `people_to_compare`.
    judge : str
        The rater who is measured.

    Returns
    -------
    list of tuple of two str
        Who is measured, and against whom; empty without two people.

    Examples
    --------
    >>> pairs_of_raters(("ann", "ben"), "gpt")
    [('ben', 'ann'), ('gpt', 'ann'), ('gpt', 'ben')]
    """
    if people is None:
        return []
    return [(people[1], people[0]), (judge, people[0]), (judge, people[1])]
