"""No label that was acknowledged is ever lost: writers and kernels killed at random moments."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from queue import Empty

import journal_writers
import pytest
from jupyter_client.manager import KernelManager

from toolkit.labels.journal import journal_events, read_journal

REPOSITORY = Path(__file__).resolve().parents[2]
LABELLING = """
import os
from toolkit.labels.journal import Journal
print("pid", os.getpid(), flush=True)
journal = Journal.open({folder!r}, study="pilot", rater="ann")
for number in range(10**6):
    event = journal.append("label", item_id=f"i{{number % 50}}", labels={{"tone": number % 2}})
    print("saved", event["event_id"], flush=True)
"""


def run(task, folder, argument):
    """Run writers in processes of their own, and give what they were told is saved."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, journal_writers.__file__, task, str(folder), str(argument)],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)


def on_disk(folder):
    """Read ids without the toolkit: whole lines, and the number of files that end in a torn one."""
    found, torn = [], 0
    for path in sorted(folder.glob("*.jsonl")):
        *lines, last = path.read_bytes().split(b"\n")
        found += [json.loads(line)["event_id"] for line in lines]
        torn += bool(last)
    return found, torn


def check(folder, acknowledged):
    """Every acknowledged label is on the disk and read, none twice."""
    found, torn = on_disk(folder)
    assert len(found) == len(set(found))
    assert set(acknowledged) <= set(found)
    assert len(acknowledged) == len(set(acknowledged)) > 0
    events = journal_events(folder)
    assert sorted(events["event_id"]) == sorted(found)
    labels = read_journal(folder)
    assert any(flag.startswith("torn_last_line") for flag in labels.flags) == (torn > 0)
    assert not any(flag.startswith("duplicate") for flag in labels.flags)
    last = events.drop_duplicates(["rater", "item_id"], keep="last")
    assert set(labels.frame["event_id"]) == set(last["event_id"])


@pytest.mark.parametrize("rounds", [50, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_writer_killed_at_a_random_moment_loses_no_acknowledged_label(tmp_path, rounds):
    check(tmp_path, run("kill", tmp_path, rounds))


@pytest.mark.parametrize("raters", ["ABCDEFGH", "AAAAAAAA"])
def test_eight_processes_on_one_folder_lose_nothing(tmp_path, raters):
    acknowledged = run("together", tmp_path, raters)
    assert len(acknowledged) == 8 * 40
    check(tmp_path, acknowledged)
    files = sorted(tmp_path.glob("*.jsonl"))
    assert [path.read_bytes().count(b"\n") for path in files] == [40] * 8


def test_a_fork_can_not_write_into_the_file_of_its_parent(tmp_path):
    (refusal,) = run("fork", tmp_path, 0)
    assert "belongs to another process" in refusal
    assert on_disk(tmp_path) == ([], 0)


def label_until_killed(folder, seconds):
    """Label in a kernel, kill it after some time, and give what the notebook was told is saved."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(REPOSITORY))
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=120)
        client.execute(LABELLING.format(folder=str(folder)))
        told = ""
        while "saved" not in told:
            told += printed(client, 120)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            told += printed(client, 0.05)
        os.kill(int(told.split()[1]), signal.SIGKILL)
        while more := printed(client, 1):
            told += more
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return [line.split()[1] for line in told.split("\n")[:-1] if line.startswith("saved")]


def printed(client, timeout):
    """Give what the kernel printed next, empty when nothing came in time."""
    until = time.monotonic() + timeout
    while (left := until - time.monotonic()) > 0:
        try:
            message = client.get_iopub_msg(timeout=left)
        except Empty:
            return ""
        assert message["msg_type"] != "error", message["content"]
        if message["msg_type"] == "stream" and message["content"]["name"] == "stdout":
            return message["content"]["text"]
    return ""


@pytest.mark.parametrize("rounds", [5, pytest.param(50, marks=pytest.mark.slow)])
def test_a_kernel_killed_at_a_random_moment_loses_no_acknowledged_label(tmp_path, rounds):
    moments = random.Random(7)  # noqa: S311
    acknowledged = []
    for _ in range(rounds):
        acknowledged += label_until_killed(tmp_path, moments.uniform(0, 1))
    check(tmp_path, acknowledged)
    assert len(list(tmp_path.glob("*.jsonl"))) == rounds
