"""A journal is whole lines or nothing, and arguments are refused before the first call."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from toolkit.errors import AnswerError, ToolkitError
from toolkit.scoring import evaluate_frame
from toolkit.scoring.judge.attempts import Attempt
from toolkit.scoring.judge.journal import JudgeJournal

RUN = pd.DataFrame(
    {"id": ["j1"], "subset": "justice", "gold": 1, "text": "x", "raw_response": "REASONABLE"}
)

# A limit on the size of files is a disk that takes a part of a line.
SHORT_WRITE = """
import resource, sys
from toolkit.errors import AnswerError
from toolkit.scoring.judge.attempts import Attempt
from toolkit.scoring.judge.journal import JudgeJournal

with JudgeJournal(sys.argv[1]) as journal:
    journal.append(("i1", "ab"), Attempt(1, "replied", reply="PASS"))
    size = journal.path.stat().st_size
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (size + 20, hard):  # the second write would have room
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            journal.append(("i2", "cd"), Attempt(1, "replied", reply="PASS"))
        except AnswerError as error:
            print(error.got)
        assert journal.path.stat().st_size == size
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_short_write_leaves_no_stump_and_ends_the_writing(tmp_path: Path) -> None:
    path = tmp_path / "judge.jsonl"
    command = [sys.executable, "-c", SHORT_WRITE, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.stdout.splitlines() == ["the disk took only a part of a line"] * 2, done.stderr
    with JudgeJournal(path) as journal:
        assert list(journal.attempts) == [("i1", "ab")]
        assert journal.torn == 0


@pytest.mark.parametrize(
    "arguments",
    [{"seed": -1}, {"seed": "x"}, {"level": "x"}, {"journal": 5}, {"journal": "a\0b"}],
)
def test_arguments_are_refused_before_the_first_call(arguments: dict[str, Any]) -> None:
    asked: list[str] = []
    with pytest.raises(ToolkitError):
        evaluate_frame(RUN, asked.append, **arguments)  # type: ignore[arg-type]
    assert asked == []


def test_a_line_with_a_number_that_is_none_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "judge.jsonl"
    with JudgeJournal(path) as journal:
        journal.append(("i1", "ab"), Attempt(1, "replied", reply="PASS"))
    path.write_text(path.read_text().replace('"number": 1', '"number": "x"'))
    with pytest.raises(AnswerError, match="line 1"):
        JudgeJournal(path)


def test_two_columns_of_benchmarks_are_refused() -> None:
    named = RUN.assign(benchmark="he300")
    with pytest.raises(AnswerError, match="two columns 'benchmark'"):
        evaluate_frame(pd.concat([named, named[["benchmark"]]], axis="columns"))
