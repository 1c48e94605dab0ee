"""What a file of conventions holds: its keys, its entries, and what is refused in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolkit.answers.checks import EXAMPLES
from toolkit.answers.convention import Convention
from toolkit.answers.lexicon import fold
from toolkit.common.hints import closest, did_you_mean
from toolkit.errors import ConventionError

_OF_THE_FILE = ("benchmark", "subset")  # an entry has neither: `benchmark` stands above it
EXAMPLE = (
    "{benchmark: mine, conventions: [{subsets: [tone], version: '1', labels: [RUDE, KIND],"
    " positive: KIND}]}"
)
FILE_KEYS = ("benchmark", "by_subcategory", "conventions")
ENTRY_KEYS = ("subsets", *(key for key in Convention.model_fields if key not in _OF_THE_FILE))


def parse(content: Any) -> tuple[tuple[Convention, ...], frozenset[tuple[str, str]]]:
    """Read what a file of conventions holds.

    Parameters
    ----------
    content : object
        As loaded: a mapping with ``benchmark``, ``conventions`` and maybe ``by_subcategory``.

    Returns
    -------
    tuple
        The conventions in the order of the file, and the subsets, each with the benchmark,
        that are read by subcategory.

    Raises
    ------
    ConventionError
        An unknown or missing key, and whatever a `Convention` refuses, with the entry.

    Examples
    --------
    >>> entry = {"subset": ["tone"], "labels": ["RUDE", "KIND"]}
    >>> parse({"benchmark": "mine", "conventions": [entry]})
    Traceback (most recent call last):
    ...
    toolkit.errors.ConventionError: unknown key 'subset', did you mean 'subsets'? (entry 1 of
    `conventions`). Allowed: 'subsets', 'version', ... Example: subsets: [tone].
    """
    if not isinstance(content, Mapping):
        raise ConventionError(
            "conventions are a mapping", got=content, allowed=FILE_KEYS, example=EXAMPLE
        )
    for key in content:
        if key not in FILE_KEYS:
            raise ConventionError(
                f"unknown key {key!r}{did_you_mean(key, FILE_KEYS)}",
                allowed=FILE_KEYS,
                example=EXAMPLE,
            )
    for key in ("benchmark", "conventions"):
        if key not in content:
            raise ConventionError(f"`{key}` is missing", allowed=FILE_KEYS, example=EXAMPLE)
    benchmark, entries = content["benchmark"], content["conventions"]
    if not isinstance(benchmark, str):
        raise ConventionError("`benchmark` is a name", got=benchmark, example="benchmark: mine")
    if not isinstance(entries, list) or not entries:
        raise ConventionError(
            "`conventions` is a list with one entry for every question",
            got=entries,
            example=EXAMPLE,
        )
    numbered = enumerate(entries, start=1)
    found = [one for place, entry in numbered for one in _expand(benchmark, entry, place)]
    keys = [one.key for one in found]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice:
        raise ConventionError("a convention is there twice", got="/".join(twice))
    pooled = _pooled(content.get("by_subcategory", []), found)
    return (
        tuple(_with_siblings(one, found) for one in found),
        frozenset((benchmark, subset) for subset in pooled),
    )


def _pooled(pooled: Any, found: list[Convention]) -> list[str]:
    """Check `by_subcategory`: a subset with a question of its own would never be asked for it."""
    if not isinstance(pooled, list) or not all(isinstance(one, str) for one in pooled):
        raise ConventionError(
            "`by_subcategory` is a list of subsets", got=pooled, example="by_subcategory: [mixed]"
        )
    twice = next((one.subset for one in found if one.subset in pooled), None)
    if twice is not None:
        raise ConventionError(
            "a subset has a question of its own and is read by its subcategory too",
            got=twice,
            allowed="under `subsets` or in `by_subcategory`, not in both",
            example="by_subcategory: [mixed]",
            where="by_subcategory",
        )
    return pooled


def _expand(benchmark: str, entry: Any, place: int) -> list[Convention]:
    where = f"entry {place} of `conventions`"
    if not isinstance(entry, Mapping):
        raise ConventionError(
            "a convention is a mapping with a list `subsets`",
            got=entry,
            allowed=ENTRY_KEYS,
            example=EXAMPLE,
            where=where,
        )
    unknown = next((key for key in entry if key not in ENTRY_KEYS), None)
    if unknown is not None:
        text = isinstance(unknown, str)
        raise ConventionError(
            f"unknown key {unknown!r}{did_you_mean(unknown, ENTRY_KEYS) if text else ''}",
            allowed=ENTRY_KEYS,
            example=EXAMPLES.get(str(closest(unknown, ENTRY_KEYS)), EXAMPLE),
            where=where,
        )
    subsets = entry.get("subsets")
    if not isinstance(subsets, list) or not subsets:
        raise ConventionError(
            "a convention has a list `subsets`",
            got=subsets,
            allowed="the names of one subset or more",
            example=EXAMPLES["subsets"],
            where=where,
        )
    fields = {key: value for key, value in entry.items() if key != "subsets"}
    return [_made(benchmark, subset, fields, where) for subset in subsets]


def _made(benchmark: str, subset: Any, fields: dict[str, Any], where: str) -> Convention:
    if not isinstance(subset, str):
        raise ConventionError(
            "the name of a subset is no text",
            got=subset,
            allowed=f'text; what looks like a number or a truth value is quoted: "{subset}"',
            example=EXAMPLES["subsets"],
            where=where,
        )
    try:
        return Convention(benchmark=benchmark, subset=subset, **fields)
    except ConventionError as error:
        inside = f"{benchmark}/{subset}"
        if inside in (error.where or ""):
            raise error from None
        raise ConventionError(
            error.what,
            got=error.got,
            allowed=error.allowed,
            example=EXAMPLES.get(str(error.where), EXAMPLE),  # a line of a file, not an argument
            where=f"{inside}, {error.where}",
        ) from None


def _with_siblings(one: Convention, family: list[Convention]) -> Convention:
    """Add the labels of the other subsets, which are recognised and never read as an answer."""
    own = set(one.lexicon.words)
    others = {
        fold(str(word))
        for other in family
        for label in other.labels
        for word in (label, *other.canonical.get(label, ()))
    }
    known = {*one.off_vocabulary, *(word for word in others if word not in own)}
    return Convention(**{**one.model_dump(), "off_vocabulary": tuple(sorted(known))})
