"""Plans of many strata and many constructs at once."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from table import Line, at_most
from timing import seconds

from toolkit import planning

if TYPE_CHECKING:
    from toolkit.planning import Strata

# Strata, constructs, range of the targets (so that they, not the floors, decide), seconds.
FEW, MANY = (64, 6, (0.02, 0.04), 2.0), (2_000, 12, (0.006, 0.012), 30.0)
ASSURED = 10.0


def planning_lines() -> list[Line]:
    """Time plans at two sizes, from counts of a pilot to the finished result."""
    lines = []
    for number, constructs, widths, limit in (FEW, MANY):
        st, pilot, targets = _question(number, constructs, widths)
        took = seconds(lambda: planning.plan_for_targets(st, pilot, targets))  # noqa: B023  at once
        shape = f"{number:,} strata x {constructs}"
        plan = planning.plan_for_targets(st, pilot, targets)
        measured = f"{plan.total:,} labels, gap {plan.gap:g}"
        lines.append(at_most("a plan for targets", took, limit, n=shape, measured=measured))
        took = seconds(lambda: planning.plan_for_budget(st, pilot, plan.cost))  # noqa: B023
        lines.append(at_most("a plan for a budget", took, limit, n=shape))
        if number == FEW[0]:
            surely = {"assurance": 0.9}
            took = seconds(lambda: planning.plan_for_targets(st, pilot, targets, **surely))  # noqa: B023
            lines.append(at_most("a plan for targets, assured", took, ASSURED, n=shape))
    return lines


def _question(
    number: int, constructs: int, widths: tuple[float, float]
) -> tuple[Strata, pd.DataFrame, dict[str, float]]:
    """Pool with that many judge label vectors, and counts of a pilot in all of them."""
    rng = np.random.default_rng(0)
    names = [f"construct{i}" for i in range(1, constructs + 1)]
    every = np.array(list(product([0, 1], repeat=constructs)))
    vectors = every[rng.permutation(len(every))[:number]]
    rows = np.repeat(vectors, rng.integers(30, 120, number), axis=0)
    pool = pd.DataFrame(rows, columns=names).assign(item_id=np.arange(len(rows)))
    st = planning.strata(pool, names)
    right = rng.integers(5, 20, st.judge.shape)
    frames = [
        pd.DataFrame({"stratum": st.names, "construct": name, "label": label, "count": count})
        for c, name in enumerate(names)
        for label, count in (
            (1, np.where(st.judge[:, c] == 1, right[:, c], 1)),
            (0, np.where(st.judge[:, c] == 0, right[:, c], 1)),
        )
    ]
    targets = dict(zip(names, rng.uniform(*widths, constructs), strict=True))
    return st, pd.concat(frames), targets
