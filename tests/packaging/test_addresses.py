"""README.md with the whole addresses that PyPI needs, and links in pyproject.toml."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / ".github" / "addresses.py"

if not SCRIPT.exists():
    pytest.skip("the source distribution has no workflows", allow_module_level=True)


def test_every_picture_and_link_names_a_file_of_the_commit() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    whole = runpy.run_path(str(SCRIPT))["whole"](text, "some/name", "abc123")
    before = re.findall(r"\]\(([^)]+)\)", text)
    after = re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", whole)
    assert len(before) == len(after) > 30
    for path, (picture, address) in zip(before, after, strict=True):
        if path.startswith("#"):  # of README itself
            assert address == path
            continue
        assert (ROOT / path.partition("#")[0]).exists(), path
        start = "https://raw.githubusercontent.com/some/name/abc123/"
        if not picture:
            start = "https://github.com/some/name/blob/abc123/"
        assert address == start + path


def test_other_addresses_and_words_stay() -> None:
    text = "[a](https://b.org/c) [d](#e) ![f](g.png) `h[i](j)` and words"
    whole = runpy.run_path(str(SCRIPT))["whole"](text, "o/n", "1")
    assert whole.startswith(
        "[a](https://b.org/c) [d](#e) ![f](https://raw.githubusercontent.com/o/n/1/g.png) "
    )


def test_links_are_all_that_is_added_to_the_project() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    before = tomllib.loads(text)
    after = tomllib.loads(runpy.run_path(str(SCRIPT))["linked"](text, "some/name"))
    urls = after["project"].pop("urls")
    assert after == before
    assert urls["Repository"] == "https://github.com/some/name"
    assert len(urls) == 3


def test_what_was_done_is_not_done_twice() -> None:
    functions = runpy.run_path(str(SCRIPT))
    for name, make in (
        ("README.md", lambda text: functions["whole"](text, "some/name", "abc123")),
        ("pyproject.toml", lambda text: functions["linked"](text, "some/name")),
    ):
        once = make((ROOT / name).read_text("utf-8"))
        assert make(once) == once
