"""Detectors of a change of the AUC."""
