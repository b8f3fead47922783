"""`roclab plot`: pictures of all kinds and formats, whole or not at all."""

import os
import re
import sys
from typing import get_args

import matplotlib as mpl
import polars as pl
import pytest
from commands import process
from matplotlib import pyplot

import roclab as rl
from roclab.checks.choices import PlotKind
from roclab.cli import main

MODELS = ("--score", "ridge", "--score", "forest")
BEGIN = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture
def plot(capsysbinary, scores, tmp_path):
    def plot(name, *arguments, notes=()):
        code = main(
            ["plot", scores, "--label", "outcome", *MODELS, "-o", str(tmp_path / name), *arguments]
        )
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert (code, out) == (0, "")
        assert [line.partition(":")[0] for line in err.splitlines()] == ["note"] * len(notes)
        assert all(text in line for text, line in zip(notes, err.splitlines(), strict=True))
        return (tmp_path / name).read_bytes()

    return plot


@pytest.mark.parametrize("kind", get_args(PlotKind))
@pytest.mark.parametrize("by", [(), ("--by", "region")])
def test_every_kind(plot, scores, frame, kind, by):
    probabilities = {name: (1 + (-pl.col(name)).exp()).pow(-1).alias(name) for name in MODELS[1::2]}
    frame.with_columns(**probabilities).write_csv(scores)
    few = ["No interval for ridge: fewer than 20 negative examples "]
    if by:
        few = [f" (region: {one}): fewer than 20 " for one in ("east", "north", "south")]
    notes = few if kind == "pr" else ()
    assert plot("picture.png", "--kind", kind, *by, notes=notes).startswith(BEGIN["png"])


@pytest.mark.parametrize("kind", ["calibration", "decision"])
def test_some_kinds_need_probabilities(scores, refusal, tmp_path, kind):
    picture = tmp_path / "a.png"
    message = refusal("plot", scores, "--label", "outcome", "--kind", kind, "-o", str(picture))
    assert "needs probabilities, between 0 and 1" in message
    assert not picture.exists()


@pytest.mark.parametrize("suffix", BEGIN)
def test_every_format_and_the_same_bytes_each_time(plot, suffix):
    first = plot(f"picture.{suffix}")
    assert first.startswith(BEGIN[suffix])
    assert plot(f"again.{suffix.upper()}") == first


def test_the_legend_has_the_numbers_of_the_library(plot, frame):
    with mpl.rc_context({"svg.fonttype": "none"}):
        picture = plot("roc.svg").decode()
    for model in ("ridge", "forest"):
        one = rl.auc_interval(frame["outcome"], frame[model])
        assert f"{model}, AUC {one.value:.3f} [{one.low:.3f}, {one.high:.3f}]" in picture


@pytest.mark.parametrize("kind", ["scores", "thresholds"])
def test_a_panel_for_each_model(plot, kind):
    with mpl.rc_context({"svg.fonttype": "none"}):
        picture = plot("a.svg", "--kind", kind).decode()
    assert picture.count('id="axes_') == 2
    for model in ("ridge", "forest"):
        assert f">{model}</text>" in picture


def test_a_band_of_each_model(plot, scores, frame):
    with mpl.rc_context({"svg.fonttype": "none"}):
        assert "95 % simultaneous band" in plot("a.svg", "--band").decode()
        probabilities = {
            name: (1 + (-pl.col(name)).exp()).pow(-1).alias(name) for name in MODELS[1::2]
        }
        frame.with_columns(**probabilities).write_csv(scores)
        assert "95 % interval" in plot("b.svg", "--kind", "decision", "--band").decode()
        assert "95 % interval" not in plot("c.svg", "--kind", "decision").decode()


def test_no_window_is_opened(plot):
    before = pyplot.get_fignums()
    plot("a.png")
    assert pyplot.get_fignums() == before


def test_standard_input(scores, tmp_path):
    with open(scores, "rb") as rows:
        done = process("plot", "--label", "outcome", "-o", tmp_path / "a.png", stdin=rows)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "a.png").read_bytes().startswith(BEGIN["png"])


class TestRefusals:
    @pytest.mark.parametrize("name", ["roc", "roc.jpg", "roc.png.gz"])
    def test_endings_that_say_no_format(self, refusal, scores, tmp_path, name):
        said = refusal("plot", scores, "--label", "outcome", "-o", tmp_path / name)
        assert "is not that of a known picture format" in said
        assert said.endswith("suffixes: .png, .svg, .pdf.\n")
        assert not (tmp_path / name).exists()

    def test_without_an_output(self, refusal, scores):
        assert "--output" in refusal("plot", scores, "--label", "outcome")

    def test_kinds_that_there_are_not(self, refusal, scores):
        said = refusal("plot", scores, "--label", "outcome", "-o", "a.png", "--kind", "gain")
        assert "Did you mean pr-gain (of precision and recall) or gains (the gains table)?" in said
        said = refusal("plot", scores, "--label", "outcome", "-o", "a.png", "--kind", "rok")
        assert re.search("'rok', which is not one of roc, pr", said)

    def test_more_panels_than_fit_on_a_page(self, refusal, tmp_path):
        many = tmp_path / "many.csv"
        models = ",".join(f"m{at}" for at in range(13))
        many.write_text(f"y,{models}\n" + ("0" + ",1" * 13 + "\n1" + ",2" * 13 + "\n") * 2)
        words = ("--label", "y", "--kind", "scores", "-o", tmp_path / "a.png")
        said = refusal("plot", many, *words)
        assert "13 pictures do not fit on a page" in said
        assert "Choose models with --score, or a column --by with fewer values." in said

    def test_kinds_without_bands(self, refusal, scores):
        said = refusal(
            "plot", scores, "--label", "outcome", "-o", "a.png", "--kind", "pr", "--band"
        )
        assert said == (
            "roclab: Pictures of --kind pr have no band. Leave --band out, or use --kind roc or "
            "--kind decision.\n"
        )

    def test_bands_of_more_than_three_models(self, refusal, tmp_path):
        many = tmp_path / "many.csv"
        many.write_text("y,a,b,c,d\n" + "0,1,1,1,1\n1,2,2,2,2\n" * 2)
        said = refusal("plot", many, "--label", "y", "--band", "-o", tmp_path / "a.png")
        assert said == (
            "roclab: Bands of 4 models cover each other; at most 3 models are drawn with bands. "
            "Choose models with --score, or leave --band out.\n"
        )

    def test_what_is_read_is_not_overwritten(self, refusal, scores):
        assert "are the same file" in refusal("plot", scores, "--label", "outcome", "-o", scores)

    def test_a_picture_that_cannot_be_drawn_leaves_the_old_one(self, refusal, scores, tmp_path):
        old = tmp_path / "old.png"
        old.write_bytes(b"old")
        words = ("--label", "outcome", "--score", "ridge", "--kind", "pairs", "-o", old)
        assert "no pair of models to draw" in refusal("plot", scores, *words)
        assert old.read_bytes() == b"old"
        assert sorted(os.listdir(tmp_path)) == ["old.png", "scores.csv"]

    def test_without_matplotlib_it_says_what_to_install(
        self, refusal, scores, tmp_path, monkeypatch
    ):
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        said = refusal("plot", scores, "--label", "outcome", "-o", tmp_path / "a.png")
        assert "pip install 'roclab[plot]'" in said
