from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

# `scores` is float64, float32, int32, int64 or uint64; a test binds this file to the runtime.
_Scores = NDArray[Any]
_Labels = NDArray[np.uint8]
_Counts = NDArray[np.int64]
_Weights = NDArray[np.float64]

AVX2: bool
LARGEST_WEIGHT: float
MOST_EVENTS: int
REALS: int
SMALLEST_WEIGHT: float
WEIGHT_SLACK: float

class NanScore(ValueError): ...

def register_refusal(make: Callable[..., Exception]) -> None: ...

class PairCounts:
    @property
    def pos(self) -> int: ...
    @property
    def neg(self) -> int: ...
    @property
    def twice_wins(self) -> int: ...
    @property
    def pos_moment(self) -> int: ...
    @property
    def neg_moment(self) -> int: ...
    @property
    def auc(self) -> float: ...
    @property
    def auc_variance(self) -> float: ...

class ScoredPairs:
    @property
    def pos(self) -> int: ...
    @property
    def neg(self) -> int: ...
    @property
    def scored_auc(self) -> float: ...
    @property
    def scored_auc_variance(self) -> float: ...

class HingeLoss:
    def __init__(
        self, labels: _Labels, weights: _Weights | None, gamma: float, power: int
    ) -> None: ...
    def evaluate(
        self, scores: NDArray[np.float64], gradient: bool, curvature: bool, threads: int
    ) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]: ...
    def hessian_product(self, vector: NDArray[np.float64], threads: int) -> NDArray[np.float64]: ...

class LogisticLoss:
    def __init__(self, labels: _Labels, weights: _Weights | None, gamma: float) -> None: ...
    def evaluate(
        self, scores: NDArray[np.float64], gradient: bool, curvature: bool, threads: int
    ) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]: ...
    def hessian_product(self, vector: NDArray[np.float64], threads: int) -> NDArray[np.float64]: ...

class RangeSummary:
    def __init__(self) -> None: ...
    @property
    def weighted(self) -> bool: ...
    @property
    def counts(self) -> PairCounts: ...
    @property
    def lowest(self) -> float: ...
    @property
    def highest(self) -> float: ...
    @property
    def auc(self) -> float: ...
    @property
    def auc_variance(self) -> float: ...
    @property
    def scored_auc(self) -> float: ...
    @property
    def scored_auc_variance(self) -> float: ...
    @property
    def tie_share(self) -> float: ...
    @property
    def effective_pos(self) -> float: ...
    @property
    def effective_neg(self) -> float: ...
    def join(self, high: RangeSummary) -> RangeSummary: ...
    def reals(self) -> list[float]: ...
    @staticmethod
    def restore(
        weighted: bool,
        pos: int,
        neg: int,
        twice_wins: int,
        pos_moment: int,
        neg_moment: int,
        reals: Sequence[float],
    ) -> RangeSummary: ...

class SlotCounter:
    def __init__(self, cuts: _Scores, threads: int) -> None: ...
    def add(self, labels: _Labels, scores: _Scores) -> None: ...
    def locate(self, labels: _Labels, scores: _Scores) -> NDArray[np.uint32]: ...
    def add_weights(self, labels: _Labels, scores: _Scores, weights: _Weights) -> None: ...
    def divide(self, labels: _Labels, scores: _Scores) -> tuple[NDArray[np.uint32], _Counts]: ...
    def add_distances(
        self, labels: _Labels, scores: _Scores, weights: _Weights | None, of_negatives: bool
    ) -> None: ...
    def distances(self) -> tuple[_Weights, _Weights, _Weights]: ...
    def counts(self, positive: bool) -> _Counts: ...
    def weights(self) -> tuple[_Weights, _Weights, _Weights, _Weights]: ...

def summarize_slots(
    pos: NDArray[Any],
    neg: NDArray[Any],
    pos_squared: NDArray[Any],
    neg_squared: NDArray[Any],
    n_pos: int,
    n_neg: int,
    threads: int,
) -> RangeSummary: ...
def summarize_scored_slots(
    cuts: _Scores,
    pos: NDArray[Any],
    neg: NDArray[Any],
    pos_squared: NDArray[Any],
    neg_squared: NDArray[Any],
    linear: _Weights,
    sq_linear: _Weights,
    sq_square: _Weights,
    rare_is_pos: bool,
    lowest: float,
    highest: float,
    summary: RangeSummary,
) -> RangeSummary: ...

class GroupedScores:
    def __init__(self) -> None: ...
    @property
    def nbytes(self) -> int: ...
    def add(
        self, groups: NDArray[np.uint32], n_groups: int, labels: _Labels, scores: _Scores
    ) -> None: ...
    def rows(self) -> tuple[NDArray[np.uint32], _Counts]: ...
    def pairs(
        self, threads: int
    ) -> tuple[NDArray[np.uint32], _Counts, _Counts, _Weights, _Weights]: ...

