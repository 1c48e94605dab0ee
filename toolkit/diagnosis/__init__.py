"""From a low kappa to its causes."""

from __future__ import annotations

from toolkit.diagnosis.diagnose import diagnose
from toolkit.diagnosis.result import Diagnosis

__all__ = ["Diagnosis", "diagnose"]
