"""A tree of AUC splits, grown by looking at all pairs under all splits, in fractions.

A row is (values, truth, weight); no value is None. A tree is a nested dict, made for reading.
"""

from fractions import Fraction
from itertools import combinations, zip_longest

HALF = Fraction(1, 2)


def masses(rows):
    pos = sum((Fraction(weight) for _, truth, weight in rows if truth), Fraction(0))
    return pos, sum((Fraction(weight) for _, _, weight in rows), Fraction(0)) - pos


def share(rows):
    pos, neg = masses(rows)
    return pos / (pos + neg)


def ranking_auc(children):
    """AUC by all pairs of a positive and a negative, a row's score being the share of its child."""
    scored = [
        (share(child), truth, Fraction(weight)) for child in children for _, truth, weight in child
    ]
    wins = pairs = Fraction(0)
    for score, truth, weight in scored:
        for other, other_truth, other_weight in scored:
            if truth and not other_truth:
                mass = weight * other_weight
                pairs += mass
                wins += mass * (1 if score > other else HALF if score == other else 0)
    return wins / pairs


def number_splits(rows, feature):
    """(rule, children) for every threshold and both sides for rows without a value."""
    known = [row for row in rows if row[0][feature] is not None]
    missing = [row for row in rows if row[0][feature] is None]
    values = sorted({row[0][feature] for row in known})
    for lower, upper in zip_longest(values, values[1:]):
        left = [row for row in known if row[0][feature] <= lower]
        right = [row for row in known if row[0][feature] > lower]
        for missing_left in (False, True) if missing else (False,):
            children = (left + missing, right) if missing_left else (left, right + missing)
            if all(children):
                yield ("number", feature, lower, upper, missing_left), children


def category_groups(rows, feature):
    values = sorted({row[0][feature] for row in rows}, key=lambda v: (v is None, v))
    return [(value, [row for row in rows if row[0][feature] == value]) for value in values]


def category_splits(rows, feature, multiway):
    """All categories apart, or heads of their order by share of positives."""
    groups = category_groups(rows, feature)
    if len(groups) < 2:
        return
    if multiway:
        yield ("all", feature, [value for value, _ in groups]), [child for _, child in groups]
        return
    ordered = sorted(groups, key=lambda group: -share(group[1]))
    for head in range(1, len(ordered)):
        sides = ordered[:head], ordered[head:]
        children = [[row for _, group in side for row in group] for side in sides]
        yield ("set", feature, frozenset(value for value, _ in sides[0])), children


def best_of_all_sets(rows, feature):
    """The largest AUC over all ways to make two sets of the categories."""
    groups = category_groups(rows, feature)
    return max(
        ranking_auc(
            [
                [
                    row
                    for i, (_, group) in enumerate(groups)
                    if (i in chosen) is side
                    for row in group
                ]
                for side in (True, False)
            ]
        )
        for size in range(1, len(groups))
        for chosen in combinations(range(len(groups)), size)
    )


def best_split(rows, categorical, multiway, min_samples_leaf):
    """(AUC, rule, children) of the first among the best splits; None if none beats one half."""
    best = None
    for feature, is_category in enumerate(categorical):
        splits = (
            category_splits(rows, feature, multiway)
            if is_category
            else number_splits(rows, feature)
        )
        for rule, children in splits:
            if min(map(len, children)) < min_samples_leaf:
                continue
            auc = ranking_auc(children)
            if auc > (best[0] if best else HALF):
                best = auc, rule, children
    return best


def grow(
    rows, categorical, *, max_depth=99, min_samples_split=2, min_samples_leaf=1, multiway=False
):
    rows = [row for row in rows if row[2]]
    pos, neg = masses(rows)
    node = {"pos": pos, "neg": neg, "rows": len(rows), "score": (pos + 1) / (pos + neg + 2)}
    if max_depth == 0 or not pos or not neg or len(rows) < min_samples_split:
        return node
    best = best_split(rows, categorical, multiway, min_samples_leaf)
    if best is None:
        return node
    rules = {
        "max_depth": max_depth - 1,
        "min_samples_split": min_samples_split,
        "min_samples_leaf": min_samples_leaf,
        "multiway": multiway,
    }
    children = [grow(child, categorical, **rules) for child in best[2]]
    heaviest = max(range(len(children)), key=lambda i: children[i]["pos"] + children[i]["neg"])
    seen = {row[0][best[1][1]] for row in rows}
    return node | {
        "auc": best[0],
        "rule": best[1],
        "children": children,
        "heaviest": heaviest,
        "seen": seen,
    }


def score(tree, values):
    """The score of the leaf in which these values end up."""
    while "rule" in tree:
        tree = tree["children"][_child(tree, values)]
    return tree["score"]


def _child(tree, values):
    kind, feature, *rule = tree["rule"]
    value = values[feature]
    if value not in tree["seen"] and (value is None or kind != "number"):
        return tree["heaviest"]
    if kind == "all":
        return rule[0].index(value)
    if kind == "set":
        return 0 if value in rule[0] else 1
    lower, upper, missing_left = rule
    if value is None:
        return 0 if missing_left else 1
    return 0 if upper is None or value <= (lower + upper) / 2 else 1


def leaves(tree):
    return sum(map(leaves, tree["children"])) if "rule" in tree else 1


def all_subtrees(tree, pairs):
    """(sum of gains, leaves) of every way to cut the tree; for tiny trees."""
    found = {(Fraction(0), 1)}
    if "rule" in tree:
        gain = (tree["auc"] - HALF) * tree["pos"] * tree["neg"] / pairs
        combined = {(gain, 0)}
        for child in tree["children"]:
            below = all_subtrees(child, pairs)
            combined = {(a + c, b + d) for a, b in combined for c, d in below}
        found |= combined
    return found
