"""What follows from the rows of a database, computed in one go.

Rows as they were known at a time are found by going through the labels of each row, and values come
from `rl.auc_interval` and from one pass of the detector over all blocks.
"""

import numpy as np

import roclab as rl
from roclab.streaming.drift.e_detector import BlockEDetector
from roclab.streaming.drift.reference import DriftReference
from tests.e2e.monitor.producers import HOUR

FEWEST = 10  # of a class, for an AUC


def reading_of(rows, at=2**62):
    """Counts, AUC and interval of rows, as they were known before a time."""
    seen = [(row, row.label(at)) for row in rows if row.received < at]
    labels = np.array([label for _, label in seen if label is not None], bool)
    scores = np.array([row.score for row, label in seen if label is not None])
    n_pos = int(labels.sum())
    found = {
        "n": len(seen),
        "n_labelled": len(labels),
        "n_pos": n_pos,
        "n_neg": len(labels) - n_pos,
    }
    if min(n_pos, len(labels) - n_pos) < FEWEST:
        return {**found, "auc": None, "low": None, "high": None}
    interval = rl.auc_interval(labels, scores)
    return {**found, "auc": interval.value, "low": interval.low, "high": interval.high}


def part(reading):
    """What `reading_of` computes, of a reading that was written."""
    return {
        name: reading[name] for name in ("n", "n_labelled", "n_pos", "n_neg", "auc", "low", "high")
    }


def matures(rows, cohort, closed, hours, *, negative):
    """First boundary at which a cohort is mature; None if it is not yet."""
    for boundary in range(cohort + HOUR, closed + 1, HOUR):
        seen = [row for row in rows if row.received < boundary]
        labelled = sum(row.label(boundary) is not None for row in seen)
        aged = boundary - cohort - HOUR >= hours * HOUR
        if seen and (aged or (not negative and labelled >= 0.95 * len(seen))):
            return boundary
    return None


def joined(model, key):
    """Blocks of a stream: cohorts in the order in which they were frozen, small ones joined."""
    rows, number = model.of_cohort(key), model.streams[key]
    frozen = sorted((at, cohort) for (of, cohort), (at, _) in model.frozen.items() if of == number)
    waiting, found = [], []
    for at, cohort in frozen:
        waiting = [*sorted(waiting), cohort]
        parts = [reading_of(rows[one], model.frozen[number, one][0]) for one in waiting]
        enough = min(sum(one[n] for one in parts) for n in ("n_pos", "n_neg")) >= FEWEST
        whole = reading_of([row for one in waiting for row in rows[one]], at)
        if enough and whole["auc"] is not None:  # labels were corrected since the first was frozen
            found.append((waiting, at, whole["n_pos"], whole["n_neg"], whole["auc"]))
            waiting = []
    return found


def judged(blocks):
    """Statistic of the detector after all blocks, and when alarms fired and ended.

    While an alarm is open, the detector of its mean takes the place of that of the reference.
    """
    if len(blocks) < 30:
        return None, []
    known = np.array([one["auc"] for one in blocks[:30]])
    run_length = blocks[0]["run_length"]
    detector = of_reference = detector_of(known, run_length)
    fired, began, needed, mean = [], 0, 0, known.mean()
    aucs = [one["auc"] for one in blocks[30:]]
    for place, one in enumerate(blocks[30:]):
        alarm, recent = detector.update_block(one["auc"]), aucs[: place + 1]
        if alarm is not None:
            count = since_change(recent[began:], mean, alarm.bound)
            if needed:  # it got worse
                fired[-1] = (fired[-1][0], one["judged"])
            fired.append((one["judged"], None))
            needed, mean, began = max(5, count), np.mean(recent[-count:]), place + 1
            detector = detector_of(np.clip(known - (known.mean() - mean), 0, 1), run_length)
        elif (
            needed and len(recent) >= needed and np.mean(recent[-needed:]) >= of_reference.bounds[0]
        ):
            fired[-1], needed = (fired[-1][0], one["judged"]), 0
            mean, began = known.mean(), place + 1
            detector = of_reference = detector_of(known, run_length)
    return (0.0 if needed else detector.statistic), fired


def detector_of(aucs, run_length):
    """The detector of a drop below these AUCs."""
    return BlockEDetector(DriftReference.from_blocks(aucs), average_run_length=run_length)


def since_change(aucs, mean, bound):
    """Number of blocks since the most likely time of a drop."""
    best, found = -1.0, 0
    for count in range(1, len(aucs) + 1):
        some = aucs[-count:]
        gain = sum(mean - one for one in some) ** 2 / count
        if sum(some) / count < bound and gain > best:
            best, found = gain, count
    return found
