"""What a single value says: a word, a truth value, a number, or nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from toolkit.answers.lexicon import Hit, lower
from toolkit.answers.stages.leading import leading

if TYPE_CHECKING:
    from toolkit.answers.convention import Convention
    from toolkit.answers.stages.keys import Key

_LED_BY = re.compile(r"\s{0,4}(yes|no|true|false)[,;.!]", re.IGNORECASE)  # "yes, clearly"
_LARGEST = 1e18
MOST_VALUE = 80  # characters; longer values explain themselves, and the first word decides
_TRUE = frozenset({"true", "yes", "1", "y"})
_FALSE = frozenset({"false", "no", "0", "n"})
_NUMBER = re.compile(r"[\s\"'(\[*_`#]{0,8}([+-]?\d{1,18}(?:\.\d{1,12})?)[\s\"')\]*_`.]{0,8}\Z")


class Said(NamedTuple):
    """What a value says: a class, something that is not on offer, or nothing.

    Attributes
    ----------
    gold : int or None
        The class.
    rule : str or None
        What read it; None where the value says nothing.
    text : bool
        Whether it is free text that named no word of any convention.
    """

    gold: int | None
    rule: str | None
    text: bool = False


NOTHING = Said(None, None)
OFF = Said(None, "off_vocabulary")


def read_value(value: Any, key: Key, convention: Convention) -> Said:  # noqa: PLR0911
    """Read what stands under a key.

    Parameters
    ----------
    value : object
        A JSON scalar.
    key : Key
        Signed, neutral, of a sibling, or a carrier of text.
    convention : Convention
        What is on offer.

    Returns
    -------
    Said
        Class first; a number is gold only where the convention says so.

    Examples
    --------
    >>> import toolkit as tk
    >>> from toolkit.answers.stages.keys import Key
    >>> justice = tk.convention("he300", "justice")
    >>> read_value(1, Key("neutral"), justice).gold
    1
    >>> read_value(True, Key("signed", 0), justice).gold
    0
    >>> read_value(2, Key("neutral"), justice)
    Said(gold=None, rule='off_vocabulary', text=False)
    """
    if value is None:
        return NOTHING
    if key.kind == "sibling":
        return OFF
    if key.kind == "signed":
        return _signed(value, key, convention)
    if isinstance(value, str):
        return read_text(value, convention)
    if key.kind == "carrier":
        return NOTHING
    if isinstance(value, bool):
        return _truth(value, convention.yes, convention)
    return _number(value, convention)


def read_text(text: str, convention: Convention) -> Said:
    """Read a short text: a canonical word in front, or an integer.

    Parameters
    ----------
    text : str
        The value of a key, the content of a tag or of a box.
    convention : Convention
        What is on offer.

    Returns
    -------
    Said
        An echo of the options says nothing.

    Examples
    --------
    >>> import toolkit as tk
    >>> virtue = tk.convention("he300", "virtue")
    >>> read_text("MATCHES.", virtue).gold, read_text("MATCHES|CONTRADICTS", virtue).rule
    (1, None)
    """
    lowered = lower(text)
    if not lowered.strip():
        return NOTHING
    number = _NUMBER.match(lowered)
    found = leading(lowered, convention.lexicon)
    if found is not None and found.refused is None:
        return (
            NOTHING
            if _names_another(lowered, found.hit, convention)
            else Said(found.hit.word.gold, "word")
        )
    if number is not None and found is None:
        return _number(float(number.group(1)), convention)
    if found is not None and found.refused == "joined":
        return NOTHING
    if found is not None and found.refused == "sibling":
        return OFF
    return Said(None, "off_vocabulary", text=True)


def truth_of(value: Any) -> bool | None:
    """Read a truth value, however it is spelled.

    Parameters
    ----------
    value : object
        A JSON scalar.

    Returns
    -------
    bool or None
        None for anything but true, false, yes, no, 1 and 0.

    Examples
    --------
    >>> truth_of("False"), truth_of(1), truth_of(0.9)
    (False, True, None)
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return bool(value) if value in (0, 1) else None
    if isinstance(value, str):
        led = _LED_BY.match(value)
        word = led.group(1).lower() if led else value.strip(" \t\n\"'.*_`").lower()
        return True if word in _TRUE else False if word in _FALSE else None
    return None


def _names_another(lowered: str, hit: Hit, convention: Convention) -> bool:
    """Tell whether a short value holds words of two classes ("fair to some, unfair to us")."""
    if len(lowered) > MOST_VALUE:
        return False
    rest = convention.lexicon.scan(lowered, hit.end)
    return any(
        one.word.rule == "canonical" and one.word.gold != hit.word.gold and not one.word.loose
        for one in rest
    )


def _signed(value: Any, key: Key, convention: Convention) -> Said:
    truth = truth_of(value)
    if truth is not None:
        return _truth(truth, None if key.gold is None else convention.labels[key.gold], convention)
    if isinstance(value, str):
        said = read_text(value, convention)
        return said if said.rule == "word" or said.rule is None else OFF
    return OFF


def _truth(value: bool, meant: Any, convention: Convention) -> Said:  # noqa: FBT001 - it is the datum
    if meant is None:
        return OFF
    gold: int | None = convention.labels.index(meant)
    gold = gold if value else convention.other(convention.labels.index(meant))
    return OFF if gold is None else Said(gold, "truth_value")


def _number(value: Any, convention: Convention) -> Said:
    if not isinstance(value, int | float) or not abs(value) < _LARGEST:
        return OFF
    if convention.integers == "gold":
        whole = value == int(value) and 0 <= value < convention.k
        return Said(int(value), "integer") if whole else OFF
    if convention.integers == "category":
        golds = [gold for gold, label in enumerate(convention.labels) if _same(label, value)]
        return Said(golds[0], "integer") if len(golds) == 1 else OFF
    return OFF


def _same(label: Any, value: float) -> bool:
    try:
        return float(label) == value
    except (ValueError, OverflowError):
        return False
