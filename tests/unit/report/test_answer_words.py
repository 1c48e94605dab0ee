"""Every code that a re-scoring can show has words, and every word is for such a code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import toolkit
from toolkit.answers.answer import OUTCOMES
from toolkit.report.answer_headline import NOTED
from toolkit.report.answer_words import ANSWER_WORDS
from toolkit.scoring.rescoring.stored_rows import REASONS
from toolkit.scoring.totals.forensics import VERDICTS

HOME = Path(toolkit.__file__).parent
KINDS = ("neutral", "signed")  # of a key or tag; a box has no name
PLAIN = {"answered"}  # no reason for anything


def texts(node):
    """String constants that an expression can come to; an f-string with every kind of key."""
    if isinstance(node, ast.IfExp):
        return texts(node.body) | texts(node.orelse)
    if isinstance(node, ast.JoinedStr):
        end = "_key" if "_key" in ast.unparse(node) else "_tag"
        return {kind + end for kind in KINDS} | ({"neutral_boxed"} if end == "_tag" else set())
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    return set()


def named(node):
    """Expressions that a node makes a rule of."""
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        place = {"candidate": 3, "Vote": 4}.get(name)
        if place is not None:
            yield from node.args[place : place + 1]
            yield from (one.value for one in node.keywords if one.arg == "rule")
    if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "rule":
        yield node.value
    if isinstance(node, ast.FunctionDef) and node.name == "_off":
        yield from (part.value for part in ast.walk(node) if isinstance(part, ast.Return))


def rules():
    sources = [path.read_text(encoding="utf-8") for path in (HOME / "answers").rglob("*.py")]
    nodes = (node for source in sources for node in ast.walk(ast.parse(source)))
    return {text for node in nodes for value in named(node) for text in texts(value)}


def flags():
    folder = HOME / "scoring/rescoring"
    source = "".join((folder / name).read_text("utf-8") for name in ("old_scores.py", "rescore.py"))
    plain = re.findall(r'"(old_scores_[a-z]+|nothing_scored)"', source)
    return {*re.findall(r'f"([a-z_]+):\{', source), *plain}


def notes():
    files = ("published.py", "forensics.py")
    source = "".join((HOME / "scoring/totals" / name).read_text("utf-8") for name in files)
    plain = re.findall(r'notes\.append\("([a-z_]+)"\)|\(\*notes, "([a-z_]+)"\)', source)
    assert 'f"accuracy_over_{name}"' in source
    made = {"accuracy_over_all", "accuracy_over_answered"}
    return {one for pair in plain for one in pair if one} | made


def codes():
    return {*rules(), *OUTCOMES, *REASONS, *VERDICTS, *NOTED, *flags(), *notes()} - PLAIN


def test_every_code_that_can_occur_has_words():
    assert {"leading_word", "neutral_boxed", "bare_integer", "word", "own_question"} <= rules()
    assert {"old_scores_computed", "old_label_outside_labels"} <= flags()
    assert {"unknown_not_published", "or_one_constant_answer"} <= notes()
    assert sorted(codes() - set(ANSWER_WORDS)) == []


def test_every_word_is_for_a_code_that_can_occur():
    assert sorted(set(ANSWER_WORDS) - codes()) == []
