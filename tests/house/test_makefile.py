from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

OLD = "#!/bin/sh\nexit 1\n"
NO_VENV = '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac\nexit 0\n'


@pytest.fixture
def make(repository, tmp_path):
    """Run make in a copy of the repository on a machine with these Pythons only."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(repository / name, tmp_path)
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "make", "awk", "echo", "test"):
        (tools / tool).symlink_to(shutil.which(tool))

    def run(*arguments, **pythons):
        for name, script in pythons.items():
            (tools / name).write_text(script)
            (tools / name).chmod(0o755)
        environment = {key: value for key, value in os.environ.items() if "MAKE" not in key}
        return subprocess.run(  # noqa: S603
            [str(tools / "make"), *arguments],
            cwd=tmp_path,
            env={**environment, "PATH": str(tools)},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_help_lists_every_command_with_a_line(make, repository):
    targets = re.search(r"^\.PHONY: (.+)$", (repository / "Makefile").read_text(), re.MULTILINE)[
        1
    ].split()
    done = make()
    listed = re.findall(r"^  make (\S+)\s+\S", done.stdout, re.MULTILINE)
    assert (done.returncode, sorted(listed)) == (0, sorted(targets))


@pytest.mark.parametrize("pythons", [{}, {"python3": OLD}])
def test_without_a_python_of_3_11_it_says_so(make, pythons):
    done = make("report", **pythons)
    assert done.returncode == 2
    assert "Python 3.11 or newer is needed" in done.stdout
    assert "make report PYTHON=" in done.stdout


def test_without_venv_it_says_how_to_get_it(make):
    done = make("test", python3=NO_VENV)
    assert done.returncode == 2
    assert "apt-get install python3-venv" in done.stdout
