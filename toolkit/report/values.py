"""Values for the parameters of a notebook: checked, and turned into plain Python."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, get_args, get_origin

import numpy as np
import yaml
from pydantic import ValidationError

from toolkit.errors import ParameterError
from toolkit.report.resources import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolkit.report.parameters import Parameter

# A parameter is stored in the notebook and in its results, for everyone to read.
_SECRET = frozenset({"key", "token", "secret", "password", "passwd", "credential", "apikey"})


def check_values(parameters: Sequence[Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """Check values given in Python.

    Parameters
    ----------
    parameters : sequence of Parameter
        What the notebook takes.
    values : mapping of str to object
        What it is called with. NumPy scalars become Python numbers, paths become text, tuples
        become lists; nothing else is converted.

    Returns
    -------
    dict of str to object
        Plain Python values, each of the type that the notebook declares.

    Raises
    ------
    ParameterError
        If a name is unknown or looks like a secret, or a value is of another type, NaN or
        infinite.

    Examples
    --------
    >>> import numpy as np
    >>> from toolkit.report.parameters import parse_cell
    >>> from toolkit.report.values import check_values
    >>> check_values(parse_cell("seed: int = 0"), {"seed": np.int64(7)})
    {'seed': 7}
    >>> check_values(parse_cell("seed: int = 0"), {"sed": 7})
    Traceback (most recent call last):
    ...
    toolkit.errors.ParameterError: unknown parameter; did you mean 'seed'?...
    """
    return {
        name: _checked(_find(parameters, name), _plain(value), strict=True)
        for name, value in values.items()
    }


def values_from_text(parameters: Sequence[Parameter], texts: Iterable[str]) -> dict[str, Any]:
    """Check values given as text, as on a command line.

    Parameters
    ----------
    parameters : sequence of Parameter
        What the notebook takes.
    texts : iterable of str
        Each ``name=value``. The declared type decides how a value is read, so text stays text
        (``007``). ``null`` is None where None is allowed, ``[a, b]`` is a list where a list is.

    Returns
    -------
    dict of str to object
        Plain Python values, each of the type that the notebook declares.

    Raises
    ------
    ParameterError
        If a text has no ``=`` or no value, a name comes twice, is unknown or looks like a secret,
        or a value is of another type, NaN or infinite.

    Examples
    --------
    >>> from toolkit.report.parameters import parse_cell
    >>> from toolkit.report.values import values_from_text
    >>> parameters = parse_cell("low: str | None = None; reference: str | list[str] = 'ann'")
    >>> values_from_text(parameters, ["low=007", "reference=[ann, ben]"])
    {'low': '007', 'reference': ['ann', 'ben']}
    """
    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ParameterError("a parameter needs a value", got=text, example="-p seed=7")
        parameter = _find(parameters, name)
        if name in values:
            raise ParameterError("parameter given twice", got=name, allowed="each name once")
        if not value:
            # An empty shell variable must not turn into the bundled data.
            raise ParameterError(
                "parameter without a value", got=text, allowed=parameter.annotation, where=name
            )
        values[name] = _checked(parameter, _parsed(parameter, value), strict=False)
    return values


def looks_secret(name: str) -> bool:
    """Whether a parameter of this name would hold a secret.

    Parameters
    ----------
    name : str
        Name of a parameter, in words joined by underscores.

    Returns
    -------
    bool
        True where a word is key, token, secret, password or the like, singular or plural.

    Examples
    --------
    >>> from toolkit.report.values import looks_secret
    >>> looks_secret("api_key"), looks_secret("monkey")
    (True, False)
    """
    words = name.lower().replace("-", "_").split("_")
    return any(word in _SECRET or word.removesuffix("s") in _SECRET for word in words)


def _find(parameters: Sequence[Parameter], name: str) -> Parameter:
    if looks_secret(name):
        raise ParameterError(
            "a parameter is written into the report, so it must not hold a secret",
            got=name,
            allowed="secrets in environment variables",
        )
    names = [parameter.name for parameter in parameters]
    if name not in names:
        raise ParameterError(
            f"unknown parameter{did_you_mean(name, names)}", got=name, allowed=names
        )
    return parameters[names.index(name)]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _parsed(parameter: Parameter, text: str) -> Any:
    types = [parameter.kind, *get_args(parameter.kind)]
    if text == "null" and type(None) in types:
        return None
    if text.startswith("[") and any(get_origin(one) is list for one in types):
        try:
            # BaseLoader leaves every item a text: no octal numbers, no `no` that means False.
            return yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - BaseLoader makes no objects
        except yaml.YAMLError as error:
            raise ParameterError(
                "list can't be read", got=text, example=f"{parameter.name}=[ann, ben]"
            ) from error
    return text


def _checked(parameter: Parameter, value: Any, *, strict: bool) -> Any:
    try:
        checked = parameter.adapter.validate_python(value, strict=strict)
    except ValidationError as error:
        raise _refusal(parameter, value, str(error.errors()[0]["msg"])) from error
    for text in checked if isinstance(checked, list) else [checked]:
        if isinstance(text, str) and not text.isascii():
            _encodable(parameter, text)
    return checked


def _fits(parameter: Parameter, value: Any) -> bool:
    try:
        parameter.adapter.validate_python(value, strict=False)
    except ValidationError:
        return False
    return True


def _encodable(parameter: Parameter, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _refusal(parameter, text, "not valid UTF-8") from error


def _refusal(parameter: Parameter, value: Any, why: str) -> ParameterError:
    example = f"[{value}]" if _fits(parameter, [value]) else repr(parameter.default)
    return ParameterError(
        f"value does not fit its parameter: {why[:1].lower()}{why[1:]}",
        got=value,
        allowed=parameter.annotation,
        example=f"{parameter.name}={example}",
        where=parameter.name,
    )
