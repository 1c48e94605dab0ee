"""No oracle is forgotten: each is named by a test, or waits for the planning package."""

from __future__ import annotations

# Sample sizes and two-phase designs belong to planning, which is not built yet.
PLANNING = [
    "irr_n_cohen_kappa",
    "kappasize_cibinary_doc",
    "kappasize_cibinary_onesided",
    "kappasize_fixedn",
    "kappasize_multi",
    "kappasize_powerbinary_doc",
    "kappasize_powerbinary_rare",
]


def test_every_oracle_is_named_by_a_test_or_waits_for_planning(unused_oracles):
    # test_kappa.py puts the names of these two groups together from their endings
    groups = ("jeffreys_dirichlet_", "exact_multinomial_bootstrap_")
    forgotten = [name for name in unused_oracles if not name.startswith(groups)]
    assert forgotten == PLANNING
