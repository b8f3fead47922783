"""What callers may pass, checked once."""
