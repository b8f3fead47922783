"""Sections of a report as one HTML file: styles, scripts and data are inside it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path

from roclab.report.decision import ModelCounts
from roclab.report.document import Document, Note, Table
from roclab.report.figure import Figure
from roclab.report.formats import threshold
from roclab.report.svg import to_svg

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class DecisionPanel:
    """Sliders over the counts of some models."""

    models: tuple[ModelCounts, ...]


Part = Document | Figure | Note | Table | DecisionPanel


@dataclass(frozen=True)
class Section:
    """A title, and what is below it. The first section has the opening paragraph."""

    title: str
    parts: tuple[Part, ...]


def to_page(title: str, sections: Sequence[Section], facts: Mapping[str, str]) -> str:
    """The whole file; `facts` are in the footer."""
    body = "".join(_section(section) for section in sections)
    listed = "".join(
        f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in facts.items()
    )
    scripts = "".join(f"<script>{_asset(name)}</script>" for name in ("decision.js", "page.js"))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        # A page that asks the network for nothing cannot leak anything.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src '
        "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">"
        f"<title>{escape(title)}</title><style>{_asset('page.css')}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{body}<footer><dl>{listed}</dl></footer></main>"
        f"{scripts}</body></html>\n"
    )


def _asset(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _section(section: Section) -> str:
    title = f"<h2>{escape(section.title)}</h2>" if section.title else ""
    found, figures = [], []
    said = set()
    for part in _flattened(section.parts):
        if isinstance(part, Note):
            if part.text in said:
                continue
            said.add(part.text)
        if isinstance(part, Figure):
            figures.append(to_svg(part, section.title))
            continue
        found.append(_figures(figures) + _part(part, lead=not section.title))
        figures = []
    return f"<section>{title}{''.join(found)}{_figures(figures)}</section>"


def _flattened(parts: Sequence[Part]) -> list[Figure | Note | Table | DecisionPanel]:
    found: list[Figure | Note | Table | DecisionPanel] = []
    for part in parts:
        found += part.parts if isinstance(part, Document) else [part]
    return found


def _figures(pictures: list[str]) -> str:
    return f'<div class="figures">{"".join(pictures)}</div>' if pictures else ""


def _part(part: Note | Table | DecisionPanel, *, lead: bool) -> str:
    if isinstance(part, Note):
        kind = "warning" if part.severity == "warning" else "lead" if lead else "note"
        return f'<p class="{kind}">{escape(part.text)}</p>'
    if isinstance(part, Table):
        return _table(part) if part.visible and part.records else ""
    return _panel(part)


def _table(table: Table) -> str:
    kinds = ["" if column.kind == "number" else ' class="name"' for column in table.columns]
    title = "" if table.title is None else f"<caption>{escape(table.title)}</caption>"
    head = "".join(
        f'<th{kind} scope="col" title="{escape(column.meaning, quote=True)}">'
        f"{escape(column.title)}</th>"
        for kind, column in zip(kinds, table.columns, strict=True)
    )
    rows = "".join(f"<tr>{''.join(_cells(kinds, row))}</tr>" for row in table.cells)
    return (
        f'<div class="table" tabindex="0"><table>{title}<thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cells(kinds: Sequence[str], row: Sequence[str]) -> list[str]:
    return [f"<td{kind}>{_breakable(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)]


def _breakable(text: str) -> str:
    """Names of columns in programs may be broken after an underscore."""
    return escape(text).replace("_", "_<wbr>")


def _threshold(value: float, below: float) -> str:
    return "all examples are positive" if value == -math.inf else threshold(value, below)


def _panel(panel: DecisionPanel) -> str:
    models = [asdict(model) for model in panel.models]
    for model in models:
        pairs = zip(model.pop("threshold"), model.pop("score_below"), strict=True)
        model["threshold"] = [_threshold(*pair) for pair in pairs]
        model["threshold"][0] = "above all scores"
    # "</script>" within a name must not end the data.
    data = json.dumps(models, separators=(",", ":")).replace("<", "\\u003c")
    options = "".join(
        f'<option value="{place}">{escape(model.name)}</option>'
        for place, model in enumerate(panel.models)
    )
    return (
        _asset("panel.html").replace("<!-- models -->", options)
        + f'<script type="application/json" id="decision-data">{data}</script>'
    )
