"""Dong, Li, Li and Zhao (2013): granular ROC."""
