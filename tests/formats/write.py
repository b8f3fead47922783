"""Write what the formats of this release look like, for all later ones to read.

    python -m tests.formats.write            # states, files and the monitor's database
    python -m tests.formats.write monitor    # one of them

goes into the folder of the version of roclab, and replaces what is there: a folder is written
before its release, and never after it. `exact` answers are computed from the definitions, without
roclab's kernels; `recorded` ones are what roclab said when it wrote the bytes.
"""

import itertools
import sys
import tempfile
import uuid
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import numpy as np

import roclab as rl
from roclab.learning import load_model
from roclab.scale import ScoreHistogram
from roclab.streaming import DetectorSettings
from tests import reference, reference_drift
from tests.formats.kept import FURTHER, events, keep, model_rows, moment, numbers, went_on
from tests.formats.monitored import databases
from tests.model_files import MODELS, whole_file

WEIGHTS = (0.5, 1.0, 2.25)


def exact_auc(rows, suffix=""):
    """AUC and counts of rows of label, score and weight, from all pairs."""
    labels, scores, weights = ([*column] for column in zip(*rows, strict=True))
    scores, weights = ([Fraction(value) for value in values] for values in (scores, weights))
    n_pos = sum(labels)
    return {
        f"auc{suffix}": float(reference.auc(labels, scores, weights)),
        f"n_pos{suffix}": n_pos,
        f"n_neg{suffix}": len(labels) - n_pos,
    }


def fed(window, n, *, weighted=False, dated=None):
    """A window after n events."""
    for i, (label, score) in enumerate(events(n)):
        time = {} if dated is None else {"time": moment(i, dated=dated)}
        weight = {"sample_weight": WEIGHTS[i % 3]} if weighted else {}
        window.update(label, score, **time, **weight)
    return window


def window(make, n, last, *, weighted=False, dated=None, half_life=None):
    """A window, and what it must say of its last events, now and later."""
    one = fed(make(), n, weighted=weighted, dated=dated)
    rows = [
        (label, score, WEIGHTS[i % 3] if weighted and i < n else 1.0)
        for i, (label, score) in enumerate(events(n + FURTHER))
    ]

    def exactly(end, suffix):
        decayed = [
            (*row[:2], row[2] * (1 if half_life is None else 2.0 ** ((i + 1 - end) / half_life)))
            for i, row in enumerate(rows[:end])
        ]
        return exact_auc(decayed[-last:], suffix)

    later = exactly(n + FURTHER, " later")
    return one, n, (exactly(n, "") if n else {"n_pos": 0, "n_neg": 0}) | later


def windows():
    """Windows of each kind."""
    hours = timedelta(hours=2)
    yield "window", window(lambda: rl.WindowAUC(120), 200, 120)
    yield "window, weights", window(lambda: rl.WindowAUC(120), 200, 120, weighted=True)
    yield "window, empty", window(lambda: rl.WindowAUC(5), 0, 5)
    yield "window, large", window(lambda: rl.WindowAUC(900), 1000, 900)
    yield "hours, numbers", window(lambda: rl.TimeWindowAUC(90), 150, 90, dated=False)
    late = rl.TimeWindowAUC(hours, lateness=timedelta(minutes=5), max_ahead=hours)
    one, n, exact = window(lambda: late, 150, 120, dated=True, weighted=True)
    one.update(True, 0.5, time=moment(100, dated=True))
    one.update(True, 0.5, time=moment(1000, dated=True))
    yield "hours, dates", (one, n, exact | {"n_late": 1, "n_ahead": 1})
    decayed = {"half_life": 12.0}
    make = lambda: rl.DecayedAUC(12, tolerance=1e-15)  # noqa: E731
    yield "decayed", window(make, 80, 10**6, **decayed)
    yield "decayed, weights", window(make, 80, 10**6, weighted=True, **decayed)
    yield "cumulative", window(rl.CumulativeAUC, 300, 10**6)
    yield "cumulative, weights", window(rl.CumulativeAUC, 300, 10**6, weighted=True)
    yield "approximate, 0", window(lambda: rl.ApproximateWindowAUC(60, 0), 100, 60)
    one, n, exact = window(lambda: rl.ApproximateWindowAUC(200, 0.25, flipped=False), 300, 200)
    bounds = one.auc_bounds
    assert bounds.low <= exact["auc"] <= bounds.high
    counts = {name: value for name, value in exact.items() if not name.startswith("auc")}
    yield "approximate, 0.25", (one, n, counts)


def segments():
    """Windows of segments, the least recent of which were dropped."""
    one = rl.SegmentedWindow(rl.WindowAUC(30), max_keys=3)
    keys = ["gone", "north", ("south", 1), datetime(2024, 2, 29, tzinfo=UTC).date()]
    rows = {key: [] for key in keys}
    for i, (label, score) in enumerate(events(90)):
        key = keys[0] if i < 6 else keys[1 + i % 3]
        one.update(key, label, score)
        rows[key].append((label, score, 1.0))
    kept = keys[1:]
    exact = {f"auc of {key}": exact_auc(rows[key][-30:])["auc"] for key in kept}
    rows["north"] += [(*event, 1.0) for event in events(FURTHER, 90)]
    later = {"auc of north later": exact_auc(rows["north"][-30:])["auc"]}
    return one, 90, exact | later | {"n_events": 84, "dropped_keys": 1, "dropped_events": 6}


