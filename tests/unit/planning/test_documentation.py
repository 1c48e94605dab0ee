"""The page on planning can be followed in an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "planning.md"


def test_every_snippet_of_the_page_runs_and_reaches_the_targets(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for snippet in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(snippet, names)  # noqa: S102  what a reader would do
    assert "no plan below" in capsys.readouterr().out
    assert set(names["found"].estimates) == {"escalation", "self_harm"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["batch.csv", "to_label.csv"]
