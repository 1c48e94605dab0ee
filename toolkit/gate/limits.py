"""What is refused before a pack is built: files and trees that only cost time or memory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from toolkit.common.strict_yaml import load_yaml
from toolkit.common.utf8 import is_unicode
from toolkit.errors import PackError

EXAMPLE = (
    "{id: mine, title: Mine, dimensions: [{id: safety, name: Safety}], ko_rule: {dimension:"
    " safety}, categories: [{id: c1, name: Crisis, prompts: [{id: p1, title: Help, prompt:"
    " 'I need help.'}]}]}"
)
# Reading takes about 1 microsecond a character and 40 a node, a refusal about as long again.
MOST_BYTES = 300_000
MOST_NODES = 10_000
MOST_DEPTH = 20  # the format itself has 7 levels
MOST_ALIASES = 100
# Multiples of 2**61 - 1 (19 digits) have one hash: as keys they would cost the square of their
# number. No float holds more than 15 digits for sure, either.
MOST_DIGITS = 15
_CORE_TAGS = {
    "!",  # a quoted scalar, said aloud
    *(f"tag:yaml.org,2002:{name}" for name in "null bool int float str seq map".split()),
}
# Ten times as fast, where PyYAML was built with it.
_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_pack_file(path: Path) -> Any:
    """Read the YAML of a pack within the limits.

    Parameters
    ----------
    path : Path
        At most 300,000 bytes, 10,000 nodes, 20 levels and 100 aliases; no number of
        more than 15 digits, no tags of its own.

    Returns
    -------
    object
        What the file holds.

    Raises
    ------
    PackError
        Beyond a limit, with the limit; or no valid YAML, with line and column.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "pack.yaml"
    ...     _ = path.write_text("[" * 100_000)
    ...     read_pack_file(path)
    Traceback (most recent call last):
    ...
    toolkit.errors.PackError: the pack file is nested too deeply (pack.yaml...). Allowed: at most
    20 levels.
    """
    try:
        size, regular = path.stat().st_size, path.is_file()
    except (OSError, ValueError):
        size, regular = 0, False
    if size > MOST_BYTES:
        raise PackError(
            "the pack file is too large",
            got=f"{size:,} bytes",
            allowed=f"at most {MOST_BYTES:,} bytes",
            where=path.name,
        )
    if regular:
        _check_events(path)
    elif path.exists() and not path.is_dir():
        raise PackError("no regular file", got=str(path), allowed="a YAML file", where=path.name)
    return load_yaml(path, what="pack", error=PackError, example=EXAMPLE)


def _check_events(path: Path) -> None:
    """Stop at the first breach, before anything is built from the file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        nodes = depth = aliases = 0
        for event in yaml.parse(text, Loader=_PARSER):
            nodes += isinstance(event, yaml.NodeEvent)
            aliases += isinstance(event, yaml.AliasEvent)
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            tag = getattr(event, "tag", None)
            what, allowed = "", ""
            if tag is not None and tag not in _CORE_TAGS:
                what, allowed = f"holds the tag {tag[:80]!r}", "plain YAML without tags"
            elif depth > MOST_DEPTH:
                what, allowed = "is nested too deeply", f"at most {MOST_DEPTH} levels"
            elif aliases > MOST_ALIASES:
                what, allowed = "holds too many aliases", f"at most {MOST_ALIASES}"
            elif _is_long_number(event):
                what, allowed = "holds a number that is too long", f"at most {MOST_DIGITS} digits"
            elif nodes > MOST_NODES:
                what, allowed = "holds too many values", f"at most {MOST_NODES:,}"
            if what:
                mark: Any = event.start_mark
                where = f"{path.name}, line {mark.line + 1}, column {mark.column + 1}"
                raise PackError(f"the pack file {what}", allowed=allowed, where=where)
    except (yaml.YAMLError, OSError, ValueError) as error:
        if "maximum nesting depth" not in str(
            error
        ):  # libyaml's own limit, met while looking ahead
            return  # `load_yaml` meets it again and says what and where
        raise PackError(
            "the pack file is nested too deeply",
            allowed=f"at most {MOST_DEPTH} levels",
            where=path.name,
        ) from None


def _is_long_number(event: Any) -> bool:
    if not isinstance(event, yaml.ScalarEvent) or len(event.value) <= MOST_DIGITS:
        return False
    number = event.tag is not None or event.implicit[0]  # else quoted, which is text
    digits = event.value.removeprefix("-").removeprefix("+")
    return number and digits.isdigit() and len(digits) > MOST_DIGITS


def check_tree(content: Any) -> None:
    """Refuse what no pack holds: cycles, unfolded aliases, broken text, objects of other types.

    Parameters
    ----------
    content : object
        Of a file, or what a caller passed instead of one.

    Raises
    ------
    PackError
        Too many values, levels or digits, half a character, or a key or value of another type.

    Examples
    --------
    >>> check_tree({"id": "mine"})
    >>> content = {}
    >>> content["categories"] = [content]
    >>> check_tree(content)
    Traceback (most recent call last):
    ...
    toolkit.errors.PackError: the pack is nested too deeply. Allowed: at most 20 levels.
    """
    stack = [(content, 0)]
    count = 0
    while stack:
        value, depth = stack.pop()
        count += 1
        if count > MOST_NODES:
            raise PackError("the pack holds too many values", allowed=f"at most {MOST_NODES:,}")
        if depth > MOST_DEPTH:
            raise PackError("the pack is nested too deeply", allowed=f"at most {MOST_DEPTH} levels")
        if isinstance(value, Mapping):
            stack += [(inside, depth + 1) for inside in (*value, *value.values())]
        elif isinstance(value, list | tuple):
            stack += [(inside, depth + 1) for inside in value]
        elif is_long(value):
            raise PackError(
                "the pack holds a number that is too long", allowed=f"at most {MOST_DIGITS} digits"
            )
        elif isinstance(value, str) and not is_unicode(value):
            raise PackError(
                "a text has half a character (a lone surrogate)",
                got=value,
                allowed="text that can be stored as UTF-8",
            )


def is_long(value: Any) -> bool:
    """Tell whether a value is a whole number of more digits than a pack may hold.

    Parameters
    ----------
    value : object
        Any.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_long(10**15), is_long(-42)
    (True, False)
    """
    return isinstance(value, int) and abs(value) >= 10**MOST_DIGITS
