"""Why is this construct's kappa low: the differential diagnosis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients.agreement import Agreement, agreement
from toolkit.coefficients.contrast import contrast
from toolkit.coefficients.options import resampling
from toolkit.diagnosis import annotator_test
from toolkit.diagnosis.build import Columns, build, build_whole, order_of, stratum_of
from toolkit.diagnosis.case import LOW
from toolkit.diagnosis.evidence import evidence_of
from toolkit.diagnosis.examine import FEWEST_CALLS, examine
from toolkit.diagnosis.gap import MATERIAL, gap_of
from toolkit.diagnosis.mtmm import mtmm
from toolkit.diagnosis.pair import choose_pair
from toolkit.diagnosis.result import Diagnosis, single
from toolkit.diagnosis.verdict import Conclusion, Examiner, conclude
from toolkit.diagnosis.wording import next_steps, verdict_of
from toolkit.diagnosis.words import ENABLE, TITLES
from toolkit.errors import LabelError, StatisticsError
from toolkit.labels.pairs import Alignment
from toolkit.labels.roles import Roles, resolve_roles
from toolkit.labels.table import Labels

RANGE_REPLICATES = 1000


def diagnose(
    labels: Labels,
    low: str | None = None,
    high: str | None = None,
    judge: str | None = None,
    reference: str | Sequence[str] | None = None,
    weights: Any = "schema",
    cluster: str | None = None,
    seed: int = 0,
    order: str | None = None,
    stratum: str | None = None,
    witness: str | None = None,
    material: float = MATERIAL,
    *,
    level: float = 0.95,
    draws: int = 20_000,
) -> Diagnosis:
    r"""Find out why the judge agrees with people less on one construct than on another.

    Thirteen causes are tested, each by its own signature, and sized by what kappa of the low
    construct would be with the cause undone. A cause is named when its test and its share of the
    gap agree.

    Parameters
    ----------
    labels : Labels
        From `read_labels` or `simulate`.
    low, high : str, optional
        Constructs with the low and the high kappa. None: the lowest and the highest; the interval
        of the gap then accounts for the choice.
    judge, reference : optional
        As in `agreement`. With several reference persons the gap is that of the judge with single
        persons, each call weighing 1: a majority hides what they disagree on.
    weights : None, "linear", "quadratic", "schema" or array-like of shape (k, k), optional
        As in `agreement`; "schema" is quadratic for ordinal constructs.
    cluster, seed
        As in `agreement`.
    order : str, optional
        Column of numbers or dates along which agreement may have changed. None: the column `order`
        of the table, if there is one. The order of rows is not time.
    stratum : str, optional
        Column of groups of items, or of a number that is cut into quarters. None: the column
        `stratum` of the table, if there is one.
    witness : str, optional
        A second person or judge that helps to tell who erred. None: all there are.
    material : float, optional
        Smallest gap worth a cause, above 0 and below 1.
    level, draws
        Of the gap, the contrast and the table of agreement, as in `kappa`. In the evidence effects
        have 95 % and shares 90 % intervals, whatever the level, because the rules use these.

    Returns
    -------
    Diagnosis

    Raises
    ------
    LabelError
        If a name or a column is unknown, or roles are not clear.
    StatisticsError
        If an option does not fit.

    Notes
    -----
    The share of the gap that a cause explains is (kappa without it - kappa) / gap, the gap held at
    its estimate. Rules and thresholds stand in ``toolkit/diagnosis/rules.py``, their error rates in
    docs/validation.md.

    References
    ----------
    Campbell and Fiske 1959, Psychological Bulletin 56:81, doi:10.1037/h0046016; Lin 1989,
    Biometrics 45:255, doi:10.2307/2532051.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["a", "b", "c"], n_calls=400, cause="threshold_shift")
    >>> tk.diagnose(labels, low="a", high="c", draws=1000).verdict.causes
    ('threshold_shift',)
    """
    options = resampling("jeffreys", level, draws, seed)
    if not isinstance(material, float) or not 0 < material < 1:
        raise StatisticsError(
            "material is no difference of kappas",
            got=material,
            allowed="above 0 and below 1",
            example="material=.10",
        )
    roles, alignment = resolve_roles(labels, judge, reference), Alignment(labels)
    common: dict[str, Any] = {
        "judge": judge,
        "reference": reference,
        "weights": weights,
        "cluster": cluster,
    }
    intervals: dict[str, Any] = {"seed": seed, "level": level, "draws": draws}
    table = agreement(labels, **common, **intervals)
    columns = Columns(
        cluster,
        _column(alignment, "stratum", stratum, stratum_of),
        _column(alignment, "order", order, order_of),
        witness,
    )
    parameters = {
        "judge": roles.judge,
        "reference": list(roles.reference),
        "weights": weights if isinstance(weights, str | None) else np.asarray(weights).tolist(),
        "cluster": cluster,
        "stratum": columns.stratum,
        "order": columns.order,
        "witness": witness,
        "material": material,
        **intervals,
    }
    pair = choose_pair(table, low, high)
    if pair is None:
        return single(table, parameters)
    names = (*pair, *(name for name in labels.constructs if name not in pair))
    case, readable = build(alignment, names, roles, weights, columns, seed)
    whole = None
    if (low is None or high is None) and case.c > 2 and case.n:  # noqa: PLR2004
        whole = build_whole(alignment, names, roles, weights, cluster, seed, RANGE_REPLICATES)
    gap = gap_of(case, options, whole=whole, material=material)
    conclusion = conclude(examine(case, readable, gap), Examiner(readable, options, material))
    evidence = evidence_of(conclusion)
    verdict = verdict_of(conclusion, evidence)
    usable = case.n >= FEWEST_CALLS
    return Diagnosis(
        verdict=verdict,
        evidence=evidence,
        gap=gap,
        contrast=contrast(labels, low=pair[0], high=pair[1], **common, **intervals),
        agreement=table,
        waterfall=conclusion.base.steps,
        mtmm=mtmm(case) if usable else None,
        annotator_test=annotator_test.of_case(case, LOW) if usable else None,
        disagreements=_disagreements(table, alignment, roles, *pair),
        next_steps=tuple(next_steps(conclusion)),
        not_run=tuple(_not_run(conclusion, usable=usable)),
        parameters=parameters,
    )


def _column(
    alignment: Alignment,
    standard: str,
    named: str | None,
    read: Callable[[Alignment, str], object],
) -> str | None:
    """A named column, else the standard one if the table has it and it can be used.

    Nobody asked for the standard column, so what is wrong with it stops nothing: that the cause was
    not tested is said in the evidence.
    """
    if named is not None or standard not in alignment.labels.frame:
        return named
    try:
        read(alignment, standard)
    except LabelError:
        return None
    return standard


def _disagreements(
    table: Agreement, alignment: Alignment, roles: Roles, low: str, high: str
) -> pd.DataFrame:
    """Disagreements on the low construct: items on which all people agree come first.

    Where people agree with each other and the judge is right on the other construct of the same
    call, the item shows the fault most clearly.
    """
    frame = table[low].disagreements
    if frame.empty:
        return frame.assign(people_agree=[], high_agrees=[])
    place = pd.Index(alignment.items).get_indexer(frame["item_id"])
    people = [alignment.position[rater] for rater in roles.reference]
    codes = alignment.matrix(low)[place][:, people]
    given = np.ma.masked_less(codes, 0)
    agree = ((given.max(axis=1) == given.min(axis=1)) & (given.count(axis=1) > 1)).filled(False)
    reference, judge = alignment.reference(high, roles)[0], alignment.judge(high, roles.judge)
    right = ((reference == judge) & (judge >= 0))[place]
    frame = frame.assign(people_agree=agree, high_agrees=right)
    return frame.sort_values(
        ["people_agree", "high_agrees"], ascending=False, kind="stable", ignore_index=True
    )


def _not_run(conclusion: Conclusion, *, usable: bool) -> list[dict[str, str]]:
    more = f"{FEWEST_CALLS} or more calls with labels of both constructs by judge and people"
    return [
        {
            "check": TITLES[cause],
            "why": found.untestable,
            "enable": ENABLE[cause] if usable else more,
        }
        for cause, found in conclusion.base.found.items()
        if found.untestable
    ]
