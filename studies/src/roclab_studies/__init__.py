"""Simulations that say how far the library's statements can be trusted, with recorded results."""
