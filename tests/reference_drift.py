"""Drift detectors from their definitions, slowly: every start of a bet by itself."""

import math

import numpy as np

STAKES = (0.9, 0.5, 0.25, 0.125, 1 / 16, 1 / 32, 1 / 64)


def auc(events):
    pos = [score for label, score in events if label]
    neg = [score for label, score in events if not label]
    won = sum((p > n) + (p == n) / 2 for p in pos for n in neg)
    return won / (len(pos) * len(neg))


def blocks(events, per_class=1, size=0):
    """Cut where every class has `per_class` examples and there are `size` events."""
    found, block = [], []
    for event in events:
        block.append(event)
        positives = sum(label for label, _ in block)
        enough = min(positives, len(block) - positives) >= per_class
        if enough and len(block) >= size:
            found.append(block)
            block = []
    return found


def evidence(aucs, bound, direction="drop", limit=None):
    """Every bet begins at every block; the evidence is the sum over all beginnings.

    No AUC counts as more than the limit, or as less if a rise is tested for.
    """
    sign = 1 if direction == "drop" else -1
    limit = limit if limit is not None else float(direction == "drop")
    loss = sign * (limit - bound)
    aucs = [sign * min(sign * x, sign * limit) for x in aucs]
    total = 0.0
    for start in range(len(aucs)):
        for stake in STAKES:
            gains = [1 + sign * stake / loss * (bound - x) for x in aucs[start:]]
            total += math.prod(gains) / len(STAKES)
    return total


def cusum(aucs, level):
    """The chart's sums, block by block."""
    sums, last = [], 0.0
    for x in aucs:
        last = max(0.0, last + level - x)
        sums.append(last)
    return sums


def run_length(steps, threshold, runs, rng):
    """How many steps a CUSUM takes to its threshold, on average over `runs` runs."""
    total = 0
    for _ in range(runs):
        level = 0.0
        while level < threshold:
            drawn = rng.choice(steps, 256)
            for step in drawn:
                level = max(0.0, level + step)
                total += 1
                if level >= threshold:
                    break
    return total / runs


def wandering(rng, n, shift=1.0, distance=3.0, length=100):
    """A stream whose scores of both classes move together, by `distance`, every `length` events.

    Within a stretch the AUC is that of `shift`; over all pairs it is nearer to one half.
    """
    labels, scores = stream(rng, n, shift)
    return labels, scores + np.repeat(rng.normal(0, distance, n // length + 1), length)[:n]


def stream(rng, n, shift=1.0, rate=0.5, decimals=1):
    """Tied scores, the positives' higher by `shift`."""
    labels = rng.random(n) < rate
    return labels, np.round(rng.normal(size=n) + shift * labels, decimals)
