"""Hypothesis tests for differences between models."""
