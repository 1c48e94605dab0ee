"""Raw answers of a model: what was asked, what was answered, and where it says so."""

from __future__ import annotations

from toolkit.answers.answer import LEVELS, NORMALIZER_VERSION, OUTCOMES, Answer, Candidate
from toolkit.answers.contract import Contract
from toolkit.answers.convention import Convention
from toolkit.answers.normalize import ladder, normalize
from toolkit.answers.registry import Registry, convention
from toolkit.answers.tables.file_summary import FileSummary
from toolkit.answers.tables.frame import normalize_frame
from toolkit.answers.tables.stream import normalize_file

__all__ = [
    "LEVELS",
    "NORMALIZER_VERSION",
    "OUTCOMES",
    "Answer",
    "Candidate",
    "Contract",
    "Convention",
    "FileSummary",
    "Registry",
    "convention",
    "ladder",
    "normalize",
    "normalize_file",
    "normalize_frame",
]
