"""Doctests of a single file need the packages loaded first.

pytest runs a module that it was given on its own under importlib mode; loaded before their package,
`toolkit.coefficients.agreement` would stand where the function of that name belongs.
"""

from __future__ import annotations

import toolkit.coefficients
import toolkit.labels

__all__ = ["toolkit"]
