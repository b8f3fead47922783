"""roclab against named peers, side by side in one run: ``python -m benchmarks [subject ...]``.

A subject is a module with ``tables(largest)``, which measures on samples of at most that size.
"""
