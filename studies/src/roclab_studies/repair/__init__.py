"""Flach and Wu (2005): repair of concavities."""
