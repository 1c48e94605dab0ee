"""Where the tests find data that does not belong into the repository."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from required import leave_out

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data():
    """Folder of the real label data; without it tests skip, but never in CI."""
    shared = Path(os.environ.get("TOOLKIT_SHARED", REPOSITORY.parent / "shared"))
    folder = (REPOSITORY / shared).resolve() / "data"
    if folder.is_dir():
        return folder
    reason = f"no real label data at {folder}: set TOOLKIT_SHARED"
    return leave_out("data", reason)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 64 KB in memory; needs the right to mount."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:  # noqa: S603
        leave_out("mount", "no right to mount a small tmpfs: the limit of a file's size is tested")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)  # noqa: S603, S607
