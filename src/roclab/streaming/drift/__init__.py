"""Drift detectors: changes of the AUC of a stream."""
