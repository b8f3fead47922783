"""Tatti (2018): the AUC of a sliding window."""