class Resampler:
    def __init__(
        self,
        n_pos: int,
        n_neg: int,
        stratified: bool,
        clusters: NDArray[np.uint32] | None,
        n_clusters: int,
    ) -> None: ...
    def weigh(self, weights: _Weights) -> None: ...
    def add(self, groups: NDArray[np.uint32], n_groups: int, scores: _Weights | None) -> None: ...
    def add_curve(self, groups: NDArray[np.uint32], n_groups: int) -> None: ...
    def rates(
        self,
        seed: int,
        first: int,
        count: int,
        threads: int,
        across: float,
        up: float,
        places: _Weights,
    ) -> _Weights: ...
    def draw(self, seed: int, replicate: int) -> NDArray[np.uint8]: ...
    def aucs(self, seed: int, first: int, count: int, threads: int) -> _Weights: ...
    def moments(
        self, seed: int, first: int, count: int, threads: int
    ) -> tuple[_Weights, _Weights]: ...

class Exchange(Enum):
    labels = ...
    columns = ...
    pairs = ...

class Permuter:
    def __init__(
        self,
        exchange: Exchange,
        positive: _Labels,
        column: _Labels,
        example: NDArray[np.uint32] | None,
        ends: _Labels,
        n_examples: int,
    ) -> None: ...
    def differences(self, seed: int, first: int, count: int, threads: int) -> _Weights: ...
    def reaching(
        self,
        seed: int,
        count: int,
        threads: int,
        correlation: float,
        weight: float,
        distance: float,
    ) -> int: ...

class PairExchanges:
    def __init__(
        self, positive: _Labels, ranks: NDArray[np.uint32], seed: int, count: int
    ) -> None: ...
    def reaching(
        self,
        first: int,
        second: int,
        correlation: float,
        weight: float,
        distance: float,
        enough: int,
    ) -> tuple[int, int]: ...

class BadBytes(ValueError): ...

def checked_event(y_true: Any, y_score: Any) -> tuple[bool, float]: ...
def checked_score(y_score: Any) -> float: ...

class EventScores:
    def __len__(self) -> int: ...
    @property
    def weighted(self) -> bool:
        """Whether there was a weight other than 1."""
    @property
    def n_pos(self) -> int:
        """Number of positive events."""
    @property
    def n_neg(self) -> int:
        """Number of negative events."""
    @property
    def auc(self) -> float:
        """The AUC; ties count half. Exact without weights; nan if a class is missing."""
    @property
    def auc_variance(self) -> float:
        """DeLong variance of the AUC; nan with fewer than two events of a class."""
    def _summarize(self) -> RangeSummary: ...
    def _reading(self) -> tuple[float, int, int]: ...
    def _score_at(self, k: int) -> float: ...
    def _confusion_at(self, threshold: float) -> tuple[float, float, float, float]: ...
    def _groups(self) -> tuple[Any, ...]: ...
    def _default_interval(self, confidence_level: float) -> Any: ...

def register_interval(
    pattern_at: Callable[[float], tuple[float, Any]], type: type[Any]
) -> None: ...

class SlidingWindow(EventScores):
    def __init__(self, size: int) -> None: ...
    def update(
        self, y_true: Any, y_score: Any, *, time: Any = None, sample_weight: Any = None
    ) -> None:
        """Add an event.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event, which this window ignores.
        sample_weight : float, optional
            Weight of the event. Events of weight 0 are ignored.
        """
    def _revert(self, y_true: Any, y_score: Any, time: Any, sample_weight: Any) -> bool: ...
    def _update_many(
        self, labels: _Labels, scores: _Weights, weights: _Weights | None, aucs: bool
    ) -> _Weights: ...
    def reset(self) -> None:
        """Remove all events."""
    def _save(self) -> bytes: ...
    def _load(self, data: bytes) -> None: ...
    @property
    def size(self) -> int:
        """Maximum number of events in the window."""

