"""Drift detection: false alarms and delays."""
