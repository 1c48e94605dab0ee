"""Text files are UTF-8, or the offending byte is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolkit.errors import ToolkitError


def is_unicode(text: str) -> bool:
    r"""Tell whether a text is whole: half of a pair of surrogates can't be stored as UTF-8.

    JSON may hold one, where an emoji was cut off.

    Parameters
    ----------
    text : str
        Any.

    Returns
    -------
    bool
        False where a surrogate stands alone.

    Examples
    --------
    >>> is_unicode("fine \U0001f642"), is_unicode("cut \ud83d")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def decode(data: bytes, name: str, error: type[ToolkitError]) -> str:
    """Decode a file, without the byte order mark.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        Its plain name.
    error : type
        What to raise.

    Returns
    -------
    str
        The text.

    Raises
    ------
    ToolkitError
        Not UTF-8; with the byte, its position from 0, and the line from 1.

    Examples
    --------
    >>> from toolkit.errors import LabelError
    >>> decode(b"label\\ncaf\\xe9", "labels.csv", LabelError)
    Traceback (most recent call last):
    ...
    toolkit.errors.LabelError: the file is not UTF-8 (labels.csv, line 2). Got: 'byte 0xe9 at
    position 9'. Allowed: text saved as UTF-8. Example: iconv -f latin1 -t utf-8 old.csv > new.csv.
    """  # noqa: D301 - the doctest needs real escapes
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as bad:
        newlines = data.count(b"\n", 0, bad.start)
        raise error(
            "the file is not UTF-8",
            got=f"byte 0x{data[bad.start]:02x} at position {bad.start}",
            allowed="text saved as UTF-8",
            example="iconv -f latin1 -t utf-8 old.csv > new.csv",
            where=f"{name}, line {newlines + 1}",
        ) from None
