"""Which convention reads each row: settled for every key before the first row is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from toolkit.answers.registry import Registry
from toolkit.answers.tables.cells import word
from toolkit.answers.tables.options import plausible
from toolkit.common.strict_model import within
from toolkit.errors import ConventionError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from toolkit.answers.convention import Convention
    from toolkit.answers.tables.options import Options

# Subset, subcategory and version of a row; None where missing, or where no column holds it.
Key: TypeAlias = tuple[str | None, str | None, str | None]


class FoundConventions(NamedTuple):
    """The conventions of a table, and which of them reads a row of each key."""

    conventions: tuple[Convention, ...]
    codes: Mapping[Key, int]
    offered: tuple[Any, ...]  # labels of the whole benchmark, seen in this table or not


def key_columns(options: Options, columns: Sequence[Hashable]) -> list[Hashable]:
    """Name the columns of subset, subcategory and version; None where there is none.

    Parameters
    ----------
    options : Options
        With a benchmark or a convention.
    columns : sequence
        Names of the table's columns: a version that is none of them is one for all rows.

    Returns
    -------
    list
        Three names.

    Examples
    --------
    >>> from toolkit.answers.tables.options import Options
    >>> options = Options(benchmark="he300", subset="subset", version="is_this_wrong")
    >>> key_columns(options, ["subset", "raw_response"])
    ['subset', None, None]
    """
    version = options.version
    known = version is not None and version in columns
    return [options.subset, options.subcategory, version if known else None]


def zip_keys(cells: Sequence[Sequence[Any] | None], rows: int) -> list[Key]:
    """Put the keys of all rows together.

    Parameters
    ----------
    cells : sequence
        Of each key column, or None.
    rows : int
        Number of rows.

    Returns
    -------
    list of Key
        One a row.

    Examples
    --------
    >>> zip_keys([["justice", 7.0, None], None, None], 3)
    [('justice', None, None), ('7', None, None), (None, None, None)]
    """
    known: dict[int | str, str | None] = {}

    def text(cell: Any) -> str | None:
        if type(cell) is not str:
            return word(cell)
        if cell not in known:
            known[cell] = word(cell)
        return known[cell]

    parts = [[None] * rows if part is None else [text(cell) for cell in part] for part in cells]
    return list(zip(*parts, strict=True))


def find_conventions(
    options: Options,
    columns: Sequence[Hashable],
    counts: Mapping[Key, int],
    first: Callable[[Key], str],
) -> FoundConventions:
    """Look up the convention of every key.

    Parameters
    ----------
    options : Options
        With a convention, or with a benchmark.
    columns : sequence
        Names of the table's columns.
    counts : mapping of Key to int
        Rows of each key.
    first : callable
        From a key to what its first row is called, for messages.

    Returns
    -------
    FoundConventions
        The conventions, and the one of each key.

    Raises
    ------
    ConventionError
        A key that no convention answers to, with the number of its rows and the first of them; no
        ``subset=`` where the benchmark has several.

    Examples
    --------
    >>> from toolkit.answers.tables.options import Options
    >>> options = Options(benchmark="he300", subset="subset")
    >>> counts = {("ethics", None, None): 12}
    >>> find_conventions(options, ["subset"], counts, lambda key: "run.csv, line 7")
    Traceback (most recent call last):
    ...
    toolkit.errors.ConventionError: unknown subset of 'he300' (12 rows, the first at run.csv, line
    7). Got: 'ethics'. ...
    """
    if options.convention is not None:
        only = options.convention
        return FoundConventions((only,), dict.fromkeys(counts, 0), only.labels)
    registry = Registry.bundled() if (own := options.conventions) is None else Registry.read(own)
    benchmark = str(options.benchmark)
    fixed = None if options.version is None or options.version in columns else str(options.version)
    offered = [one for one in registry.conventions if one.benchmark == benchmark]
    if not offered:
        registry.find(benchmark)  # refuses, with the benchmarks that there are
    if options.subset is None and len(registry.subsets(benchmark)) > 1:
        raise ConventionError(
            f"{benchmark!r} has several subsets: pass subset=<the column that names them>",
            allowed=f"a column that holds {_either(registry.subsets(benchmark))}",
            example=_example(options, columns),
            where="subset",
        )
    conventions: dict[tuple[str, str, str], Convention] = {}
    codes = {}
    for key, rows in counts.items():
        try:
            convention = _of_rows(registry, options, key, fixed, columns)
        except ConventionError as error:
            count = f"{rows:,} row{'' if rows == 1 else 's'}, the first at {first(key)}"
            raise within(count, error, separator=", ") from None
        conventions.setdefault(convention.key, convention)
        codes[key] = list(conventions).index(convention.key)
    labels = tuple(label for one in offered for label in one.labels)
    return FoundConventions(tuple(conventions.values()), codes, labels)


def _of_rows(
    registry: Registry,
    options: Options,
    key: Key,
    version: str | None,
    columns: Sequence[Hashable],
) -> Convention:
    subset, subcategory, own = key
    benchmark = str(options.benchmark)
    if subset is None and options.subset is not None:
        raise ConventionError(
            f"rows have no subset in column {options.subset!r}", allowed=registry.subsets(benchmark)
        )
    if subcategory is None and (benchmark, subset) in registry.by_subcategory:
        given = options.subcategory
        raise ConventionError(
            f"{subset!r} holds items of several subsets and needs a subcategory"
            + ("" if given is None else f" in column {given!r}"),
            allowed=registry.subsets(benchmark),
            example=_example(options, columns, subcategory=True),
        )
    return registry.find(benchmark, subset, subcategory=subcategory, version=own or version)


def _example(options: Options, columns: Sequence[Hashable], *, subcategory: bool = False) -> str:
    """Show the call with the columns that were given, or that could be meant."""
    shown = {"subset": options.subset, "subcategory": options.subcategory}
    named = [
        f"{argument}={_column(argument, given, columns)}"
        for argument, given in shown.items()
        if argument == "subset" or subcategory
    ]
    return f'normalize_frame(frame, benchmark="{options.benchmark}", {", ".join(named)})'


def _column(argument: str, given: Hashable, columns: Sequence[Hashable]) -> str:
    name = plausible(argument, columns) if given is None else given
    name = "column" if name is None else name
    return f'"{name}"' if isinstance(name, str) else repr(name)


def _either(words: Sequence[str]) -> str:
    return " or ".join(map(repr, words))
