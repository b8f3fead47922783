"""How Sphinx builds these pages."""

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

import roclab

project = "roclab"
author = "The roclab developers"
copyright = f"2026, {author}"
version = release = roclab.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

# Docstrings name types in words; numpy's own annotations would fill a screen each.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]  # keeps "low, high : float" together
default_role = "py:obj"

html_theme = "furo"
html_title = f"roclab {release}"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["formulas.css"]


def setup(app: Sphinx) -> None:
    """Write formulas as MathML, which browsers draw by themselves: no script, no network."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    # Room above and below, or the theme cuts off what is tall.
    formula = tex2mathml(node.astext(), as_block=True)
    translator.body.append(f'<div style="padding: 0.7em 0">{formula}</div>')
    raise nodes.SkipNode
