"""Files of raw answers, however long: read and written a batch at a time."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from toolkit.answers.answer import OUTCOMES
from toolkit.answers.tables.file_summary import FileSummary
from toolkit.answers.tables.lookup import Key
from toolkit.answers.tables.options import Options
from toolkit.answers.tables.parquet_table import ParquetTable
from toolkit.answers.tables.paths import Table, as_path, open_table, replaced
from toolkit.answers.tables.plan import Scanned, make_plan, row_keys
from toolkit.answers.tables.progress import progress_bar
from toolkit.answers.tables.workers import Workers
from toolkit.common.strict_model import within
from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from pathlib import Path

    from toolkit.answers.contract import Contract
    from toolkit.answers.convention import Convention


def normalize_file(
    source: str | Path,
    out: str | Path,
    convention: Convention | None = None,
    *,
    contract: Contract | None = None,
    raw: str = "raw_response",
    benchmark: str | None = None,
    subset: str | None = None,
    subcategory: str | None = None,
    version: str | None = None,
    conventions: Any = None,
    level: str | None = None,
    strict_first_word: bool = False,
    error: str | None = None,
    judge: str | None = None,
    item: str = "item_id",
    call_id: str | None = None,
    workers: int | None = 1,
    progress: bool | None = None,
    ladder: bool = False,
    batch_rows: int = 10_000,
) -> FileSummary:
    """Read the raw answers of a file and write them beside what was read, in constant memory.

    Parameters
    ----------
    source : path
        .jsonl, .ndjson, .csv or .tsv (each also with .gz), or .parquet.
    out : path
        A file of the same kind, packed or not. It appears once it is complete; one that is there
        is replaced then. Never the source.
    convention, contract, raw, benchmark, subset, subcategory, version, conventions : optional
        As in `normalize_frame`.
    level, strict_first_word, error, judge, item, call_id, workers, progress, ladder : optional
        As in `normalize_frame`.
    batch_rows : int, default 10_000
        Rows that are held at a time.

    Returns
    -------
    FileSummary
        Rows and outcomes. The file has the columns of `normalize_frame`'s result.

    Raises
    ------
    AnswerError
        As in `normalize_frame`; a line that is torn or no JSON, with its number; a file that can't
        be read or written; an output of another kind, or that is the source.
    ConventionError
        As in `normalize_frame`.

    Notes
    -----
    The source is gone through twice, so that broken lines and unknown subsets are refused before
    anything is written. JSON objects keep their values and the order of their keys; half an emoji
    stays half an emoji; NaN becomes null. An empty cell of a CSV file is missing.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "run.jsonl"
    ...     _ = path.write_text('{"id": 7, "subset": "virtue", "raw_response": "MATCHES."}')
    ...     out = Path(folder) / "read.jsonl"
    ...     print(normalize_file(path, out, benchmark="he300", subset="subset"))
    ...     row = json.loads(out.read_text())
    FileSummary(1 rows -> read.jsonl, structured: 1 answered)
    >>> row["id"], row["label"], row["gold"]
    (7, 'MATCHES', 1)
    """
    options = Options(
        convention=convention,
        contract=contract,
        raw=raw,
        benchmark=benchmark,
        subset=subset,
        subcategory=subcategory,
        version=version,
        conventions=conventions,
        level=level,
        strict_first_word=strict_first_word,
        error=error,
        judge=judge,
        item=item,
        call_id=call_id,
        ladder=ladder,
    )
    if isinstance(batch_rows, bool) or not isinstance(batch_rows, int) or batch_rows < 1:
        raise AnswerError(
            "no number of rows", got=batch_rows, allowed="1 or more", where="batch_rows"
        )
    source, out = as_path(source, "source"), as_path(out, "out")
    table = open_table(source, out)
    counts = _scan(table, (subset, subcategory, version), batch_rows)
    rows = counts.total()
    if not table.names:
        raise AnswerError("the file is empty", allowed="at least one row", where=source.name)
    scanned = Scanned(
        source.name, lambda _: counts, lambda keys, key: _first(table, keys, key, batch_rows)
    )
    plan = make_plan(options, table.names, scanned)
    outcomes: Counter[str] = Counter()
    with (
        replaced(out) as part,
        table.writer(part, plan) as write,
        Workers(plan.reader, workers) as team,
        progress_bar(rows, progress) as done,
    ):
        start = 0
        for batch in table.batches(batch_rows):
            index = range(start, start + len(batch))
            try:
                fields = plan.fields(batch.cells, index, team, done)
            except AnswerError as refused:
                raise within(source.name, refused, separator=", ") from None
            outcomes.update(fields["outcome"])
            write(batch, fields)
            start += len(batch)
    found = {outcome: outcomes[outcome] for outcome in OUTCOMES if outcomes[outcome]}
    return FileSummary(out.name, rows, rows * plan.copies, plan.reader.level, found)


def _scan(table: Table, keys: tuple[Hashable, ...], batch_rows: int) -> Counter[Key]:
    """Go through the file once: every line is sound, and every key is counted."""
    counts: Counter[Key] = Counter()
    for batch in _few(table, keys, batch_rows):
        counts.update(row_keys(keys, batch.cells, len(batch)))
    return counts


def _few(table: Table, keys: Sequence[Hashable], batch_rows: int) -> Iterator[Any]:
    if isinstance(table, ParquetTable):  # text has all columns in one place: none can be skipped
        return table.batches(batch_rows, [key for key in keys if key is not None])
    return table.batches(batch_rows)


def _first(table: Table, keys: Sequence[Hashable], key: Key, batch_rows: int) -> str:
    """Go through the file again, for a message: where is the first row of a key."""
    start = 0
    for batch in _few(table, keys, batch_rows):
        found = row_keys(keys, batch.cells, len(batch))
        if key in found:
            return f"{table.path.name}, {table.place(start + found.index(key))}"
        start += len(batch)
    return "no row any more"  # pragma: no cover - the file changed meanwhile
