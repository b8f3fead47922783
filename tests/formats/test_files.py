"""Models and repairs that releases wrote: read, and equal in the scores that they give."""

import json

import numpy as np
import pytest
import skops.io

import roclab as rl
from roclab.learning import load_model
from roclab.learning.files import _TRUSTED, _VERSION
from tests.formats.kept import RELEASES, kept, model_rows
from tests.model_files import MODELS

FILES = [(release, one) for release in RELEASES for one in kept(release, "files")]


def of(kind):
    return [
        pytest.param(one, id=f"{release}-{one['name']}")
        for release, one in FILES
        if one["kind"] == kind
    ]


def agree(found, one):
    assert found == pytest.approx(one["recorded"], rel=1e-9)
    if one["exact"] is not None:
        assert found == pytest.approx(one["exact"], rel=1e-12)


# Categories are an object of scikit-learn, which warns of those of its other versions.
@pytest.mark.filterwarnings("ignore:Trying to unpickle estimator")
class TestModels:
    @pytest.mark.parametrize("one", of("model"))
    def test_it_gives_the_same_scores(self, one, tmp_path):
        path = tmp_path / "model.skops"
        path.write_bytes(one["bytes"])
        file = load_model(path)
        assert file.to_dict() == one["described"]
        rows = np.array(model_rows(len(file.features)), object)
        agree(file.scores(rows).tolist(), one)

    @pytest.mark.parametrize("one", of("model"))
    def test_a_newer_version_is_refused_by_name(self, one, tmp_path):
        path = tmp_path / "model.skops"
        content = skops.io.loads(one["bytes"], trusted=_TRUSTED)
        path.write_bytes(skops.io.dumps(content | {"roclab": _VERSION + 1}))
        with pytest.raises(rl.SerializationError) as caught:
            load_model(path)
        assert str(caught.value) == (
            f"`{path}` was written in version {_VERSION + 1} of the format; this release of roclab "
            f"reads version {_VERSION}. Update roclab, or train the model again."
        )

    @pytest.mark.parametrize("release", RELEASES)
    def test_every_kind_of_model_is_kept(self, release):
        names = {one["name"] for at, one in FILES if at == release and one["kind"] == "model"}
        assert names == set(MODELS)


class TestRepairs:
    @pytest.mark.parametrize("one", of("repair"))
    def test_it_gives_the_same_scores_and_the_same_text(self, one):
        repair = rl.ScoreRepair.from_json(one["bytes"])
        agree(repair.apply(one["scores"]).tolist(), one)
        assert repair.to_json().encode() == one["bytes"]

    @pytest.mark.parametrize("one", of("repair"))
    def test_a_newer_version_is_refused_by_name(self, one):
        newer = json.loads(one["bytes"]) | {"version": 99}
        with pytest.raises(rl.SerializationError, match="has version 99 of the format; this"):
            rl.ScoreRepair.from_json(json.dumps(newer))
