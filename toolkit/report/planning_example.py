"""The plan for the bundled pool, for the examples of the functions that show one."""

from __future__ import annotations

from functools import lru_cache

from toolkit.planning.plan import Plan
from toolkit.planning.stratify import strata
from toolkit.planning.targets import plan_for_targets
from toolkit.report.planning_files import read_planning


@lru_cache(maxsize=1)
def example_plan() -> Plan:
    """Plan for the bundled pool, pilot and targets, without assurance."""
    read = read_planning()
    made = strata(read.pool, read.constructs, schema=read.schema)
    return plan_for_targets(made, read.pilot, read.targets)
