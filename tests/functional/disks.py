"""Disks that are full: by the limit of a file's size, which needs no right, or in memory."""

from __future__ import annotations

import resource
import subprocess
from contextlib import contextmanager


@contextmanager
def no_file_above(size):
    """Files grow to this size and no further: a part of a write succeeds, the rest fails."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def remount(place, how):
    """Change a disk that is mounted."""
    subprocess.run(["mount", "-o", f"remount,{how}", str(place)], check=True)  # noqa: S603, S607
