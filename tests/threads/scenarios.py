"""What several threads do to roclab at once, in one process: `python scenarios.py NAME`.

Each scenario is bounded in steps. It fails by an assertion, or by a crash of the process, so the
tests run it as a process of its own; `make test-sanitizers` runs it on a core that is compiled with
the address sanitizer and with the thread sanitizer.
"""

import contextlib
import functools
import gc
import math
import sys
import threading
import warnings

import numpy as np

import roclab as rl
from roclab.learning import PairwiseObjective

ROWS = 400_000  # enough for all paths through the kernels


def in_background(work, until=None):
    """A thread that does `work`, repeatedly until an event if one is given.

    What it raises is raised by the function that is returned, which waits for it.
    """
    raised = []

    def run():
        try:
            work()
            while until is not None and not until.is_set():
                work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()

    def join():
        thread.join()
        if raised:
            raise raised[0]

    return join


def scores_that_change():
    """While another thread writes their scores, functions return any number; they never crash."""
    rng = np.random.default_rng(0)
    labels = rng.random(ROWS) < 0.5
    rare = rng.random(ROWS) < 0.02
    scores = rng.random(ROWS)
    narrow = scores.astype(np.float32)
    whole = np.zeros(ROWS, np.int64)
    weights = np.ones(ROWS)
    stop = threading.Event()

    def write():
        kind = rng.integers(4)
        if kind == 0:
            scores[:] = rng.random(ROWS)
        elif kind == 1:
            scores[:] = np.exp(rng.normal(0, 200, ROWS))
        elif kind == 2:
            scores[:] = rng.integers(0, 5, ROWS)
        else:
            scores[rng.integers(ROWS, size=100)] = (math.nan, math.inf, 0, -math.inf)[
                rng.integers(4)
            ]
        narrow[:] = rng.random(ROWS, np.float32)
        whole[:] = rng.integers(-(2**62), 2**62, ROWS)
        weights[:] = rng.random(ROWS)

    objective = PairwiseObjective(labels)
    calls = [
        lambda: rl.auc(labels, scores),
        lambda: rl.auc(rare, scores),
        lambda: rl.auc(labels, whole),
        lambda: rl.auc_interval(labels, scores),
        lambda: rl.auc_interval(rare, narrow),
        lambda: rl.scored_auc(labels, scores),
        lambda: rl.scored_auc(rare, narrow),
        lambda: rl.scored_auc(labels, whole),
        lambda: rl.Ranking(labels, scores).order,
        lambda: rl.Ranking(labels, scores, sample_weight=weights).summary,
        lambda: rl.auc(labels, scores, sample_weight=weights),
        lambda: objective(scores),
        lambda: rl.WindowAUC(1000).update_many(labels[:50_000], scores[:50_000]),
        lambda: rl.ApproximateWindowAUC(1000, 0.5).update_many(labels[:20_000], scores[:20_000]),
    ]
    join = in_background(write, stop)
    try:
        for _ in range(8):
            for call in calls:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    with contextlib.suppress(rl.InputError):  # NaN or infinity came by
                        call()
    finally:
        stop.set()
        join()


def intervals_at_many_levels():
    """Every thread gets the interval of its own window, at its own level, whoever else asks."""
    steps = 20_000

    class Garbage:
        def __init__(self):
            self.itself = self

        def __del__(self):
            sum(range(50))  # Python code: other threads may run

    def ask(number):
        window = rl.WindowAUC(50)
        rng = np.random.default_rng(number)
        window.update_many(rng.random(50) < 0.5, rng.random(50))
        levels = [0.5 + 0.1 * number + 0.01 * k for k in range(5)]
        wanted = [rl.auc_interval(window.summary, confidence_level=level) for level in levels]
        for step in range(steps):
            Garbage()
            found = window.interval(confidence_level=levels[step % 5])
            assert found == wanted[step % 5], (found, wanted[step % 5])

    gc.set_threshold(7, 2, 2)
    sys.setswitchinterval(1e-6)
    joins = [in_background(functools.partial(ask, number)) for number in range(4)]
    for join in joins:
        join()


