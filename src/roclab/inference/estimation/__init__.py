"""Estimates with their variances: DeLong, influence of examples, resampling."""
