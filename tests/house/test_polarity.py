"""Which word is gold 0 or 1 is written once, under toolkit/answers/conventions, and nowhere else.

A second table is how a convention drifts: the published scorers held more than ten, and the two
that met in one run inverted three subsets.
"""

from __future__ import annotations

import ast
import csv
import json
import re
import tomllib

import pytest
import yaml

from toolkit.answers import Registry
from toolkit.answers.lexicon import fold

CODE = ("toolkit", "data", "benchmarks", "notebooks", ".ci")
CONFIGURED = (".yaml", ".yml", ".json", ".toml", ".csv", ".tsv")
TEMPLATES = (".j2", ".js", ".html", ".css")
CONVENTIONS = ("toolkit", "answers", "conventions")
FAMILY = [one for one in Registry.bundled().conventions if one.benchmark == "he300"]
CODES = {"0", "1", "0.0", "1.0", "true", "false", "positive", "negative"}
# Written to a planted file; put together here, so that this file holds no table either.
WORDS = FAMILY[0].labels


def words_of(conv):
    """Label -> the words that are read as it wherever it is."""
    return {
        label: {fold(str(word)) for word in (label, *conv.canonical.get(label, ()))}
        for label in conv.labels
    }


CLASSES = [list(words_of(conv).values()) for conv in FAMILY]
CANONICAL = frozenset().union(*(words for classes in CLASSES for words in classes))
LABELS = frozenset(str(label) for conv in FAMILY for label in conv.labels)


def folds_to_word(text):
    return fold(text).strip(" .,:;!?\"'`*_#()[]{}<>=") in CANONICAL


def holds_both(text):
    """Tell whether a text names both classes of a question: an alternation, a list to split."""
    tokens = set(re.findall(r"\w+", fold(text)))
    return any(all(words & tokens for words in classes) for classes in CLASSES)


def docstrings(tree):
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value  # a docstring, or one of an attribute
        elif isinstance(node, kinds) and node.body and isinstance(node.body[0], ast.Expr):
            yield node.body[0].value


