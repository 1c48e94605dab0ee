"""judgegate 0.1.0 in an environment of its own, made when it is first needed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from timing import REPEATS

HERE = Path(__file__).parent
REQUIREMENT = "judgegate==0.1.0"
ENVIRONMENT = HERE / ".envs" / "judgegate"
PYTHON = ENVIRONMENT / "bin" / "python"


def judgegate_seconds(tables: list[list[list[int]]], draws: int) -> list[float] | str:
    """Give the median seconds per table, or the reason why there are none."""
    reason = _install()
    if reason:
        return reason
    job = {"tables": tables, "draws": draws, "repeats": REPEATS}
    done = _run([PYTHON, HERE / "judgegate_timing.py"], json.dumps(job))
    if done.returncode:
        return f"failed: {_last_line(done.stderr)}"
    return list(json.loads(done.stdout))


def _install() -> str | None:
    """Make the environment unless it is there; give the reason if that fails."""
    if (ENVIRONMENT / "installed").exists():
        return None
    steps = (
        [sys.executable, "-m", "venv", "--clear", ENVIRONMENT],
        [PYTHON, "-m", "pip", "install", "--quiet", REQUIREMENT],
    )
    for step in steps:
        done = _run(step)
        if done.returncode:
            return f"{REQUIREMENT} can't be installed: {_last_line(done.stderr)}"
    (ENVIRONMENT / "installed").touch()
    return None


def _run(command: list[str | Path], given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - all parts of the command are ours
        command, input=given, capture_output=True, text=True, check=False
    )


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"
