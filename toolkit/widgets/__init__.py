"""Labelling and adjudication inside a notebook: fast, blind, and no label ever lost."""

from __future__ import annotations

from toolkit.widgets.adjudicator import Adjudicator
from toolkit.widgets.labeler import Labeler

__all__ = ["Adjudicator", "Labeler"]
