"""Run cells: draw data sets, let the package make its intervals, count how often they are right."""

from __future__ import annotations

import multiprocessing
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits
from worlds import cluster_codes, dirichlet_clusters, latent_items

from toolkit.coefficients.joint import Side, compare
from toolkit.coefficients.kappa import kappa, kappa_of_units
from toolkit.coefficients.options import resampling
from toolkit.coefficients.resampling import units_of_items


class Outcome(NamedTuple):
    """What one data set gave; p-values are nan for a single kappa."""

    estimate: float
    low: float
    high: float
    p_value: float = np.nan
    p_hotelling: float = np.nan


def run(cell, datasets, draws):
    """Measure one cell.

    Data set i of a cell is drawn from the seed (checksum of the cell's name, i), so that fewer data
    sets are the first ones of more; its interval has the seed i.
    """
    outcomes = [_data_set(cell, i, draws) for i in range(datasets)]
    return _summary(cell.truth, np.array(outcomes))


def run_all(cells, datasets, draws, workers=2) -> Iterator[tuple[str, dict[str, float]]]:
    """Measure cells in parallel, giving each result as soon as it is there.

    `datasets` is a function of the cell.
    """
    context = multiprocessing.get_context("spawn")
    single = {"initializer": threadpool_limits, "initargs": (1,)}  # processes, not BLAS threads
    with ProcessPoolExecutor(workers, mp_context=context, **single) as pool:
        running = {pool.submit(run, cell, datasets(cell), draws): cell.name for cell in cells}
        for done in as_completed(running):
            yield running[done], done.result()


def _data_set(cell, i, draws):
    rng = np.random.default_rng((zlib.crc32(cell.name.encode()), i))
    if len(cell.tables) == 1 and not cell.clustered:
        table = rng.multinomial(len(cell.sizes), cell.tables[0].ravel())
        counted = table.reshape(cell.tables[0].shape)
        one = kappa(counted, cell.weights, cell.method, draws=draws, seed=i)
        return Outcome(one.estimate, one.low, one.high)
    sizes = np.array(cell.sizes)
    codes = cluster_codes(sizes) if cell.clustered else None
    counts = tuple(table.size for table in cell.tables)
    units = units_of_items(_positions(cell, rng, sizes), counts, cluster=codes)
    options = resampling(cell.method, 0.95, draws, i)
    if len(cell.tables) == 1:
        one = kappa_of_units(units, cell.weights, options, left_out={}, flags=())
        return Outcome(one.estimate, one.low, one.high)
    sides = tuple(Side(len(table), cell.weights) for table in cell.tables)
    two = compare(units, sides, options)
    return Outcome(two.difference, two.low, two.high, two.p_value, two.p_hotelling)


def _positions(cell, rng, sizes):
    if cell.dirichlet:
        return dirichlet_clusters(rng, cell.tables[0], sizes, cell.icc)
    return latent_items(
        rng,
        cell.tables,
        sizes,
        icc=cell.icc,
        shared_errors=cell.shared_errors,
        shared_reference=cell.shared_reference,
    )


def _summary(truth, outcomes):
    """Shares of all data sets; an interval that is undefined misses the truth."""
    estimate, low, high, p_value, p_hotelling = outcomes.T
    return {
        "truth": truth,
        "datasets": len(outcomes),
        "coverage": _share((low <= truth) & (truth <= high)),
        "truth_below": _share(truth < low),
        "truth_above": _share(truth > high),
        "undefined_interval": _share(np.isnan(low)),
        "undefined_estimate": _share(np.isnan(estimate)),
        "width": float(np.nanmean(high - low)),
        "rejected_by_interval": _share((low > 0) | (high < 0)),
        "rejected_by_p_value": _share(p_value < 0.05),
        "rejected_by_hotelling": _share(p_hotelling < 0.05),
    }


def _share(happened):
    return float(happened.mean())
