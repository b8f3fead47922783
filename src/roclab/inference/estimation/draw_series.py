"""Resampling options of several samples in turn, such as groups and models of a table."""

from __future__ import annotations

from dataclasses import replace

from roclab.checks.options import Progress, RandomState
from roclab.data.row_groups import Membership
from roclab.inference.estimation.resampling import Draws


class DrawSeries:
    """Draws of each of several samples: the same seed, and a common progress.

    Parameters
    ----------
    samples : int
        Number of samples.
    n_resamples : int
        Number of replicates of each sample.
    rng : None, int or numpy.random.Generator
        Random state.
    progress : callable or None
        Called as ``progress(done, total)``, with the replicates of all samples.
    """

    def __init__(
        self, samples: int, n_resamples: int, rng: RandomState, progress: Progress | None
    ) -> None:
        self._draws, self._progress = Draws.of(n_resamples, rng), progress
        self._done, self._total = 0, samples * self._draws.n_resamples

    def __call__(self, clusters: Membership | None = None) -> Draws:
        """Draws of the next sample."""
        before = self._done
        self._done += self._draws.n_resamples
        return replace(
            self._draws, clusters=clusters, progress=lambda done, _: self._report(before + done)
        )

    def _report(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, self._total)