def pending():
    """Predictions and labels that wait for each other, with every kind of id."""
    one = rl.PendingLabels(5, max_age=timedelta(hours=3), keep_early_labels=True)
    ids = ["a", 7, b"\x00\xff", ("b", 2.5), uuid.UUID(int=5), datetime(2024, 1, 1).date()]
    for i, id in enumerate(ids):  # the first is evicted
        region = {"region": "north" if i % 2 else "south"}
        one.add_prediction(
            id, i / 8, time=moment(i, dated=True), sample_weight=1.5, segments=region
        )
    one.add_label(7, 1, time=moment(10, dated=True))
    one.add_label("early", "yes", time=moment(11, dated=True))
    one.add_prediction(ids[4], 0.5, time=moment(12, dated=True))
    counts = {"joined": 1, "pending": 4, "evicted": 1, "expired": 0, "duplicates": 1}
    return one, None, counts | {"early": 1, "unmatched": 0}


def detectors():
    """Detectors with each kind of reference, in the middle of their work."""
    n = 205
    blocks = reference_drift.blocks(events(n), per_class=5)
    later = reference_drift.blocks(events(n + FURTHER), per_class=5)
    mean = 0.5
    exact = {
        "statistic": reference_drift.evidence([*map(reference_drift.auc, blocks)], mean),
        "statistic later": reference_drift.evidence([*map(reference_drift.auc, later)], mean),
        "n_events": n,
        "n_blocks": len(blocks),
        "n_blocks later": len(later),
        "reference_block_mean": mean,
    }
    yield "evidence, number", (fed(rl.BlockEDetector(mean), n), n, exact)
    labels, scores = zip(*events(400), strict=True)
    counts = {name: exact[name] for name in ("n_events", "n_blocks", "n_blocks later")}
    ranking = rl.Ranking(labels, scores)
    two = {"alternative": "two-sided", "average_run_length": 50_000}
    yield "evidence, ranking", (fed(rl.BlockEDetector(ranking, **two), n), n, counts)
    yield "cusum, ranking", (fed(rl.BlockCUSUM(ranking, **two), n), n, counts)
    stream = rl.DriftReference(labels, scores, per_class=5)
    yield "cusum, reference", (fed(rl.BlockCUSUM(stream), n), n, counts)


def whole_blocks():
    """A detector of days."""
    days = [0.8 + (37 * day % 11) / 100 for day in range(40)]
    one = rl.BlockEDetector(rl.DriftReference.from_blocks(days), average_run_length=1000)
    for auc in (0.85, 0.83, 0.79):
        one.update_block(auc)
    return one, None, {"n_blocks": 3, "reference_block_mean": float(np.mean(days))}


def watchers():
    """Watchers without, before and after their reference."""
    n = 310

    def exactly(count):
        rows = [(*event, 1.0) for event in events(count)][-50:]
        return exact_auc(rows)["auc"]

    common = {"auc": exactly(n), "auc later": exactly(n + FURTHER), "event": n}
    made = {
        "no detector": rl.StreamWatcher(rl.WindowAUC(50), every=10_000, key="north"),
        "detector": rl.StreamWatcher(
            rl.WindowAUC(50), every=10_000, detector=rl.BlockEDetector(0.5)
        ),
        "waiting": rl.StreamWatcher(
            rl.WindowAUC(50),
            every=10_000,
            reference_events=600,
            detector_settings=DetectorSettings(average_run_length=20_000),
        ),
        "reference": rl.StreamWatcher(
            rl.WindowAUC(50),
            every=10_000,
            reference_events=200,
            detector_settings=DetectorSettings(per_class=2),
        ),
    }
    missing = {"waiting": 290, "reference": 0, "detector": 0, "no detector": 0}
    for name, one in made.items():
        yield f"watcher, {name}", (fed(one, n), n, common | {"reference_missing": missing[name]})


def sequences():
    """Confidence sequences of both methods, of one model and of two.

    Scores are nearly separated: a short interval is a small state.
    """
    n = 1505
    found = [(label, score + 4.75 * label) for label, score in events(n)]

    def blocks(further=0, score_of=lambda score: score):
        rows = [(label, score_of(score)) for label, score in found + events(further, n)]
        return [*map(reference_drift.auc, reference_drift.blocks(rows, 2))]

    for method in ("empirical_bernstein", "hedged_capital"):
        settings = {"method": method, "confidence_level": 0.8, "per_class": 2}
        one = rl.BlockConfidenceSequence(**settings)
        duel = rl.SequentialComparison(**settings, names=("old", "new"), margin=0.02)
        for label, score in found:
            one.update(label, score)
            duel.update(label, score, -score)
        means = {
            "value": float(np.mean(blocks())),
            "value later": float(np.mean(blocks(FURTHER))),
            "n_blocks": len(blocks()),
        }
        yield f"sequence, {method}", (one, n, means)
        difference = means["value"] - float(np.mean(blocks(score_of=lambda score: -score)))
        yield (
            f"comparison, {method}",
            (duel, n, {"difference": difference, "n_blocks": len(blocks())}),
        )


