"""Streams with the scores of a model that saw the first quarter."""

import numpy as np

from roclab_studies import datasets
from roclab_studies.sliding_window import streams


class TestStreams:
    def test_scores_are_those_of_a_model_that_saw_the_first_quarter(self, monkeypatch):
        rng = np.random.default_rng(0)
        x, place = rng.normal(size=400), rng.choice(["a", "b"], 400)
        up = rng.random(400) < 1 / (1 + np.exp(-2 * x - (place == "b")))
        place[300] = "c"  # never seen before
        data = datasets.Dataset(
            name="small",
            version="one",
            X=np.column_stack([["abc".index(word) for word in place], x]),
            y=up,
            numeric=np.array([False, True]),
            feature_names=("place", "x"),
            categories=(("a", "b", "c"), None),
            positive="UP",
            source="made",
            checked="cells",
        )
        source = streams.Source(rows=400, numbers=["x"], words=["place"])
        monkeypatch.setitem(streams.SOURCES, "small", source)
        monkeypatch.setattr(streams, "load_known", {"small": data}.get)
        labels, scores = streams.scored.__wrapped__("small")
        assert np.array_equal(labels, up[100:])
        # Log odds: linear in the number, and lower where the word is the other one.
        for word in ("a", "b"):
            rows = place[100:] == word
            slope, level = np.polyfit(x[100:][rows], scores[rows], 1)
            assert np.allclose(scores[rows], slope * x[100:][rows] + level)
            assert slope > 1
        unknown = scores[200] - slope * x[300]
        assert unknown < level
