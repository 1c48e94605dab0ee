"""Checks that a report could not make with these labels, and what would enable each."""

from __future__ import annotations

import math

from toolkit.coefficients.agreement import Agreement
from toolkit.coefficients.contrast import Contrast
from toolkit.labels.table import Labels


def checks_not_run(
    labels: Labels,
    agreement: Agreement,
    contrast: Contrast | None,
    people: Agreement | None,
) -> list[dict[str, str]]:
    """List what could not be checked.

    Parameters
    ----------
    labels : Labels
        What was read.
    agreement : Agreement
        All constructs.
    contrast : Contrast or None
        The pair, if there was one.
    people : Agreement or None
        One person against another, if there were two.

    Returns
    -------
    list of dict
        Each with check, why and enable.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["self_harm"], n_calls=50)
    >>> [one["check"] for one in checks_not_run(labels, tk.agreement(labels), None, None)][0]
    'same-call contrast'
    """
    missing = []
    if contrast is None:
        why = "there is one construct"
        missing.append(
            ("same-call contrast", why, "labels of a second construct from the same calls")
        )
    elif contrast.n_calls == 0:
        why = "no judge call labelled both constructs"
        missing.append(
            ("same-call contrast", why, "one judge call that labels both, and its call_id")
        )
    elif math.isnan(contrast.difference):
        why = "one of the two kappas is undefined"
        missing.append(
            ("same-call contrast", why, "items of both categories, for judge and people")
        )
    elif not contrast.common_prevalence:
        why = "it needs two binary constructs with a declared present category and both classes"
        missing.append(("both at one prevalence", why, "present: [...] in the schema"))
    if people is None:
        why = "no two people labelled the same items"
        enable = "a second person on about 60 of the items"
        missing.append(("people against people", why, enable))
    if agreement.cluster is None:
        why = "no clusters were named, so items count as independent"
        missing.append(
            ("dependence between items", why, "-p cluster=COLUMN, such as the conversation")
        )
    if "order" not in labels.frame:
        why = "labels carry no order (the order of rows is not time)"
        missing.append(("change over time", why, "a column order: time, batch or sitting"))
    return [dict(zip(("check", "why", "enable"), row, strict=True)) for row in missing]


def in_lines(checks: list[dict[str, str]]) -> list[str]:
    """Put the checks that could not run into one line each.

    Parameters
    ----------
    checks : list of dict
        From `checks_not_run`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> in_lines([{"check": "drift", "why": "no order", "enable": "a column order"}])
    ['drift: no order. To enable it: a column order.']
    """
    return [f"{one['check']}: {one['why']}. To enable it: {one['enable']}." for one in checks]
