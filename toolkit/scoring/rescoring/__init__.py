"""Stored runs, scored again beside their old scores."""
