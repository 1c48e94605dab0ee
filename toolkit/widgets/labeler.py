"""Label items in a notebook."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.labels.journal import Journal, file_name
from toolkit.labels.schema import Schema
from toolkit.widgets.agreed import agreement_of, refuse_unfinished
from toolkit.widgets.batch import read_batch
from toolkit.widgets.marks import visible
from toolkit.widgets.progress import Event, Progress
from toolkit.widgets.questions import read_questions
from toolkit.widgets.raters import folder_of, read_raters, refuse_misfit, study_events
from toolkit.widgets.sheet import write_sheet
from toolkit.widgets.sheet_read import read_sheet
from toolkit.widgets.sitting import Sitting
from toolkit.widgets.summary import Summary, summarise
from toolkit.widgets.widget import bundle, open_page, somebody_is_there

COLUMNS = ("item_id", "construct", "rater_id", "label", "rater_kind")


class Labeler:
    """Show the items of a batch one after the other, and store what a rater says about each.

    As the last line of a cell it is the labeler; opening it again goes on where the rater stopped.

    Parameters
    ----------
    items : DataFrame, list of dicts, or path
        With item_id, and text or turns (a list of role and text); a .csv, .jsonl or .parquet file.
        Where a column ``read_<construct>`` is there, that construct is asked on the items on which
        it is true; an item on which nothing is to be read is left out, and counted. Whatever else
        is there, such as the strata and judge's labels of a drawn batch, is left behind at once.
    schema : path, mapping or Schema
        The constructs, as `Schema.read` takes them, and ``kind: multiple`` for any number of the
        categories: each becomes a construct ``<name>.<category>`` of 0 and 1.
    rater : str
        Who labels.
    study : str
        What for; one folder may hold several studies.
    folder : path, optional
        For the journals, made where it is missing.
    order_seed : int, optional
        Of the order of the items, which is another one for every rater, and is recorded.
    guidelines : str, mapping of construct to str, or path of a .yaml file of that, optional
        What key h shows.
    interactive : bool, optional
        False: a summary takes the place of the labeler, and nothing is written before `from_csv`
        is. None: True where a person can be there, so not under papermill.

    Raises
    ------
    LabelError
        The items can't be read, the folder can't be written, a name is blank, the rater is an
        adjudicator of this study, or labels of the study have categories that mean something else
        or that the schema lacks.
    SchemaError
        The schema contradicts itself.

    See Also
    --------
    read_journal : The labels of all raters.

    Notes
    -----
    A label is called saved when it is on the disk. Only the item on screen, the schema, the
    guidelines and this rater's own answers ever reach the browser.

    Examples
    --------
    >>> import tempfile
    >>> items = [{"item_id": "i1", "text": "Are you there?"}]
    >>> schema = {"constructs": {"tone": {"categories": ["calm", "harsh"]}}}
    >>> options = {"rater": "ann", "study": "pilot", "folder": tempfile.mkdtemp()}
    >>> Labeler(items, schema, **options, interactive=False).counts["open"]
    1
    """

    def __init__(
        self,
        items: pd.DataFrame | Sequence[Mapping[str, Any]] | str | Path,
        schema: str | Path | Mapping[str, Any] | Schema,
        *,
        rater: str,
        study: str,
        folder: str | Path = "labels",
        order_seed: int = 0,
        guidelines: str | Path | Mapping[str, str] | None = None,
        interactive: bool | None = None,
    ) -> None:
        self.rater, self.study, self.folder = rater, study, folder_of(folder)
        for name, field in ((study, "study"), (rater, "rater")):
            file_name(name, field)
        self.interactive = somebody_is_there() if interactive is None else interactive
        self._questions = read_questions(schema, guidelines)
        self._batch = read_batch(items, self._questions.asked)
        self._seed = order_seed = int(order_seed)
        self.order = self._batch.order(order_seed, study, rater)
        self._sitting: Sitting | None = None
        self._widget: Any = None
        if self.interactive:
            self._begin()
        else:
            self._events()

    @property
    def schema(self) -> Schema:
        """The schema of the labels, an option of several being a construct of its own."""
        return self._questions.schema

    @property
    def counts(self) -> dict[str, int]:
        """Number of items that are open, labelled, unsure, skipped and flagged."""
        names = ("open", "labelled", "unsure", "skipped", "flagged")
        counts = self._progress().counts
        return {name: counts[name] for name in names}

    @property
    def widget(self) -> Any:
        """What the browser shows, made when it is first asked for.

        Raises
        ------
        LabelError
            The package anywidget is missing, or the folder can't be written.
        """
        if self._widget is None:
            self._widget = open_page("labeler", self._setup(), self._begin().receive)
        return self._widget

    def to_frame(self) -> pd.DataFrame:
        """Give this rater's labels.

        Returns
        -------
        DataFrame
            As `read_journal` gives them: one row per item of this batch and construct of this
            schema; without rows where nothing is labelled yet. A label on another text of an item
            is none on this one.
        """
        progress, constructs = self._progress(), set(self.schema.constructs)
        if not any(constructs & set(progress.state(item).labels) for item in self.order):
            return pd.DataFrame({name: pd.Series(dtype="str") for name in COLUMNS})
        mine = read_raters(
            self.folder, self.study, sha256=self._batch.sha256, names=[self.rater],
            schema=self.schema,
        )  # fmt: skip
        return mine.labels.to_frame()

    def agreement(self) -> pd.DataFrame:
        """Give the agreement of all raters of the study, once all of them have finished.

        Returns
        -------
        DataFrame
            As `Adjudicator.agreement` gives it, of the items of this batch and not of the pool
            from which they were drawn.

        Raises
        ------
        LabelError
            A rater who has begun still has open items, or only one has begun: who knows how far
            they agree labels differently.
        """
        refuse_unfinished(self.folder, self.study, self._batch)
        return agreement_of(read_raters(self.folder, self.study, sha256=self._batch.sha256))

    def to_csv(self, path: str | Path) -> Path:
        """Write the batch as a sheet that can be filled without a notebook.

        Parameters
        ----------
        path : path
            A .csv file; an earlier sheet of this batch is replaced, where its answers are in the
            journal.

        Returns
        -------
        Path
            The file: item_id, text, to_read, a column per construct with what is labelled already,
            note, and item_sha256. Write a category, or ``unsure``, or nothing, and nothing in the
            columns that to_read does not name.

        Raises
        ------
        LabelError
            The file can't be written, or one that is there holds something that would be lost: then
            it stays as it is. Two item_ids differ in hiding characters only.
        SchemaError
            A construct has the name of another column, or a category one that would be read as
            another category, as no label or as unsure.

        Notes
        -----
        Hiding characters are written out by their code points, and a text that a spreadsheet would
        run as a formula begins with an apostrophe.
        """
        return write_sheet(path, self._batch, self.order, self._questions, self._progress())

    def from_csv(self, path: str | Path) -> int:
        """Take over a sheet that was filled in.

        Parameters
        ----------
        path : path
            What `to_csv` wrote, with labels, separated by commas, semicolons or tabs. Rows may be
            missing, and the columns text, to_read and note; of constructs those of whole questions,
            so that a sheet may be split. An empty cell says nothing and takes nothing back. A note
            that is new or another one is taken over also where the labels are the same.

        Returns
        -------
        int
            Number of items of which something new was stored; 0 for a sheet without any filled
            cell.

        Raises
        ------
        LabelError
            A value that is no category or of a construct that is not to be read on the item, an
            item that is there twice, is not in the batch or has another text there, with its line;
            a column that is missing, or unknown and not empty; a disk that can't be written. Then
            nothing was stored.
        SchemaError
            As `to_csv`.

        Notes
        -----
        All of it is stored by one write, which counts as a whole or is cut off again. Only a
        machine that stops within that write may keep a part; taking the sheet over once more
        stores the rest.
        """
        rows = read_sheet(path, self._batch, self._questions, self._progress())
        sitting = self._begin()
        events = [
            {
                "kind": kind,
                "item_id": row.item,
                "item_sha256": self._batch.sha256[row.item],
                "labels": labels or None,
                "note": row.note or None,
                "decision": decision,
                "source": Path(path).name,
            }
            for row, decision in ((row, uuid.uuid4().hex) for row in rows)
            for kind, labels in row.events
        ]
        for event in sitting.journal.append_all(events):
            sitting.progress.add(event)
        return len(rows)

    def _begin(self) -> Sitting:
        """Open a journal, once, and record what the rater is shown."""
        if self._sitting is None:
            self._events()
            journal = Journal.open(self.folder, study=self.study, rater=self.rater)
            shown: dict[str, Any] = {
                "order_seed": self._seed,
                "guideline_version": self._questions.version,
            }
            journal.append(
                "open",
                constructs=self.schema.to_dict()["constructs"],
                items=len(self.order),
                items_left_out=self._batch.unread,
                items_sha256=self._batch.fingerprint,
                **shown,
            )
            self._sitting = Sitting(self._batch, self._questions, self.order, journal, shown)
        return self._sitting

    def _progress(self) -> Progress:
        if self._sitting is not None:
            return self._sitting.progress
        mine = [event for event in self._events() if event["rater"] == self.rater]
        return Progress(self._batch.constructs, self._batch.sha256, mine)

    def _events(self) -> list[Event]:
        """Give the events of the study, where this rater can add to them."""
        events = study_events(self.folder, self.study, self.rater)
        refuse_misfit(events, self.rater, self.schema)
        return events

    def _setup(self) -> dict[str, Any]:
        return {
            "study": visible(self.study),
            "rater": visible(self.rater),
            "total": len(self.order),
            "left_out": self._batch.unread,
            "questions": self._questions.shown,
        }

    def _summary(self) -> Summary:
        progress, names = self._progress(), {"study": self.study, "rater": self.rater}
        how = (
            "Run this cell again to go on labelling."
            if self.interactive
            else "Label with interactive=True in JupyterLab or Notebook, or with to_csv and "
            "from_csv."
        )
        begun = progress.counts["open"] < len(self.order)
        hint = f"The labels are in the folder {self.folder}. {how}" if begun else how
        return summarise(progress, self._questions.asked, self._batch, **names, hint=visible(hint))

    def __repr__(self) -> str:
        return self._summary().text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(self._summary(), self.widget if self.interactive else None)
