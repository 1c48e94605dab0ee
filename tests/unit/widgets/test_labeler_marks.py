from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.widgets.marks import PIECE, TURN, Turn, parts, piece, visible

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)


def joined(found):
    return "".join(part if isinstance(part, str) else chr(part[0]) * part[1] for part in found)


@given(ANY_TEXT)
def test_parts_lose_nothing_and_are_whole_unicode(text):
    found = parts(text)
    assert joined(found) == text
    json.dumps(found, ensure_ascii=False).encode()  # what Jupyter sends


@given(ANY_TEXT)
def test_visible_text_is_whole_unicode_and_hides_nothing(text):
    shown = visible(text)
    shown.encode()
    assert parts(shown) in ([], [shown])


def test_line_ends_tabs_and_joiners_of_real_scripts_stay():
    for text in ("a\tb\r\nc\n", "\u0645\u06cc\u200c\u062e\u0648", "👩\u200d👧", "e\u0301"):
        assert parts(text) == [text]


def test_a_long_text_comes_in_pieces_that_make_it_whole():
    turns = [Turn("user", "ab" * 40_000), Turn("assistant", ""), Turn("user", "z" * 10)]
    start, said = 0, {}
    while True:
        cut = piece(turns, start)
        assert sum(len(joined(t["parts"])) for t in cut["turns"]) <= PIECE
        for turn in cut["turns"]:
            if not turn["continued"]:
                said[len(said)] = ""
            said[len(said) - 1] += joined(turn["parts"])
        start = cut["end"]
        if not cut["rest"]:
            break
    assert list(said.values()) == [turn.text for turn in turns]


def test_many_empty_turns_do_not_come_at_once():
    cut = piece([Turn("user", "")] * 100_000)
    assert len(cut["turns"]) == PIECE / TURN
    assert cut["rest"] > 0


@pytest.mark.parametrize(
    "point", [0x1D173, 0x1D17A, 0x1BCA0, 0x1BCA3, 0x13430, 0x13438, 0x180B, 0x180F, 0x2800]
)
def test_controls_of_notation_and_blanks_that_look_like_nothing_are_named(point):
    assert visible(f"a{chr(point)}b") == f"a[U+{point:04X}]b"


def test_what_emoji_are_written_with_stays():
    assert visible("\u2764\ufe0f") == "\u2764\ufe0f"
