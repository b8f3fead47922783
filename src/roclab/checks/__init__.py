"""Argument checking: what callers may pass, checked once."""
