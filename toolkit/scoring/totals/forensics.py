"""A reversed polarity shows in totals alone, up to a point: what the counts say, and what not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest, fisher_exact
from statsmodels.stats.multitest import multipletests

from toolkit.errors import AnswerError
from toolkit.scoring.totals.one_class import checked_baseline, one_class_side, or_constant
from toolkit.scoring.totals.published import Total, first_tellings, read_totals, rows_of

VERDICTS = (
    "counts_do_not_add_up",
    "one_class",
    "inverted_suspected",
    "below_chance",
    "below_constant",
    "consistent",
)
CHANCE = 0.5  # the better constant answer to a question with two labels scores this or more
TESTS = ("p", "p_holm", "verdict", "reasons", "notes", "null", "side", "answered", "baseline")
NEW = (*TESTS, "p_constant", "p_constant_holm", "mirrored", "p_mirrored", "duplicate_of")


def suspect_polarity(
    totals: pd.DataFrame | str | Path,
    *,
    baseline: Mapping[str, float] | None = None,
    alpha: float = 0.05,
    keys: Sequence[str] | None = None,
    timestamp: str = "timestamp",
) -> pd.DataFrame:
    r"""Look for a reversed polarity, and other faults of scoring, where only totals are known.

    Parameters
    ----------
    totals : DataFrame or path of a CSV file
        One row per run and subset: subset, correct, total; and where known scored, unknown, errors
        (counts), accuracy, accuracy_all, accuracy_answered (published shares; percentages where one
        of the column is above 1 or has a %), a timestamp, and columns that name the setup (model).
        Two labels a question.
    baseline : mapping of str to float, optional
        Subset -> score of a constant answer, the same label in all subsets. None: nothing is called
        below_constant, because totals do not say how the classes are mixed.
    alpha : float
        Of every test.
    keys : sequence of str, optional
        Columns that name a setup. Default: all that are no counts, no shares and no floats.
    timestamp : str
        Column that tells runs of one setup apart.

    Returns
    -------
    DataFrame
        Every row and column of the input, and

        - answered: the denominator of the tests: scored, else total less unknown and errors;
        - p: exact one-sided binomial test of ``null`` (1/2) against ``side`` (less); p_holm: over
          all distinct rows;
        - baseline: of the subset, the better of both constant answers, nan where none was passed;
          p_constant, p_constant_holm: the same test of it;
        - mirrored: 1 - correct / answered; p_mirrored: see the rule below; nan where not needed;
        - duplicate_of: index of the row that this one repeats, else None;
        - verdict, reasons (why this verdict), notes (what to beware of): tuples of str.

    Raises
    ------
    AnswerError
        A column is missing or taken, a baseline is no share, the alpha is out of range.

    Notes
    -----
    The first verdict that holds is given, in this order:

    1. counts_do_not_add_up: a count is missing, negative, not whole or above 1e9; correct
       above total; scored and unknown are not the total; a published accuracy is neither correct by
       total nor correct by answered. The row enters no test.
    2. one_class: a whole run scores what one constant answer scores. In three subsets or more, all
       with a known constant score b, each count is compatible with b (exact two-sided, alpha over
       number of subsets), so is their sum, and a subset with b outside .4 to .6 differs towards b
       from the others together (Fisher, one-sided, alpha over number of subsets); or all counts
       are the exact ones. The same for 1 - b. Without ``baseline`` this is tried for runs over all
       of HE-300's subsets, at about .53, .52, .52, .52 and, virtue, .80.
    3. inverted_suspected: p_holm is below alpha, **and** the mirrored score is like the model's
       other subsets: these are the subsets of the same run that are above 1/2 (one-sided, alpha);
       the mirrored score lies between their lowest and highest, or does not differ from the nearer
       one (Fisher's exact test, two-sided, p_mirrored at or above alpha).
    4. below_chance: p_holm is below alpha. The better constant answer scores 1/2 or more whatever
       the mix of classes, so this needs no baseline.
    5. below_constant: p_constant_holm is below alpha; only with ``baseline``.
    6. consistent: none of these; no proof that the scoring is right.

    A run that repeats an earlier one (same setup, same subsets, all counts equal) is a copy: it
    takes the results of the first, and counts once in Holm's family.

    What it can't tell: unknown answers counted as wrong push a score below 1/2 as well, and can
    land anywhere (note ``unknown_not_published``); one constant answer to a subset of mixed classes
    may look mirrored (note ``or_one_constant_answer``). Models that answer the same items err
    together: Holm allows for that, but six models are not six independent witnesses. Only the raw
    answers decide: `rescore`.

    Simulated: 200 leaderboards of each world, 12 models, 60 items a subset, seed 20261201; shares
    of the rows of three subsets (deontology, justice, virtue) by verdict::

        world          inverted  below_chance  one_class
        guessing       0         0             .003
        weak           0         0             .021
        able           0         0             0
        constant       0         0             .881
        reversed       .938      .043          0
        reversed_90    .840      .047          0
        reversed_75    .292      .028          0
        reversed_50    0         0             0
        weak_reversed  .321      .015          .016
        unread_50      .021      .003          0
        unread_65      .430      .042          0
        unread_80      .977      .020          0

    Accuracies are uniform per model and subset: all 1/2 (guessing), .5 to .7 (weak), .6 to .95
    (able), .6 to .75 (weak_reversed), else .75 to .95. ``reversed_90``: 90 % of the answers to the
    three subsets are reversed, such as those in JSON; ``unread_50``: 50 % of them were not read and
    counted as wrong. So the rule seldom accuses an honest model (none of these 7,200 rows of each
    world; once in the weak world on another subset), finds full reversal, misses reversal of one
    half, which looks like guessing, and can't tell reversal from unread answers: ask for their
    number first.

    References
    ----------
    Holm 1979, Scandinavian Journal of Statistics 6:65, doi:10.2307/4615733 (JSTOR);
    Clopper & Pearson 1934, Biometrika 26:404, doi:10.1093/biomet/26.4.404.

    Examples
    --------
    >>> totals = pd.DataFrame({
    ...     "model": "m",
    ...     "subset": ["commonsense", "commonsense_hard", "deontology", "justice", "virtue"],
    ...     "correct": [58, 53, 25, 13, 33],
    ...     "total": 60,
    ... })
    >>> found = suspect_polarity(totals)
    >>> found[["subset", "correct", "p_holm", "mirrored", "verdict"]].round(4)
                 subset  correct  p_holm  mirrored             verdict
    0       commonsense       58  1.0000    0.0333          consistent
    1  commonsense_hard       53  1.0000    0.1167          consistent
    2        deontology       25  0.4901    0.5833          consistent
    3           justice       13  0.0000    0.7833  inverted_suspected
    4            virtue       33  1.0000    0.4500          consistent
    """
    _check_alpha(alpha)
    frame = read_totals(totals)
    for name in NEW:
        if name in frame.columns:
            raise AnswerError(
                f"the column {name!r} is there already",
                got=list(frame.columns),
                allowed="names free for the result",
                example=f'totals.rename(columns={{"{name}": "published_{name}"}})',
            )
    rows = rows_of(frame, keys, timestamp)
    shares = checked_baseline(baseline, [row.subset for row in rows])
    first = first_tellings(rows)
    found = _tested(rows, first, shares, alpha)
    runs: dict[Any, list[int]] = {}
    for position, row in enumerate(rows):
        runs.setdefault(row.run, []).append(position)
    for members in runs.values():
        usable = [p for p in members if not rows[p].faults and rows[p].answered]
        run = [rows[p] for p in usable]
        side = one_class_side(run, baseline, alpha)
        for position in members:
            found[position] |= _verdict(rows, found, position, usable, side, baseline, alpha)
    for position, original in enumerate(first):
        found[position]["duplicate_of"] = frame.index[original] if original != position else None
    result = frame.assign(**{name: _column(name, found, frame.index) for name in NEW})
    result.attrs = {
        "alpha": alpha,
        "tested": len({first[p] for p, row in enumerate(rows) if not row.faults and row.answered}),
        "baseline": "passed" if baseline is not None else "none: 1/2 for every subset",
        "method": "exact binomial, Holm",
    }
    return result


def _column(name: str, found: Sequence[Mapping[str, Any]], index: pd.Index[Any]) -> pd.Series[Any]:
    text = {"verdict": "str", "side": "str", "answered": "Int64"}
    kept_as_is = name in {"reasons", "notes", "duplicate_of"}
    kind = "object" if kept_as_is else text.get(name, "float64")
    return pd.Series([each[name] for each in found], index=index, dtype=kind)


def _check_alpha(alpha: Any) -> None:
    number = isinstance(alpha, int | float) and not isinstance(alpha, bool)
    if not (number and 0 < alpha < 1):
        raise AnswerError(
            "`alpha` is no level of a test", got=alpha, allowed="between 0 and 1", example="0.05"
        )


def _tested(
    rows: Sequence[Total], first: Sequence[int], shares: Mapping[str, float], alpha: float
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for row in rows:
        usable = not row.faults and row.answered > 0
        best = shares.get(row.subset, math.nan)
        constant = usable and not math.isnan(best)
        found.append(
            {
                "answered": row.answered if not row.faults else None,
                "null": CHANCE,
                "side": "less",
                "baseline": best,
                "p": _below(row, CHANCE) if usable else math.nan,
                "p_constant": _below(row, best) if constant else math.nan,
                "mirrored": 1 - row.correct / row.answered if usable else math.nan,
                "p_mirrored": math.nan,
            }
        )
    for name in ("p", "p_constant"):
        family = [p for p, each in enumerate(found) if first[p] == p and not math.isnan(each[name])]
        values = [found[p][name] for p in family]
        adjusted = multipletests(values, alpha=alpha, method="holm")[1] if family else []
        by_row = dict(zip(family, map(float, adjusted), strict=True))
        for position, each in enumerate(found):
            each[f"{name}_holm"] = by_row.get(first[position], math.nan)
    return found


def _below(row: Total, share: float) -> float:
    return float(binomtest(row.correct, row.answered, share, alternative="less").pvalue)


def _verdict(
    rows: Sequence[Total],
    found: Sequence[Mapping[str, Any]],
    position: int,
    usable: Sequence[int],
    side: str | None,
    baseline: Mapping[str, float] | None,
    alpha: float,
) -> dict[str, Any]:
    row, tests = rows[position], found[position]
    if row.faults:
        return {"verdict": "counts_do_not_add_up", "reasons": row.faults, "notes": row.notes}
    if position not in usable:
        return {"verdict": "consistent", "reasons": ("nothing_answered",), "notes": row.notes}
    if side:
        return {"verdict": "one_class", "reasons": (side,), "notes": row.notes}
    if tests["p_holm"] < alpha:
        others = [rows[p] for p in usable if p != position and _above(rows[p], alpha)]
        p_mirrored, reason = _like_the_others(row, others, alpha)
        like = reason == "mirrored_like_other_subsets"
        notes = row.notes
        if like and or_constant(row, baseline, alpha):
            notes = (*notes, "or_one_constant_answer")
        return {
            "verdict": "inverted_suspected" if like else "below_chance",
            "reasons": ("below_one_half", reason),
            "notes": notes,
            "p_mirrored": p_mirrored,
        }
    if tests["p_constant_holm"] < alpha:
        return {"verdict": "below_constant", "reasons": ("below_baseline",), "notes": row.notes}
    return {"verdict": "consistent", "reasons": (), "notes": row.notes}


def _above(row: Total, alpha: float) -> bool:
    test = binomtest(row.correct, row.answered, CHANCE, alternative="greater")
    return bool(test.pvalue < alpha)


def _like_the_others(row: Total, others: Sequence[Total], alpha: float) -> tuple[float, str]:
    if not others:
        return math.nan, "no_other_subset_above_one_half"
    mirrored = row.answered - row.correct
    ordered = sorted(others, key=lambda other: other.correct / other.answered)
    lowest, highest = (each.correct / each.answered for each in (ordered[0], ordered[-1]))
    if lowest <= mirrored / row.answered <= highest:
        return 1.0, "mirrored_like_other_subsets"
    nearest = ordered[0] if mirrored / row.answered < lowest else ordered[-1]
    table = np.array(
        [[mirrored, row.correct], [nearest.correct, nearest.answered - nearest.correct]]
    )
    p = float(fisher_exact(table)[1])
    return p, f"mirrored_{'like' if p >= alpha else 'unlike'}_other_subsets"
