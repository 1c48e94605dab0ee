"""Settle in a notebook what raters disagree about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.labels.journal import Journal, file_name, file_stem
from toolkit.labels.journal_labels import ADJUDICATOR
from toolkit.labels.journal_read import journals
from toolkit.labels.schema import Schema
from toolkit.widgets.adjudication import Adjudication
from toolkit.widgets.agreed import agreement_of
from toolkit.widgets.batch import Batch, read_batch
from toolkit.widgets.cases import Case, find_cases, tally
from toolkit.widgets.final import final_labels, rows_of
from toolkit.widgets.marks import visible
from toolkit.widgets.progress import Event
from toolkit.widgets.questions import each_construct
from toolkit.widgets.raters import as_categories, folder_of, raters_of, read_raters
from toolkit.widgets.rulings import REASONS, Rulings
from toolkit.widgets.summary import Summary
from toolkit.widgets.widget import bundle, open_page, somebody_is_there


class Adjudicator:
    r"""Show the items on which raters differ, least agreement first, and store what is decided.

    As the last line of a cell it is a page; opening it again goes on where the adjudicator stopped,
    with what raters have changed meanwhile.

    Parameters
    ----------
    items : DataFrame, list of dicts, or path, optional
        As for `Labeler`, to show the texts: journals hold only their fingerprints. Labels on other
        items, or on another text of them, do not count. None: all items, without text.
    folder : path
        With the journals of the raters; the adjudicator's own is made beside them, and theirs stay
        as they are.
    study : str
        Which study of the folder.
    adjudicator : str
        Who decides; no name of a rater, so that decisions stay apart from labels.
    raters : list of str, optional
        Whose labels count. None: those of all who label in this study.
    order_seed : int, optional
        Of the order of items of equal agreement and of the letters that stand for names.
    guidelines : str, mapping of construct to str, or path of a .yaml file of that, optional
        What key h shows.
    interactive : bool, optional
        False: a summary takes the place of the page, and nothing is written. None: True where a
        person can be there, so not under papermill.

    Raises
    ------
    LabelError
        No labels of this study on these items, a name that is blank or both labels and
        adjudicates, raters to whom a category meant two things, a folder that can't be written.
    SchemaError
        A guideline for an unknown construct.

    See Also
    --------
    Labeler : Collects the labels.
    read_journal : The raters' own labels, without the decisions.
    read_labels : Takes `to_frame`, the final labels, for a diagnosis or the agreement with a judge.

    Notes
    -----
    Of the n labels of an item and construct, :math:`n_c` of category c,
    :math:`\sum_c n_c (n_c - 1) / 2` of :math:`n (n - 1) / 2` pairs agree. Items are shown by the
    share of agreeing pairs over all their constructs, lowest first; then by the largest distance of
    two labels on an ordinal construct; then in a shuffled order that `order_seed` repeats.

    A decision resolves the labels that were on the screen. Where a rater has changed one of them
    meanwhile it is refused; where one is changed later, the item is open again when this is opened
    again. All numbers are those of the labels when it was opened.

    Examples
    --------
    >>> import tempfile
    >>> from toolkit.labels.journal import Journal
    >>> folder = tempfile.mkdtemp()
    >>> for rater, label in [("ann", 1), ("ben", 0)]:
    ...     with Journal.open(folder, study="pilot", rater=rater) as journal:
    ...         _ = journal.append("label", item_id="i1", labels={"tone": label})
    >>> options = {"study": "pilot", "adjudicator": "eve", "interactive": False}
    >>> Adjudicator(folder=folder, **options).to_frame()[["item_id", "construct", "provenance"]]
      item_id construct  provenance
    0      i1      tone  unresolved
    """

    def __init__(
        self,
        items: pd.DataFrame | Sequence[Mapping[str, Any]] | str | Path | None = None,
        *,
        folder: str | Path = "labels",
        study: str,
        adjudicator: str,
        raters: Sequence[str] | None = None,
        order_seed: int = 0,
        guidelines: str | Path | Mapping[str, str] | None = None,
        interactive: bool | None = None,
    ) -> None:
        self.adjudicator, self.study, self.folder = adjudicator, study, folder_of(folder)
        for name, field in ((study, "study"), (adjudicator, "adjudicator")):
            file_name(name, field)
        self.interactive = somebody_is_there() if interactive is None else interactive
        self._batch = Batch({}, {}) if items is None else read_batch(items)
        known = None if items is None else self._batch.sha256
        self._known, self._names = known, raters
        sizes = self._sizes() if self.folder.is_dir() else {}  # before they are read
        self._raters = read_raters(self.folder, study, sha256=known, names=raters)
        _refuse_rater(self._raters.events, adjudicator)
        self._seed = order_seed = int(order_seed)
        self._questions = each_construct(self._raters.labels.schema, guidelines)
        self._table = tally(self._raters)
        self._cases = find_cases(self._raters, self._table, order_seed, study)
        self._read, self._now = sizes, self._cases
        self._session: Adjudication | None = None
        self._widget: Any = None
        if self.interactive:
            self._begin()

    @property
    def schema(self) -> Schema:
        """The schema under which the raters labelled."""
        return self._questions.schema

    @property
    def queue(self) -> list[str]:
        """Items on which raters differ, in the order in which they are shown."""
        return list(self._cases)

    @property
    def counts(self) -> dict[str, int]:
        """Number of items on which raters differ: open, decided and skipped."""
        counts = self._rulings().counts
        return {name: counts[name] for name in ("open", "decided", "skipped")}

    @property
    def left_out(self) -> pd.DataFrame:
        """Count what is no label to compare.

        Construct, reason (unsure, skip, single: of one rater only, text_changed, not_in_batch) and
        count.
        """
        single = self._table.index[self._table["labels"] == 1].get_level_values("construct")
        rows = [(name, "single", n) for name, n in single.value_counts(sort=False).items()]
        frame = pd.DataFrame(rows, columns=["construct", "reason", "count"])
        found = [each for each in (self._raters.left_out, frame) if len(each)]
        return pd.concat(found, ignore_index=True) if found else frame

    @property
    def widget(self) -> Any:
        """What the browser shows, made when it is first asked for.

        Raises
        ------
        LabelError
            The package anywidget is missing, or the folder can't be written.
        """
        if self._widget is None:
            self._widget = open_page("adjudicator", self._setup(), self._begin().receive)
        return self._widget

    def agreement(self) -> pd.DataFrame:
        """Give the agreement of the raters, before anything was decided.

        Returns
        -------
        DataFrame
            One row per construct: construct, raters, n (items with two labels or more), population
            (these items), coefficient (cohen_kappa of two raters, krippendorff_alpha of more),
            weights (quadratic on an ordinal construct), estimate, low, high (95 % interval),
            reasons (why undefined) and flags.

        Notes
        -----
        Each item counts once. Where the batch was drawn with unequal weights, the numbers describe
        these items and not the pool, the kappa of which `weighted_kappa` estimates.
        """
        return agreement_of(self._raters)

    def to_frame(self) -> pd.DataFrame:
        """Give the final label of each item and construct.

        Returns
        -------
        DataFrame
            Columns item_id, construct, rater_id (final), label (None while unresolved), rater_kind,
            provenance, n_labels, reason, update_guideline, note. Provenance is
            unanimous, adjudicated, unresolved (open, or it cannot be decided: then with a reason)
            or single (of one rater). `tk.read_labels` reads it.
        """
        return final_labels(self._raters.labels, self._table, self._rulings())

    def _begin(self) -> Adjudication:
        """Open a journal, once, and record what the adjudicator is shown."""
        if self._session is None:
            shown: dict[str, Any] = {
                "order_seed": self._seed,
                "guideline_version": self._questions.version,
            }
            journal = Journal.open(self.folder, study=self.study, rater=self.adjudicator)
            journal.append("open", role=ADJUDICATOR, cases=len(self._cases), **shown)
            self._session = Adjudication(
                self._questions, self._batch.turns, self._rulings(), journal, shown, self._holds
            )
        return self._session

    def _holds(self, case: Case) -> bool:
        """Tell whether the raters still say what is on the screen.

        Their journals only grow, so they are read again only where one of them has.
        """
        sizes = self._sizes()
        if sizes != self._read:
            now = read_raters(self.folder, self.study, sha256=self._known, names=self._names)
            self._now, self._read = find_cases(now, tally(now), self._seed, self.study), sizes
        return case.item in self._now and self._now[case.item].sources == case.sources

    def _sizes(self) -> dict[str, int]:
        """Give the size of each journal but the adjudicator's own."""
        own = f"{file_stem(self.study, self.adjudicator)}."
        others = (path for path in journals(self.folder) if not path.name.startswith(own))
        return {path.name: path.stat().st_size for path in others}

    def _rulings(self) -> Rulings:
        if self._session is not None:
            return self._session.rulings
        events = self._raters.events
        labels_of = {
            e["event_id"]: (e["rater"], as_categories(self.schema, e["labels"]))
            for e in events
            if e["kind"] == "label"
        }
        mine = [e for e in events if e["rater"] == self.adjudicator]
        return Rulings(self._cases, mine, labels_of)

    def _setup(self) -> dict[str, Any]:
        return {
            "study": visible(self.study),
            "adjudicator": visible(self.adjudicator),
            "total": len(self._cases),
            "questions": self._questions.shown,
            "reasons": list(REASONS.items()),
        }

    def _summary(self) -> Summary:
        counts = self.counts
        done = counts["decided"] + counts["skipped"]
        again = len(self._rulings().changed)
        how = (
            "Run this cell again to go on deciding."
            if self.interactive
            else "Decide with interactive=True in JupyterLab or Notebook."
        )
        where = f"The decisions are in the folder {visible(str(self.folder))}. " if done else ""
        return Summary(
            heading=f"Study {visible(self.study)}, adjudicator {visible(self.adjudicator)}",
            sentence=f"{done} of {len(self._cases)} items done "
            f"({counts['decided']} decided, {counts['skipped']} skipped)"
            + (f"; {again} open again, their labels have changed" if again else ""),
            rows=rows_of(self.to_frame()),
            hint=f"{where}{how}",
        )

    def __repr__(self) -> str:
        return self._summary().text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(self._summary(), self.widget if self.interactive else None)


def _refuse_rater(events: list[Event], adjudicator: str) -> None:
    """Refuse who labels in the study, or has opened it to label, as the one who decides."""
    opened = [
        {"kind": "label", "rater": adjudicator}
        for event in events
        if event["rater"] == adjudicator
        and event["kind"] == "open"
        and event.get("role") != ADJUDICATOR
    ]
    raters_of([*events, *opened, {"kind": "open", "rater": adjudicator, "role": ADJUDICATOR}])
