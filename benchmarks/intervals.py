"""One interval of kappa, by us and by the others, at two numbers of items."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import rivals
from own_environment import REQUIREMENT, judgegate_seconds
from table import Line, ratio, times
from timing import together

import toolkit as tk

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALL, LARGE = 1_000, 100_000
DRAWS = 10_000
WORDS = np.array(["no", "yes"])

COUNTED = "toolkit, counted table"
COUNTING = "toolkit, with counting string labels"
BARE = "bare numpy gamma draw of that size"
LOOP = "loop over scikit-learn, percentile"
SCIPY = "scipy.stats.bootstrap, percentile, batch=100"
PINGOUIN = "pingouin.compute_bootci, percentile"

# Resamples that each rival really draws, for few and for many items.
TIMED = {LOOP: (200, 100), SCIPY: (1_000, 200), PINGOUIN: (200, 50)}


def interval_lines() -> list[Line]:
    """Time every way at both numbers of items, then compare with the targets."""
    labels = {n: _labels(n) for n in (SMALL, LARGE)}
    short = together({key: way for n in labels for key, way in _short(*labels[n]).items()})
    judgegate = judgegate_seconds([_table(*pair).tolist() for pair in labels.values()], DRAWS)
    loops: dict[str, float] = {}
    lines: list[Line] = []
    for position, (n, (reference, judge)) in enumerate(labels.items()):
        ours = short[f"{COUNTED} {n}"]
        block = [Line(what, f"{n:,}", short[f"{what} {n}"]) for what in (COUNTED, COUNTING, BARE)]
        block += [_loop_line(what, reference, judge, position) for what in TIMED]
        block.append(_judgegate_line(judgegate, position, n))
        loops = {line.what: line.seconds or np.nan for line in block}
        lines += [times(line, ours) for line in block]
    return lines + _targets(short, loops[LOOP])


def _short(reference: NDArray[np.int64], judge: NDArray[np.int64]) -> dict[str, partial[object]]:
    n = len(judge)
    table = _table(reference, judge)
    words = [pd.Series(WORDS[codes], dtype="str") for codes in (reference, judge)]
    return {
        f"{COUNTED} {n}": partial(tk.kappa, table, draws=DRAWS),
        f"{COUNTING} {n}": partial(_count_and_estimate, *words),
        f"{BARE} {n}": partial(rivals.gamma_draw, table, DRAWS),
    }


def _count_and_estimate(reference: pd.Series, judge: pd.Series) -> object:
    return tk.kappa(tk.crosstab(reference, judge, categories=WORDS.tolist()), draws=DRAWS)


def _loop_line(
    what: str, reference: NDArray[np.int64], judge: NDArray[np.int64], position: int
) -> Line:
    rival = {
        LOOP: rivals.sklearn_loop,
        SCIPY: rivals.scipy_bootstrap,
        PINGOUIN: rivals.pingouin_bootstrap,
    }[what]
    n = f"{len(judge):,}"
    try:
        time = rival(reference, judge, DRAWS, TIMED[what][position])
    except ImportError as error:
        return Line(f"{what} (not installed: {error.name})", n)
    return Line(what, n, time, extrapolated=True)


def _judgegate_line(found: list[float] | str, position: int, n: int) -> Line:
    if isinstance(found, str):
        return Line(f"{REQUIREMENT} ({found})", f"{n:,}")
    return Line(f"{REQUIREMENT}, BCa", f"{n:,}", found[position])


def _targets(short: dict[str, float], loop: float) -> list[Line]:
    counted, counting, bare = (short[f"{what} {LARGE}"] for what in (COUNTED, COUNTING, BARE))
    flat = counted / short[f"{COUNTED} {SMALL}"]
    n = f"{LARGE:,}"
    return [
        ratio("loop over scikit-learn : toolkit, counted", loop / counted, least=10_000, n=n),
        ratio("loop over scikit-learn : toolkit, with counting", loop / counting, least=5_000, n=n),
        ratio("toolkit, counted : bare numpy draw", counted / bare, most=3, n=n),
        ratio(f"toolkit, counted, n = {LARGE:,} : n = {SMALL:,}", flat, most=1.5),
    ]


def _labels(n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw a reference with a fifth of positives, and a judge that is wrong one time in ten."""
    rng = np.random.default_rng(2)
    reference = rng.binomial(1, 0.2, n)
    return reference, reference ^ rng.binomial(1, 0.1, n)


def _table(reference: NDArray[np.int64], judge: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.bincount(reference * 2 + judge, minlength=4).reshape(2, 2)
