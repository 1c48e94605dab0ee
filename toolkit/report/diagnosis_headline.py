"""The top of the report: the verdict, why it was reached, what is open, and what to do next."""

from __future__ import annotations

import html

from IPython.display import HTML

from toolkit.diagnosis.result import Diagnosis
from toolkit.diagnosis.words import TITLES
from toolkit.labels.table import Labels
from toolkit.report.caveats import caveats_of
from toolkit.report.diagnosis_markup import listed_in, paragraph
from toolkit.report.show import bullets


def headline(diagnosis: Diagnosis, labels: Labels) -> HTML:
    """Show the verdict first, then what it rests on, the next steps, and what limits it.

    Parameters
    ----------
    diagnosis : Diagnosis
        From `toolkit.diagnose`.
    labels : Labels
        What was read.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["self_harm"], n_calls=50)
    >>> headline(tk.diagnose(labels, draws=500), labels).data.startswith('<p class="headline">')
    True
    """
    verdict = diagnosis.verdict
    parts = [_sentence(diagnosis)]
    rules = [f"{TITLES[cause]}: {verdict.rules[cause]}" for cause in verdict.causes]
    if rules:
        parts += [paragraph("Named, and the rule that fired:"), listed_in("ol", rules)]
    for said, causes in (
        ("Open, these labels can't tell them apart: ", verdict.open),
        ("Seen, but not named as a cause: ", verdict.also_seen),
        ("Refuted: ", verdict.excluded),
    ):
        titles = [TITLES[cause] for cause in causes if cause != "too_few_labels"]
        if titles:
            parts.append(paragraph(f"{said}{', '.join(titles)}."))
    if diagnosis.next_steps:
        parts += [paragraph("What to do next:"), listed_in("ol", diagnosis.next_steps)]
    parts.append(bullets("Before you read on:", caveats_of(labels, diagnosis)).data)
    return HTML("".join(parts))


def _sentence(diagnosis: Diagnosis) -> str:
    """The verdict as one paragraph; the finding on the first cause is set smaller."""
    said, causes = diagnosis.verdict.sentence, diagnosis.verdict.causes
    detail = diagnosis.evidence[causes[0]].sentence if causes else ""
    if not detail or detail not in said:
        return f'<p class="headline">{html.escape(said)}</p>'
    head, _, after = said.partition(detail)
    rest = html.escape(detail + after)
    return f'<p class="headline">{html.escape(head)}<span class="detail">{rest}</span></p>'
