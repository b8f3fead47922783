"""Every number of the public interface, to the last bit: a guard for changes of form alone.

    python tests/frozen.py write before.json      # at the commit before
    python tests/frozen.py compare before.json    # after each step: lists what differs

Words, and the numbers of lines of files, may change between the two; a result's field that was
renamed is entered in `RENAMED`. Last digits also depend on the processor and on versions of other
packages, so both runs belong on one machine, and no recorded values are kept here.
"""
# ruff: noqa: ARG001, ARG005

import dataclasses
import hashlib
import json
import sys
import warnings
from collections.abc import Mapping

import numpy as np
from questions import DRAWN, OF_GROUPS, OF_ROWS, table

import roclab as rl

RENAMED: dict[str, str] = {}  # the name of a field, before: after


def samples():
    """Labels, scores, weights and clusters of six kinds."""
    rng = np.random.default_rng(17)

    def one(n, share, decimals=None, shift=1.0, weighted=False):
        y = np.arange(n) < max(2, round(n * share))
        y = rng.permutation(y)
        s = 1 / (1 + np.exp(-(rng.normal(size=n) + shift * (y - 0.5))))
        s = s if decimals is None else np.round(s, decimals)
        w = rng.choice([0.5, 1, 2.25, 1 / 3], n) if weighted else None
        return y, s, w, rng.integers(0, 12, n)

    near = one(200, 0.4, shift=9.0)
    alone = one(30, 0.5)
    return {
        "ties": one(120, 0.4, decimals=1),
        "weights": one(150, 0.3, decimals=2, weighted=True),
        "clusters": one(180, 0.5),
        "near 1": near,
        "one class": (np.ones(30, bool), *alone[1:]),
        "large": one(20_000, 0.05, decimals=4),
    }


def of_repair(y, s, w, g):
    half = len(y) // 2
    parts = [
        rl.Ranking(y[part], s[part], sample_weight=None if w is None else w[part])
        for part in (slice(half), slice(half, None))
    ]
    repair = rl.repair_section(parts[0], sections="all")
    return (
        rl.concavities(parts[0], check=parts[1]),
        rl.checked_repair(*parts, sections="all"),
        repair.apply(s[half:]),
        repair.explain(parts[1]).sections,
        repair.repaired_auc,
    )


def of_estimators(y, s, w, g):
    X = np.column_stack([s, g, np.cos(np.arange(len(y)) * 0.7)])
    found = [
        make().fit(X, y, sample_weight=w).predict_proba(X)[:, 1]
        for make in (rl.AUCSplitTreeClassifier,)
    ]
    found += [
        make(alpha=0.01, random_state=0).fit(X, y, sample_weight=w).coef_
        for make in (rl.AUCtronClassifier, rl.MSEtronClassifier)
    ]
    return found


def of_windows(y, s, w, g):
    found = []
    for make in (
        lambda: rl.WindowAUC(50),
        lambda: rl.TimeWindowAUC(50),
        lambda: rl.DecayedAUC(20),
        rl.CumulativeAUC,
        lambda: rl.ApproximateWindowAUC(50, 0.1),
    ):
        window = make()
        for i, (label, score) in enumerate(zip(y[:2000].tolist(), s[:2000].tolist(), strict=True)):
            time = {"time": float(i)} if isinstance(window, rl.TimeWindowAUC) else {}
            weight = {} if w is None or hasattr(window, "eps") else {"sample_weight": float(w[i])}
            window.update(label, score, **time, **weight)
            if i % 97 == 0:
                found.append((window.auc, window.n_pos, window.n_neg))
        found += [window.auc_variance, window.scored_auc, window.interval(), window.ranking()]
        again = type(window).from_bytes(window.to_bytes())
        found += [again.auc, again.interval(confidence_level=0.9)]
    return found


def of_detectors(y, s, w, g):
    reference = rl.Ranking(y, s)
    found = []
    for detector in (rl.BlockCUSUM(reference, events=40), rl.BlockEDetector(reference, events=40)):
        alarms = detector.update_many(y, np.where(np.arange(len(y)) < 60, s, 1 - s))
        found += [alarms, detector.statistic, detector.threshold, detector.n_blocks]
    return found


def of_segments(y, s, w, g):
    window = rl.SegmentedWindow(rl.WindowAUC(40))
    for label, score, key in zip(y[:500].tolist(), s[:500].tolist(), g[:500].tolist(), strict=True):
        window.update(key, label, score)
    return window.worst(count=5), window.interval(3)