def summaries():
    """Summaries with and without weights, and of nothing."""
    labels, scores = map(list, zip(*events(150), strict=True))
    for name, weights in (
        ("summary", None),
        ("summary, weights", [WEIGHTS[i % 3] for i in range(150)]),
    ):
        one = rl.Ranking(labels, scores, sample_weight=weights).summary
        exact = {
            question: float(getattr(reference, question)(labels, scores, weights))
            for question in ("auc", "auc_variance", "scored_auc", "scored_auc_variance")
        }
        yield name, (one, None, exact | {"n_pos": sum(labels), "n_neg": 150 - sum(labels)})
    yield "summary, empty", (rl.RangeSummary(), None, {"n_pos": 0, "n_neg": 0})


def histograms():
    """Histograms of each type of cuts, with and without weights."""
    found = events(200 + FURTHER)
    cuts = [*range(0, 44, 5), 12, 13]
    for kind in ("f8", "i4", "i8", "u8"):
        for weighted in (False, True):
            one = ScoreHistogram(np.array(sorted(cuts), kind))
            whole = np.array([int(score * 8) for _, score in found], kind)
            weights = [WEIGHTS[i % 3] if weighted else 1.0 for i in range(200)]
            one.update(
                [label for label, _ in found[:200]],
                whole[:200],
                sample_weight=weights if weighted else None,
            )
            rows = [
                (label, place(score, sorted(cuts)), weight)
                for (label, _), score, weight in zip(
                    found, whole.tolist(), [*weights, *[1.0] * FURTHER], strict=True
                )
            ]
            exact = exact_auc(rows[:200]) | exact_auc(rows, " later")
            kind_of = f"histogram, {kind}{', weights' if weighted else ''}"
            yield kind_of, (one, 200, exact)


def place(score, cuts):
    """Number of the slot of a score: below the first cut, at it, between it and the next."""
    return sum((score >= cut) + (score > cut) for cut in cuts)


def states():
    """All objects with bytes."""
    found = itertools.chain(
        windows(),
        [("segments", segments()), ("pending labels", pending())],
        detectors(),
        [("evidence, whole blocks", whole_blocks())],
        watchers(),
        sequences(),
        summaries(),
        histograms(),
    )
    for name, (one, n, exact) in found:
        further = {} if n is None else numbers(went_on(one, n))
        recorded = numbers(one) | {f"{key} later": value for key, value in further.items()}
        unknown = [
            key
            for key, value in exact.items()
            if not abs(recorded[key] - value) <= 1e-9 * max(1, abs(value))
        ]
        assert not unknown, (name, {key: (exact[key], recorded[key]) for key in unknown})
        assert type(one).from_bytes(one.to_bytes()).to_bytes() == one.to_bytes(), name
        yield {
            "name": name,
            "kind": type(one).__name__,
            "n": n,
            "exact": exact,
            "recorded": {key: value for key, value in recorded.items() if value == value},
            "bytes": one.to_bytes(),
        }


def files():
    """Models of each kind, and a repair of scores."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.skops"
        for name in MODELS:
            data = whole_file(name, path)
            file = load_model(path)
            linear = getattr(file.model, "coef_", None)
            rows = model_rows(len(file.features))
            exact = None
            if linear is not None:
                rest = float(np.ravel(file.model.intercept_)[0])
                exact = [
                    sum(float(a) * b for a, b in zip(np.ravel(linear), row, strict=True)) + rest
                    for row in rows
                ]
            recorded = file.scores(np.array(rows, object)).tolist()
            described = file.to_dict()
            yield {
                "name": name,
                "kind": "model",
                "described": described,
                "exact": exact,
                "recorded": recorded,
                "bytes": data,
            }
    repair = rl.repair_section([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])
    twice = repair.then(rl.repair_section([0, 1, 1, 0], [0.9, 0.8, 0.3, 0.1]))
    once = [0.9, 0.4, 0.5, 0.7, 0.2]  # by hand: 0.4 and 0.7 change places
    scores = [0.9, 0.7, 0.6, 0.4, 0.2]
    for name, one, exact in (("repair", repair, once), ("repair, two steps", twice, None)):
        yield {
            "name": name,
            "kind": "repair",
            "scores": scores,
            "exact": exact,
            "recorded": one.apply(scores).tolist(),
            "bytes": one.to_json().encode(),
        }


WRITERS = {"states": states, "files": files, "monitor": databases}


def main(names):
    """Write some of the texts, or all."""
    release = rl.__version__
    for name in names or WRITERS:
        content = [*WRITERS[name]()]
        keep(release, name, content)
        size = sum(len(one["bytes"]) for one in content)
        print(f"{name} of {release}: {len(content)}, {size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
