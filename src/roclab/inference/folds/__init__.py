"""Scores of cross-validation and the AUC over its folds."""
