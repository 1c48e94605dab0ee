"""Agreement coefficients on count tables, their intervals, and what is read beside them.

Tables have shape (..., k, k), rows the reference's categories, columns the judge's.
"""

from __future__ import annotations

from toolkit.coefficients.agreement import Agreement, ConstructAgreement, agreement
from toolkit.coefficients.chance_corrected import (
    brennan_prediger,
    cohen_kappa,
    gwet_ac,
    influence,
    linearised_se,
    null_se,
    scott_pi,
)
from toolkit.coefficients.conger import conger_kappa, light_kappa
from toolkit.coefficients.contrast import Contrast, contrast
from toolkit.coefficients.contrasts import Contrasts, contrasts
from toolkit.coefficients.correlated import CorrelatedTest, correlated_test
from toolkit.coefficients.descriptive import (
    bias_index,
    category_kappa,
    collapse,
    kappa_max,
    observed_agreement,
    prevalence_index,
    specific_agreement,
)
from toolkit.coefficients.fleiss_by_category import FleissByCategory, fleiss_by_category
from toolkit.coefficients.goodness_of_fit import IntraclassKappa, gof_interval
from toolkit.coefficients.homogeneity import Homogeneity, kappa_homogeneity
from toolkit.coefficients.kappa import Kappa, kappa
from toolkit.coefficients.krippendorff import krippendorff_alpha, multirater_alpha
from toolkit.coefficients.linearised import Coefficient
from toolkit.coefficients.margins import MarginTest, mcnemar, stuart_maxwell
from toolkit.coefficients.multirater import (
    fleiss_kappa,
    multirater_brennan_prediger,
    multirater_gwet_ac,
)
from toolkit.coefficients.prevalence import TruePrevalence, kappa_at_prevalence, rogan_gladen
from toolkit.coefficients.ratings import code_ratings
from toolkit.coefficients.tables import as_tables, crosstab
from toolkit.coefficients.weights import agreement_weights

__all__ = [
    "Agreement",
    "Coefficient",
    "ConstructAgreement",
    "Contrast",
    "Contrasts",
    "CorrelatedTest",
    "FleissByCategory",
    "Homogeneity",
    "IntraclassKappa",
    "Kappa",
    "MarginTest",
    "TruePrevalence",
    "agreement",
    "agreement_weights",
    "as_tables",
    "bias_index",
    "brennan_prediger",
    "category_kappa",
    "code_ratings",
    "cohen_kappa",
    "collapse",
    "conger_kappa",
    "contrast",
    "contrasts",
    "correlated_test",
    "crosstab",
    "fleiss_by_category",
    "fleiss_kappa",
    "gof_interval",
    "gwet_ac",
    "influence",
    "kappa",
    "kappa_at_prevalence",
    "kappa_homogeneity",
    "kappa_max",
    "krippendorff_alpha",
    "light_kappa",
    "linearised_se",
    "mcnemar",
    "multirater_alpha",
    "multirater_brennan_prediger",
    "multirater_gwet_ac",
    "null_se",
    "observed_agreement",
    "prevalence_index",
    "rogan_gladen",
    "scott_pi",
    "specific_agreement",
    "stuart_maxwell",
]
