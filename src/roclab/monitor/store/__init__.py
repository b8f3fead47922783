"""The store: everything that must not be lost."""
