"""Windows over a stream of events."""
