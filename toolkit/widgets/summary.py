"""A labeler as text and as a table, for where nobody clicks."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import NamedTuple

from toolkit.widgets.batch import Batch
from toolkit.widgets.marks import visible
from toolkit.widgets.progress import Progress
from toolkit.widgets.questions import MULTIPLE, Question


class Summary(NamedTuple):
    """What a rater has done: a heading, a sentence, and how often each category was chosen."""

    heading: str
    sentence: str
    rows: tuple[tuple[str, str], ...]
    hint: str

    @property
    def text(self) -> str:
        """As plain lines."""
        rows = [f"  {name} | {counts}" for name, counts in self.rows]
        return "\n".join([f"{self.heading}: {self.sentence}", *rows, self.hint])

    @property
    def html(self) -> str:
        """As a table that needs no script."""
        rows = "".join(
            f"<tr><th scope='row' style='text-align:left'>{html.escape(name)}</th>"
            f"<td style='text-align:left'>{html.escape(counts)}</td></tr>"
            for name, counts in self.rows
        )
        return (
            f"<div><p><b>{html.escape(self.heading)}</b>: {html.escape(self.sentence)}</p>"
            f"<table>{rows}</table><p>{html.escape(self.hint)}</p></div>"
        )


def summarise(
    progress: Progress,
    questions: Iterable[Question],
    batch: Batch,
    *,
    study: str,
    rater: str,
    hint: str,
) -> Summary:
    """Count what a rater has decided."""
    total = len(batch.turns)
    counts = progress.counts
    done = total - counts["open"]
    told = [f"{counts[name]} {name}" for name in ("labelled", "unsure", "skipped", "flagged")]
    left = progress.minutes_left
    pace = "" if left is None or not counts["open"] else f"; about {left} min left"
    changed = len(progress.changed)
    again = f"; {changed} open again, their text has changed" if changed else ""
    unread = f"; {batch.unread} left out, nothing is to be read on them" if batch.unread else ""
    return Summary(
        heading=f"Study {visible(study)}, rater {visible(rater)}",
        sentence=f"{done} of {total} items done ({', '.join(told)}){pace}{again}{unread}",
        rows=tuple((visible(q.name), _chosen(q, batch, progress)) for q in questions),
        hint=hint,
    )


def _chosen(question: Question, batch: Batch, progress: Progress) -> str:
    states = [progress.state(item) for item, asked in batch.asked.items() if question in asked]
    answers = [question.answer(state.labels, state.unsure) for state in states]
    chosen = [n for answer in answers if isinstance(answer, list) for n in answer]
    told = [f"{visible(name)}: {chosen.count(n)}" for n, name in enumerate(question.options)]
    if question.kind == MULTIPLE:
        told.append(f"none of these: {answers.count([])}")
    told.append(f"unsure: {answers.count('unsure')}")
    if len(states) < len(batch.turns):
        told.append(f"asked on {len(states)} of {len(batch.turns)} items")
    return ", ".join(told)
