"""A question to the planner with everything that it is answered from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients.weights import Floats
from toolkit.plain import plain
from toolkit.planning.allocation import Optimum, Problem, least_cost
from toolkit.planning.assumptions import assumptions
from toolkit.planning.assurance import Scaled, Setting, scaled, setting
from toolkit.planning.comparison import comparison
from toolkit.planning.integer import certificate
from toolkit.planning.model import expected_model, least_labels, width_draws
from toolkit.planning.pilot import Pilot
from toolkit.planning.plan import Plan
from toolkit.planning.reading import Readings, least_reading_cost
from toolkit.planning.request import checked_options, checked_weights
from toolkit.planning.strata_result import Strata
from toolkit.planning.warned import warnings

BAND = (0.1, 0.9)
WIDER = 1.1  # a target that is 10 % wider, for the shadow price
SMALLEST = 1e-6  # ratio to the targets: below it the plan is a census


class Question:
    """Strata, pilot and options, and the plan that an allocation makes with them."""

    def __init__(
        self,
        st: Strata,
        pilot: Pilot,
        estimand: Any,
        level: Any,
        weights: Any,
        seed: Any,
        draws: Any,
    ) -> None:
        estimand = checked_options(estimand, level, draws, seed)
        self.st, self.pilot, self.seed, self.draws = st, pilot, int(seed), int(draws)
        self.weights = checked_weights(st, weights)
        self.model, self.tables = expected_model(
            st, pilot, list(self.weights.values()), estimand, float(level)
        )

    def problem(self, targets: Mapping[str, float]) -> Problem:
        """Least cost for half-widths by construct."""
        chosen = [self.st.constructs.index(name) for name in targets]
        widths = np.array(list(targets.values()))
        return self.model.problem(chosen, widths, self.st.cost, least_labels(self.st))

    def plan(self, question: str, targets: dict[str, float], n: Floats) -> Plan:
        """Describe an allocation: what it reaches, what bounds it, what others would need."""
        st, model = self.st, self.model
        asked = self.problem(targets)
        worst = float(np.sqrt(max(asked.use(n).max(), 0)))
        problem = asked if question == "targets" else asked.at(max(worst, SMALLEST))
        optimum = least_cost(problem)
        cost, bound = problem.spend(n), certificate(st.cost, optimum.bound)
        allocation = pd.DataFrame(
            {"stratum": st.names, "size": st.sizes, "n": n.astype(int), "cost": st.cost}
        )
        chosen = [st.constructs.index(name) for name in targets]
        widths = self.half_width(n, targets)
        fingerprint = {
            "pool": st.sha256,
            "allocation": allocation[["stratum", "size", "n"]].to_dict("records"),
            "targets": targets,
            "asked": [question, model.estimand, model.level, self.seed],
        }
        return Plan(
            question=question,
            allocation=allocation,
            total=int(n.sum()),
            cost=cost,
            lower_bound=optimum.bound,
            certificate=bound,
            gap=cost - bound,
            half_width=widths,
            worst_ratio=worst,
            shadow_price=self.shadow_price(problem, optimum, list(targets)),
            expected_positives=self.expected_positives(n),
            comparison=comparison(model, problem, n, chosen, st.constructs),
            assurance=None,
            assured=float("nan"),
            assumptions=assumptions(st, self.pilot, model, n, targets),
            warnings=warnings(st, self.pilot, n, widths, targets),
            targets=targets,
            estimand=model.estimand,
            level=model.level,
            weights=self.weights,
            seed=self.seed,
            sha256=hashlib.sha256(
                json.dumps(plain(fingerprint), sort_keys=True).encode()
            ).hexdigest(),
            strata=st,
            pilot=self.pilot,
        )

    def scaled(self, n: Floats, targets: dict[str, float], assurance: float) -> Scaled:
        """Labels with which the realised intervals are within all targets that surely."""
        return scaled(
            self.st.sizes,
            self.st.judge,
            self.tables,
            list(self.weights.values()),
            n,
            [targets.get(name, np.nan) for name in self.st.constructs],
            assurance=assurance,
            level=self.model.level,
            seed=self.seed,
            estimand=self.model.estimand,
        )

    def simulated(self, targets: dict[str, float]) -> Setting:
        """What is simulated for an assurance, constructs in the order of the targets."""
        chosen = [self.st.constructs.index(name) for name in targets]
        return setting(
            self.st.sizes,
            self.st.judge[:, chosen],
            [self.tables[c] for c in chosen],
            [self.weights[name] for name in targets],
            list(targets.values()),
            level=self.model.level,
            estimand=self.model.estimand,
        )

    def half_width(self, n: Floats, targets: dict[str, float]) -> pd.DataFrame:
        """Planned half-widths with their band from the pilot's uncertainty."""
        rng = np.random.default_rng(self.seed)
        weights = list(self.weights.values())
        drawn = width_draws(self.st, self.pilot, weights, self.model, n, self.draws, rng)
        low, high = np.nanquantile(drawn, BAND, axis=0)
        return pd.DataFrame(
            {
                "construct": self.st.constructs,
                "kappa": [float(m.kappa) for m in self.model.moments],
                "target": [targets.get(name, np.nan) for name in self.st.constructs],
                "planned": self.model.half_widths(n),
                "low": low,
                "high": high,
            }
        )

    def shadow_price(
        self,
        problem: Problem,
        optimum: Optimum | Readings,
        names: list[str],
        price: Floats | None = None,
    ) -> pd.DataFrame:
        """What the last tenth of each construct's width costs; `price` of its readings."""
        unit = "labels" if (self.st.cost == 1).all() and price is None else "of cost"
        rows = []
        for c, name in enumerate(names):
            wider = problem.allowed.copy()
            wider[c] *= WIDER**2
            eased = replace(problem, allowed=wider)
            if price is None:
                found = least_cost(eased, optimum.multipliers).bound
            else:
                found = least_reading_cost(eased, price, optimum.multipliers).bound
            saved = max(optimum.bound - found, 0.0)
            words = f"the last 10 % of width for {name} costs {saved:,.0f} {unit}"
            if saved < 0.5:  # noqa: PLR2004  rounds to nothing
                words = f"the width of {name} comes for free: other constructs or floors decide"
            rows.append({"construct": name, "cost": saved, "words": words})
        return pd.DataFrame(rows)

    def expected_positives(self, n: Floats) -> pd.DataFrame:
        """Items that people are expected to flag, by stratum and construct."""
        st = self.st
        found = [
            pd.DataFrame(
                {
                    "stratum": st.names,
                    "construct": name,
                    "expected": n * table.sum(2)[:, ~st.absent(name)].sum(1),
                }
            )
            for name, table in zip(st.constructs, self.tables, strict=True)
        ]
        return pd.concat(found, ignore_index=True)
