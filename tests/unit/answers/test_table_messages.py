"""Refusals of tables and files: which rows, which column to pass, and no example to regret."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.answers.tables.frame import normalize_frame
from toolkit.answers.tables.stream import normalize_file
from toolkit.errors import AnswerError, ConventionError

CLINIC = {
    "benchmark": "clinic",
    "by_subcategory": ["mix"],
    "conventions": [
        {"subsets": ["tone"], "labels": ["RUDE", "KIND"]},
        {"subsets": ["solved"], "labels": ["NO", "YES"]},
    ],
}
CONTRACT = tk.Contract({"safety": [1, 2, 3, 4, 5], "tone": ["cold", "warm"]})


def frame(subsets=("tone", "solved"), **more):
    replies = ["KIND", "NO"][: len(subsets)]
    return pd.DataFrame({"raw_response": replies, "category": list(subsets), **more})


def refusal(table, **options):
    with pytest.raises((AnswerError, ConventionError)) as raised:
        normalize_frame(table, **options)
    return str(raised.value)


def of_file(tmp_path, name, text, **options):
    path = tmp_path / name
    if name.endswith("parquet"):
        text.to_parquet(path)
    else:
        path.write_text(text, encoding="utf-8")
    with pytest.raises((AnswerError, ConventionError)) as raised:
        normalize_file(path, tmp_path / f"out_{name}", **options)
    return str(raised.value)


def test_a_benchmark_of_several_subsets_asks_for_the_column_that_names_them():
    said = refusal(frame(), benchmark="clinic", conventions=CLINIC)
    assert said == (
        "'clinic' has several subsets: pass subset=<the column that names them> (subset). Allowed:"
        " a column that holds 'tone' or 'solved'. Example: normalize_frame(frame,"
        ' benchmark="clinic", subset="category").'
    )


def test_rows_without_a_subset_are_counted_and_nothing_is_no_value():
    said = refusal(frame(("tone", None)), benchmark="clinic", subset="category", conventions=CLINIC)
    assert "in column 'category' (1 row, the first at index 1). Allowed: 'tone', 'solved'" in said
    assert "nothing" not in said


@pytest.mark.parametrize("given", [{}, {"subcategory": "kind"}])
def test_a_subset_that_pools_others_asks_for_a_column_and_not_for_a_lookup(given):
    table = frame(("tone", "mix"), kind=[None, " "])
    said = refusal(table, benchmark="clinic", subset="category", conventions=CLINIC, **given)
    column = given.get("subcategory", "column")
    assert said.endswith(
        f'normalize_frame(frame, benchmark="clinic", subset="category", subcategory="{column}").'
    )
    assert "1 row, the first at index 1" in said
    assert "justice" not in said


def test_forgotten_conventions_are_asked_for():
    said = refusal(frame(), benchmark="clinic", subset="category")
    assert "unknown benchmark. Got: 'clinic'. Allowed: 'he300', 'generic'; your own " in said
    assert "conventions=" in said


@pytest.mark.parametrize(
    ("options", "example"),
    [
        ({"subset": "kind_of_thing"}, "Example: subset='category'."),
        ({"subset": "category", "raw": "words"}, "Example: raw='raw_response'."),
        ({"subset": "category", "raw": "raw_respons"}, "Example: raw='raw_response'."),
        ({"subset": "category", "error": "why"}, "Allowed: the name of a column."),
        ({"subset": "category", "subcategory": "xyz"}, "reads all rows alike."),
    ],
)
def test_only_a_column_that_could_be_meant_is_an_example(options, example):
    said = refusal(frame(), benchmark="clinic", conventions=CLINIC, **options)
    assert said.endswith(example)


def test_a_table_without_any_such_column_gets_no_example():
    table = pd.DataFrame({"subset": ["tone"], "x": [1]})
    said = refusal(table, convention=tk.convention("generic"))
    assert "Example" not in said
    table = pd.DataFrame({"raw_response": ["KIND"], "x": [1]})
    said = refusal(table, benchmark="clinic", subset="kind", conventions=CLINIC)
    assert "Example" not in said


@pytest.mark.parametrize(
    ("index", "shown"),
    [(None, "index 1"), (np.array([7, 160]), "index 160"), (["a", "b"], "index 'b'")],
)
def test_a_row_is_named_by_the_index_in_plain_values(index, shown):
    table = frame(("tone", "x")).set_axis(range(2) if index is None else index)
    said = refusal(table, benchmark="clinic", subset="category", conventions=CLINIC)
    assert f"unknown subset of 'clinic' (1 row, the first at {shown}). Got: 'x'" in said
    table = frame(item_id=["a", None]).set_axis(range(2) if index is None else index)
    said = refusal(table, contract=CONTRACT, judge="gpt")
    assert f"(column 'item_id', 1 row, the first at {shown}). Allowed" in said
    assert "np." not in said


def test_a_file_is_named_with_the_line_of_the_first_row(tmp_path):
    options = {"benchmark": "clinic", "subset": "s", "conventions": CLINIC, "batch_rows": 2}
    rows = [{"s": s, "raw_response": "KIND"} for s in ("tone", "tone", "solved", "x", "x")]
    lines = [json.dumps(row) for row in rows]
    said = of_file(tmp_path, "a.jsonl", "\n".join([lines[0], "", *lines[1:]]), **options)
    assert "(2 rows, the first at a.jsonl, line 5). Got: 'x'" in said
    cells = 's,raw_response\ntone,"two\nlines"\nx,KIND\n'
    assert "(1 row, the first at a.csv, line 4)" in of_file(tmp_path, "a.csv", cells, **options)
    said = of_file(tmp_path, "a.parquet", pd.DataFrame(rows), **options)
    assert "(2 rows, the first at a.parquet, row 4)" in said


def test_a_row_without_an_item_is_named_in_its_file(tmp_path):
    text = '{"item_id": "a", "raw_response": "x"}\n{"raw_response": "x"}\n'
    said = of_file(tmp_path, "a.jsonl", text, contract=CONTRACT, judge="gpt")
    assert "(a.jsonl, column 'item_id', 1 row, the first at row 2)" in said


def test_a_torn_line_has_one_number_and_it_is_the_one_of_the_file(tmp_path):
    text = '{"raw_response": "KIND"}\n' * 39 + '{"raw_response": "KI'
    said = of_file(tmp_path, "torn.jsonl", text, convention=tk.convention("generic"))
    assert "not valid JSON: Unterminated string starting at character 18;" in said
    assert "(torn.jsonl, line 40)" in said
    assert said.count("line 40") == 1
    assert "line 1" not in said


def test_strict_first_word_reads_a_contract_in_a_frame_as_it_does_alone():
    reply = '{"safety": 4, "tone": "warm"}'
    table = pd.DataFrame({"item_id": ["a"], "raw_response": [reply]})
    read = normalize_frame(table, contract=CONTRACT, judge="gpt", strict_first_word=True)
    alone = tk.normalize(reply, CONTRACT, strict_first_word=True)
    assert read["outcome"].tolist() == [answer.outcome for answer in alone.values()]
    assert set(read["level"]) == {"strict"}


def test_what_does_not_go_together_is_refused_with_a_way_out():
    table = pd.DataFrame({"item_id": ["a"], "raw_response": ["x"]})
    said = refusal(table, contract=CONTRACT, judge="gpt", ladder=True)
    assert "Allowed: ladder= beside convention=, or contract= without it. Example: " in said


def test_the_ladder_says_by_which_rule_and_with_which_flags_each_level_read():
    convention = tk.convention("he300", "justice")
    table = pd.DataFrame({"raw_response": ["<think>x</think>REASONABLE.", "{'label': 1}", None]})
    read = normalize_frame(table, convention, ladder=True)
    for place, raw in enumerate(table["raw_response"]):
        raw = None if pd.isna(raw) else raw  # noqa: PLW2901
        for level, answer in tk.ladder(raw, convention).items():
            rule = read[f"rule_{level}"][place]
            assert (None if pd.isna(rule) else rule) == answer.rule
            assert read[f"flags_{level}"][place] == ";".join(answer.flags)
    assert read["rule_lenient"].notna().sum() == 2