class DecayedWindow(EventScores):
    def __init__(self, half_life: float, tolerance: float) -> None: ...
    def update(
        self, y_true: Any, y_score: Any, *, time: Any = None, sample_weight: Any = None
    ) -> None:
        """Add an event.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event, which this window ignores.
        sample_weight : float, optional
            Weight of the event. Events of weight 0 are ignored.
        """
    def _revert(self, y_true: Any, y_score: Any, time: Any, sample_weight: Any) -> bool: ...
    def _update_many(
        self, labels: _Labels, scores: _Weights, weights: _Weights | None, aucs: bool
    ) -> _Weights: ...
    def reset(self) -> None:
        """Remove all events."""
    def _save(self) -> bytes: ...
    def _load(self, data: bytes) -> None: ...
    @property
    def half_life(self) -> float:
        """Number of events after which the weight of an event has halved."""
    @property
    def tolerance(self) -> float:
        """Proportion of the weight of a class that may be dropped."""
    @property
    def n_seen(self) -> int:
        """Number of events since the beginning."""
    @property
    def dropped(self) -> tuple[float, float]:
        """Proportion of the weight of the positive and of the negative class that was dropped."""
    def _confusion_at(self, threshold: float) -> tuple[float, float, float, float]: ...
    def _groups(self) -> tuple[Any, ...]: ...

class CumulativeScores(EventScores):
    def __init__(self) -> None: ...
    def update(
        self, y_true: Any, y_score: Any, *, time: Any = None, sample_weight: Any = None
    ) -> None:
        """Add an event.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event, which this window ignores.
        sample_weight : float, optional
            Weight of the event. Events of weight 0 are ignored.
        """
    def _revert(self, y_true: Any, y_score: Any, time: Any, sample_weight: Any) -> bool: ...
    def _update_many(
        self, labels: _Labels, scores: _Weights, weights: _Weights | None, aucs: bool
    ) -> _Weights: ...
    def reset(self) -> None:
        """Remove all events."""
    def _save(self) -> bytes: ...
    def _load(self, data: bytes) -> None: ...
    def _merge(self, other: CumulativeScores) -> None: ...

class TimeWindow(EventScores):
    def __init__(self, duration: float, lateness: float) -> None: ...
    def _update(self, y_true: Any, y_score: Any, time: Any, sample_weight: Any) -> None: ...
    def _update_many(
        self,
        labels: _Labels,
        scores: _Weights,
        weights: _Weights | None,
        times: _Weights,
        aucs: bool,
    ) -> _Weights: ...
    def _revert(self, y_true: Any, y_score: Any, time: Any, sample_weight: Any) -> bool: ...
    def _advance(self, time: Any) -> None: ...
    def _merge(self, other: TimeWindow) -> None: ...
    def reset(self) -> None:
        """Remove all events and the time."""
    @property
    def _duration(self) -> float: ...
    @property
    def _lateness(self) -> float: ...
    @property
    def _now(self) -> float: ...
    @property
    def n_late(self) -> int:
        """Number of events that came too late and were ignored."""
    def _save(self) -> bytes: ...
    def _load(self, data: bytes) -> None: ...

def auc_bounds(
    scores: _Scores,
    pos: _Counts,
    neg: _Counts,
    unlabelled: _Scores,
    counts: _Counts,
    least: int,
    most: int,
) -> tuple[float, int, float, int]: ...
def segment_wins(
    order: NDArray[Any],
    starts: _Counts,
    labels: _Labels,
    segments: NDArray[np.uint32],
    count: int,
) -> _Counts: ...
def segment_sums(
    order: NDArray[Any],
    starts: _Counts,
    labels: _Labels,
    segments: NDArray[np.uint32],
    count: int,
    of_pos: _Weights,
    of_neg: _Weights,
) -> _Weights: ...
def test_dispersion(
    estimate: float, variance: float, pos: float, neg: float, pair_correlation: float
) -> float: ...
def auc_limits(value: float, spread: float, z: float, weight: float) -> tuple[float, float]: ...

class Mover:
    def __init__(
        self,
        first: float,
        first_spread: float,
        second: float,
        second_spread: float,
        weight: float,
        ratio: float,
    ) -> None: ...
    def limits(self, z: float) -> tuple[float, float]: ...
    def statistic(self, null: float) -> float: ...

