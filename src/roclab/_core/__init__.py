"""The compiled core: raw arrays in, raw arrays out.

The kernels are the C++ headers in ``core/``. They trust their input: contiguous arrays of one
length, labels 0 or 1, scores of a kernel type (float64, float32, int32, int64, uint64). Checks
happen in :mod:`roclab.validation`. Each kernel releases the GIL.
"""

import os

from roclab._core._native import (
    AVX2,
    MOST_EVENTS,
    REALS,
    BadBytes,
    CompressedWindow,
    CumulativeScores,
    DecayedWindow,
    EventScores,
    Exchange,
    HingeLoss,
    LogisticLoss,
    NanScore,
    PairCounts,
    Permuter,
    RangeSummary,
    Resampler,
    ScoredPairs,
    SlidingWindow,
    TimeWindow,
    binary_labels,
    compressed_places,
    count_pairs,
    find_leaves,
    group_scores,
    group_weighted,
    grow_split_tree,
    hash_rows,
    newcombe_interval,
    order_rows,
    pool,
    pruning_path,
    published_areas,
    register_input_error,
    register_interval,
    score_interval,
    scored_pairs,
    shifted_wins,
    split_excess,
    summarize,
    summarize_weighted,
    take_rows,
    whole_products,
    wilson_interval,
)

__all__ = [
    "AVX2",
    "MOST_EVENTS",
    "REALS",
    "BadBytes",
    "CompressedWindow",
    "CumulativeScores",
    "DecayedWindow",
    "EventScores",
    "Exchange",
    "HingeLoss",
    "LogisticLoss",
    "NanScore",
    "PairCounts",
    "Permuter",
    "RangeSummary",
    "Resampler",
    "ScoredPairs",
    "SlidingWindow",
    "TimeWindow",
    "binary_labels",
    "compressed_places",
    "count_pairs",
    "find_leaves",
    "group_scores",
    "group_weighted",
    "grow_split_tree",
    "hash_rows",
    "newcombe_interval",
    "order_rows",
    "pool",
    "pruning_path",
    "published_areas",
    "register_input_error",
    "register_interval",
    "score_interval",
    "scored_pairs",
    "shifted_wins",
    "split_excess",
    "summarize",
    "summarize_weighted",
    "take_rows",
    "thread_count",
    "whole_products",
    "wilson_interval",
]


def thread_count() -> int:
    """Threads a kernel may use: ``ROCLAB_NUM_THREADS``, else the CPUs this process may run on.

    Results do not depend on it.
    """
    wanted = os.environ.get("ROCLAB_NUM_THREADS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return min(int(wanted), 256)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
