"""What a user waits for: the import, a large file, all pairs of constructs, clusters."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import yaml
from rivals import sklearn_cluster_loop
from table import Line, at_most, times
from timing import REPEATS, seconds

import toolkit as tk

IMPORT = "import time; t = time.perf_counter(); {}; print(time.perf_counter() - t)"
MILLION = 1_000_000
CONSTRUCTS = [f"construct{number:02}" for number in range(1, 13)]


def workflow_lines() -> list[Line]:
    """Time each step in the process that a user would run it in."""
    return [*_cluster_lines(), _pairs_line(), *_import_lines(), *_million_lines()]


def _pairs_line() -> Line:
    labels = tk.simulate(CONSTRUCTS, n_calls=2_000, humans=1, call_correlation=0.3, seed=1)
    time = seconds(lambda: tk.contrasts(labels, draws=20_000))
    return at_most("all 66 pairs of 12 binary constructs, 20,000 draws", time, 3, n="2,000")


def _import_lines() -> list[Line]:
    """Heavy modules are loaded when they are first used, so the first use is timed as well."""
    bare, used = (
        statistics.median(float(_fresh("-c", IMPORT.format(what))) for _ in range(REPEATS))
        for what in ("import toolkit", "import toolkit; toolkit.read_labels; toolkit.agreement")
    )
    return [
        at_most("import toolkit, fresh process", bare, 0.6),
        Line("import toolkit, then load read_labels and agreement", seconds=used),
    ]


def _million_lines() -> list[Line]:
    """Two raters, four constructs, 125,000 items: a million rows of a CSV file."""
    options = {"n_calls": MILLION // 8, "humans": 1, "seed": 1}
    labels = tk.simulate(CONSTRUCTS[:4], **options)
    schema = {name: {"categories": [0, 1], "present": [1]} for name in CONSTRUCTS[:4]}
    script = str(Path(__file__).parent / "million_rows.py")
    with tempfile.TemporaryDirectory() as folder:
        path, declared = Path(folder, "labels.csv"), Path(folder, "schema.yaml")
        labels.frame.to_csv(path, index=False)
        declared.write_text(yaml.safe_dump({"constructs": schema}))
        runs = [json.loads(_fresh(script, str(path), str(declared))) for _ in range(REPEATS)]
    read, done, peak = (
        statistics.median(run[key] for run in runs) for key in ("read", "all", "megabytes")
    )
    return [
        at_most(
            "read, validate and count label rows (CSV), own process",
            done,
            2,
            n=f"{MILLION:,}",
            measured=f"{read:.2g} s of it reading",
        ),
        Line(
            "peak memory of that process",
            n=f"{MILLION:,}",
            measured=f"{peak:,.0f} MB",
            target="< 1,000 MB",
            met=peak < 1_000,  # noqa: PLR2004
        ),
    ]


def _cluster_lines() -> list[Line]:
    options = {"n_calls": 10_000, "humans": 1, "seed": 1}
    labels = tk.simulate(["harm"], conversations=20, conversation_effect=0.2, **options)
    wide = labels.frame.pivot(index=["item_id", "cluster"], columns="rater_id", values="label")
    reference, judge = (wide[rater].to_numpy(dtype=np.int64) for rater in ("human1", "judge"))
    cluster = wide.index.get_level_values("cluster").factorize()[0]
    ours = seconds(lambda: tk.agreement(labels, cluster="cluster", draws=10_000))
    loop = sklearn_cluster_loop(reference, judge, cluster, 10_000, timed=50)
    return [
        Line("toolkit.agreement, 500 clusters of 20, 10,000 draws", "10,000", ours),
        times(
            Line("loop over scikit-learn, whole clusters", "10,000", loop, extrapolated=True), ours
        ),
    ]


def _fresh(*arguments: str) -> str:
    """Run Python anew and give what it prints."""
    command = [sys.executable, *arguments]
    return subprocess.run(  # noqa: S603 - all parts of the command are ours
        command, capture_output=True, text=True, check=True
    ).stdout
