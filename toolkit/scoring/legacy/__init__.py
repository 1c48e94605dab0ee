"""Scorers that were published with faults, kept so that the effect of a fix can be measured."""
