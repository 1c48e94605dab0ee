"""What every generator here does at the end: write its folder, or compare it.

A file whose name ends in .gz is compared unpacked: other builds of zlib pack other bytes.
"""

from __future__ import annotations

import difflib
import gzip
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

MOST_LINES = 20  # of a difference
Files = Mapping[str, str]


def differences(folder: Path, files: Files) -> list[str]:
    """Say how the files in a folder differ from what the generator makes now."""
    found = []
    for name, made in files.items():
        path = folder / name
        if not path.exists():
            found.append(f"{name} is missing")
        elif (there := _unpacked(path)) != made.encode():
            lines = difflib.unified_diff(
                there.decode().splitlines(),
                made.splitlines(),
                f"{name}, there",
                "made",
                lineterm="",
            )
            found += list(lines)[:MOST_LINES] or [f"{name} differs in line ends"]
    return found


def command(arguments: list[str], folder: Path, make: Callable[[], Files]) -> int:
    """Write the folder, or with ``--check`` compare it; give the exit code."""
    if arguments == ["--check"]:
        found = differences(folder, make())
        print("\n".join(found) or f"data/{folder.name} is what the generator makes")
        return 1 if found else 0
    if arguments:
        print(f"unknown argument {arguments[0]!r}; allowed: --check, or nothing", file=sys.stderr)
        return 2
    folder.mkdir(exist_ok=True)
    for name, made in make().items():
        (folder / name).write_bytes(_packed(name, made))
        print(f"wrote {name}")
    return 0


def _packed(name: str, made: str) -> bytes:
    content = made.encode()
    return gzip.compress(content, mtime=0) if name.endswith(".gz") else content


def _unpacked(path: Path) -> bytes:
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content
