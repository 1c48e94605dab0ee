"""One family of errors: what was wrong, what was got, what is allowed, and an example."""

from __future__ import annotations

from typing import Any


class ToolkitError(Exception):
    """Base of every error that this package raises on purpose.

    Parameters
    ----------
    what : str
        What was wrong, one sentence without a full stop.
    got : object, optional
        The offending value, shown with ``repr`` and shortened.
    allowed : object, optional
        What would have been accepted: a list of values or a phrase.
    example : str, optional
        One valid input, ready to copy.
    where : str, optional
        File, line, column or argument that holds the offending value.

    Attributes
    ----------
    what, got, allowed, example, where
        The arguments, for programs that handle the error.

    Examples
    --------
    >>> raise ToolkitError("unknown label", got="Yes", allowed=["yes", "no"], where="a.csv, line 3")
    Traceback (most recent call last):
    ...
    toolkit.errors.ToolkitError: unknown label (a.csv, line 3). Got: 'Yes'. Allowed: 'yes', 'no'.
    """

    def __init__(
        self,
        what: str,
        *,
        got: Any = None,
        allowed: Any = None,
        example: str | None = None,
        where: str | None = None,
    ) -> None:
        self.what = what
        self.got = got
        self.allowed = allowed
        self.example = example
        self.where = where
        super().__init__(self._message())

    def _message(self) -> str:
        parts = [f"{self.what} ({self.where})" if self.where else self.what]
        if self.got is not None:
            parts.append(f"Got: {_short(self.got)}")
        if self.allowed is not None:
            parts.append(f"Allowed: {_listed(self.allowed)}")
        if self.example is not None:
            parts.append(f"Example: {self.example}")
        # A question ("did you mean 'yes'?") ends the sentence by itself.
        return " ".join(part if part.endswith("?") else f"{part}." for part in parts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Survive pickling although the arguments are keyword-only."""
        fields = {"got": self.got, "allowed": self.allowed, "example": self.example}
        return _rebuild, (type(self), self.what, {**fields, "where": self.where})


class LabelError(ToolkitError):
    """Labels can't be read, or do not fit the schema."""


class SchemaError(ToolkitError):
    """A schema is malformed or contradicts itself."""


class StatisticsError(ToolkitError):
    """A coefficient was asked of something that is no table, or with options that do not fit."""


class ConventionError(ToolkitError):
    """A convention is unknown, malformed, or contradicts itself."""


class AnswerError(ToolkitError):
    """Answers can't be read or scored as asked: a level, a column or an item that does not fit."""


class PackError(ToolkitError):
    """A pack is malformed or contradicts itself."""


class GateError(ToolkitError):
    """Verdicts or scores do not fit the pack that they are gated by."""


class PlanError(ToolkitError):
    """A plan can't be made as asked: targets, budget, pilot or pool do not fit."""


class ParameterError(ToolkitError):
    """A notebook parameter or a command-line option is unknown or of the wrong type."""


class NotebookError(ToolkitError):
    """A notebook stopped on an error that no check had foreseen."""


def _rebuild(kind: type[ToolkitError], what: str, fields: dict[str, Any]) -> ToolkitError:
    return kind(what, **fields)


def _short(value: Any, limit: int = 200) -> str:
    text = repr(_unwrapped(value))
    return text if len(text) <= limit else f"{text[:limit]}..."


def _unwrapped(value: Any) -> Any:
    """Show 0 for np.int64(0); numpy is not imported for it."""
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return value.item()
    if type(value) in (list, tuple):
        return type(value)(map(_unwrapped, value))
    return value


def _listed(allowed: Any, most: int = 20) -> str:
    if isinstance(allowed, str):
        return allowed
    shown = [_short(value, 80) for value in list(allowed)[:most]]
    more = len(list(allowed)) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
