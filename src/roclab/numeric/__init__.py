"""Numerically exact or stable sums, decimal steps and integer products."""
