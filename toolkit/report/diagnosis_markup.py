"""Pieces of HTML that the parts of a diagnosis share; every text from data is escaped here."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence

from toolkit.diagnosis.evidence import CauseEvidence
from toolkit.diagnosis.plot import untestable
from toolkit.diagnosis.rules import MINOR, REFUTED, SUPPORTED, UNDETERMINED
from toolkit.report.markup import number

# A sign before the word: colour alone would be lost in print and on some eyes.
SIGNS = {SUPPORTED: "●", MINOR: "◆", UNDETERMINED: "?", REFUTED: "○"}
NOT_TESTABLE = "not\u00a0testable"


def sign_of(one: CauseEvidence) -> str:
    """Give the status of a cause with its sign."""
    if untestable(one):
        return NOT_TESTABLE
    return f"{SIGNS[one.status]}\u00a0{one.status}"


def table_of(headers: Sequence[str], rows: Iterable[Sequence[str]], *, kind: str = "") -> str:
    """Give a table; headers are text, cells are HTML."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in headers)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    named = f' class="{kind}"' if kind else ""
    return f"<table{named}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def listed_in(kind: str, items: Iterable[str]) -> str:
    """Give a list of plain texts: `kind` is ul or ol."""
    lines = "".join(f"<li>{html.escape(item)}</li>" for item in items)
    return f"<{kind}>{lines}</{kind}>"


def paragraph(text: str) -> str:
    """Give plain text as a paragraph."""
    return f"<p>{html.escape(text)}</p>"


def ranged(value: float, low: float, high: float) -> str:
    """Give a number with its interval below it; a dash where there is none."""
    if math.isnan(value):
        return "-"
    if math.isnan(low) or math.isnan(high):
        return number(value)
    return f"{number(value)}<br>[{number(low)},\u00a0{number(high)}]"
