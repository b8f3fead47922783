"""What could go wrong: checks of the data and of the best models, and what each found."""

from __future__ import annotations

import numpy as np

from roclab.formatting import listed, one_line, range_text, sentence
from roclab.repair import concavities
from roclab.report.documents.rows import missing_notes
from roclab.report.formats import p_equals, percent, percentage
from roclab.report.page.findings import FEW, Findings
from roclab.report.page.parts import Checks, Status

_SOME = 50
_TOO_GOOD = 0.999
_FEW_SCORES = 20
_MOST_TESTED = 100_000  # rows of a test of concavities
_LEVEL = 0.05
_SEED = 791_204_338  # one that made no labels: halves must not depend on them
_LARGE_OPTIMISM = 0.1  # of the expected cost

Check = tuple[Status, str, str]


def checks(found: Findings) -> Checks:
    """All checks, those that found something first."""
    items = [
        _size(found),
        *_reversed(found),
        *_leak(found),
        _wrong_way(found),
        *_ties(found),
        _optimism(found),
        *_calibration(found),
        *_missing(found),
    ]
    order: dict[Status, int] = {"firing": 0, "pending": 1, "ok": 2}
    return Checks(tuple(sorted(items, key=lambda item: order[item[0]])))


def _size(found: Findings) -> Check:
    one = found.intervals[found.best]
    small = min(one.n_pos, one.n_neg)
    size = f"{one.n_pos:,} positive and {one.n_neg:,} negative"
    if small < FEW:
        return "firing", "Too few examples", f"{size}: intervals are wide, and curves coarse."
    if small < _SOME:
        return "pending", "Few examples", f"{size}: intervals are wide."
    return "ok", "Enough examples", f"{size}."


def _reversed(found: Findings) -> list[Check]:
    names = [one_line(name) for name, one in found.intervals.items() if one.high < 0.5]
    text = sentence(f"The whole interval is below 0.5: {listed(names)}")
    text += " Are the scores reversed, or is the other class positive?"
    return [("firing", "Worse than chance", text)] * bool(names)


def _leak(found: Findings) -> list[Check]:
    names = [
        one_line(name)
        for name, one in found.intervals.items()
        if one.value > _TOO_GOOD and min(one.n_pos, one.n_neg) >= _SOME
    ]
    text = (
        f"{listed(names)}: an AUC this high often means that something in the data knows the "
        "label, or that the model was trained on these rows."
    )
    return [("pending", "Too good to be true?", text)] * bool(names)


def _wrong_way(found: Findings) -> Check:
    """Concavities that one half of the rows shows and the other half confirms."""
    drawn = np.random.default_rng(_SEED).random(len(found.table))
    half = min(1.0, _MOST_TESTED / len(found.table)) / 2
    halves = [found.table.take((start <= drawn) & (drawn < start + half)) for start in (0, half)]
    names = (found.best, *(name for name in found.contenders if name in found.drawn))
    for name in names:
        one, other = (half.ranking(name) for half in halves)
        held = [
            section
            for section in concavities(one, check=other)
            if section.pvalue * len(names) < _LEVEL
        ]
        if held:
            worst = min(held, key=lambda section: section.pvalue)
            between = range_text(worst.low, worst.high)
            text = (
                f"{one_line(name)} ranks examples with scores from {between} worse than chance "
                f"({p_equals(worst.pvalue * len(names))} on rows that did not suggest it). roclab "
                "repair mends it."
            )
            return "firing", "Ranks the wrong way round", text
    text = (
        "No range of scores in which the best models rank the wrong way round holds up under test."
    )
    return "ok", "No inversions", text


def _ties(found: Findings) -> list[Check]:
    distinct = len(found.ranking(found.best).scores)
    if distinct >= _FEW_SCORES:
        return []
    text = (
        f"{one_line(found.best)} has only {distinct:,} different score{'s' * (distinct != 1)}, and "
        "no more thresholds can be chosen."
    )
    return [("pending", "Few different scores", text)]


def _optimism(found: Findings) -> Check:
    choice = found.choice
    title = "The threshold was chosen on these data"
    if not choice.expected_cost > 0:
        return "pending", title, "It makes no error on them; on new data expect some."
    more = choice.optimism / choice.expected_cost
    if not more > _LARGE_OPTIMISM:
        return "ok", title, "On new data its expected cost is about the same."
    if more > 1:
        return "pending", title, "On new data expect costs that are more than twice as high."
    text = f"On new data expect costs that are higher by {percent(round(more, 2))}, on average."
    return "pending", title, text


def _calibration(found: Findings) -> list[Check]:
    if not found.model(found.best).probabilities:
        return []
    summary = found.calibration(found.best)
    slope, ratio = summary.slope, summary.observed_expected
    name = one_line(found.best)
    wrong = []
    if slope.high < 1:
        wrong.append(f"too extreme (slope {slope.value:.2f})")
    if slope.low > 1:
        wrong.append(f"too moderate (slope {slope.value:.2f})")
    if ratio.high < 1 or ratio.low > 1:
        wrong.append(
            f"too {'high' if ratio.high < 1 else 'low'} on average (observed/expected "
            f"{ratio.value:.2f})"
        )
    if not wrong:
        text = f"{name}: observed rates agree with the scores, as far as these data can tell."
        return [("ok", "Scores can be read as probabilities", text)]
    text = (
        f"The scores of {name} are {' and '.join(wrong)}. Thresholds on this page count examples, "
        "so they hold all the same; do not read a score as a probability."
    )
    return [("pending", "Scores are not probabilities", text)]


def _missing(found: Findings) -> list[Check]:
    notes = missing_notes(found.table.missing)
    dropped, read = found.table.missing.rows_dropped, max(found.table.missing.rows_read, 1)
    text = " ".join(note.text for note in notes)
    if not notes:
        return []
    if not dropped:
        return [("ok", "Columns", text)]
    return [("pending", f"{percentage(dropped / read)} of rows left out", text)]
