"""Labelling inside a notebook: fast, blind, and no label ever lost."""

from __future__ import annotations

from toolkit.widgets.labeler import Labeler

__all__ = ["Labeler"]
