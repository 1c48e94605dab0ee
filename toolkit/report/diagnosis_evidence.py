"""The evidence on all causes: a table, and the picture of their shares of the gap."""

from __future__ import annotations

import html
import math

from IPython.display import HTML

from toolkit.diagnosis.evidence import CauseEvidence
from toolkit.diagnosis.plot import WIDTH, draw_shares, height_of, ranked, shares_in_words
from toolkit.diagnosis.result import Diagnosis
from toolkit.diagnosis.words import TITLES
from toolkit.report.diagnosis_markup import paragraph, ranged, sign_of, table_of
from toolkit.report.markup import number
from toolkit.report.plots import Picture, _blank

HEADERS = (
    "cause",
    "status",
    "effect [95 %]",
    "share of the gap [90 %]",
    "what was found, and what to do next",
)


def evidence_table(diagnosis: Diagnosis) -> HTML:
    """Show what the labels say about every cause: named ones first, untestable ones last.

    Parameters
    ----------
    diagnosis : Diagnosis
        From `toolkit.diagnose`.

    Returns
    -------
    IPython.display.HTML
        A row a cause, and the rules that decided folded below; one sentence where none was tested.

    Examples
    --------
    >>> import toolkit as tk
    >>> diagnosis = tk.diagnose(tk.simulate(["a", "b"], n_calls=60), draws=500)
    >>> evidence_table(diagnosis).data.count("<tr>") >= 14
    True
    """
    rows = ranked(diagnosis)
    sentences = {one.sentence for one in rows}
    if len(sentences) == 1:
        return HTML(paragraph(f"No cause was tested. {sentences.pop()}"))
    table = table_of(HEADERS, [_row(one) for one in rows], kind="evidence")
    rules = [(html.escape(TITLES[one.cause]), html.escape(one.rule)) for one in rows if one.rule]
    if not rules:
        return HTML(table)
    folded = table_of(("cause", "its rule, with the numbers that decided"), rules)
    summary = "<summary>The rules that decided, cause by cause</summary>"
    return HTML(f'{table}<details class="rules">{summary}{folded}</details>')


def shares(diagnosis: Diagnosis) -> Picture | HTML:
    """Draw each cause's share of the gap with its interval.

    Parameters
    ----------
    diagnosis : Diagnosis
        From `toolkit.diagnose`.

    Returns
    -------
    Picture or IPython.display.HTML
        A matplotlib figure; a sentence where no cause has a share.

    Examples
    --------
    >>> import toolkit as tk
    >>> shares(tk.diagnose(tk.simulate(["a"], n_calls=60), draws=500)).data
    '<p>Not drawn. No cause has a share of the gap: ...'
    """
    if all(math.isnan(one.share) for one in diagnosis.evidence):
        return HTML(paragraph(f"Not drawn. {shares_in_words(diagnosis)}"))
    figure = _blank(WIDTH, height_of(diagnosis))
    draw_shares(diagnosis, figure.subplots())
    figure.alt = shares_in_words(diagnosis)
    return figure


def _row(one: CauseEvidence) -> tuple[str, ...]:
    effect = ranged(one.effect, one.low, one.high)
    if not math.isnan(one.effect):
        effect += f"<br><small>{html.escape(one.compared)}</small>"
    share = ranged(one.share, one.share_low, one.share_high)
    if not math.isnan(one.kappa_without):
        share += f"<br><small>kappa without it {number(one.kappa_without)}</small>"
    found = html.escape(one.sentence)
    if one.next_step:
        found += f"<br><b>Next:</b> {html.escape(one.next_step)}"
    return (
        f"<b>{html.escape(TITLES[one.cause])}</b>",
        html.escape(sign_of(one)),
        effect,
        share,
        found,
    )
