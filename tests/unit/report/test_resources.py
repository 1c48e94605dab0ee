from __future__ import annotations

import pytest

from toolkit.errors import ParameterError
from toolkit.report.resources import bundled, find_notebook, notebooks


def test_data_and_notebooks_are_found_from_any_folder(elsewhere):
    assert bundled("README.md").is_file()
    assert bundled("README.md").is_absolute()
    assert elsewhere not in bundled("README.md").parents
    assert list(notebooks()) == sorted(notebooks())


@pytest.mark.parametrize("name", ["../pyproject.toml", "/etc/passwd", "READMI.md", "no/such"])
def test_data_that_is_not_bundled_is_refused(name):
    with pytest.raises(ParameterError, match="no bundled data of that name"):
        bundled(name)


def test_the_nearest_name_is_offered():
    with pytest.raises(ParameterError, match=r"did you mean 'README\.md'"):
        bundled("READMI.md")


def test_a_notebook_is_found_by_path_only_with_its_ending(write_notebook):
    path = write_notebook()
    assert find_notebook(str(path)) == path
    with pytest.raises(ParameterError):
        find_notebook(str(path.with_suffix("")))
