"""Turn outcomes of the diagnosis study into Markdown tables.

python tests/functional/diagnosis_report.py reports/diagnosis_*.json

writes diagnosis_tables.md, which docs/validation.md contains, and that page anew.
"""

from __future__ import annotations

import json
import sys
from itertools import groupby
from pathlib import Path

import report
from diagnosis_outcomes import confusion, summary
from diagnosis_study import load
from diagnosis_worlds import CAUSES

TABLES = report.DIAGNOSIS
DOCS = Path(__file__).resolve().parents[2] / "docs"
CONFUSION_SIZE = 400
GENERATORS = {"simulate": "`tk.simulate`", "foreign": "the second generator"}


def page(outcomes):
    """All tables, generator by generator; variants of the second generator come last."""
    parts = []
    order = sorted(outcomes, key=lambda one: (one.variant or "", one.generator != "simulate"))
    for (variant, generator), group in groupby(order, lambda one: (one.variant, one.generator)):
        found = list(group)
        title = f"Data sets of {GENERATORS[generator]}"
        parts.append(f"### {title}{', ' + _words(variant) if variant else ''}")
        parts += [part for part in _parts(found) if part]
    return "\n\n".join(parts) + "\n"


def _parts(outcomes):
    sizes = sorted({one.n for one in outcomes})
    yield from (_single(outcomes, n) for n in sizes)
    yield _confusion([one for one in outcomes if one.n == CONFUSION_SIZE])
    yield _null(outcomes)
    yield _pairs(outcomes)
    yield _errors(outcomes)


def _single(outcomes, n):
    """Planted causes of one size."""
    cells = [cell for cell in summary(outcomes) if cell["n"] == n and len(cell["cause"]) == 1]
    cells.sort(key=lambda cell: CAUSES.index(cell["cause"][0]))
    shown = ("first_named", "among_named", "undetermined", "missed", "other_named")
    rows = [
        [
            _words(cell["cause"][0]),
            *(_percent(cell["all"][kind]) for kind in shown),
            _with_limits(cell["identifiable"]["first_named"]),
        ]
        for cell in cells
    ]
    head = [
        "planted",
        "first-named, %",
        "among named, %",
        "undetermined, %",
        "missed, %",
        "another named, %",
        "first-named where identifiable, % (95 % limits; data sets)",
    ]
    return _titled(f"n = {n:,}", head, rows)


def _confusion(outcomes):
    rates = confusion(outcomes)
    columns = [*CAUSES, "open", "none", "error"]
    used = [column for column in columns if any(column in row for row in rates.values())]
    rows = [
        [_words(planted), *(_cell(row.get(column, 0), planted == column) for column in used)]
        for planted, row in rates.items()
    ]
    head = ["planted", *(_words(column) for column in used)]
    return _titled(f"Named first, %, n = {CONFUSION_SIZE}", head, rows)


def _null(outcomes):
    cells = [cell for cell in summary(outcomes) if not cell["cause"]]
    rows = [
        [
            f"{cell['n']:,}",
            _with_limits(cell["all"]["any_named"]),
            *(_percent(cell["all"][kind]) for kind in ("too_few", "open", "none")),
        ]
        for cell in sorted(cells, key=lambda cell: cell["n"])
    ]
    head = ["n", "any cause named, % (95 % limits; data sets)", "too few labels, %", "open, %"]
    return _titled("No cause planted, kappas equal", [*head, "nothing, %"], rows)


def _pairs(outcomes):
    cells = [cell for cell in summary(outcomes) if len(cell["cause"]) > 1]
    rows = [
        [
            " + ".join(map(_words, cell["cause"])),
            f"{cell['n']:,}",
            _with_limits(cell["all"]["both_named"]),
            *(
                _percent(cell["all"][kind])
                for kind in ("one_named", "first_is_planted", "other_named")
            ),
        ]
        for cell in cells
    ]
    head = ["planted", "n", "both named, % (95 % limits; data sets)", "at least one, %"]
    return _titled("Two causes", [*head, "first-named is one, %", "another named, %"], rows)


def _errors(outcomes):
    rows = [
        ["+".join(cell["cause"]) or "none", cell["n"], count, message.replace("|", "/")]
        for cell in summary(outcomes)
        for message, count in cell["errors"].items()
    ]
    return _titled("Refused or failed", ["planted", "n", "data sets", "message"], rows)


def _titled(title, head, rows):
    """A table under its title; nothing without rows."""
    lines = [
        "| " + " | ".join(map(str, line)) + " |" for line in [head, ["---"] * len(head), *rows]
    ]
    return f"**{title}**\n\n" + "\n".join(lines) if rows else ""


def _words(name):
    return name.replace("_", " ")


def _cell(share, diagonal):
    shown = f"{100 * share:.0f}"
    return f"**{shown}**" if diagonal else "" if shown == "0" else shown


def _percent(one):
    return "" if one["share"] is None else f"{100 * one['share']:.1f}"


def _with_limits(one):
    if one["share"] is None:
        return "none identifiable"
    limits = f"{100 * one['low']:.1f} to {100 * one['high']:.1f}"
    return f"{_percent(one)} ({limits}; {one['total']})"


def main():
    """Write the tables of the files named."""
    outcomes = [outcome for path in sys.argv[1:] for outcome in load(path)]
    TABLES.write_text(page(outcomes), encoding="utf-8")
    published = json.loads((DOCS / "validation.json").read_text(encoding="utf-8"))
    (DOCS / "validation.md").write_text(report.page(published), encoding="utf-8")


if __name__ == "__main__":
    main()
