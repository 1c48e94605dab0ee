"""YAML in which words stay words: ``yes``, ``no``, ``on`` and ``off`` are labels, not truth values.

PyYAML follows YAML 1.1, in which ``no`` is False, ``1:30`` is 90 and ``010`` is 8. Here only what
the core schema of YAML 1.2 names is resolved.

References
----------
YAML 1.2.2, section 10.3 "Core Schema", https://yaml.org/spec/1.2.2/#103-core-schema
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from toolkit.common.utf8 import decode
from toolkit.errors import SchemaError, ToolkitError

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 1_000_000
MOST_NODES = 100_000  # aliases can unfold a few bytes into any number of nodes


class _CoreLoader(yaml.SafeLoader):
    """SafeLoader with the resolvers of YAML 1.2 and no repeated keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - PyYAML's signature
        mapping = super().construct_mapping(node, deep=deep)
        seen: set[Any] = set()
        for name, _ in node.value:
            same = {name.value, self.construct_object(name)}  # 1 and 1.0 are one, as 1 and "1" are
            if seen & same:
                problem = f"key {name.value!r} is there twice"
                raise yaml.constructor.ConstructorError(None, None, problem, name.start_mark)
            seen |= same
        return mapping


_CoreLoader.yaml_implicit_resolvers = {}  # without those of YAML 1.1
_CORE = {
    "bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "null": (r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    "int": (r"[-+]?[0-9]+", "-+0123456789"),
    "float": (r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
}
for _tag, (_pattern, _first) in _CORE.items():
    _CoreLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_pattern})$"), list(_first)
    )


def _int(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    return int(loader.construct_scalar(node))


def _float(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> float:
    return float(loader.construct_scalar(node))


def _bool(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> bool:
    word = str(loader.construct_scalar(node))
    if not re.fullmatch(_CORE["bool"][0], word):
        problem = f"{word!r} is neither true nor false"
        raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
    return word.lower() == "true"


# Tags of other types are refused as unknown; None stands for the refusal itself.
_CoreLoader.yaml_constructors = {
    tag: yaml.SafeLoader.yaml_constructors[tag]
    for tag in (None, *(f"tag:yaml.org,2002:{name}" for name in ("null", "str", "seq", "map")))
}
_CoreLoader.add_constructor("tag:yaml.org,2002:bool", _bool)
_CoreLoader.add_constructor("tag:yaml.org,2002:int", _int)
_CoreLoader.add_constructor("tag:yaml.org,2002:float", _float)


def load_yaml(
    path: Path,
    *,
    what: str = "schema",
    error: type[ToolkitError] = SchemaError,
    example: str = "constructs: {escalation: {kind: nominal, categories: [0, 1], present: [1]}}",
) -> Any:
    """Read one YAML file.

    Parameters
    ----------
    path : Path
        A small text file, UTF-8.
    what : str, default "schema"
        What the file holds, for the messages.
    error : type, default SchemaError
        What to raise.
    example : str, optional
        One valid file, for the messages.

    Returns
    -------
    object
        Mappings, lists, text, int, float, bool and None.

    Raises
    ------
    ToolkitError
        Of the type ``error``: no such file, too large, not UTF-8, not YAML, a key twice, or
        aliases that unfold without end; with line and column where there is one.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "schema.yaml"
    ...     _ = path.write_text("categories: [no, yes]")
    ...     load_yaml(path)
    {'categories': ['no', 'yes']}
    """
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as bad:  # ValueError: a null character in the path
        raise error(
            f"the {what} file can't be read",
            got=str(path),
            allowed=f"a YAML file ({getattr(bad, 'strerror', bad)})",
            where=path.name,
        ) from None
    if len(data) > MOST_BYTES:
        raise error(
            f"the {what} file is too large",
            got=f"{len(data)} bytes",
            allowed=f"at most {MOST_BYTES} bytes; is it a file of labels?",
            where=path.name,
        )
    text = decode(data, path.name, error)
    try:
        loaded = yaml.load(text, Loader=_CoreLoader)  # noqa: S506 - a SafeLoader
    except (yaml.YAMLError, RecursionError, ValueError) as bad:
        raise error(
            f"the {what} file is not valid YAML: {_problem(bad)}",
            example=example,
            where=f"{path.name}{_mark(bad)}",
        ) from None
    if _endless(loaded):
        raise error(f"the {what} file unfolds without end (aliases?)", where=path.name)
    return loaded


def _problem(error: Exception) -> str:
    text = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    return str(text).splitlines()[0]


def _mark(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""


def _endless(loaded: Any) -> bool:
    stack, count = [loaded], 0
    while stack:
        node = stack.pop()
        count += 1
        if count > MOST_NODES:
            return True
        if isinstance(node, dict):
            stack += list(node.values())
        elif isinstance(node, list):
            stack += node
    return False
