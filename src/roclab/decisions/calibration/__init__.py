"""Calibration of probabilities: the curve by bins, and its summary in three numbers."""
