"""What a model thought before it answered does not vote."""

from __future__ import annotations

import re

from toolkit.answers.lexicon import alternation
from toolkit.answers.stages.clean import Cleaned, Edit

# Names under which models and prompts put their working: DeepSeek, Qwen, Claude, Gemma, Magistral,
# Kimi, Sky-T1. An explanation beside the answer is of the same kind.
_NAMES = alternation(
    (
        "think thinking thought thoughts reasoning reason reasons reflection scratchpad analysis "
        "rationale explanation justification seed:think"
    ).split()
)
_TAG = re.compile(rf"<(?P<close>/?){_NAMES}(?:\s[^<>]{{0,200}})?/?>", re.IGNORECASE)
# With the rarer spellings; slower, because it has no first character to look for.
_ANY = re.compile(
    rf"<(?P<close>/?){_NAMES}(?:\s[^<>]{{0,200}})?/?>"
    r"|\[(?P<close2>/?)think\]|\u25c1(?P<close3>/?)think\u25b7"
    r"|<\|(?:begin|(?P<close4>end))_of_thought\|>",
    re.IGNORECASE,
)
_RARE = ("[THINK]", "[/THINK]", "[think]", "[/think]", "\u25c1", "_of_thought|>")
_TOKEN = re.compile(
    r"<\|(?:im_start|start_header_id|start)\|>(?:assistant)?|<\|[a-z_]{1,24}\|>|</?s>|<eos>|<bos>"
    r"|<(?:start|end)_of_turn>"
)
_FINAL = re.compile(r"<\|channel\|>\s?final\s?(?:<\|message\|>)?")
_CHANNEL = "<|channel|>"
_DECORATION = " \t>*_#`-+"


def without_reasoning(cleaned: Cleaned) -> tuple[Cleaned, bool]:
    """Cut reasoning blocks and the tokens of chat templates out of a reply.

    A closing tag without an opening one ends a block that began in the prompt. A block opens only
    at the start of a line or where it is closed later; elsewhere the tag is a mention.

    Parameters
    ----------
    cleaned : Cleaned
        The reply.

    Returns
    -------
    cleaned : Cleaned
        The rest, with a line break where a block was and the flag ``reasoning_removed``.
    unclosed : bool
        Whether a block never ends: no answer was produced.

    Examples
    --------
    >>> from toolkit.answers.stages.clean import clean
    >>> without_reasoning(clean("<think>ETHICAL?</think>UNETHICAL"))[0].text.strip()
    'UNETHICAL'
    >>> without_reasoning(clean("<think>It seems"))[1]
    True
    """
    unclosed = False
    if not _may_hold_a_mark(cleaned.text):
        return cleaned, False
    if _CHANNEL in cleaned.text:
        finals = list(_FINAL.finditer(cleaned.text))
        if not finals:
            return cleaned, True
        cleaned = cleaned.edited([(0, finals[-1].end(), "")], "reasoning_removed")
    pattern = _pattern(cleaned.text)
    if pattern is not None:
        edits, unclosed = _blocks(cleaned.text, pattern)
        cleaned = cleaned.edited(edits, "reasoning_removed")
    if "<|" in cleaned.text or "</s>" in cleaned.text or "_of_turn>" in cleaned.text:
        text = cleaned.text
        tokens = [
            (*match.span(), " " if _parts(text, *match.span()) else "")
            for match in _TOKEN.finditer(text)
        ]
        cleaned = cleaned.edited(tokens)
    return cleaned, unclosed


def _may_hold_a_mark(text: str) -> bool:
    return "<" in text or "[" in text or "\u25c1" in text


def _pattern(text: str) -> re.Pattern[str] | None:
    if any(mark in text for mark in _RARE):
        return _ANY
    return _TAG if "<" in text and ">" in text else None


def _blocks(text: str, pattern: re.Pattern[str]) -> tuple[list[Edit], bool]:
    edits: list[Edit] = []
    opened: re.Match[str] | None = None
    for tag in pattern.finditer(text):
        if text[tag.end() - 2] == "/":  # <reason/> opens nothing
            continue
        closes = tag.lastgroup is not None and tag[tag.lastgroup]
        if not closes:
            opened = opened or tag
        elif opened is not None:
            edits.append((opened.start(), tag.end(), "\n"))
            opened = None
        else:  # an orphan: all before it was reasoning
            edits = [(0, tag.end(), "\n")]
    if opened is None:
        return edits, False
    before = text[_line_start(text, opened.start()) : opened.start()]
    return edits, not before.strip(_DECORATION)


def _line_start(text: str, position: int) -> int:
    return text.rfind("\n", 0, position) + 1


def _parts(text: str, start: int, end: int) -> bool:
    """Tell whether a token stands between two words, which must not become one."""
    return text[start - 1 : start].isalnum() and text[end : end + 1].isalnum()
