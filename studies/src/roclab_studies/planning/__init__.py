"""Power of planned studies."""
