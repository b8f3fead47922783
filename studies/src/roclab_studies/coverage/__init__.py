"""Coverage of the confidence intervals and bands."""
