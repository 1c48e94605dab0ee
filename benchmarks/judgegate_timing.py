"""Runs inside judgegate's own environment: times its interval and prints JSON."""

from __future__ import annotations

import json
import statistics
import sys
import time

from judgegate.stats.bootstrap import kappa_interval

CALLS = 20  # a turn, so that a turn lasts about a tenth of a second


def main() -> None:
    """Read {tables, draws, repeats} from the standard input and print seconds per table."""
    job = json.load(sys.stdin)
    medians = []
    for table in job["tables"]:
        times = []
        kappa_interval(table, resamples=job["draws"], seed=0)
        for _ in range(job["repeats"]):
            start = time.perf_counter()
            for _ in range(CALLS):
                kappa_interval(table, resamples=job["draws"], seed=0)
            times.append((time.perf_counter() - start) / CALLS)
        medians.append(statistics.median(times))
    print(json.dumps(medians))


if __name__ == "__main__":
    main()
