"""Numerics: sums that keep their digits, integer products, distributions."""
