"""What a test needs and a machine may lack: left out with a reason, but never in CI."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def leave_out(kind: str, reason: str) -> NoReturn:
    """Skip the test; fail where `.ci/run` says that this kind must run (TOOLKIT_REQUIRED)."""
    required = os.environ.get("TOOLKIT_REQUIRED", "").split(",")
    if kind in required or os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
