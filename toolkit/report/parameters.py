"""The parameters of a notebook, read from its tagged cell without running it."""

from __future__ import annotations

import ast
import io
import tokenize
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from pydantic import ConfigDict, TypeAdapter

from toolkit.errors import ParameterError

if TYPE_CHECKING:
    import os

_TYPES: dict[str, Any] = {"str": str, "int": int, "float": float, "bool": bool}
_EXAMPLE = "low: str | None = None  # construct that came out low"


@dataclass(frozen=True)
class Parameter:
    """One line of the parameters cell.

    Attributes
    ----------
    name : str
        Name of the variable.
    annotation : str
        Its type, as written in the cell.
    default : object
        Its value, a literal.
    help : str
        The comment at the end of the line.
    kind : object
        The type itself.

    Examples
    --------
    >>> from toolkit.report.parameters import parse_cell
    >>> parse_cell("seed: int = 0  # same seed, same numbers")[0].help
    'same seed, same numbers'
    """

    name: str
    annotation: str
    default: Any
    help: str
    kind: Any

    @property
    def adapter(self) -> TypeAdapter[Any]:
        """Checks values against the type; NaN and infinities never pass."""
        return TypeAdapter(self.kind, config=ConfigDict(allow_inf_nan=False))


def read_parameters(notebook: str | os.PathLike[str]) -> tuple[Parameter, ...]:
    """Read what a notebook can be called with.

    Parameters
    ----------
    notebook : str or path-like
        A notebook with exactly one code cell that is tagged ``parameters``.

    Returns
    -------
    tuple of Parameter
        In the order of the cell.

    Raises
    ------
    ParameterError
        If the file is no notebook, the cell is missing or there are two, or a line of it is
        anything but ``name: type = literal``.

    Examples
    --------
    >>> import tempfile
    >>> import nbformat
    >>> from toolkit.report.parameters import read_parameters
    >>> cell = nbformat.v4.new_code_cell("level: float = 0.95  # of the intervals")
    >>> cell.metadata["tags"] = ["parameters"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     nbformat.write(nbformat.v4.new_notebook(cells=[cell]), f"{folder}/a.ipynb")
    ...     [(p.name, p.annotation, p.default) for p in read_parameters(f"{folder}/a.ipynb")]
    [('level', 'float', 0.95)]
    """
    path = Path(notebook)
    try:
        cells = nbformat.read(path, as_version=4).cells
        tagged = [cell.source for cell in cells if "parameters" in cell.metadata.get("tags", [])]
    except Exception as error:  # nbformat meets other JSON with whatever error it happens to hit
        raise ParameterError(f"can't be read as a notebook: {error}", where=str(path)) from error
    if len(tagged) != 1:
        raise ParameterError(
            f"a notebook needs one cell tagged 'parameters', this one has {len(tagged)}",
            example=_EXAMPLE,
            where=path.name,
        )
    return parse_cell(tagged[0], where=path.name)


def parse_cell(source: str, *, where: str = "parameters cell") -> tuple[Parameter, ...]:
    """Read the lines of a parameters cell; nothing in it is run.

    Parameters
    ----------
    source : str
        Python text: a line for each parameter, ``name: type = literal  # help``. Types are built
        from ``str``, ``int``, ``float``, ``bool``, ``list[...]``, ``None`` and ``|``, which
        need no import.
    where : str
        Named in errors.

    Returns
    -------
    tuple of Parameter
        In the order of the lines.

    Raises
    ------
    ParameterError
        If a line is anything else, or a default does not fit its type.

    Examples
    --------
    >>> from toolkit.report.parameters import parse_cell
    >>> parse_cell("names: list[str] = ['a']")[0].kind
    list[str]
    >>> parse_cell("seed = 0")
    Traceback (most recent call last):
    ...
    toolkit.errors.ParameterError: not of the form `name: type = literal` ...
    """
    try:
        lines = ast.parse(source).body
    except SyntaxError as error:
        raise ParameterError(f"no Python: {error}", example=_EXAMPLE, where=where) from error
    comments = _comments(source)
    return tuple(_parse_line(line, comments, where) for line in lines)


def _parse_line(line: ast.stmt, comments: dict[int, str], where: str) -> Parameter:
    place = f"{where}, line {line.lineno} of the parameters cell"
    if not (isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.value):
        raise ParameterError(
            "not of the form `name: type = literal`",
            got=ast.unparse(line),
            example=_EXAMPLE,
            where=place,
        )
    annotation = ast.unparse(line.annotation)
    try:
        kind = _resolve(line.annotation)
        default = ast.literal_eval(line.value)
        parameter = Parameter(
            line.target.id, annotation, default, comments.get(line.end_lineno or 0, ""), kind
        )
        parameter.adapter.validate_python(default, strict=True)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            "type or default not allowed",
            got=ast.unparse(line),
            allowed="str, int, float, bool, list[...], None, | and a literal of it",
            example=_EXAMPLE,
            where=place,
        ) from error
    return parameter


def _resolve(node: ast.expr) -> Any:
    """Turn an annotation into a type, from a short list instead of ``eval``."""
    match node:
        case ast.Name(id=name) if name in _TYPES:
            return _TYPES[name]
        case ast.Constant(value=None):
            return None
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _resolve(left) | _resolve(right)
        case ast.Subscript(value=ast.Name(id="list"), slice=item):
            return list[_resolve(item)]  # type: ignore[misc]
        case _:
            raise ValueError(ast.unparse(node))


def _comments(source: str) -> dict[int, str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {
        token.start[0]: token.string.lstrip("# ").rstrip()
        for token in tokens
        if token.type == tokenize.COMMENT
    }
