"""Does the cross-validated AUC of clustered rows cover the mean of the true AUCs?

Rows of a cluster share a normal deviation. Folds hold whole clusters, and Fisher's discriminant is
trained on the others. `python tests/simulation/test_fold_clusters.py` prints the table of the
documentation.
"""

from collections import Counter

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import roclab as rl

FOLDS, DIMENSIONS, AUC = 5, 3, 0.8
SHIFT = np.sqrt(2) * ndtri(AUC)


def sample(rng, clusters, rows, correlation, label_of):
    """Features, labels and clusters."""
    cluster = np.repeat(np.arange(clusters), rows)
    truth = cluster < clusters // 2 if label_of == "cluster" else rng.random(len(cluster)) < 0.5
    shared = np.sqrt(correlation) * rng.normal(size=(clusters, DIMENSIONS))
    features = shared[cluster]
    features += np.sqrt(1 - correlation) * rng.normal(size=features.shape)
    features[:, 0] += SHIFT * truth
    return features, truth, cluster


def fisher(features, truth):
    """Direction of Fisher's discriminant."""
    groups = features[truth], features[~truth]
    within = sum(np.cov(one.T) * (len(one) - 1) for one in groups)
    return np.linalg.solve(within, groups[0].mean(axis=0) - groups[1].mean(axis=0))


def coverage(clusters, rows, correlation, label_of, runs):
    """Share of the intervals that hold the mean of the true AUCs, and their mean width."""
    rng = np.random.default_rng([clusters, rows, int(10 * correlation), label_of == "row"])
    held, width, done = Counter(), Counter(), 0
    while done < runs:
        features, truth, cluster = sample(rng, clusters, rows, correlation, label_of)
        half = clusters // 2
        order = np.concatenate([rng.permutation(half), half + rng.permutation(clusters - half)])
        fold = np.argsort(order)[cluster] % FOLDS
        scores, true_aucs = np.empty(len(truth)), []
        for one in range(FOLDS):
            test = fold == one
            direction = fisher(features[~test], truth[~test])
            scores[test] = (features[test] * direction).sum(axis=1)
            length = np.sqrt(2 * (direction**2).sum())
            true_aucs.append(ndtr(direction[0] * SHIFT / length))
        if any(len(set(truth[fold == one])) == 1 for one in range(FOLDS)):
            continue
        done += 1
        target = np.mean(true_aucs)
        for name, options in {
            "rows": {},
            "auto": {"cluster": cluster},
            "wald": {"cluster": cluster, "method": "wald"},
        }.items():
            interval = rl.cross_validated_auc(truth, scores, fold=fold, **options).averaged
            held[name] += interval.low <= target <= interval.high
            width[name] += interval.high - interval.low
    return {name: (held[name] / runs, width[name] / runs) for name in held}


@pytest.mark.parametrize("correlation", [0.3, 0.7])
def test_clusters_with_one_label(correlation):
    found = coverage(40, 5, correlation, "cluster", runs=250)
    assert found["auto"][0] > 0.90
    assert found["rows"][0] < 0.87


def test_labels_that_vary_within_clusters():
    found = coverage(40, 5, 0.3, "row", runs=250)
    assert found["auto"][0] > 0.90


if __name__ == "__main__":
    for clusters, rows in ((20, 5), (40, 5), (40, 20)):
        for correlation in (0.3, 0.7):
            for label_of in ("row", "cluster"):
                found = coverage(clusters, rows, correlation, label_of, runs=1000)
                cells = " | ".join(f"{share:.3f} ({width:.2f})" for share, width in found.values())
                print(f"| {clusters} of {rows} | {correlation} | {label_of} | {cells} |")
