"""Ask a judge about many prompts at once: a pool, a rate, a journal, in no order that shows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from toolkit.errors import AnswerError
from toolkit.scoring.judge.attempts import Ask, Attempt, ask_judge
from toolkit.scoring.judge.journal import JudgeJournal, Key


@dataclass(frozen=True, slots=True)
class Pool:
    """How many calls at once, how many a second, how patient.

    Attributes
    ----------
    workers : int
        Calls at the same time.
    rate : float or None
        Calls a second over all workers, retries included; None: no limit.
    retries : int
        Further calls after one that failed.
    timeout : float or None
        Seconds to wait for one call.

    Raises
    ------
    AnswerError
        A number that is none, or out of range.

    Examples
    --------
    >>> Pool(workers=2).ask_all(lambda prompt: "PASS", {("i1", "ab"): "PASS or FAIL?"})
    {('i1', 'ab'): (Attempt(1, replied, 'PASS'),)}
    """

    workers: int = 4
    rate: float | None = None
    retries: int = 2
    timeout: float | None = 60.0

    def __post_init__(self) -> None:
        if isinstance(self.workers, bool) or not isinstance(self.workers, int) or self.workers < 1:
            raise AnswerError(
                "`workers` is no number of calls at once",
                got=self.workers,
                allowed="1 or more",
                example="workers=4",
            )
        number = isinstance(self.rate, int | float) and not isinstance(self.rate, bool)
        if self.rate is not None and not (number and 0 < self.rate < float("inf")):
            raise AnswerError(
                "`rate` is no number of calls a second",
                got=self.rate,
                allowed="above 0, or None for no limit",
                example="rate=2.5",
            )

    def ask_all(
        self, ask: Ask, prompts: Mapping[Key, str], journal: JudgeJournal | None = None
    ) -> dict[Key, tuple[Attempt, ...]]:
        """Ask about every prompt that the journal has no reply to.

        Parameters
        ----------
        ask : callable
            From prompt to reply; called from several threads.
        prompts : mapping
            (item id, SHA-256 of the prompt) -> prompt.
        journal : JudgeJournal, optional
            Where calls are kept, and where earlier ones are found.

        Returns
        -------
        dict
            The same keys in the same order -> every attempt, those of earlier runs first.

        Examples
        --------
        See the class.
        """
        earlier = {key: tuple(journal.attempts.get(key, ())) for key in prompts} if journal else {}
        done = {key: made for key, made in earlier.items() if made and made[-1].reply is not None}
        stop = threading.Event()
        limiter = _Limiter(self.rate)

        def before() -> None:
            limiter.wait()
            if stop.is_set():
                raise _StoppedError

        def one(key: Key) -> tuple[Attempt, ...]:
            kept = earlier.get(key, ())
            after: Callable[[Attempt], None] | None = None
            if journal:
                after = _writer(journal, key)
            return kept + ask_judge(
                ask,
                prompts[key],
                timeout=self.timeout,
                retries=self.retries,
                first=len(kept) + 1,
                before=before,
                after=after,
            )

        pool = ThreadPoolExecutor(self.workers, thread_name_prefix="judge-pool")
        try:
            calls = {key: pool.submit(one, key) for key in prompts if key not in done}
            _raise_first(calls)
        finally:
            # An interrupt drops what has not begun, retries included.
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
        return {key: done[key] if key in done else calls[key].result() for key in prompts}


class _StoppedError(Exception):
    """The run was interrupted: ends a worker, and nobody sees it."""


class _Limiter:
    """Evenly spaced starts, whichever thread asks."""

    def __init__(self, rate: float | None) -> None:
        self._gap = 1 / rate if rate else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        with self._lock:
            start = max(time.monotonic(), self._next)
            self._next = start + self._gap
        time.sleep(max(0.0, start - time.monotonic()))


def _writer(journal: JudgeJournal, key: Key) -> Callable[[Attempt], None]:
    return lambda attempt: journal.append(key, attempt)


def _raise_first(calls: Mapping[Key, Future[tuple[Attempt, ...]]]) -> None:
    finished, _ = wait(calls.values(), return_when=FIRST_EXCEPTION)
    for call in finished:
        failure = call.exception()
        if failure is not None:
            raise failure
