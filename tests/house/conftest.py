from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def tracked() -> list[Path]:
    """Files that git holds or would take; in an unpacked archive, all but generated ones."""
    git = shutil.which("git")
    if git is None or not (REPOSITORY / ".git").exists():
        return [path for path in REPOSITORY.rglob("*") if path.is_file() and not _generated(path)]
    listed = subprocess.run(  # noqa: S603
        [git, "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    files = [REPOSITORY / name for name in listed.stdout.split("\0") if name]
    return [file for file in files if file.is_file()]


def _generated(path: Path) -> bool:
    parts = path.relative_to(REPOSITORY).parts
    hidden = any(part.startswith(".") and part != ".ci" for part in parts[:-1])
    return hidden or bool({"reports", "dist", "__pycache__"} & set(parts))
