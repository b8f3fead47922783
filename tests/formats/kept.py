"""What releases wrote, as it is kept in folders with their names, and what it must answer.

A folder holds three texts, so that no tool changes bytes on their way: bytes are compressed, and
written in letters and digits. `write.py` makes them.
"""

import base64
import copy
import json
import lzma
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

import roclab as rl

FOLDER = Path(__file__).parent
RELEASES = sorted(one.name for one in FOLDER.iterdir() if one.name[:1].isdigit())
FURTHER = 12  # events after which a restored object is asked again

_COUNTS = ("n_pos", "n_neg")
_WINDOW = ("auc", "auc_variance", "scored_auc", *_COUNTS)
_DETECTOR = ("statistic", "threshold", "n_events", "n_blocks", "reference_block_mean")
_FIELDS = {
    "WindowAUC": _WINDOW,
    "TimeWindowAUC": (*_WINDOW, "n_late", "n_ahead"),
    "DecayedAUC": _WINDOW,
    "CumulativeAUC": _WINDOW,
    "ApproximateWindowAUC": ("auc", *_COUNTS),
    "BlockCUSUM": _DETECTOR,
    "BlockEDetector": _DETECTOR,
    "StreamWatcher": ("event", "alarms", "watched_events", "reference_missing"),
    "RangeSummary": ("auc", "auc_variance", "scored_auc", "scored_auc_variance", *_COUNTS),
    "ScoreHistogram": ("auc", "max_error", *_COUNTS),
    "SegmentedWindow": ("n_events", "dropped_keys", "dropped_events"),
    "BlockConfidenceSequence": ("n_blocks", "n_events"),
    "SequentialComparison": ("n_blocks", "n_events"),
    "PendingLabels": (),
}


def kept(release, name):
    """The content of one of the texts of a release, with bytes."""
    content = json.loads((FOLDER / release / f"{name}.json").read_text("ascii"))
    for one in content:
        one["bytes"] = lzma.decompress(base64.b85decode(one["bytes"]))
    return content


def keep(release, name, content):
    """Write one of the texts of a release."""
    folder = FOLDER / release
    folder.mkdir(exist_ok=True)
    written = [
        one | {"bytes": base64.b85encode(lzma.compress(one["bytes"], lzma.FORMAT_ALONE)).decode()}
        for one in content
    ]
    (folder / f"{name}.json").write_text(json.dumps(written, indent=1) + "\n", "ascii")


def events(n, first=0):
    """Labels and scores of events, with ties, by the same whole numbers on every machine."""
    labels = [(7 * i + i // 5) % 3 == 0 for i in range(first, first + n)]
    return [
        (label, (37 * i % 41) / 8 + 0.75 * label) for i, label in enumerate(labels, start=first)
    ]


def model_rows(n):
    """Rows for a model of two numbers, and of a category if there are three features."""
    rows = [[0.5, -0.25, "high"], [-1.0, 2.0, "low"], [0.0, 0.0, "high"], [0.125, 1.5, "low"]]
    return [row[:n] for row in rows]


def moment(i, *, dated):
    """The time of an event."""
    return datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=i) if dated else float(i)


def numbers(one):
    """What an object says of itself."""
    kind = type(one).__name__
    found = {name: getattr(one, name) for name in _FIELDS[kind]}
    if kind == "SegmentedWindow":
        found |= {f"auc of {key}": one.auc(key) for key in one}
    elif kind == "PendingLabels":
        found |= one.counts.to_dict()
    elif kind == "StreamWatcher":
        step = one.step()
        found |= {"auc": step.auc, "statistic": step.statistic}
    elif kind in ("BlockConfidenceSequence", "SequentialComparison"):
        said = one.interval().to_dict()
        names = ("value", "difference", "low", "high", "decided_event")
        found |= {name: said[name] for name in names if name in said}
    return {name: float(value) for name, value in found.items() if value is not None}


def went_on(one, n):
    """A copy after further events, numbered from n on."""
    one, kind = copy.deepcopy(one), type(one).__name__
    added = events(FURTHER, n)
    if kind == "ScoreHistogram":
        labels, scores = zip(*added, strict=True)
        one.update(labels, np.array([int(score * 8) for score in scores], one.cuts.dtype))
        return one
    for i, (label, score) in enumerate(added, start=n):
        if kind == "SegmentedWindow":
            one.update("north", label, score)
        elif kind == "SequentialComparison":
            one.update(label, score, -score)
        elif isinstance(one, rl.TimeWindowAUC):
            one.update(label, score, time=moment(i, dated=isinstance(one.now, datetime)))
        else:
            one.update(label, score)
    return one
