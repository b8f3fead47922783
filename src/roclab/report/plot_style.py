"""The style of pictures: colours, dashes, markers and sizes.

Colours differ for people with protanopia, deuteranopia and tritanopia too, and lines of the same
dashes differ in lightness, so that pictures can be read in greyscale.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from roclab.report.figure import Role


class GroupStyle(NamedTuple):
    """How one of several things is drawn."""

    color: str
    dashes: str
    marker: str


_BLUE, _ORANGE, _WINE, _BLACK = "#0072b2", "#e69f00", "#882255", "#000000"
_RED, _SKY, _INDIGO, _PINK = "#cc3311", "#56b4e9", "#332288", "#ee6677"

# Colours by themselves suffice for eight; four come again with other dashes.
STYLES = tuple(
    GroupStyle(color, dashes, marker)
    for color, dashes, marker in (
        (_BLUE, "-", "o"),
        (_ORANGE, "-", "s"),
        (_WINE, "-", "^"),
        (_BLACK, "-", "D"),
        (_RED, "--", "v"),
        (_SKY, "--", "P"),
        (_INDIGO, "--", "X"),
        (_PINK, ":", "o"),
        (_BLUE, "-.", "s"),
        (_ORANGE, "-.", "^"),
        (_WINE, "-.", "D"),
        (_BLACK, "-.", "v"),
    )
)
ROLES: dict[Role, str] = {
    "curve": _BLUE,
    "reference": _BLACK,
    "changed": _RED,
    "context": "#9a9a9a",
}
GREY, PALE = ROLES["context"], "#c4c4c4"  # of points and rules, and of lines
SHADE = 0.22  # opacity of areas

WIDTH, WIDEST = 4.5, 6.5  # inches, as the other lengths
PANEL, HIGHEST = 3.2, 16
ROW, LEGEND_ROW, MARGIN = 0.27, 0.19, 1.0
BELOW = 0.45  # distance of a legend from the axes above it
SECOND, GAP = 1.2, 0.15  # height of a second picture below the first, and distance

TEXT, SMALL = 9, 8  # points
LINE, THIN, MARKER = 1.5, 0.8, 4.5
GRID: dict[str, Any] = {"color": "#e4e4e4", "linewidth": 0.6, "zorder": 0}
LONGEST_NAME, LONGEST_LABEL = 40, 52
_MINUS = " - "


LETTER = 0.06  # width of a letter


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