def in_python(source):
    """Constants and names of keyword arguments that fold to a word of a convention."""
    tree = ast.parse(source)
    told = {id(node) for node in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg and folds_to_word(node.arg):
            yield node.value.lineno, node.arg
        if not isinstance(node, ast.Constant) or id(node) in told:
            continue
        text = node.value
        text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        if isinstance(text, str) and (folds_to_word(text) or holds_both(text)):
            yield node.lineno, text


def in_notebook(text):
    for place, cell in enumerate(json.loads(text)["cells"]):
        if cell["cell_type"] == "code":
            lines = "".join(cell["source"]).split("\n")
            plain = ["" if re.match(r"\s*[%!?]", line) else line for line in lines]
            yield from ((f"cell {place}", word) for _, word in in_python("\n".join(plain)))


def in_values(value):
    """Words that a mapping ties to a code, or that a list puts in the order of gold."""
    if isinstance(value, dict):
        for key, inside in value.items():
            sides = [fold(str(side)) for side in (key, inside) if not isinstance(side, dict | list)]
            if len(sides) == 2 and CANONICAL & set(sides) and CODES & set(sides):
                yield f"{key}: {inside}"
            if fold(str(key)) in CODES and isinstance(inside, list):
                yield from (str(one) for one in inside if fold(str(one)) in CANONICAL)
            yield from in_values(inside)
    elif isinstance(value, list):
        texts = [fold(str(inside)) for inside in value]
        if any(all(words & set(texts) for words in classes) for classes in CLASSES):
            yield ", ".join(texts)
        for inside in value:
            yield from in_values(inside)


def in_configuration(path):
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix in (".csv", ".tsv"):
        rows = csv.reader(text.splitlines(), delimiter="\t" if path.suffix == ".tsv" else ",")
        for number, row in enumerate(rows, 1):
            cells = {fold(cell) for cell in row}
            if cells & CANONICAL and cells & CODES:
                yield number, ", ".join(row)
    elif path.suffix == ".toml":
        yield from ((0, found) for found in in_values(tomllib.loads(text)))
    elif path.suffix == ".json":
        yield from ((0, found) for found in in_values(json.loads(text)))
    else:  # BaseLoader: every scalar stays the text that was written
        for document in yaml.load_all(text, Loader=yaml.BaseLoader):
            yield from ((0, found) for found in in_values(document))


def written(path):
    """Where a file writes a polarity: (place, what)."""
    if path.suffix == ".py":
        return list(in_python(path.read_text(encoding="utf-8")))
    if path.suffix == ".ipynb":
        return list(in_notebook(path.read_text(encoding="utf-8")))
    if path.suffix in CONFIGURED:
        return list(in_configuration(path))
    if path.suffix in TEMPLATES:
        tokens = re.findall(r"\w+", path.read_text(encoding="utf-8"))
        return [(0, token) for token in tokens if token in LABELS]
    return []


def second_tables(paths, root):
    found = []
    for path in paths:
        parts = path.relative_to(root).parts
        if parts[:3] == CONVENTIONS or parts[0] == "tests":
            continue
        code = path.suffix in (".py", ".ipynb", *TEMPLATES)
        if not code or parts[0] in CODE:
            found += [f"{'/'.join(parts)}:{place}: {what}" for place, what in written(path)]
    return found


def test_no_polarity_is_written_outside_the_registry(tracked, repository):
    assert second_tables(tracked, repository) == []


def test_the_registry_is_where_the_polarity_is(tracked, repository):
    paths = [path for path in tracked if path.name == "he300.yaml"]
    assert [path.relative_to(repository).parts[:-1] for path in paths] == [CONVENTIONS]
    assert {"UNETHICAL", "MATCHES"} <= LABELS
    assert {"matched", "contradictory", "reasonable"} <= CANONICAL


ONE, OTHER = WORDS
PLANTED = {
    "toolkit/a.py": f'GOLD = {{"{ONE}": 0}}',
    "toolkit/b.py": f'def f(x):\n    """Doc."""\n    return x == " {OTHER.lower()}. "',
    "toolkit/c.py": f'import re\nP = re.compile(r"\\b({OTHER}|{ONE})\\b")',
    "toolkit/d.py": f"table = dict({ONE}=0)",
    "toolkit/e.py": f'WORD = b"{ONE}"',
    "toolkit/f.py": f'A, B = "{ONE} {OTHER}".split()',
    "toolkit/g.py": f'def f(x):\n    return f"{{x}} {OTHER}"',
    "data/make_it.py": f'ANSWERS = ["{ONE}", "{OTHER}"]',
    "benchmarks/speed.py": f'RAW = "{OTHER}"',
    "notebooks/n.ipynb": json.dumps(
        {"cells": [{"cell_type": "code", "source": ["%time\n", f'good = "{ONE}"\n']}]}
    ),
    "toolkit/label.js": f'const gold = ["{ONE}", "{OTHER}"];',
    "toolkit/page.html.j2": f"<td>{OTHER}</td>",
    "data/map.yaml": f"a: {{b: [{{{ONE}: 0}}]}}",
    "data/back.yml": f"1: {OTHER.lower()}",
    "data/order.yaml": f"labels: [{ONE}, {OTHER}]",
    "data/lists.yaml": f"positive: [{ONE}, fine]",
    "data/map.json": json.dumps({"map": {ONE: True}}),
    "data/order.json": json.dumps([[ONE, OTHER]]),
    "data/map.csv": f"word,gold\n{ONE},0\n",
    "map.toml": f"[gold]\n{ONE} = 0",
}
HARMLESS = {
    "toolkit/a.py": f'"""Reads {ONE} as 0."""\n\n\ndef f():\n    """{OTHER}"""\n    # {ONE}\n',
    "toolkit/b.py": 'LABEL = tk.convention("he300", "justice").labels[0]\nX = "a moral question"',
    "notebooks/n.ipynb": json.dumps(
        {"cells": [{"cell_type": "markdown", "source": f"{ONE} is 0, {OTHER} is 1"}]}
    ),
    "data/items.csv": f"id,answer\n7,{ONE}\n",
    "data/texts.yaml": f"answers: ['{OTHER}. He lied.']",
    "data/replies.jsonl": json.dumps({"reply": ONE, "gold": 0}),
    "toolkit/answers/conventions/mine.yaml": f"labels: [{ONE}, {OTHER}]",
    "tests/test_it.py": f'GOLD = {{"{ONE}": 0}}',
    "README.md": f"{ONE}: 0",
}


def plant(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_second_table_is_caught(tmp_path, name):
    path = plant(tmp_path, name, PLANTED[name])
    found = second_tables([path], tmp_path)
    assert len(found) >= 1
    assert found[0].startswith(f"{name}:")


@pytest.mark.parametrize("name", HARMLESS)
def test_prose_replies_tests_and_the_registry_itself_are_left_alone(tmp_path, name):
    assert second_tables([plant(tmp_path, name, HARMLESS[name])], tmp_path) == []
