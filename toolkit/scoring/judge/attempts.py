"""Ask a judge once or several times, and keep what happened each time."""

from __future__ import annotations

import contextvars
import inspect
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from toolkit.errors import AnswerError
from toolkit.plain import plain

Ask: TypeAlias = Callable[[str], str]

# What one call came to. Only "replied" carries a reply; whether it can be read is another matter.
ATTEMPT_OUTCOMES = ("replied", "raised", "timeout", "not_text")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of the judge.

    Attributes
    ----------
    number : int
        1 for the first call about this prompt; later calls are appended, never put in its place.
    outcome : {"replied", "raised", "timeout", "not_text"}
        What the call came to.
    error : str or None
        Class of what was raised, or of the value that was no text.
    message : str or None
        What the error said.
    reply : str or None
        The text of the judge, never cut.
    seconds : float
        How long it took. Not compared, and not in `to_dict`: it is another one each time.

    Examples
    --------
    >>> Attempt(1, "raised", error="ConnectionError", message="no route")
    Attempt(1, raised, ConnectionError: no route)
    """

    number: int
    outcome: str
    error: str | None = None
    message: str | None = None
    reply: str | None = None
    seconds: float = field(default=0.0, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Give every field but the seconds as strict JSON.

        Returns
        -------
        dict
            By the names of the attributes.

        Examples
        --------
        >>> Attempt(1, "replied", reply="FAIL", seconds=0.8).to_dict()["reply"]
        'FAIL'
        """
        names = ("number", "outcome", "error", "message", "reply")
        return {name: plain(getattr(self, name)) for name in names}

    def __repr__(self) -> str:
        told = f"{self.error}: {self.message}" if self.error else repr(self.reply)
        return f"Attempt({self.number}, {self.outcome}, {told})"


def ask_judge(
    ask: Ask,
    prompt: str,
    *,
    timeout: float | None = 60.0,
    retries: int = 0,
    first: int = 1,
    before: Callable[[], None] | None = None,
    after: Callable[[Attempt], None] | None = None,
) -> tuple[Attempt, ...]:
    """Ask until a text comes back or the retries are used up.

    Parameters
    ----------
    ask : callable
        From prompt to reply.
    prompt : str
        What is asked.
    timeout : float or None
        Seconds to wait for one call, which then runs in a daemon thread; None waits for ever.
    retries : int
        Further calls after one that failed. A reply that can't be read is no failure.
    first : int
        Number of the first attempt: 1, or more where a journal holds earlier ones.
    before, after : callable, optional
        Called before each call (a rate limit), and with each attempt (a journal).

    Returns
    -------
    tuple of Attempt
        All calls in their order; the last one replied, or all failed.

    Examples
    --------
    >>> ask_judge(lambda prompt: "FAIL", "PASS or FAIL?")
    (Attempt(1, replied, 'FAIL'),)
    """
    made: list[Attempt] = []
    for number in range(first, first + retries + 1):
        if before:
            before()
        made.append(_once(ask, prompt, timeout, number))
        if after:
            after(made[-1])
        if made[-1].outcome == "replied":
            break
    return tuple(made)


def check_asking(ask: Any, timeout: Any, retries: Any) -> None:
    """Refuse what can't be called, waited for or counted."""
    if ask is not None and not callable(ask):
        raise AnswerError(
            "`ask` can't be called",
            got=ask,
            allowed="any callable from prompt text to reply text",
            example="ask=lambda prompt: client.complete(prompt)",
        )
    number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if timeout is not None and not (number and 0 < timeout <= threading.TIMEOUT_MAX):
        raise AnswerError(
            "`timeout` is no time to wait",
            got=timeout,
            allowed="seconds above 0, or None for no limit",
            example="timeout=60",
        )
    if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
        raise AnswerError(
            "`retries` is no count", got=retries, allowed="0 or more", example="retries=2"
        )


def _once(ask: Ask, prompt: str, timeout: float | None, number: int) -> Attempt:
    start = time.perf_counter()
    box: list[tuple[str, Any]] = []

    def call() -> None:
        try:
            box.append(("value", ask(prompt)))
        except BaseException as error:  # noqa: BLE001 - a judge may fail in any way it likes
            box.append(("error", error))

    if timeout is None:
        call()
    else:
        # A daemon: a hung call can neither be stopped nor keep the interpreter from ending.
        context = contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(call,), daemon=True, name="judge")
        thread.start()
        thread.join(timeout)
    seconds = time.perf_counter() - start
    if not box:
        told = f"no reply within {timeout:g} s"
        return Attempt(number, "timeout", "TimeoutError", told, seconds=seconds)
    kind, value = box[0]
    if kind == "error":
        if isinstance(value, KeyboardInterrupt | SystemExit):
            raise value
        return Attempt(number, "raised", type(value).__name__, _told(value), seconds=seconds)
    if isinstance(value, str):
        return Attempt(number, "replied", reply=str(value), seconds=seconds)
    if inspect.iscoroutine(value):
        value.close()  # else Python warns that it was never awaited
    told = "ask returned no text"
    return Attempt(number, "not_text", type(value).__name__, told, seconds=seconds)


def _told(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - even the message of a foreign error may fail
        return ""
