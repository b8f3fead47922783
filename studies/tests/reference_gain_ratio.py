"""A tree after C4.5, written obviously: one tree, one node at a time."""

import math
from itertools import pairwise

SLACK = 1e-3
NEAR = 1e-9


def entropy(weights):
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0)


def class_weights(entries):
    return [sum(w for _, label, w in entries if label == which) for which in (False, True)]


def gain_and_ratio(entries, branches, price=0.0):
    total = sum(w for *_, w in entries)
    sizes = [sum(class_weights(branch)) for branch in branches]
    known = sum(sizes)
    classes = [sum(pair) for pair in zip(*map(class_weights, branches), strict=True)]
    after = sum(
        size / known * entropy(class_weights(branch))
        for size, branch in zip(sizes, branches, strict=True)
        if size > 0
    )
    gain = known / total * (entropy(classes) - after) - price
    return gain, gain / entropy([*sizes, max(total - known, 0)])


def candidates(entries, sizes, usable):
    """(gain, ratio, attribute, cut) of what may split; for a number its best cut."""
    total = sum(w for *_, w in entries)
    for k in usable:
        known = [entry for entry in entries if not math.isnan(entry[0][k])]
        if sizes[k]:
            branches = [[e for e in known if e[0][k] == value] for value in range(sizes[k])]
            if sum(sum(class_weights(branch)) >= 2 for branch in branches) >= 2:
                yield *gain_and_ratio(entries, branches), k, None
            continue
        asked = min(max(0.05 * sum(w for *_, w in known), 2), 25) - 1e-9
        tried = []
        values = sorted({e[0][k] for e in known})
        for low, high in pairwise(values):
            sides = [e for e in known if e[0][k] <= low], [e for e in known if e[0][k] >= high]
            if all(sum(class_weights(side)) >= asked for side in sides):
                tried.append((sides, (low + high) / 2))
        if tried:
            price = math.log2(len(tried)) / total
            found = [(*gain_and_ratio(entries, sides, price), cut) for sides, cut in tried]
            best = max(gain for gain, *_ in found)
            gain, ratio, cut = next(one for one in found if one[0] >= best - NEAR)
            yield gain, ratio, k, cut


def grow(entries, sizes, usable):
    """A node: its weights, and if it splits the attribute, the cut and the branches."""
    weights = class_weights(entries)
    node = {"weights": weights, "errors": min(weights)}
    if sum(weights) < 4 or min(weights) == 0:
        return node
    good = [one for one in candidates(entries, sizes, usable) if one[0] > NEAR]
    if not good:
        return node
    mean = sum(one[0] for one in good) / len(good)
    able = [one for one in good if one[0] >= mean - SLACK]
    best = max(one[1] for one in able)
    _, _, k, cut = next(one for one in able if one[1] >= best - NEAR)
    branches = [[] for _ in range(sizes[k] or 2)]
    missing = []
    for entry in entries:
        value = entry[0][k]
        if math.isnan(value):
            missing.append(entry)
        else:
            branches[int(value) if sizes[k] else int(value > cut)].append(entry)
    shares = [sum(class_weights(branch)) for branch in branches]
    shares = [share / sum(shares) for share in shares]
    for branch, share in zip(branches, shares, strict=True):
        if share > 0:
            branch += [(values, label, w * share) for values, label, w in missing]
    grown = [grow(branch, sizes, usable) for branch in branches]
    errors = sum(branch["errors"] for branch in grown)
    if errors >= min(weights) - SLACK:
        return node
    split = {"attribute": k, "cut": cut, "branches": grown, "shares": shares}
    return node | split | {"errors": errors}


def score(node, values, sizes, above=0.5):
    """Chance of being positive."""
    negative, positive = node["weights"]
    own = (positive + 1) / (positive + negative + 2) if positive + negative > 0 else above
    if "branches" not in node:
        return own
    value = values[node["attribute"]]
    if math.isnan(value):
        return sum(
            share * score(branch, values, sizes, own)
            for branch, share in zip(node["branches"], node["shares"], strict=True)
            if share > 0
        )
    at = int(value) if sizes[node["attribute"]] else int(value > node["cut"])
    return score(node["branches"][at], values, sizes, own)
