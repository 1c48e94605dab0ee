"""The parts of `simulate`: options, latent world, layout of the table, population values."""

from __future__ import annotations
