"""Labels: the schema that says what may be labelled, and the table that it checks."""

from __future__ import annotations

from toolkit.labels.construct import Construct
from toolkit.labels.journal import Journal, export, journal_events, read_journal
from toolkit.labels.read import read_labels
from toolkit.labels.schema import Schema
from toolkit.labels.simulate import SimulatedLabels, simulate
from toolkit.labels.table import Labels

__all__ = [
    "Construct",
    "Journal",
    "Labels",
    "Schema",
    "SimulatedLabels",
    "export",
    "journal_events",
    "read_journal",
    "read_labels",
    "simulate",
]
