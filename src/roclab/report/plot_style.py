"""The style of pictures by matplotlib: the colours of the look, dashes, markers and sizes."""

from __future__ import annotations

from typing import Any, NamedTuple

from roclab.report.figure import Role
from roclab.report.look import COLORS, MODELS


class GroupStyle(NamedTuple):
    """How one of several things is drawn."""

    color: str
    dashes: str
    marker: str


# Lines of the same dashes differ in lightness, so that pictures can be read in greyscale.
STYLES = tuple(
    GroupStyle(color.light, dashes, marker)
    for color, dashes, marker in zip(
        MODELS, ("-", "-", "-", "--", "--", "--", ":", ":"), "os^DvPX*", strict=True
    )
)
ROLES: dict[Role, str] = {
    "curve": COLORS["data"].light,
    "reference": COLORS["text"].light,
    "changed": COLORS["alarm"].light,
    "context": COLORS["reference"].light,
}
GREY, PALE = ROLES["context"], COLORS["pale"].light  # of points and rules, and of lines
SHADE, FAINT, COLUMN = 0.15, 0.35, 0.6  # opacity of areas, of faint lines, and of columns

WIDTH, SQUARE = 6.4, 5.2  # inches, as the other lengths: of a column of a notebook
PANEL, HIGHEST = 4.2, 16
ROW, LEGEND_ROW, MARGIN, TITLE = 0.27, 0.19, 1.0, 0.25
BELOW = 0.45  # distance of a legend from the axes above it
SECOND, GAP = 1.2, 0.15  # height of a second picture below the first, and distance
STRIP = 0.24  # height of a strip of columns in it

TEXT, SMALL, BESIDE = 9, 8, 6  # points: letters, and the distance of words from their place
TEXT_COLOR = COLORS["text"].light
LINE, THIN, MARKER = 1.5, 0.8, 4.5
GRID: dict[str, Any] = {"color": COLORS["grid"].light, "linewidth": 0.6, "zorder": 0}
LONGEST_NAME, LONGEST_LABEL = 40, 60
LETTER = 0.063  # width of a letter of a legend
AXES_SHARE = 0.775  # of the width of a new figure, before its layout is made
_MINUS = " - "


def style_of(group: int) -> GroupStyle:
    """The style of one of several things."""
    return STYLES[group % len(STYLES)]


def shortened(text: str, longest: int) -> str:
    """A text without its middle, if it is so long that no room would be left for the picture.

    Of a difference, such as ``a - b``, both names keep their beginning.
    """
    if len(text) <= longest:
        return text
    names = text.split(_MINUS, 1)
    if len(names) == 2:
        both = longest - len(_MINUS)
        kept = [max(both // 2, both - len(other)) for other in names[::-1]]
        return _MINUS.join(
            name if len(name) <= most else f"{name[: most - 1]}…"
            for name, most in zip(names, kept, strict=True)
        )
    return f"{text[: longest // 2 - 1]}…{text[-(longest // 2) :]}"
