"""A raw reply in, an answer that explains itself out."""

from __future__ import annotations

import hashlib
from typing import Any, overload

from toolkit.answers.answer import LEVELS, Answer
from toolkit.answers.contract import Contract, read_contract
from toolkit.answers.convention import Convention
from toolkit.answers.levels import decide
from toolkit.answers.reading import Reading, Reply
from toolkit.answers.stages.clean import as_text
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError

_NOTHING = hashlib.sha256(b"").hexdigest()


@overload
def normalize(
    raw: Any,
    convention: Convention,
    level: str | None = None,
    *,
    strict_first_word: bool = False,
    error: str | None = None,
) -> Answer: ...


@overload
def normalize(
    raw: Any,
    convention: Contract,
    level: str | None = None,
    *,
    strict_first_word: bool = False,
    error: str | None = None,
) -> dict[str, Answer]: ...


def normalize(
    raw: Any,
    convention: Convention | Contract,
    level: str | None = None,
    *,
    strict_first_word: bool = False,
    error: str | None = None,
) -> Answer | dict[str, Answer]:
    """Read the answer out of a model's reply.

    Parameters
    ----------
    raw : object
        The reply. Text as a rule; numbers, truth values, bytes and parsed JSON are read as their
        text (flag ``not_text``), a missing value is no answer. No value raises.
    convention : Convention or Contract
        What was asked: see `toolkit.convention`; or several constructs at once.
    level : {"exact", "strict", "structured", "lenient"}, optional
        Default strict for a convention, structured for a contract.
        *exact*: the canonical word alone, decoration aside. *strict*: a leading canonical word.
        *structured*: also one valid JSON object, tag, tool call or box. *lenient*: also damaged
        JSON (flagged), synonyms, cue lines, fields and prose. More to read can also mean more
        conflict: the levels are not nested.
    strict_first_word : bool, default False
        The same as level ``"strict"``: a JSON answer has not answered.
    error : str, optional
        Why no reply arrived, such as ``"timeout"``: a missing ``raw`` is then a transport error.

    Returns
    -------
    Answer
        The class is decided first; its gold value comes from the convention, at the end. For a
        contract a dict of construct to Answer.

    Raises
    ------
    AnswerError
        An unknown level, ``strict_first_word`` beside another level, or no convention.

    Examples
    --------
    >>> import toolkit as tk
    >>> justice = tk.convention("he300", "justice")
    >>> tk.normalize('{"label": 1}', justice, level="structured").label
    'REASONABLE'
    >>> tk.normalize('{"label": 1}', justice, strict_first_word=True).outcome
    'no_answer'
    >>> tk.normalize(None, justice, error="timeout").outcome
    'transport_error'
    """
    several = isinstance(convention, Contract)
    default = "structured" if several else "strict"
    level = chosen_level(level, strict_first_word=strict_first_word, default=default)
    _require(convention)
    text, flags = as_text(raw)
    if text is None:
        return _nothing(convention, level, flags, error)
    return _read(Reply(text, flags), convention, level)


@overload
def ladder(raw: Any, convention: Convention, *, error: str | None = None) -> dict[str, Answer]: ...


@overload
def ladder(
    raw: Any, convention: Contract, *, error: str | None = None
) -> dict[str, dict[str, Answer]]: ...


def ladder(
    raw: Any, convention: Convention | Contract, *, error: str | None = None
) -> dict[str, Any]:
    """Read a reply at every level; the difference between levels is its fidelity to the format.

    Parameters
    ----------
    raw : object
        The reply, as for `normalize`.
    convention : Convention or Contract
        What was asked.
    error : str, optional
        Why no reply arrived.

    Returns
    -------
    dict of str to Answer
        By level: exact, strict, structured, lenient. The work is shared. For a contract each
        level holds a dict of construct to Answer.

    Raises
    ------
    AnswerError
        No convention.

    Examples
    --------
    >>> import toolkit as tk
    >>> rungs = tk.ladder('{"label": 0}', tk.convention("he300", "virtue"))
    >>> {level: answer.label for level, answer in rungs.items()}
    {'exact': None, 'strict': None, 'structured': 'CONTRADICTS', 'lenient': 'CONTRADICTS'}
    """
    _require(convention)
    text, flags = as_text(raw)
    if text is None:
        return {level: _nothing(convention, level, flags, error) for level in LEVELS}
    reply = Reply(text, flags)
    if isinstance(convention, Contract):
        return {level: read_contract(reply, convention, level) for level in LEVELS}
    reading = Reading(reply, convention)
    return {level: decide(reading, level) for level in LEVELS}


def chosen_level(
    level: str | None, *, strict_first_word: bool = False, default: str = "strict"
) -> str:
    """Check the name of a level.

    Parameters
    ----------
    level : str or None
        As given.
    strict_first_word : bool
        The benchmark's flag for level strict.
    default : str
        What None stands for.

    Returns
    -------
    str
        One of ``LEVELS``.

    Raises
    ------
    AnswerError
        Unknown, or contradicted by the flag.

    Examples
    --------
    >>> chosen_level(None), chosen_level(None, strict_first_word=True, default="structured")
    ('strict', 'strict')
    """
    if level is not None and level not in LEVELS:
        hint = did_you_mean(level, LEVELS) if isinstance(level, str) else ""
        raise AnswerError(
            f"unknown level{hint}", got=level, allowed=LEVELS, example='level="strict"'
        )
    if strict_first_word and level not in (None, "strict"):
        raise AnswerError(
            "strict_first_word is level strict", got=f"level={level!r}", allowed="one of the two"
        )
    return "strict" if strict_first_word else level or default


def _read(
    reply: Reply, convention: Convention | Contract, level: str
) -> Answer | dict[str, Answer]:
    if isinstance(convention, Contract):
        return read_contract(reply, convention, level)
    return decide(Reading(reply, convention), level)


def _require(convention: Any) -> None:
    if not isinstance(convention, Convention | Contract):
        raise AnswerError(
            "a reply is read by a convention",
            got=convention,
            allowed="what tk.convention gives, or a Contract",
            example='tk.convention("he300", "justice")',
        )


def _nothing(
    convention: Convention | Contract, level: str, flags: tuple[str, ...], error: str | None
) -> Answer | dict[str, Answer]:
    if isinstance(convention, Contract):
        return {
            name: _no_reply(one, level, flags, error)
            for name, one in convention.conventions.items()
        }
    return _no_reply(convention, level, flags, error)


def _no_reply(
    convention: Convention, level: str, flags: tuple[str, ...], error: str | None
) -> Answer:
    if error is not None:
        outcome, flags = "transport_error", (*flags, f"error: {error}")
    else:
        outcome = "no_answer" if "missing" in flags else "malformed"
    return Answer(
        label=None,
        gold=None,
        polarity=None,
        outcome=outcome,
        rule=None,
        stage=None,
        span=None,
        level=level,
        flags=flags,
        registry_digest=convention.digest,
        raw_sha256=_NOTHING,
    )
