"""Turn measured cells into docs/validation.json (everything) and docs/validation.md (to read)."""

from __future__ import annotations

import json
import platform
from collections import defaultdict
from pathlib import Path
from string import Template

import numpy as np
import scipy
from cells import COVERAGE, TYPE_I, UNRANGED, all_cells, out_of_range

DIAGNOSIS = Path(__file__).with_name("diagnosis_tables.md")  # by diagnosis_report.py
TEXT = Path(__file__).with_name("validation.md.template")
SIDES = ("coverage", "truth_below", "truth_above")
REJECTED = ("rejected_by_interval", "rejected_by_p_value", "rejected_by_hotelling")


def write_report(results, folder):
    """Write both files from the results by name of cell."""
    made = as_json(results)
    text = json.dumps(made, indent=1) + "\n"
    (folder / "validation.json").write_text(text, encoding="utf-8")
    (folder / "validation.md").write_text(page(made), encoding="utf-8")


def as_json(results):
    """Give everything measured, and with which versions."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "cells": [_entry(name, results[name]) for name in all_cells()],
    }


def page(made):
    """Write the page from the material of the JSON file."""
    families = defaultdict(list)
    for entry in made["cells"]:
        families[entry["family"]].append(entry)
    ranged = {family: found for family, found in families.items() if family not in UNRANGED}
    text = Template(TEXT.read_text(encoding="utf-8"))
    return text.substitute(
        cells=len(made["cells"]),
        draws=_numbers(made["cells"], "draws"),
        versions=f"Python {made['python']}, numpy {made['numpy']}, scipy {made['scipy']}",
        coverage_range=_range(COVERAGE),
        type_i_range=_range(TYPE_I),
        summary=_summary(ranged),
        worst=_worst(ranged),
        outside=_outside(made["cells"]),
        type_i=_type_i(families["type I error"]),
        others=_pivot(families["other intervals"], _with_width),
        diagnosis=DIAGNOSIS.read_text(encoding="utf-8").strip(),
        tables="\n\n".join(
            f"### {family[0].upper()}{family[1:]}\n\n{_pivot(found, _coverage)}"
            for family, found in ranged.items()
        ),
    )


def _entry(name, result):
    family = all_cells()[name].family
    outside = out_of_range(family, result)
    numbers = {key: value for key, value in result.items() if key != "fingerprint"}
    rounded = {k: round(v, 6) if isinstance(v, float) else v for k, v in numbers.items()}
    return {"name": name, "family": family, "outside": outside, **rounded}


def _numbers(entries, key):
    return " or ".join(f"{number:,}" for number in sorted({entry[key] for entry in entries}))


def _table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def _percent(share):
    return f"{100 * share:.1f}"


def _range(limits):
    return " to ".join(f"{100 * limit:g}" for limit in limits) + " %"


def _summary(families):
    rows = []
    for family, found in families.items():
        coverage = [entry["coverage"] for entry in found]
        sides = [_percent(np.mean([entry[key] for entry in found])) for key in SIDES]
        width = np.mean([entry["width"] for entry in found])
        outside = sum(entry["outside"] != [] for entry in found)
        span = f"{_percent(min(coverage))} to {_percent(max(coverage))}"
        rows.append([family, len(found), span, *sides, f"{width:.2f}", outside])
    head = ["family", "cells", "coverage, %", "mean, %", "truth below, %", "truth above, %"]
    return _table([*head, "mean width", "cells outside"], rows)


def _worst(families):
    picked = [
        pick(found, key=lambda entry: entry["coverage"])
        for found in families.values()
        for pick in (min, max)
    ]
    rows = [[_percent(entry["coverage"]), entry["name"]] for entry in picked]
    return _table(["coverage, %", "lowest and highest cell of each family"], rows)


def _outside(entries):
    rows = [
        [_percent(entry[kind]), kind, entry["name"]]
        for entry in entries
        for kind in entry["outside"]
    ]
    return _table(["%", "measure", "cell"], rows) if rows else "None."


def _type_i(entries):
    rows = [
        [entry["name"].partition(": ")[2], *(_percent(entry[key]) for key in REJECTED)]
        for entry in entries
    ]
    return _table(["cell", "interval, %", "`p_value`, %", "`p_hotelling`, %"], rows)


def _pivot(entries, show):
    """One line per row of cells, one column per column of cells."""
    rows, columns = defaultdict(dict), {}
    for entry in entries:
        cell = all_cells()[entry["name"]]
        rows[cell.row][cell.column] = show(entry)
        columns[cell.column] = None
    lines = [[row, *(found.get(column, "") for column in columns)] for row, found in rows.items()]
    return _table(["", *columns], lines)


def _coverage(entry):
    shown = _percent(entry["coverage"])
    return f"**{shown}**" if "coverage" in entry["outside"] else shown


def _with_width(entry):
    undefined = entry["undefined_interval"]
    none = f", none in {_percent(undefined)} %" if undefined > 0 else ""
    return f"{_percent(entry['coverage'])} (width {entry['width']:.2f}{none})"
