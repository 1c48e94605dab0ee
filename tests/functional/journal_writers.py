"""Processes that write label journals; started by test_journal_kill.py, never by pytest.

The toolkit is imported once; every writer is a fork of this process, so that a round costs
milliseconds and a kill can hit any moment of a sitting, its beginning too.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from toolkit.errors import LabelError
from toolkit.labels.journal import Journal

RATERS = 20


def write(folder: str, rater: str, pipe: int, seed: int, most: int) -> None:
    """Label until killed, and acknowledge each event by its id."""
    moments = random.Random(seed)  # noqa: S311  no secret
    with Journal.open(folder, study="pilot", rater=rater) as journal:
        for number in range(most):
            # A long note now and then: its write takes long enough to be cut in the middle.
            note = "n" * 2_000_000 if seed and moments.random() < 0.1 else None
            event = journal.append(
                "label", item_id=f"i{number}", labels={"tone": number % 2}, note=note
            )
            os.write(pipe, f"{event['event_id']}\n".encode())


def start(folder: str, rater: str, seed: int, most: int = 10**6) -> tuple[int, int]:
    """Fork a writer; give its process and the end of the pipe that it acknowledges on."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, reader
    code = 1
    try:
        os.close(reader)
        write(folder, rater, writer, seed, most)
        code = 0
    finally:
        os._exit(code)


def acknowledged(reader: int) -> list[str]:
    """Read all that a writer acknowledged; a cut last id was not."""
    with os.fdopen(reader, "rb") as pipe:
        return pipe.read().decode().split("\n")[:-1]


def kill_rounds(folder: str, rounds: int) -> list[str]:
    """Kill one writer after another at a random moment."""
    seen = []
    for number in range(rounds):
        child, reader = start(folder, f"r{number % RATERS}", seed=number + 1)
        time.sleep(random.Random(number).uniform(0, 0.15))  # noqa: S311
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        seen += acknowledged(reader)
        for path in Path(folder).glob(f"pilot.r{number % RATERS}.*.jsonl"):
            _shorten(path)
    return seen


def _shorten(path: Path) -> None:
    """Take most of the long notes out again, so that a thousand rounds fit on the disk."""
    content = path.read_bytes()
    if len(content) > 100_000:
        path.write_bytes(content.replace(b"n" * 10_000, b""))


def together(folder: str, raters: str) -> list[str]:
    """Let several write at the same time."""
    writers = [start(folder, rater, seed=0, most=40) for rater in raters]
    seen = [event for _, reader in writers for event in acknowledged(reader)]
    for child, _ in writers:
        os.waitpid(child, 0)
    return seen


def forked(folder: str) -> list[str]:
    """Let a copy of the process write into the file of its parent."""
    journal = Journal.open(folder, study="pilot", rater="ann")
    reader, writer = os.pipe()
    if not os.fork():
        try:
            journal.append("skip", item_id="i1")
        except LabelError as error:
            os.write(writer, f"{error}\n".encode())
        finally:
            os._exit(0)
    os.close(writer)
    return acknowledged(reader)


if __name__ == "__main__":
    task, place, argument = sys.argv[1:]
    if task == "kill":
        made = kill_rounds(place, int(argument))
    elif task == "together":
        made = together(place, argument)
    else:
        made = forked(place)
    json.dump(made, sys.stdout)
