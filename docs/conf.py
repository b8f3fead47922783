"""How Sphinx builds these pages."""

import re
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from numpydoc.xref import DEFAULT_LINKS
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode
from sphinx.writers.html5 import HTML5Translator

import roclab
from roclab.report.look import COLORS, FONT

sys.path.insert(0, str(Path(__file__).parent))

from draw_pictures import with_pictures
from make_api_pages import module_of, public
from search_terms import SEARCH_TERMS

project = "roclab"
author = "The roclab developers"
copyright = f"2026, {author}"
version = release = roclab.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["attrs_block", "dollarmath"]
myst_heading_anchors = 3

# Docstrings name types in words; numpy's own annotations would fill a screen each.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
DEFAULT_LINKS.clear()  # to pages of Python and NumPy, which are not here
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"
numpydoc_xref_aliases = {
    name: f"{module_of(package, name)}.{name}" for package, name in public() if name[0].isupper()
}
default_role = "py:obj"
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"roclab {release}"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["pages.css"]


def _theme(scheme: str) -> dict[str, str]:
    """The variables of the theme in the colours of reports and pictures."""
    look = {name: getattr(color, scheme) for name, color in COLORS.items()}
    return {
        "font-stack": FONT,
        "color-brand-primary": look["data"],
        "color-brand-content": look["data"],
        "color-brand-visited": look["data"],
        "color-link": look["data"],
        "color-link--visited": look["data"],
        "color-foreground-primary": look["text"],
        "color-foreground-secondary": look["muted"],
        "color-foreground-muted": look["muted"],
        "color-foreground-border": look["reference"],
        "color-background-primary": look["ground"],
        "color-background-secondary": look["surface"],
        "color-background-hover": look["grid"],
        "color-background-border": look["line"],
        "color-sidebar-link-text--top-level": look["text"],
        "color-code-background": look["surface"],
        "color-inline-code-background": look["surface"],
    }


html_theme_options = {
    "light_css_variables": _theme("light"),
    "dark_css_variables": _theme("dark"),
}


def setup(app: Sphinx) -> None:
    """Write formulas as MathML, which browsers draw by themselves: no script, no network."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("source-read", _index_search_terms)
    app.connect("source-read", _offer_pages_of_studies)
    app.connect("source-read", _draw_pictures)
    app.connect("env-updated", _write_all_pages)
    app.connect("autodoc-process-docstring", _list_references, priority=100)
    app.connect("missing-reference", _link_by_name)


def _index_search_terms(*event: Any) -> None:
    """Enter the terms of a page into the index: the search ranks main entries first."""
    _, page, source = event
    if terms := SEARCH_TERMS.get(page):
        entries = ", ".join(f"! {term}" for term in terms)
        title = re.compile(r"^# .+$", re.MULTILINE)
        source[0] = title.sub(rf"\g<0>\n\n```{{index}} {entries}\n```", source[0], count=1)


def _write_all_pages(_: Sphinx, environment: BuildEnvironment) -> list[str]:
    """Sphinx forgets the search terms of pages that it does not write again."""
    return sorted(environment.found_docs)


def _draw_pictures(app: Sphinx, page: str, source: list[str]) -> None:
    """Draw the pictures of a page, again if any code has changed."""
    drawn = with_pictures(page, source[0], Path(app.outdir))
    if drawn != source[0]:
        source[0] = drawn
        for file in Path(roclab.__file__).parent.rglob("*.py"):
            app.env.note_dependency(str(file))


def _offer_pages_of_studies(*event: Any) -> None:
    """Links to pages outside of this folder, which are not built, download them."""
    source = event[-1]
    outside = re.compile(
        r"\[([^\]`]+)\]\(((?:\.\./)+studies/(?:pages/\w+|README)\.md)(?:#[\w-]+)?\)"
    )
    source[0] = outside.sub(r"{download}`\1 <\2>`", source[0])


def _list_references(*event: Any) -> None:
    """Make each reference of a docstring an item of a list; without it they are one paragraph."""
    lines: list[str] = event[-1]
    if "References" not in lines:
        return
    first = lines.index("References") + 2
    last = next(
        (number for number in range(first, len(lines)) if not lines[number].strip()), len(lines)
    )
    begins = True
    for number in range(first, last):
        line = lines[number]
        # "C. Elkan" would be the third item of a list.
        lines[number] = ("* \\" if begins else "  ") + line
        begins = line.rstrip().endswith(".")


def _link_by_name(
    app: Sphinx, environment: BuildEnvironment, node: pending_xref, text: nodes.Element
) -> nodes.Element | None:
    """Link a bare name to the one object of that name, in whichever package it is."""
    domain = environment.domains["py"]
    target = node.get("reftarget", "")
    found = [name for name in domain.objects if name.rpartition(".")[2] == target]
    if node.get("refdomain") != "py" or len(found) != 1:
        return None
    document = domain.objects[found[0]].docname
    return make_refnode(app.builder, node["refdoc"], document, found[0], text, found[0])


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    # Room above and below, or the theme cuts off what is tall.
    formula = tex2mathml(node.astext(), as_block=True)
    translator.body.append(f'<div style="padding: 0.7em 0">{formula}</div>')
    raise nodes.SkipNode
