"""A pack from a file, a mapping, or as it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolkit.common.strict_model import within
from toolkit.errors import PackError
from toolkit.gate.limits import EXAMPLE, check_tree, is_long, read_pack_file
from toolkit.gate.pack import Pack


def load_pack(source: str | Path | Mapping[str, Any] | Pack) -> Pack:
    """Read a pack and check that it fits together.

    Parameters
    ----------
    source : path, mapping or Pack
        A YAML file (at most 300,000 bytes; `yes` and `no` are words), what such a file holds, or a
        pack as it is.

    Returns
    -------
    Pack
        Frozen.

    Raises
    ------
    PackError
        The first fault: unreadable or hostile YAML; an unknown key, a missing or unfit value, a
        duplicate id, an unknown dimension or prompt; under ``curated`` a safety-critical prompt
        outside ``red_flag_prompts``. With pack, field, value, what is allowed and an example.

    Examples
    --------
    >>> load_pack({"id": "mine", "title": "Mine", "ko_rules": {}})
    Traceback (most recent call last):
    ...
    toolkit.errors.PackError: unknown key 'ko_rules', did you mean 'ko_rule'? (pack 'mine',
    ko_rules). Allowed: 'id', 'title', 'version', 'description', 'scale', 'dimensions', 'ko_rule',
    'prompt_variants', 'sampling', 'categories'. Example: ko_rule: ....
    """
    if isinstance(source, Pack):
        return source
    if isinstance(source, Mapping):
        return _pack(source)
    if not isinstance(source, str | Path):
        raise PackError(
            "no pack",
            got=type(source).__name__,
            allowed="the path of a YAML file, a mapping, or a Pack",
            example='tk.load_pack("my_pack.yaml")',
            where="source",
        )
    path = Path(source)
    content = read_pack_file(path)
    try:
        return _pack(content)
    except PackError as error:
        raise within(path.name, error, separator=", ") from None


def _pack(content: Any) -> Pack:
    if not isinstance(content, Mapping):
        got = "nothing (an empty file)" if content is None else content
        raise PackError("a pack is a mapping", got=got, example=EXAMPLE)
    if any(is_long(name) for name in content):  # Python refuses to write very long ones as text
        check_tree(content)
    return Pack(**{str(name): value for name, value in content.items()})