def check_readings(window, threshold):
    """All that one reading says belongs to one moment."""
    ranking = window.ranking()
    weighted = ranking.weighted
    if not weighted:
        assert ranking.pos.sum() == ranking.n_pos, (ranking.pos.sum(), ranking.n_pos)
        assert ranking.neg.sum() == ranking.n_neg, (ranking.neg.sum(), ranking.n_neg)
    assert np.all(np.diff(ranking.scores) > 0)
    point = window.point_at(threshold)
    assert min(point.tp, point.fp, point.tn, point.fn) >= 0, point
    try:
        assert math.isfinite(window.kth_score(40))
        assert math.isfinite(window.kth_score(-45))
    except rl.InputError:
        pass
    interval = window.interval()
    undefined = math.isnan(interval.value)
    assert undefined == (not (interval.n_pos and interval.n_neg)), interval
    assert undefined or interval.low <= interval.value <= interval.high, interval
    summary = window.summary
    assert summary.n_pos + summary.n_neg >= 0
    assert undefined or not math.isinf(
        window.scored_auc + window.scored_auc_variance + window.auc_variance
    )
    window.h_measure()
    window.interval(method="delong")
    repr(window)
    type(window).from_bytes(window.to_bytes())


def readers_of_windows():
    """One thread writes, others read, and what they read belongs together."""
    sys.setswitchinterval(1e-6)
    makes = {
        "events": lambda: rl.WindowAUC(60),
        "time": lambda: rl.TimeWindowAUC(60.0),
        "decayed": lambda: rl.DecayedAUC(10),
        "cumulative": rl.CumulativeAUC,
    }
    for weighted in (False, True):
        for name, make in makes.items():
            window = make()
            rng = np.random.default_rng(1)
            clock = [0.0]

            def write(window=window, rng=rng, clock=clock, name=name, weighted=weighted):
                label, score = bool(rng.random() < 0.5), float(rng.integers(20))
                clock[0] += 1
                weight = float(rng.integers(1, 9)) if weighted else None
                if name == "time":
                    window.update(label, score, time=clock[0], sample_weight=weight)
                    if rng.random() < 0.02:
                        clock[0] += 70  # all leave
                else:
                    window.update(label, score, sample_weight=weight)
                if name == "cumulative" and rng.random() < 0.02:
                    window.reset()

            stop = threading.Event()
            joins = [in_background(write, stop)]
            try:
                read = lambda window=window: check_readings(window, 10.0)  # noqa: E731
                joins.append(in_background(read, stop))
                for _ in range(400):
                    check_readings(window, 12.0)
            finally:
                stop.set()
                for join in joins:
                    join()


def readers_of_an_approximate_window():
    """The same for the window of groups."""
    sys.setswitchinterval(1e-6)
    window = rl.ApproximateWindowAUC(60, 0.2)
    rng = np.random.default_rng(2)
    stop = threading.Event()

    def write():
        window.update(bool(rng.random() < 0.5), float(rng.integers(20)))

    def read():
        ranking = window.ranking()
        assert ranking.pos.sum() == ranking.n_pos
        bounds = window.auc_bounds
        assert math.isnan(bounds.low) or bounds.low <= bounds.high
        window.interval()
        repr(window)
        rl.ApproximateWindowAUC.from_bytes(window.to_bytes())

    joins = [in_background(write, stop), in_background(read, stop)]
    try:
        for _ in range(2000):
            read()
    finally:
        stop.set()
        for join in joins:
            join()


def one_objective_for_all():
    """Threads that share an objective get the loss of their own scores."""
    rng = np.random.default_rng(3)
    objective = PairwiseObjective(rng.random(20_000) < 0.3)
    columns = [rng.normal(size=20_000) for _ in range(3)]
    wanted = [objective(column).value for column in columns]

    def ask(number):
        for _ in range(60):
            assert objective(columns[number]).value == wanted[number]

    joins = [in_background(functools.partial(ask, number)) for number in range(len(columns))]
    for join in joins:
        join()


SCENARIOS = {
    scenario.__name__: scenario
    for scenario in (
        scores_that_change,
        intervals_at_many_levels,
        readers_of_windows,
        readers_of_an_approximate_window,
        one_objective_for_all,
    )
}

if __name__ == "__main__":
    SCENARIOS[sys.argv[1]]()
