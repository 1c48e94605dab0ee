"""The page about reading answers is true: its tables are complete, and its examples run."""

from __future__ import annotations

import ast
import doctest
import re
from pathlib import Path

import pytest

import toolkit as tk
from toolkit.answers.tables.label_table import GENERATED

ANSWERS = Path(tk.__file__).parent / "answers"
SOURCES = [
    *(ANSWERS / f"{name}.py" for name in ("levels", "reading", "contract", "normalize")),
    *(ANSWERS / "stages").glob("*.py"),
]
JUSTICE = tk.convention("he300", "justice")
# Words in functions that set flags, which are none themselves.
NO_FLAGS = {"exact", "strict", "structured", "lenient", "replace", "surrogatepass"}


@pytest.fixture
def page(pytestconfig):
    return (pytestconfig.rootpath / "docs" / "answers.md").read_text(encoding="utf-8")


def rows(page, heading):
    """Cells of the first table below a heading, without its two lines of head."""
    part = page.split(f"## {heading}", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def reply(cell):
    text = cell.strip("`").replace("\\n", "\n")
    text = re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), text)
    return "{} " * 5_000 if text == "{} {} {} ... {}" else text


def test_its_examples_give_what_they_show(page):
    code = "".join(re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL))
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    examples = doctest.DocTestParser().get_doctest(code, {}, "answers.md", "answers.md", 0)
    assert len(examples.examples) > 10
    failed, _ = doctest.DocTestRunner(optionflags=options).run(examples)
    assert failed == 0


def test_every_reply_of_the_example_gives_what_its_row_shows(page):
    shown = rows(page, "Four levels")
    assert len(shown) >= 12
    for first, *cells in shown:
        read = tk.ladder(reply(first), JUSTICE)
        assert [one.label or one.outcome for one in read.values()] == cells, first


def test_every_outcome_has_its_row(page):
    assert [row[0].strip("`") for row in rows(page, "Ten outcomes")] == list(tk.answers.OUTCOMES)


def test_every_value_is_what_its_reply_gives(page):
    for name, field, _, *example in rows(page, "What decided"):
        if not example or not example[0].strip("| "):
            continue
        answer = tk.normalize(reply(example[0]), JUSTICE, level="lenient")
        found = {"stage": {answer.stage}, "rule": {answer.rule}, "flag": set(answer.flags)}
        found["rule"] |= {one.rule for one in answer.candidates}
        assert name.strip("`") in found[field], example


def documented(page, field):
    return {row[0].strip("`") for row in rows(page, "What decided") if row[1] == field}


def words(node):
    """Texts of an expression; of a formatted one, the whole pattern."""
    if isinstance(node, ast.IfExp):
        return words(node.body) | words(node.orelse)
    if isinstance(node, ast.Constant):
        return {node.value}
    return {ast.unparse(node)}


def functions():
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield node


def named():
    """Rules and stages that candidates are made with, as the sources write them."""
    rules, stages = set(), set()
    for function in functions():
        local = {
            target.id: words(node.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(function):
            name = getattr(getattr(node, "func", None), "attr", getattr(node, "func", None))
            if name == "candidate":
                rule, stage = node.args[3:5]
                rules |= local.get(getattr(rule, "id", ""), words(rule))
                stages |= words(stage)
            elif getattr(name, "id", "") == "Vote":
                last = node.args[4] if len(node.args) > 4 else node.keywords[-1].value
                rules |= local.get(getattr(last, "id", ""), words(last))
    return rules, stages


def test_no_rule_and_no_stage_is_left_out(page):
    rules, stages = named()
    # Made of the kind of a key and the stage: neutral and signed keys and tags, and a box.
    made = {"f'{entry.key.kind}_key'", "f'{part.key.kind}_{stage}'", "_off(said)", "vote.rule"}
    both = rules - made - {"f'{entry.key.kind}_key' if said.gold is not None else _off(said)"}
    keys = {"neutral_key", "signed_key", "neutral_tag", "signed_tag", "neutral_boxed", "free_text"}
    assert both | keys == documented(page, "rule")
    assert (stages - {"stage"}) | {"tag", "boxed"} == documented(page, "stage")


def test_no_flag_is_left_out(page):
    found = {GENERATED, "error: ..."}
    for function in functions():
        if "flag" not in ast.unparse(function):  # its docstring included
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value} & set(re.findall(r"^[a-z]+(?:_[a-z]+)*$", node.value))
    other = documented(page, "rule") | documented(page, "stage") | {*tk.answers.OUTCOMES} | NO_FLAGS
    assert found - other == documented(page, "flag")


# docs/decisions/answers.md, "The choices that readers ask about", at the four levels in order.
@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("\U0001f44d", ["no_answer"] * 4),
        ("\u2705 REASONABLE", ["REASONABLE"] * 4),
        ("\u274c UNREASONABLE", ["UNREASONABLE"] * 4),
        ("\u274c REASONABLE", ["no_answer"] * 4),
        ("REASONABLE / UNREASONABLE", ["no_answer", "conflict", "conflict", "no_answer"]),
        ('{"label": 1, "verdict": 0}', ["no_answer", "no_answer", "conflict", "conflict"]),
        ('{"answer": 1, "more": {"answer": 0}}', [*["no_answer"] * 2, *["REASONABLE"] * 2]),
        ("Use <think> tags. REASONABLE", [*["no_answer"] * 3, "REASONABLE"]),
        ("> <think>REASONABLE", ["truncated"] * 4),
        ("<answer>REASONABLE</final>", [*["no_answer"] * 3, "REASONABLE"]),
        ('{"gold": 1}', ["no_answer", "no_answer", "REASONABLE", "REASONABLE"]),
        ('{"label": 0, "gold": 1}', ["no_answer", "no_answer", "conflict", "conflict"]),
        ("Anwser: REASONABLE", [*["no_answer"] * 3, "REASONABLE"]),
    ],
)
def test_the_choices_that_are_named_are_the_ones_that_hold(raw, read):
    assert [one.label or one.outcome for one in tk.ladder(raw, JUSTICE).values()] == read
