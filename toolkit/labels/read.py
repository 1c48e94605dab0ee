"""Read labels from a file or a DataFrame, in any of three layouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from toolkit.labels.assemble import assemble, checked_columns
from toolkit.labels.checks import refuse_repeated, refuse_strangers
from toolkit.labels.coding import code_labels
from toolkit.labels.columns import REQUIRED
from toolkit.labels.encode import Names, encode, encode_names
from toolkit.labels.files import read_source
from toolkit.labels.schema import Schema
from toolkit.labels.table import Labels
from toolkit.labels.values import MISSING
from toolkit.labels.wide import lay_out_long


def read_labels(
    source: str | Path | pd.DataFrame,
    schema: str | Path | Mapping[str, Any] | Schema | None = None,
    wide: str | None = None,
    construct: str | Sequence[str] | None = None,
    rater: str | Sequence[str] | Mapping[str, str] | None = None,
    *,
    overlap: bool = True,
) -> Labels:
    """Read, check and complete a table of labels.

    Parameters
    ----------
    source : path or DataFrame
        .csv, .tsv, .jsonl or .ndjson (each also with .gz), .parquet, or a pandas DataFrame.
    schema : path, mapping, Schema, optional
        As `Schema.read` takes it. Without one the categories are inferred and flagged.
    wide : {None, "rater", "construct"}, optional
        None: one row per label, columns item_id, construct, rater_id, label. "rater": one row per
        item, one column per rater. "construct": one row per item and rater, one column per
        construct. Every layout may have rater_kind (human, judge; not in "rater"), call_id,
        cluster, stratum, order, sitting, weight; further columns are kept.
    construct : str or list of str, optional
        The only construct, where no column names it; with ``wide="construct"`` the columns that are
        constructs (default: those of the schema, or all that have no other meaning).
    rater : str, list of str, or mapping, optional
        The only rater, where no column names it; with ``wide="rater"`` the columns that are raters
        (default: all that have no other meaning), or a mapping from these to human or judge.
    overlap : bool, optional
        Refuse a table in which no item and construct has two raters, because nothing can be
        compared. False reads it, for prevalences or plans; one rater is then flagged.

    Returns
    -------
    Labels
        The table, its schema, and the count of what was left out.

    Raises
    ------
    LabelError
        The table can't be read or does not fit: file, line, column, value, what is allowed.
    SchemaError
        The schema contradicts itself.

    Notes
    -----
    Identifiers are text: the numbers 1 and 1.0 become "1", and text stays as it is written. Labels
    meet the schema's categories by value (``True``, 1, "1", 1.0) or by exact word. Cells without a
    label and abstentions are left out and counted, never a category.

    Examples
    --------
    >>> frame = pd.DataFrame({"item_id": ["a", "b"], "ann": [1, 0], "gpt": ["1.0", None]})
    >>> labels = read_labels(frame, wide="rater", construct="escalation")
    >>> labels.frame[["item_id", "rater_id", "label"]]
      item_id rater_id  label
    0       a      ann      1
    1       a      gpt      1
    2       b      ann      0
    >>> labels.flags
    ('columns_taken:ann, gpt', 'schema_inferred')
    """
    declared = Schema.read(schema)
    raw = read_source(source)
    frame, origin, assumed = lay_out_long(
        raw, wide=wide, construct=construct, rater=rater, declared=declared
    )
    names = Names(*(encode_names(frame[name], origin, required=True) for name in REQUIRED[:3]))
    labels = encode(frame["label"], origin)
    coded = code_labels(labels, names.construct, declared, origin)
    columns = checked_columns(frame, names, origin)
    answered = np.flatnonzero(coded.codes != MISSING)
    usable = np.flatnonzero(coded.codes >= 0)
    refuse_repeated(answered, names, labels, columns.get("sitting"), origin)
    if overlap:
        refuse_strangers(usable, names, origin)
    coded = coded._replace(flags=(*assumed, *coded.flags))
    return assemble(columns, names, coded, source=origin.name, sha256=raw.sha256)
