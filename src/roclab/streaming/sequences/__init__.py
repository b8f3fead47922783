"""Confidence sequences: intervals of a mean of blocks that hold at all times at once."""
