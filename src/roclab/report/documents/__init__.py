"""The documents of results, one file per room."""
