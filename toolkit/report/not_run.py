"""Checks that a report could not make with these labels, and what would enable each."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.diagnosis.result import Diagnosis


def checks_not_run(diagnosis: Diagnosis) -> list[dict[str, str]]:
    """List what could not be checked: causes that were not testable, and what is no cause.

    Parameters
    ----------
    diagnosis : Diagnosis
        From `toolkit.diagnose`.

    Returns
    -------
    list of dict
        Each with check, why and enable.

    Examples
    --------
    >>> import toolkit as tk
    >>> diagnosis = tk.diagnose(tk.simulate(["self_harm"], n_calls=50), draws=500)
    >>> [one["check"] for one in checks_not_run(diagnosis)]
    ['all causes', 'dependence between items']
    """
    missing = list(diagnosis.not_run)
    if diagnosis.contrast is not None and diagnosis.contrast.n_calls == 0:
        missing.insert(
            0,
            {
                "check": "same-call contrast",
                "why": "no judge call labelled both constructs",
                "enable": "one judge call that labels both, and its call_id",
            },
        )
    if diagnosis.agreement.cluster is None:
        missing.append(
            {
                "check": "dependence between items",
                "why": "no clusters were named, so items count as independent",
                "enable": "-p cluster=COLUMN, such as the conversation",
            }
        )
    return missing


def in_lines(checks: Sequence[dict[str, str]]) -> list[str]:
    """Put the checks that could not run into lines, one for all that share their reason.

    Parameters
    ----------
    checks : sequence of dict
        From `checks_not_run`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> in_lines([{"check": "drift", "why": "no order", "enable": "a column order"}])
    ['drift: no order. To enable it: a column order.']
    """
    by_reason: dict[str, list[dict[str, str]]] = {}
    for one in checks:
        by_reason.setdefault(one["why"], []).append(one)
    return [
        f"{', '.join(one['check'] for one in group)}: {why}. To enable it: "
        f"{'; '.join(dict.fromkeys(one['enable'] for one in group))}."
        for why, group in by_reason.items()
    ]
