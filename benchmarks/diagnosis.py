"""One whole diagnosis: many constructs, many calls, clusters, two judges."""

from __future__ import annotations

from table import Line, at_most
from timing import seconds

import toolkit as tk

CONSTRUCTS, CALLS, LIMIT = 7, 5_000, 30.0


def diagnosis_lines() -> list[Line]:
    """Time a diagnosis with 20,000 draws, everything switched on that labels can carry."""
    labels = tk.simulate(
        [f"construct{i}" for i in range(1, CONSTRUCTS + 1)],
        n_calls=CALLS,
        cause="threshold_shift",
        categories=5,
        humans=2,
        judges=2,
        human_error=0.15,
        conversations=10,
        conversation_effect=0.2,
        strata=4,
        ordered=True,
        seed=1,
    )
    took = seconds(lambda: tk.diagnose(labels, judge="judge", cluster="cluster"))
    shape = f"{CONSTRUCTS} x {CALLS:,} x 2 judges"
    return [at_most("a whole diagnosis, clusters, 20,000 draws", took, LIMIT, n=shape)]
