"""What a judge and published totals say about scores, as tables."""

from __future__ import annotations

import html
from typing import Any

import pandas as pd
from IPython.display import HTML

from toolkit.report.answer_words import in_answer_words
from toolkit.report.markup import as_table, p_value, with_limits
from toolkit.report.show import bullets
from toolkit.scoring.field_names import NAMES
from toolkit.scoring.grade import ALL
from toolkit.scoring.judge.evaluate_frame import EvaluatedFrame

COUNTS = {
    "both": "both read",
    "parser_only": "parser only",
    "judge_only": "judge only",
    "neither": "neither",
    "judge_failed": "call failed",
    "not_asked": "not asked",
}
NOTHING = "consistent"


def judge_table(judged: EvaluatedFrame | None) -> HTML:
    """Show the four-way table of parser and judge: a row per subset, and one for all.

    Parameters
    ----------
    judged : EvaluatedFrame or None
        From `toolkit.evaluate_frame`; None: no judge was asked, which is said.

    Returns
    -------
    IPython.display.HTML
        Agreement and kappa rest on the replies that both read; replies to one item, or to items
        of one stem where stems are known, count as one cluster in both intervals.

    Examples
    --------
    >>> from toolkit.scoring.judge.evaluate_frame import evaluate_frame
    >>> rows = pd.DataFrame({"id": ["j1"], "subset": "justice", "gold": 1, "text": "I deserve it.",
    ...                      "raw_response": "REASONABLE"})
    >>> "both read" in judge_table(evaluate_frame(rows, ask=lambda prompt: "REASONABLE")).data
    True
    """
    if judged is None:
        return HTML("<p>No replies of a judge were given (-p judge_replies=FILE).</p>")
    frame = judged.report.to_frame()
    shown = frame[["subset", *COUNTS]].rename(columns=COUNTS)
    shown["subset"] = shown["subset"].replace(ALL, "all subsets")
    shares = zip(frame["agreement"], frame["low_agreement"], frame["high_agreement"], strict=True)
    shown["agreement [interval]"] = [with_limits(*one) for one in shares]
    limits = zip(frame["kappa"], frame["low"], frame["high"], strict=True)
    shown["kappa [interval]"] = [with_limits(*one) for one in limits]
    return as_table(shown)


def judge_disagreements(judged: EvaluatedFrame, most: int = 8) -> HTML:
    """Show replies that parser and judge read differently, with what each read them by.

    Parameters
    ----------
    judged : EvaluatedFrame
        From `toolkit.evaluate_frame`.
    most : int
        How many rows at most; subsets in turn.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.scoring.judge.evaluate_frame import evaluate_frame
    >>> rows = pd.DataFrame({"id": ["j1"], "subset": "justice", "gold": 1, "text": "I deserve it.",
    ...                      "raw_response": "REASONABLE"})
    >>> judge_disagreements(evaluate_frame(rows, ask=lambda prompt: "REASONABLE")).data
    '<p>Parser and judge agree wherever both read a label.</p>'
    """
    listed = [one for one in judged.evaluations if one.agree is False]
    if not listed:
        return HTML("<p>Parser and judge agree wherever both read a label.</p>")
    places = [place for place, one in enumerate(judged.evaluations) if one.agree is False]
    rows_of = judged.frame.iloc[places].reset_index(drop=True)
    frame = judged.report.disagreements.assign(
        run=rows_of["run"] if "run" in rows_of.columns else "",
        reply=next((rows_of[name] for name in NAMES["raw"] if name in rows_of.columns), ""),
    )
    turn = frame.groupby("subset").cumcount()
    first = frame.loc[turn.sort_values(kind="stable").index].head(most)
    rows = [
        {
            "run": row["run"],
            "item": row["id"],
            "reply": _cut(row["reply"]),
            "parser": row["answer_label"],
            "read by": in_answer_words(row["answer_rule"]),
            "judge": row["judge_label"],
            "judge said": _cut(row["judge_reply"]),
        }
        for row in first.to_dict("records")
    ]
    left = len(frame) - len(rows)
    more = f"<p>{left:,} more in the executed notebook: judged.report.disagreements.</p>"
    return HTML(as_table(pd.DataFrame(rows)).data + (more if left > 0 else ""))


def totals_table(suspected: pd.DataFrame | None) -> HTML:
    """Show which published totals are suspect.

    Parameters
    ----------
    suspected : DataFrame or None
        From `toolkit.suspect_polarity`; None: no totals were given, which is said.

    Returns
    -------
    IPython.display.HTML
        A sentence with all verdicts, then a row per total with a verdict other than ``consistent``;
        a run that repeats an earlier one is counted, not shown.

    Examples
    --------
    >>> from toolkit.scoring.totals.forensics import suspect_polarity
    >>> totals = pd.DataFrame({"subset": ["justice"], "correct": [50], "total": [60]})
    >>> "nothing found: 1" in totals_table(suspect_polarity(totals)).data
    True
    """
    if suspected is None:
        return HTML("<p>No totals were given (-p totals=FILE).</p>")
    repeated = suspected["duplicate_of"].notna()
    distinct = suspected[~repeated]
    verdicts = distinct["verdict"].value_counts()
    counts = "; ".join(f"{in_answer_words(name)}: {n}" for name, n in verdicts.items())
    again = f" ({repeated.sum()} more repeat an earlier run)" if repeated.any() else ""
    sentence = f"Of {len(distinct)} totals{again}: {counts}."
    found = distinct[distinct["verdict"] != NOTHING]
    if found.empty:
        return HTML(f"<p>{html.escape(sentence)}</p>")
    published = list(suspected.columns[: list(suspected.columns).index("p")])
    kept = [name for name in published if not _empty(found[name])]
    shown = found[kept].copy()
    shown["share"] = found["correct"] / found["total"]
    shown["share if turned over"] = found["mirrored"]
    shown["p (Holm)"] = [p_value(value) for value in found["p_holm"]]
    shown["verdict"] = found["verdict"].map(in_answer_words)
    shared = set.intersection(*(set(notes) for notes in found["notes"]))
    beware = [[note for note in notes if note not in shared] for notes in found["notes"]]
    if any(beware):
        shown["beware"] = ["; ".join(map(in_answer_words, notes)) for notes in beware]
    notes = bullets("Of all of them:", [in_answer_words(note) for note in sorted(shared)])
    return HTML(f"<p>{html.escape(sentence)}</p>{notes.data}{as_table(shown).data}")


def _empty(column: pd.Series[Any]) -> bool:
    return bool(column.isna().all() or (column == 0).all())


def _cut(text: object, most: int = 90) -> str:
    shown = str(text)
    return shown if len(shown) <= most else f"{shown[:most]} ..."
