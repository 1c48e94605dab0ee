from __future__ import annotations

import importlib.metadata
import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import toolkit


@pytest.fixture(scope="module")
def project(repository):
    return tomllib.loads((repository / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def pins(repository):
    lines = (repository / "constraints.txt").read_text().splitlines()
    matches = [re.fullmatch(r"([\w.-]+)==([\w.]+)", line) for line in lines if line[:1] != "#"]
    assert all(matches), "names and versions only"
    return {canonicalize_name(match[1]): match[2] for match in matches}


def test_the_version_is_written_once_and_cited_the_same(repository, project):
    assert "version" in project["dynamic"]
    assert importlib.metadata.version("construct-toolkit") == toolkit.__version__
    cited = yaml.safe_load((repository / "CITATION.cff").read_text())["version"]
    assert cited == toolkit.__version__
    assert (
        re.findall(r"^## ([\d.]+)", (repository / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
        == cited
    )


def test_every_dependency_is_pinned_within_its_range(project, pins):
    extras = project["optional-dependencies"].values()
    for text in [*project["dependencies"], *(one for extra in extras for one in extra)]:
        requirement = Requirement(text)
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), text


def test_pins_install_on_the_oldest_python(pins):
    # 3.0 to 3.0.1 of soupsieve were withdrawn, later ones need Python 3.11.5; Debian 12 has 3.11.2.
    assert int(pins["soupsieve"].split(".")[0]) < 3


def test_the_conda_environment_holds_python_and_the_local_install_only(repository):
    environment = yaml.safe_load((repository / "environment.yml").read_text())
    python, pip, local = environment["dependencies"]
    assert re.fullmatch(r"python=3\.\d+", python)
    assert pip == "pip"
    assert local["pip"] == ["--constraint constraints.txt", "--editable .[lab,test]"]
