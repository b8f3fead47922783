"""Confidence sequences of blocks: coverage at all times, width, time to a decision."""
