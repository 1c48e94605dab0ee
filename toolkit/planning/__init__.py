"""Planning: which items of a pool people should label next, and estimates that stay true."""

from __future__ import annotations

from toolkit.planning.curve import expected_table, width_curve
from toolkit.planning.draw import blind, draw
from toolkit.planning.plan import Plan
from toolkit.planning.replan import replan
from toolkit.planning.replan_result import Replan
from toolkit.planning.sample_kappa import sample_kappa
from toolkit.planning.size import size
from toolkit.planning.size_result import Size
from toolkit.planning.strata_result import Strata
from toolkit.planning.stratify import strata
from toolkit.planning.targets import plan_for_budget, plan_for_targets
from toolkit.planning.weighted import WeightedKappa, weighted_kappa
from toolkit.planning.what_if import what_if
from toolkit.planning.what_if_result import WhatIf

__all__ = [
    "Plan",
    "Replan",
    "Size",
    "Strata",
    "WeightedKappa",
    "WhatIf",
    "blind",
    "draw",
    "expected_table",
    "plan_for_budget",
    "plan_for_targets",
    "replan",
    "sample_kappa",
    "size",
    "strata",
    "weighted_kappa",
    "what_if",
    "width_curve",
]
