"""Numerically exact or stable sums, decimal steps, integer products, distributions."""
