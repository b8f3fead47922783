"""Colours that people with colour blindness can distinguish, and that differ in greyscale.

Simulation: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, IEEE Transactions on Visualization
and Computer Graphics 15 (2009) 1291-1298, severity 1.0, applied to linear RGB. Distances are those
of CIE 1976 Lab (D65), in which about 2.3 is just noticeable.
"""

import itertools

import numpy as np
import pytest

from roclab.report.look import COLORS, MODELS, STATUS
from roclab.report.plot_style import ROLES, STYLES, shortened, style_of

GROUNDS = ("light", "dark")

VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
) / np.array([[0.9505], [1.0], [1.089]])


def on(ground, colour):
    """The hexadecimal digits of a colour on a ground."""
    return getattr(colour, ground)


def linear(colour):
    values = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(a, b):
    """Contrast of two colours, from 1 to 21 (WCAG 2)."""
    dark, light = sorted(np.sum(linear(one) * [0.2126, 0.7152, 0.0722]) for one in (a, b))
    return (light + 0.05) / (dark + 0.05)


def lab(colour, vision):
    """Lab coordinates of a colour as somebody with this vision sees it."""
    seen = np.clip((VISION[vision] * linear(colour)).sum(axis=1), 0, 1)
    x, y, z = (
        np.cbrt(one) if one > 0.008856 else 7.787 * one + 16 / 116
        for one in (TO_XYZ * seen).sum(axis=1)
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def difference(a, b, vision):
    return np.sqrt(np.sum((lab(a, vision) - lab(b, vision)) ** 2))


def test_the_ruler_itself():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert lab("#ffffff", "normal") == pytest.approx([100, 0, 0], abs=0.05)
    assert lab("#ff0000", "normal") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    # What everybody confuses: red and green of the same lightness.
    assert difference("#a05000", "#507000", "normal") > 40
    assert difference("#a05000", "#507000", "deuteranopia") < 15


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("ground", GROUNDS)
def test_any_two_colours_of_models_differ(ground, vision):
    colours = [on(ground, one) for one in MODELS]
    assert len(colours) == 8
    closest = min(difference(a, b, vision) for a, b in itertools.combinations(colours, 2))
    assert closest >= 22


@pytest.mark.parametrize("ground", GROUNDS)
def test_colours_of_models_stand_out_from_the_ground(ground):
    paper = on(ground, COLORS["ground"])
    assert min(contrast(on(ground, one), paper) for one in MODELS) >= 3


@pytest.mark.parametrize("ground", GROUNDS)
def test_text_can_be_read_on_the_ground_and_on_panels(ground):
    words = {"text", "muted", "data", "reference", *(name for _, name in STATUS.values())}
    assert words >= {"alarm", "warning", "ok"}
    for name in words:
        for paper in ("ground", "surface"):
            assert contrast(on(ground, COLORS[name]), on(ground, COLORS[paper])) >= 4.5


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("ground", GROUNDS)
def test_no_model_has_the_grey_of_models_that_are_not_named(ground, vision):
    pale = on(ground, COLORS["pale"])
    assert min(difference(on(ground, one), pale, vision) for one in MODELS) > 20


def test_lines_of_the_same_dashes_differ_in_lightness():
    for a, b in itertools.combinations(STYLES, 2):
        if a.dashes == b.dashes:
            lightness = abs(lab(a.color, "normal")[0] - lab(b.color, "normal")[0])
            assert lightness > 13


def test_matplotlib_draws_in_the_colours_of_the_light_ground():
    assert [style.color for style in STYLES] == [one.light for one in MODELS]
    assert set(ROLES.values()) <= {one.light for one in COLORS.values()}
    assert style_of(8) == style_of(0)


def test_long_texts_lose_their_middle():
    assert shortened("a" * 20, 20) == "a" * 20
    short = shortened("start " + "x" * 500 + ", AUC 0.9", 40)
    assert len(short) == 40
    assert short.startswith("start ")
    assert short.endswith(", AUC 0.9")
    assert "…" in short
