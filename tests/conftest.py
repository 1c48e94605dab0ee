"""Where the tests find data that does not belong into the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data():
    """Folder of the real label data; without it tests skip, but never in CI."""
    shared = Path(os.environ.get("TOOLKIT_SHARED", REPOSITORY.parent / "shared"))
    folder = (REPOSITORY / shared).resolve() / "data"
    if folder.is_dir():
        return folder
    reason = f"no real label data at {folder}: set TOOLKIT_SHARED"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
