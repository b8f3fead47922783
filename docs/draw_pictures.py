"""Draw the pictures of pages by running the lines that the pages show.

A line ``<!-- picture: alternative text -->`` in a page becomes the figure that the Python lines
above it have drawn, so that text and picture cannot differ. Pictures are written into the folder of
the built documentation; a second one of each has the colours of a dark page.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot

from roclab.report.look import COLORS, MODELS

ROOT = Path(__file__).parents[1]
FOLDER = Path("_images") / "drawn"
MARK = re.compile(r"^<!-- picture: (.+) -->$", re.MULTILINE)
OVERVIEW = "<!-- overview of the pictures -->"
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^### (.+)$", re.MULTILINE)
# Matplotlib's own: the ground, and the frame and ticks.
_DARK = {"#ffffff": COLORS["ground"].dark, "#000000": COLORS["muted"].dark} | {
    color.light: color.dark for color in (*COLORS.values(), *MODELS)
}


def with_pictures(name: str, text: str, site: Path) -> str:
    """The text of a page with its pictures, which are written into the folder of the site."""
    if not MARK.search(text):
        return text
    (site / FOLDER).mkdir(parents=True, exist_ok=True)
    source = "../" * name.count("/") + FOLDER.as_posix()
    images = []
    for place, (picture, alt) in enumerate(zip(_drawn(text), MARK.findall(text), strict=True)):
        file = f"{name.replace('/', '_')}_{place}"
        for scheme, svg in (("light", picture), ("dark", darkened(picture))):
            (site / FOLDER / f"{file}_{scheme}.svg").write_text(svg, "utf-8")
        images.append(_images(f"{source}/{file}", alt, picture))
    left = iter(images)
    page = MARK.sub(lambda _: f'<figure class="drawn">{next(left)}</figure>', text)
    return page.replace(OVERVIEW, _overview(text, images)) if OVERVIEW in page else page


def darkened(picture: str) -> str:
    """A picture on a dark ground: each colour of the look is replaced by its dark counterpart."""
    dark = re.sub("#[0-9a-f]{6}", lambda found: _DARK.get(found[0], found[0]), picture)
    # What has no colour is black: the letters.
    return dark.replace("<svg ", f'<svg fill="{COLORS["muted"].dark}" ', 1)


def _drawn(text: str) -> Iterator[str]:
    """Run the Python lines of a page in their order; at each mark, the last figure as SVG."""
    names: dict[str, Any] = {"__name__": "__main__"}
    pieces = MARK.split(text)[:-1:2]
    with _copy_of_examples(), contextlib.redirect_stdout(io.StringIO()):
        for piece in pieces:
            for block in _BLOCK.findall(piece):
                for example in doctest.DocTestParser().get_examples(block):
                    if not example.options.get(doctest.SKIP):
                        exec(example.source, names)
            if not pyplot.get_fignums():
                raise ValueError(f"Nothing is drawn above a mark; the lines are:\n{piece}")
            with io.StringIO() as file, mpl.rc_context({"svg.hashsalt": "roclab"}):
                pyplot.gcf().savefig(file, format="svg", metadata={"Date": None})
                yield file.getvalue()
            pyplot.close("all")


@contextlib.contextmanager
def _copy_of_examples() -> Iterator[None]:
    """Work where pages may read examples and write files."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)


def _images(file: str, alt: str, picture: str) -> str:
    """Both pictures, of which the theme shows one; their size keeps their place while they load."""
    width, height = re.findall(r'(?:width|height)="([\d.]+)pt"', picture)
    size = f'width="{float(width):.0f}" height="{float(height):.0f}"'
    return "".join(
        f'<img class="only-{scheme}" src="{file}_{scheme}.svg" alt="{escape(alt)}" {size} '
        'loading="lazy">'
        for scheme in ("light", "dark")
    )


def _overview(text: str, images: list[str]) -> str:
    """All pictures small, each with the title of its section and a link to it."""
    titles = [_HEADING.findall(piece)[-1] for piece in MARK.split(text)[:-1:2]]
    cards = [
        f'<li><a href="#{_anchor(title)}">{image}<span>{escape(title)}</span></a></li>'
        for title, image in zip(titles, images, strict=True)
    ]
    return f'<ul class="cards pictures">{"".join(cards)}</ul>'


def _anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
