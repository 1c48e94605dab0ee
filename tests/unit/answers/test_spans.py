"""A span shows the answer in the raw reply, whatever had to be cleaned away to read it."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolkit as tk
from toolkit.answers.answer import LEVELS
from toolkit.answers.lexicon import fold
from toolkit.answers.normalize import ladder, normalize
from toolkit.answers.stages.clean import clean

SUBSETS = tk.Registry.bundled().subsets("he300")
CONVENTIONS = {subset: tk.convention("he300", subset) for subset in SUBSETS}
CONVENTIONS["generic"] = tk.convention("generic")
JUSTICE = CONVENTIONS["justice"]
INVISIBLE = [
    *"\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u202e\u2066\ufe0f\u034f\u180e\x00\x01\x07\x7f",
    *("\ud835", "\udc00", "\U000e0041", "\x1b[31m", "\x1b[0m", "\x1b[1;31m"),
]

# A reply in three parts, of which the middle one is the answer, and the least level that reads it.
PARTS = {
    "strict": [
        ("", "WORD", ""),
        ("", "WORD", ", because it was earned."),
        ("**", "WORD", "**\n\nThey had agreed."),
        ("\n> ", "WORD", "."),
        ('"', "WORD", '"'),
    ],
    "structured": [
        ('{"verdict": "', "WORD", '", "why": "x"}'),
        ('Sure:\n```json\n{"a": [1, {}], "label": ', "1", "}\n```"),
        ('{"label": "', "1", '"}'),
        ("So: <answer>", "WORD", "</answer> done"),
        ("<label> ", "1", " </label>"),
        ("It is $\\boxed{", "WORD", "}$."),
    ],
    "lenient": [
        ("They agreed.\nFinal answer: **", "WORD", "**"),
        ("Verdict - ", "WORD", " (sure)"),
        ("Well, all in all I find it ", "WORD", "."),
        ("Label: ", "1", "\n"),
        ("A longer text.\n", "WORD", ""),
    ],
}
REPLIES = [(level, parts) for level, listed in PARTS.items() for parts in listed]
replies = st.sampled_from(REPLIES)
conventions = st.sampled_from(sorted(CONVENTIONS))
golds = st.sampled_from([0, 1])


def filled(parts, conv, gold):
    before, answer, behind = parts
    return before, (conv.labels[gold] if answer == "WORD" else str(gold)), behind


def shown(raw, answer):
    start, end = answer.span
    assert 0 <= start < end <= len(raw)
    return fold(clean(raw[start:end]).text).strip(" \"'")


@pytest.mark.parametrize("subset", CONVENTIONS)
@pytest.mark.parametrize(("level", "parts"), REPLIES)
@pytest.mark.parametrize("gold", [0, 1])
def test_the_span_is_the_answer_and_nothing_more(subset, level, parts, gold):
    conv = CONVENTIONS[subset]
    before, answer, behind = filled(parts, conv, gold)
    for name in LEVELS[LEVELS.index(level) :]:
        read = normalize(before + answer + behind, conv, level=name)
        assert read.gold == gold, name
        assert read.span == (len(before), len(before) + len(answer)), name


@st.composite
def disturbed(draw, text):
    """A text with invisible characters between any two of its own, and their positions."""
    gaps = draw(
        st.lists(st.tuples(st.integers(0, len(text)), st.sampled_from(INVISIBLE)), max_size=8)
    )
    pieces, places = [], []
    for position in range(len(text) + 1):
        pieces += [inserted for at, inserted in gaps if at == position]
        places.append(sum(map(len, pieces)))
        if position < len(text):
            pieces.append(text[position])
    return "".join(pieces), places


@given(st.data(), replies, conventions, golds)
def test_invisible_characters_move_the_span_and_change_nothing_else(data, reply, subset, gold):
    level, parts = reply
    conv = CONVENTIONS[subset]
    before, answer, behind = filled(parts, conv, gold)
    known = before + answer + behind
    raw, places = data.draw(disturbed(known))
    plain, read = normalize(known, conv, level=level), normalize(raw, conv, level=level)
    assert (read.gold, read.rule, read.stage) == (plain.gold, plain.rule, plain.stage)
    start, end = plain.span
    assert read.span == (places[start], places[end - 1] + 1)
    assert len(read.candidates) == len(plain.candidates)
    for one, other in zip(read.candidates, plain.candidates, strict=True):
        assert one.span == (places[other.span[0]], places[other.span[1] - 1] + 1)


@given(st.text(st.characters(exclude_characters="<>&|"), max_size=40), replies, conventions, golds)
def test_a_reasoning_block_in_front_only_moves_the_span(trace, reply, subset, gold):
    level, parts = reply
    conv = CONVENTIONS[subset]
    before, answer, behind = filled(parts, conv, gold)
    block = f"<think>{trace}</think>\n"
    read = normalize(block + before + answer + behind, conv, level=level)
    assert read.gold == gold
    start = len(block) + len(before)
    assert read.span == (start, start + len(answer))
    assert "reasoning_removed" in read.flags


def fullwidth(text):
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


@given(replies, conventions, golds)
def test_fullwidth_letters_are_read_where_they_stand(reply, subset, gold):
    level, parts = reply
    conv = CONVENTIONS[subset]
    before, answer, behind = filled(parts, conv, gold)
    read = normalize(before + fullwidth(answer) + behind, conv, level=level)
    assert read.gold == gold
    assert read.span == (len(before), len(before) + len(answer))


@given(replies, conventions, golds)
def test_html_entities_are_read_where_they_stand(reply, subset, gold):
    level, parts = reply
    conv = CONVENTIONS[subset]
    before, answer, behind = filled(parts, conv, gold)
    escaped = html.escape(before)
    read = normalize(escaped + answer + html.escape(behind), conv, level=level)
    assert read.gold == gold
    assert read.span == (len(escaped), len(escaped) + len(answer))


@given(st.data(), replies, golds)
def test_everything_at_once_still_shows_the_answer(data, reply, gold):
    level, parts = reply
    before, answer, behind = filled(parts, JUSTICE, gold)
    raw = f"\ufeff<think>\u201chm\u201d &lt;b&gt;</think>{html.escape(before)}{answer}{behind}"
    raw, _ = data.draw(disturbed(raw))
    read = normalize(raw, JUSTICE, level=level)
    if read.outcome == "answered":  # a colour may cut an entity or a tag
        assert read.gold == gold
        assert shown(raw, read) == answer.lower()


@given(st.text(max_size=200), conventions)
def test_spans_lie_inside_any_reply(raw, subset):
    for answer in ladder(raw, CONVENTIONS[subset]).values():
        for span in filter(None, [answer.span, *(one.span for one in answer.candidates)]):
            assert 0 <= span[0] < span[1] <= len(raw)


ODD = ["\u200b", "a", "\ud800", "\x1b[0m", "&lt;", "\uff21", "\n", "B", " "]


@given(st.lists(st.sampled_from(ODD)).map("".join))
def test_every_visible_character_leads_back_to_itself(raw):
    cleaned = clean(raw)
    for position, char in enumerate(cleaned.text):
        start, end = cleaned.span(position, position + 1)
        assert raw[start] in (char, "&", "\uff21")
        assert end == start + 1


@pytest.mark.parametrize(
    ("raw", "level"),
    [
        ('{"name": "submit", "arguments": "{\\"verdict\\": \\"UNREASONABLE\\"}"}', "structured"),
        ("$\\boxed{\\text{UNREASONABLE}}$", "structured"),
        ("<answer><b>UNREASONABLE</b></answer>", "structured"),
        ("x {'verdict': 'UNREASONABLE'}", "lenient"),
        ('x {"verdict": "UNREASONABLE", "why": "he', "lenient"),
    ],
)
def test_where_the_word_is_wrapped_again_the_span_holds_it(raw, level):
    start, end = normalize(raw, JUSTICE, level=level).span
    assert "UNREASONABLE" in raw[start:end]


def test_without_an_answer_there_is_no_span():
    assert normalize("who knows", JUSTICE, level="lenient").span is None


def test_an_empty_tag_at_the_end_of_a_changed_reply_has_no_span():
    reply = "<ethical>fal\x1b[31mse</&lt;ethical>"
    virtue = tk.convention("he300", "virtue")
    assert normalize(reply, virtue, level="lenient").outcome != "answered"


def test_a_mended_value_that_ends_the_reply_has_a_span_inside_it():
    deontology = tk.convention("he300", "deontology")
    reply = '{"label": There is n{{{{o match.}'
    assert normalize(reply, deontology, level="lenient").outcome == "malformed"
