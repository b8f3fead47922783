"""The choice of a threshold, and how certain it is."""
