"""Bytes of objects that releases wrote: read, and equal in what they say now and later."""

import re
import struct
from pathlib import Path

import pytest

import roclab as rl
from roclab.data.serialization import Serializable
from roclab.scale import ScoreHistogram
from tests.formats.kept import RELEASES, kept, numbers, went_on

VERSION = struct.Struct("<4xH")
STATES = [(release, one) for release in RELEASES for one in kept(release, "states")]
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "compatibility.md"


def kind_of(name):
    return ScoreHistogram if name == "ScoreHistogram" else getattr(rl, name)


def of_this_version(one):
    return VERSION.unpack_from(one["bytes"])[0] == kind_of(one["kind"])._version


def kinds():
    """All classes with bytes."""
    found, waiting = [], [*map(kind_of, {one["kind"] for _, one in STATES}), Serializable]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if "_kind" in vars(kind):
            found.append(kind)
    return sorted(set(found), key=lambda kind: kind.__name__)


@pytest.mark.parametrize(
    "one", [pytest.param(one, id=f"{release}-{one['name']}") for release, one in STATES]
)
class TestEachState:
    def test_it_answers_as_it_did_or_is_refused_by_name(self, one):
        kind, written = kind_of(one["kind"]), VERSION.unpack_from(one["bytes"])[0]
        try:
            restored = kind.from_bytes(one["bytes"])
        except rl.SerializationError as error:
            refusal = str(error)
        else:
            refusal = None
        if refusal is not None:
            assert written < kind._version
            assert f"This {one['kind']} was written in version {written};" in refusal
            return
        found = numbers(restored)
        if one["n"] is not None:
            later = went_on(restored, one["n"])
            found |= {f"{name} later": value for name, value in numbers(later).items()}
        for answers, tolerance in ((one["exact"], 1e-12), (one["recorded"], 1e-9)):
            asked = {name: found[name] for name in answers}
            assert asked == pytest.approx(answers, rel=tolerance, abs=tolerance)

    def test_the_same_version_is_written_again_byte_for_byte(self, one):
        if of_this_version(one):
            assert kind_of(one["kind"]).from_bytes(one["bytes"]).to_bytes() == one["bytes"]

    def test_a_newer_version_is_refused_by_name(self, one):
        kind = kind_of(one["kind"])
        newer = kind._version + 1
        forged = one["bytes"][:4] + struct.pack("<H", newer) + one["bytes"][6:]
        with pytest.raises(rl.SerializationError) as caught:
            kind.from_bytes(forged)
        assert str(caught.value) == (
            f"This {one['kind']} was written in version {newer}; this release of roclab reads "
            f"version {kind._version}. Install a release that reads it."
        )


def test_every_kind_of_bytes_is_kept():
    named = {(one["kind"], one["bytes"][2:4]) for _, one in STATES}
    assert named == {(kind.__name__, kind._kind) for kind in kinds()}
    assert len({kind._kind for kind in kinds()}) == len(kinds())


def test_the_page_names_the_versions():
    rows = re.findall(r"^\| `(\w+)` \| `(\w\w)` \| (\d+) \|", PAGE.read_text("utf-8"), re.M)
    expected = [(kind.__name__, kind._kind.decode(), str(kind._version)) for kind in kinds()]
    assert rows == expected
