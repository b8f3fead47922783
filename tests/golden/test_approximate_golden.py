"""The approximate window against a stream whose every state was computed by another program."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import reference_streaming as reference

import roclab as rl

STREAMS = json.loads(Path(__file__).with_name("approximate_stream.json").read_text())["streams"]


@pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: f"eps {stream['eps']}")
def test_every_state_of_the_stream(stream):
    window = rl.ApproximateWindowAUC(1000, stream["eps"])
    twin = reference.PaperWindow(stream["eps"])
    for operation, score, listed, gp, gn, twice_wins, pos, neg, estimate in stream["steps"]:
        change = window.update if operation.startswith("add") else window.revert
        change(operation.endswith("pos"), -score)
        getattr(twin, operation)(score)
        scores, own, other = window._listed(True)
        assert (-scores).tolist() == [-math.inf, *listed, math.inf] == twin.C.nodes
        assert (own.tolist(), other.tolist()) == (gp, gn) == twin.C.gaps()
        assert (window.n_pos, window.n_neg) == (pos, neg)
        assert window.ranking().summary.twice_wins == twice_wins
        np.testing.assert_equal(window.auc, math.nan if estimate is None else estimate)
        if stream["eps"] == 0 and estimate is not None:
            assert window.auc == twice_wins / (2 * pos * neg)
        assert window._problem() == ""
