"""The monitor: false alarms against the budget, delays, replays, and the label-free estimate."""