OTHERS = {
    "repair": of_repair,
    "estimators": of_estimators,
    "windows": of_windows,
    "detectors": of_detectors,
    "segments": of_segments,
    "Ranking": lambda y, s, w, g: (
        rl.Ranking(y, s, sample_weight=w),
        rl.Ranking(y, s, sample_weight=w).summary,
        rl.Ranking(y, s, sample_weight=w).order,
    ),
    "binormal_fit": lambda y, s, w, g: rl.binormal_fit(y, s),
    "compressed_ranking": lambda y, s, w, g: rl.streaming.compressed_ranking(y, s, eps=0.1),
    "auc_given_errors": lambda y, s, w, g: rl.auc_given_errors(
        n_pos=int(y.sum()), n_neg=int((~y).sum()), n_errors=3
    ),
    "operating_point_interval": lambda y, s, w, g: rl.operating_point_interval(
        y, s, threshold=0.5, sample_weight=w
    ),
    "multiclass_auc": lambda y, s, w, g: rl.multiclass_auc(
        g % 3, np.column_stack([s, 1 - s, s * (1 - s)]), sample_weight=w
    ),
    "compare_auc, delong": lambda y, s, w, g: rl.compare_auc(
        y, s, np.sqrt(s) - g / 9, method="delong"
    ),
    "compare_auc, permutation": lambda y, s, w, g: rl.compare_auc(
        y, s, s**2 - g / 9, method="permutation", n_resamples=99, rng=1
    ),
    "compare, groups": lambda y, s, w, g: rl.compare(table(y, s, w, g % 2), by="g"),
    "evaluate, groups": lambda y, s, w, g: rl.evaluate(
        table(y, s, w, g % 2), by="g", measures=["scored_auc", "brier_score"]
    ),
    "roc_band, pointwise": lambda y, s, w, g: rl.roc_band(y, s, kind="pointwise", **DRAWN),
}
PLANS = {
    "auc_power": lambda: rl.auc_power(0.75, 40, 60),
    "auc_sample_size": lambda: rl.auc_sample_size(0.75, power=0.8, ratio=2),
    "plan, width": lambda: rl.plan_auc_study(0.8, width=0.1, ratio=3),
    "plan, power": lambda: rl.plan_auc_study(0.8, null_value=0.7, n_pos=50, n_neg=80),
    "plan, paired": lambda: rl.plan_auc_study(
        0.8, other_auc=0.85, power=0.9, ratio=1, estimate_correlation=0.5
    ),
}


def leaves(value, path=""):
    """Numbers in a result, each with its path."""
    if isinstance(value, bool | np.bool_ | int | np.integer):
        yield path, str(int(value))
    elif isinstance(value, float | np.floating):
        yield path, float(value).hex()
    elif isinstance(value, np.ndarray):
        # -0.0 and 0.0 differ here as well, which is wanted.
        digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:16]
        yield path, f"{value.dtype} {value.shape} {digest}"
    elif isinstance(value, rl.Ranking):
        parts = ("scores", "pos", "neg", "pos_squared", "neg_squared", "n_pos", "n_neg")
        yield from leaves({name: getattr(value, name) for name in parts}, path)
    elif isinstance(value, rl.RangeSummary):
        parts = ("auc", "auc_variance", "scored_auc", "scored_auc_variance", "n_pos", "n_neg")
        yield from leaves({name: getattr(value, name) for name in parts}, path)
    elif dataclasses.is_dataclass(value):
        fields = [field.name for field in dataclasses.fields(value)]
        yield from leaves({name: getattr(value, name) for name in fields}, path)
    elif hasattr(value, "to_dict"):
        yield from leaves(value.to_dict(), path)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from leaves(part, f"{path}.{RENAMED.get(key, key)}")
    elif isinstance(value, list | tuple):
        for i, part in enumerate(value):
            yield from leaves(part, f"{path}[{i}]")


def answers():
    questions = {
        f"{kind}, {data}": lambda ask=ask, rows=rows: ask(*rows)
        for data, rows in samples().items()
        for kind, ask in (
            *((k, lambda y, s, w, g, ask=ask: ask(y, s, w)) for k, ask in OF_ROWS.items()),
            *((f"{k} of groups", ask) for k, ask in OF_GROUPS.items()),
            *OTHERS.items(),
        )
    }
    for name, ask in (questions | PLANS).items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                found = dict(leaves(ask()))
            except rl.InputError:
                found = {"": "refused"}
        yield name, found


def main(act, file):
    now = dict(answers())
    if act == "write":
        with open(file, "w") as out:
            json.dump(now, out, indent=0)
        print(f"{len(now)} answers, {sum(map(len, now.values()))} numbers, written to {file}")
        return 0
    with open(file) as recorded:
        before = {
            name: {
                ".".join(RENAMED.get(part, part) for part in path.split(".")): number
                for path, number in found.items()
            }
            for name, found in json.load(recorded).items()
        }
    differences = [
        f"{name}{path}: {before.get(name, {}).get(path)} before, {now.get(name, {}).get(path)} now"
        for name in sorted({*before, *now})
        for path in sorted({*before.get(name, {}), *now.get(name, {})})
        if before.get(name, {}).get(path) != now.get(name, {}).get(path)
    ]
    print(*differences[:40], f"{len(differences)} differences", sep="\n")
    return bool(differences)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
