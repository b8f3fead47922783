"""The look of pages, pictures and documentation: colours, type, spacing, shapes of a status.

Every colour of text has a contrast of at least 4.5 to its ground, every colour of a model at least
3. The eight colours of models differ for people with protanopia, deuteranopia and tritanopia too.
"""

from __future__ import annotations

from typing import NamedTuple


class Color(NamedTuple):
    """A colour on a light and on a dark ground."""

    light: str
    dark: str


COLORS = {
    "ground": Color("#fcfcfb", "#141518"),
    "surface": Color("#f3f4f4", "#1d1f23"),  # of panels and of what can be pressed
    "text": Color("#1c1d1f", "#e9eaec"),
    "muted": Color("#5b6068", "#a3a8b0"),
    "line": Color("#dcdee1", "#34373d"),
    "grid": Color("#e9eaec", "#26292e"),
    "data": Color("#0b63a5", "#6cb4f0"),
    "reference": Color("#6b7078", "#9aa0a8"),
    "alarm": Color("#b3261e", "#ff8a80"),
    "warning": Color("#8a5a00", "#e5b454"),
    "ok": Color("#1c6e5a", "#6fcfb3"),
    "pale": Color("#b9bdc3", "#565b63"),  # of models that are not named
}

# By the place of a model in its table.
MODELS = (
    Color("#0b63a5", "#6cb4f0"),  # blue
    Color("#c87e03", "#fec588"),  # amber
    Color("#520658", "#8e4c98"),  # plum
    Color("#d4234a", "#e679a6"),  # crimson
    Color("#04a380", "#0c8355"),  # teal
    Color("#1c1d1f", "#e9eaec"),  # ink
    Color("#9477f3", "#8c74fc"),  # violet
    Color("#681b01", "#f66a2e"),  # brown
)

FONT = 'system-ui, -apple-system, "Segoe UI", sans-serif'
# Heights of letters, in pixels.
SIZES = {
    "title": 28,
    "fact": 22,
    "sentence": 19,
    "section": 17,
    "body": 15,
    "note": 13,
    "axis": 12,
}
STEP = 8  # all distances are multiples of it, in pixels
GUTTER = 24
WIDEST = 1120  # a page

# A status has a shape and a word, so that nobody needs its colour.
STATUS = {
    "firing": ("▲", "alarm"),
    "pending": ("◐", "warning"),
    "ok": ("○", "ok"),
    "no data": ("–", "muted"),  # noqa: RUF001
}


def css_variables() -> str:
    """The tokens as custom properties of CSS, light, and dark where the reader prefers it."""
    named = {**COLORS, **{f"model-{place}": color for place, color in enumerate(MODELS)}}
    light = "".join(f"--{name}:{color.light};" for name, color in named.items())
    dark = "".join(f"--{name}:{color.dark};" for name, color in named.items())
    sizes = "".join(f"--{name}-size:{size}px;" for name, size in SIZES.items())
    lengths = f"--step:{STEP}px;--gutter:{GUTTER}px;--widest:{WIDEST}px;--font:{FONT};"
    return (
        f":root{{color-scheme:light dark;{light}{sizes}{lengths}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    )
