"""Send data sets with planted causes through tk.diagnose and count what it names.

python tests/functional/diagnosis_study.py --generator foreign --causes halo none pairs \
    --n 400 --sets 200 --first-seed 1000 --out reports/diagnosis_foreign.json
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from diagnosis_outcomes import Outcome, summary
from diagnosis_simulated import simulated
from diagnosis_worlds import CAUSES, NEEDS, VARIANTS, world
from threadpoolctl import threadpool_limits

import toolkit as tk

DRAWS = 2_000  # the default of 20,000 moves only the last digit of the limits
PAIRS = (
    ("definition", "threshold_shift"),
    ("threshold_shift", "human_ceiling"),
    ("threshold_shift", "halo"),
    ("halo", "human_ceiling"),
    ("reversed_polarity", "threshold_shift"),
    ("swapped_constructs", "human_ceiling"),
    ("unreadable", "threshold_shift"),
    ("drift", "stratum"),
    ("drift", "threshold_shift"),
    ("stratum", "halo"),
    ("prevalence", "threshold_shift"),
    ("prevalence", "human_ceiling"),
)
# All that a pair can need, so that every pair can be told.
PAIR_OPTIONS = {"humans": 2, "strata": True, "ordered": True}


class Cell(NamedTuple):
    """One data set to diagnose; `cause` is (), one or two names.

    With `shown` the labels hold whatever the cause needs to be identified; `options` are nuisances
    that are not drawn.
    """

    generator: str
    cause: tuple[str, ...]
    n: int
    seed: int
    variant: str | None = None
    draws: int = DRAWS
    shown: bool = False
    options: dict[str, Any] = {}  # noqa: RUF012 - never changed


def diagnosed(cell):
    """Draw the data set of a cell and diagnose it; an error is an outcome too."""
    labels, arguments, identifiable = _labels(cell)
    start = time.perf_counter()
    try:
        found = tk.diagnose(labels, **arguments, seed=cell.seed, draws=cell.draws)
    except Exception as failed:  # noqa: BLE001 - a crash is an outcome, and is counted
        named, left_open, undetermined = (), (), ()
        error = f"{type(failed).__name__}: {failed}".splitlines()[0]
    else:
        evidence = found.evidence.to_frame()
        doubtful = evidence.loc[evidence["status"] == "undetermined", "cause"]
        named, left_open = tuple(found.verdict.causes), tuple(found.verdict.open)
        undetermined, error = tuple(doubtful), None
    return Outcome(
        cell.generator,
        cell.variant,
        cell.cause,
        cell.n,
        cell.seed,
        identifiable,
        named,
        left_open,
        undetermined,
        time.perf_counter() - start,
        error,
    )


def run(cells, workers=2):
    """Diagnose cells in parallel, outcomes in the order of the cells."""
    if workers == 1:
        yield from map(diagnosed, cells)
        return
    context = multiprocessing.get_context("spawn")
    single = {"initializer": threadpool_limits, "initargs": (1,)}  # processes, not BLAS threads
    with ProcessPoolExecutor(workers, mp_context=context, **single) as pool:
        yield from pool.map(diagnosed, cells, chunksize=10)


def cells_of(generator, causes, sizes, seeds, **how):
    """All cells, one cause and size after the other; `how` are further fields of the cells."""
    return [
        Cell(generator, cause, n, seed, **how) for n in sizes for cause in causes for seed in seeds
    ]


def causes_of(words):
    """Read causes from the command line: names, `a+b`, and the words all, none, pairs."""
    groups = {"all": [(one,) for one in CAUSES], "none": [()], "pairs": list(PAIRS)}
    found = []
    for word in words:
        found += groups.get(word, [tuple(word.split("+"))])
    unknown = {name for cause in found for name in cause} - set(CAUSES)
    if unknown:
        raise SystemExit(f"unknown causes: {sorted(unknown)}; known: {', '.join(CAUSES)}")
    return found


def save(outcomes, path, draws):
    """Write outcomes and their rates."""
    made = {
        "draws": draws,
        "cells": summary(outcomes),
        "outcomes": [outcome._asdict() for outcome in outcomes],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(made), encoding="utf-8")


def load(path):
    """Read the outcomes of a file that `save` wrote."""
    tuples = ("cause", "named", "open", "undetermined")
    read = json.loads(Path(path).read_text(encoding="utf-8"))["outcomes"]
    return [Outcome(**{**one, **{key: tuple(one[key]) for key in tuples}}) for one in read]


def _labels(cell):
    options = dict(PAIR_OPTIONS) if len(cell.cause) > 1 else {}
    for cause in cell.cause if cell.shown else ():
        options |= NEEDS.get(cause, {})
    options |= cell.options
    if cell.generator == "simulate":
        return simulated(cell.cause, cell.n, cell.seed, **options)
    made = world(cell.cause, cell.n, cell.seed, variant=cell.variant, **options)
    return tk.read_labels(made.frame, made.schema), made.arguments, made.identifiable


def main():
    """Run the cells that the command line asks for."""
    parser = argparse.ArgumentParser(description="Rates of tk.diagnose on planted causes.")
    parser.add_argument("--generator", choices=["simulate", "foreign"], default="foreign")
    parser.add_argument("--causes", nargs="+", default=["none", "all"], help="names, a+b, pairs")
    parser.add_argument("--n", nargs="+", type=int, default=[150, 400, 1500])
    parser.add_argument("--sets", type=int, default=200, help="data sets a cause and size")
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--variant", choices=VARIANTS, help="of the foreign generator")
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    if asked.variant and asked.generator == "simulate":
        parser.error("--variant belongs to --generator foreign")
    os.environ["OMP_NUM_THREADS"] = "1"  # inherited by the processes
    seeds = range(asked.first_seed, asked.first_seed + asked.sets)
    causes = causes_of(asked.causes)
    how = {"variant": asked.variant, "draws": asked.draws}
    cells = cells_of(asked.generator, causes, asked.n, seeds, **how)
    outcomes, start = [], time.monotonic()
    for outcome in run(cells, asked.workers):
        outcomes.append(outcome)
        if len(outcomes) % asked.sets == 0:
            save(outcomes, asked.out, asked.draws)
            print(_line(outcomes[-asked.sets :], time.monotonic() - start), flush=True)  # noqa: T201


def _line(found, seconds):
    """One cause and size in words."""
    (cell,) = summary(found)
    shares = [
        f"{name} {100 * one['share']:.0f}" for name, one in cell["all"].items() if one["total"]
    ]
    name = "+".join(cell["cause"]) or "none"
    return f"{seconds:6.0f} s  n {cell['n']:5} {name}: {', '.join(shares)}; {cell['first']}"


if __name__ == "__main__":
    main()
