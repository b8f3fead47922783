"""The gallery has every picture, and pictures of pages are drawn by the lines that are shown."""

import importlib
import itertools
import pkgutil
from pathlib import Path
from typing import get_args

import documents
import pytest

import roclab
from roclab.checks.choices import PlotKind
from roclab.report import documents as rooms
from roclab.report.document import figure
from roclab.report.look import COLORS
from roclab.report.together import sequence_figure

DRAWER = documents.load_script(documents.ROOT / "docs" / "draw_pictures.py")
PAGE = documents.ROOT / "docs" / "gallery.md"
SMALL = """\
# A page

## Pictures

### A curve

```python
>>> import roclab as rl
>>> ax = rl.plot(rl.roc_curve([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]))
```

<!-- picture: a "curve" -->
"""


def test_the_gallery_has_every_kind_of_the_command() -> None:
    commands = PAGE.read_text("utf-8").split()
    shown = {after for word, after in itertools.pairwise(commands) if word == "--kind"}
    assert shown == set(get_args(PlotKind))


def test_the_gallery_has_every_result_with_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in pkgutil.iter_modules(rooms.__path__, f"{rooms.__name__}."):
        importlib.import_module(room.name)
    drawn = set()

    def plot(result: object, **_: object) -> None:
        several = result.values() if isinstance(result, dict) else result
        drawn.update(map(type, several if isinstance(result, dict | list) else [result]))

    monkeypatch.setattr(roclab, "plot", plot)
    monkeypatch.chdir(documents.with_examples(tmp_path))
    documents.run_python(PAGE)
    known = {*figure.registry, *sequence_figure.registry} - {object}
    assert not [kind for kind in known if not any(issubclass(one, kind) for one in drawn)]


def test_every_picture_of_the_gallery_is_below_a_title_of_its_own() -> None:
    text = PAGE.read_text("utf-8")
    titles = [line for line in text.splitlines() if line.startswith("### ")]
    assert len(set(titles)) == len(titles) == len(DRAWER.MARK.findall(text))


def test_a_mark_becomes_the_picture_of_the_lines_above_it(tmp_path: Path) -> None:
    page = DRAWER.with_pictures("folder/page", SMALL, tmp_path)
    for scheme in ("light", "dark"):
        file = f"_images/drawn/folder_page_0_{scheme}.svg"
        assert f'src="../{file}" alt="a &quot;curve&quot;"' in page
        picture = (tmp_path / file).read_text("utf-8")
        assert getattr(COLORS["data"], scheme) in picture
    assert COLORS["data"].light not in picture
    assert "<!-- picture" not in page


def test_an_overview_links_to_the_titles(tmp_path: Path) -> None:
    page = DRAWER.with_pictures(
        "page", SMALL.replace("# A page", f"# A page\n\n{DRAWER.OVERVIEW}"), tmp_path
    )
    assert page.index('<li><a href="#a-curve"><img') < page.index("### A curve")


def test_a_mark_without_a_picture_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Nothing is drawn above"):
        DRAWER.with_pictures("page", SMALL.replace("ax = rl.plot", "ax = str"), tmp_path)


def test_a_page_without_marks_stays_as_it_is(tmp_path: Path) -> None:
    assert DRAWER.with_pictures("page", "# A page\n", tmp_path) == "# A page\n"
    assert not list(tmp_path.iterdir())
