"""Sample size and power of studies of the AUC."""