def binary_labels(values: NDArray[Any]) -> tuple[_Labels, bool, bool, bool]: ...
def count_pairs(labels: _Labels, scores: _Scores, moments: bool, threads: int) -> PairCounts: ...
def group_scores(
    labels: _Labels, scores: _Scores, threads: int
) -> tuple[_Scores, _Counts, _Counts]: ...
def group_weighted(
    labels: _Labels, scores: _Scores, weights: _Weights, threads: int
) -> tuple[_Scores, _Weights, _Weights, _Weights, _Weights]: ...
def order_rows(scores: _Scores, threads: int) -> NDArray[Any]: ...
def pool(
    x: NDArray[Any], y: NDArray[Any]
) -> tuple[_Counts, NDArray[Any], NDArray[Any], NDArray[Any]]: ...
def published_areas(
    scores: _Scores, pos: _Counts, neg: _Counts, distances: _Scores, threads: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def scored_pairs(labels: _Labels, scores: _Scores, threads: int) -> ScoredPairs: ...
def shifted_wins(
    pos_scores: _Scores,
    pos: NDArray[Any],
    neg_scores: _Scores,
    neg: NDArray[Any],
    shifts: _Scores,
    exact: bool,
    strict: bool,
    threads: int,
) -> NDArray[Any]: ...
def summarize(scores: _Scores, pos: _Counts, neg: _Counts, threads: int) -> RangeSummary: ...
def summarize_weighted(
    scores: _Scores,
    pos: _Weights,
    neg: _Weights,
    pos_squared: _Weights,
    neg_squared: _Weights,
    n_pos: int,
    n_neg: int,
    threads: int,
) -> RangeSummary: ...
def split_excess(pos: _Counts, neg: _Counts) -> float: ...
def grow_split_tree(
    features: _Weights,
    labels: _Labels,
    masses: _Counts | None,
    categorical: _Labels,
    max_depth: int,
    min_samples_split: int,
    min_samples_leaf: int,
    max_leaf_nodes: int,
    max_features: int,
    multiway: bool,
    alpha: float,
    seed: int,
    threads: int,
) -> dict[str, NDArray[Any]]: ...
def hash_rows(
    values: NDArray[np.float64],
    starts: NDArray[np.int64] | None,
    columns: NDArray[np.int64] | None,
    labels: _Labels,
    threads: int,
) -> NDArray[np.uint64]: ...
def take_rows(
    values: NDArray[np.float64], order: NDArray[Any], width: int, threads: int
) -> NDArray[np.float64]: ...
def find_leaves(
    features: _Weights,
    columns: int,
    feature: NDArray[np.int32],
    threshold: _Weights,
    first_child: _Counts,
    missing_to: NDArray[np.int32],
    unseen_to: NDArray[np.int32],
    categories_end: _Counts,
    category: _Weights,
    category_to: NDArray[np.int32],
    threads: int,
) -> _Counts: ...
def pruning_path(
    gain: _Weights, first_child: _Counts, children: NDArray[np.int32]
) -> tuple[_Weights, _Weights, _Counts]: ...
def whole_products(
    rows: NDArray[np.float64], threads: int
) -> tuple[_Counts, NDArray[np.uint64]]: ...
def wilson_interval(
    estimate: float, variance: float, pos: float, neg: float, z: float
) -> tuple[float, float]: ...
def score_interval(estimate: float, pos: float, neg: float, z: float) -> tuple[float, float]: ...
def newcombe_interval(estimate: float, pos: float, neg: float, z: float) -> tuple[float, float]: ...

class CompressedWindow:
    def __init__(self, size: int, eps: float, flipped: bool) -> None: ...
    def update(
        self, y_true: Any, y_score: Any, *, time: Any = None, sample_weight: Any = None
    ) -> None:
        """Add an event. If the window is full, the oldest is removed first.

        O((log k) / eps) in the worst case.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event, which this window ignores.
        sample_weight : None
            Weights are refused: this window counts events.
        """
    def _revert(self, y_true: Any, y_score: Any, time: Any, sample_weight: Any) -> bool: ...
    def reset(self) -> None:
        """Remove all events."""
    @property
    def size(self) -> int:
        """Maximum number of events in the window."""
    @property
    def eps(self) -> float:
        """Twice the bound of the relative error."""
    @property
    def flipped(self) -> bool:
        """Whether the list of negatives is kept."""
    @property
    def n_pos(self) -> int:
        """Number of positive events in the window."""
    @property
    def n_neg(self) -> int:
        """Number of negative events in the window."""
    @property
    def auc(self) -> float:
        """The paper's estimate: its error is at most eps / 2 times the AUC; nan if a class is
        missing. O(compressed_size).
        """
    @property
    def auc_flipped(self) -> float:
        """The estimate with labels flipped: its error is at most eps / 2 times 1 - AUC; nan if
        a class is missing.
        """
    @property
    def compressed_size(self) -> int:
        """Number of nodes in the compressed list, with its two sentinels."""
    def _bounds(self) -> tuple[float, float]: ...
    def _reading(self) -> tuple[float, int, int]: ...
    def _update_many(
        self, labels: _Labels, scores: _Weights, weights: None, aucs: bool
    ) -> _Weights: ...
    def __len__(self) -> int: ...
    def _save(self) -> bytes: ...
    def _load(self, data: bytes) -> None: ...
    def _groups(self) -> tuple[_Weights, _Counts, _Counts]: ...
    def _listed(self, positive: bool) -> tuple[_Weights, _Counts, _Counts]: ...
    def _problem(self) -> str: ...

def compressed_places(pos: _Weights, eps: float) -> _Counts: ...
