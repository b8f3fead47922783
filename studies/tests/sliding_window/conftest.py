"""A short stream instead of a real one."""

import numpy as np
import pytest

from roclab_studies.sliding_window import errors as window_errors
from roclab_studies.sliding_window import times as window_times


@pytest.fixture
def stream(monkeypatch):
    """A stream with ties, in the place of a real one."""
    rng = np.random.default_rng(5)
    labels = rng.random(400) < 0.4
    scores = (rng.normal(size=400) + labels).round(1)
    for study in (window_errors, window_times):
        monkeypatch.setattr(study, "scored", {"airlines": (labels, scores)}.get)
    return labels, scores
