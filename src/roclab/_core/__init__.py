"""The compiled core: raw arrays in, raw arrays out.

The kernels are the C++ headers in ``core/``. They trust their input: contiguous arrays of one
length, labels 0 or 1, scores of a kernel type (float64, float32, int32, int64, uint64). Checks
happen in :mod:`roclab.checks.labels_and_scores`.

Passes over arrays of rows release the GIL. Constructors and functions of a few numbers hold it, and
so do windows over a stream: one thread may write to a window while others read it.
"""

import os

from roclab._core._native import *  # noqa: F403 (the stub lists the names)


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
