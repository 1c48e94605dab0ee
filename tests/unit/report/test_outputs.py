from __future__ import annotations

import stat

import pytest

from toolkit.errors import NotebookError
from toolkit.report.outputs import read_json, write_json, write_text


def test_a_write_that_fails_leaves_the_old_file_and_no_rest(tmp_path):
    path = write_json(tmp_path / "results.json", {"kappa": 0.5})
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(path, {"kappa": float("nan")})
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "\udcff")
    assert path.read_text() == '{\n  "kappa": 0.5\n}\n'
    assert [item.name for item in tmp_path.iterdir()] == ["results.json"]


def test_a_report_can_be_read_by_others(tmp_path):
    path = write_text(tmp_path / "a.html", "é")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert path.read_bytes() == "é".encode()


@pytest.mark.parametrize("content", [None, "", "{", '{"kappa": NaN}', "[Infinity]", "[-Infinity]"])
def test_results_that_are_no_strict_json_are_refused(tmp_path, content):
    path = tmp_path / "results.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(NotebookError, match=r"results\.json"):
        read_json(path)
