"""Sections of a report as one HTML file: styles, scripts and data are inside it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from roclab.formatting import one_line
from roclab.report.document import Column, Note, Record, Table
from roclab.report.figure import Figure
from roclab.report.look import COLORS, MODELS, STATUS, css_variables
from roclab.report.page.parts import (
    Checks,
    Facts,
    Folded,
    GroupRates,
    IntervalColumn,
    Legend,
    ModelColumn,
    Moving,
    Outcome,
    Panel,
    Part,
    Row,
    Section,
    StateColumn,
)
from roclab.report.plot_style import style_of
from roclab.report.svg import DASHES, to_svg

_HERE = Path(__file__).parent
# Sections that follow the decision panel, which stays in sight beside them.
_DECIDED = ("curves", "decision", "groups")
_GROUP_RATES = (
    ("tpr", "positives found"),
    ("fpr", "false alarms"),
    ("ppv", "precision"),
    ("called", "called positive"),
)
_WIDTH = 360  # of a figure, three beside each other


def to_page(title: str, subtitle: str, sections: Sequence[Section]) -> str:
    """The whole file."""
    panels = [part for one in sections for part in one.parts if isinstance(part, Panel)]
    before = [one for one in sections if one.key in ("answer", "models")]
    decided = [one for one in sections if one.key in _DECIDED]
    after = [one for one in sections if one not in before and one not in decided]
    groups = next(
        (part for one in sections for part in one.parts if isinstance(part, GroupRates)), None
    )
    middle = "".join(map(_section, decided))
    if panels:
        middle = f'<div class="decided">{_panel(panels[0], groups)}{middle}</div>'
    body = "".join(map(_section, before)) + middle + "".join(map(_section, after))
    contents = "".join(
        f'<li><a href="#{one.key}">{escape(one.title)}</a></li>' for one in sections if one.title
    )
    scripts = "".join(f"<script>{_asset(name)}</script>" for name in ("decision.js", "page.js"))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        # A page that asks the network for nothing cannot leak anything.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src '
        "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">"
        f"<title>{escape(title)}</title><style>{css_variables()}{_asset('page.css')}</style></head>"
        f'<body><nav class="contents" aria-label="Contents"><ul>{contents}</ul></nav><main>'
        f'<header><h1>{escape(title)}</h1><p class="subtitle">{escape(subtitle)}</p></header>'
        f"{body}</main>{scripts}</body></html>\n"
    )


def _asset(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _section(section: Section) -> str:
    title = f"<h2>{escape(section.title)}</h2>" if section.title else ""
    lead = not section.title
    said: set[str] = set()
    found: list[str] = []
    for part in section.parts:
        if isinstance(part, Note):
            if part.text in said:
                continue
            said.add(part.text)
        found.append(_part(part, lead=lead and not found))
    inside = "".join(found)
    if section.folded:
        inside = f"<details><summary>{title}</summary>{inside}</details>"
        title = ""
    return f'<section id="{section.key}">{title}{inside}</section>'


def _part(part: Part, *, lead: bool = False) -> str:
    if isinstance(part, Note):
        kind = "warning" if part.severity == "warning" else "lead" if lead else "note"
        return f'<p class="{kind}">{escape(part.text)}</p>'
    if isinstance(part, Table):
        return _table(part) if part.visible and part.records else ""
    if isinstance(part, Figure):
        return to_svg(part)
    if isinstance(part, Moving):
        return _moving(part)
    if isinstance(part, Row | Folded):
        inside = "".join(map(_part, part.parts))
        if isinstance(part, Row):
            return f'<div class="row{" wide" * part.wide}">{inside}</div>'
        return f"<details><summary>{escape(part.title)}</summary>{inside}</details>"
    return _own_part(part)


def _own_part(part: Facts | Legend | Panel | Outcome | GroupRates | Checks) -> str:
    if isinstance(part, Facts):
        return _facts(part)
    if isinstance(part, Legend):
        return _legend(part)
    if isinstance(part, Outcome):
        return _asset(f"{part.kind}.html")
    if isinstance(part, GroupRates):
        return _group_rates(part)
    if isinstance(part, Checks):
        return _checks(part)
    return ""  # the panel is above all sections that follow it


def _facts(facts: Facts) -> str:
    items = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd>"
        f'<dd class="note">{escape(note)}</dd></div>'
        for name, value, note in facts.items
    )
    return f'<dl class="facts">{items}</dl>'


def _legend(legend: Legend) -> str:
    items = "".join(
        f"<li>{_swatch(color)}{_breakable(one_line(name))}</li>"
        for name, color in legend.colors.items()
        if color is not None
    )
    grey = sum(color is None for color in legend.colors.values())
    if grey:
        items += f"<li>{_swatch(None)}{grey:,} other{'s' * (grey != 1)}</li>"
    return f'<ul class="legend">{items}</ul>'


def _swatch(color: int | None) -> str:
    dashes = "" if color is None else DASHES[style_of(color).dashes]
    return (
        '<svg class="swatch" width="20" height="8" aria-hidden="true"><line x1="0" x2="20" y1="4" '
        f'y2="4" stroke="{_color(color)}" stroke-width="3" stroke-dasharray="{dashes}"/></svg>'
    )


def _color(color: int | None) -> str:
    if color is None:
        return f"var(--pale, {COLORS['pale'].light})"
    return f"var(--model-{color}, {MODELS[color].light})"


def _moving(moving: Moving) -> str:
    of_model = ""
    if moving.model is not None:
        of_model = f' data-model="{moving.model}" hidden'
    legend = moving.kind in ("scores", "calibration")
    return (
        f'<div class="moving" data-moves="{moving.kind}"{of_model}>'
        f"{to_svg(moving.figure, legend=legend, width=_WIDTH)}</div>"
    )


def _checks(checks: Checks) -> str:
    items = "".join(
        f'<li class="{STATUS[status][1]}"><span class="shape" aria-hidden="true">'
        f"{STATUS[status][0]}</span><div><strong>{escape(title)}</strong> {escape(text)}</div></li>"
        for status, title, text in checks.items
    )
    return f'<ul class="checks">{items}</ul>'


def _table(table: Table) -> str:
    title = "" if table.title is None else f"<caption>{escape(table.title)}</caption>"
    head = "".join(
        f'<th{_class(column)} scope="col" title="{escape(column.meaning, quote=True)}">'
        f"{escape(column.title)}</th>"
        for column in table.columns
    )
    rows = "".join(
        f"<tr>{''.join(_cell(column, record) for column in table.columns)}</tr>"
        for record in table.records[: table.shown]
    )
    named = any(column.title for column in table.columns)
    head = f"<thead><tr>{head}</tr></thead>" if named else ""
    return (
        f'<div class="table" tabindex="0"><table>{title}{head}<tbody>{rows}</tbody></table></div>'
    )


def _class(column: Column) -> str:
    if isinstance(column, IntervalColumn):
        return ' class="drawn"'
    if isinstance(column, ModelColumn | StateColumn):
        return ' class="name"'
    return {"number": "", "name": ' class="name"', "text": ' class="text"'}[column.kind]


def _cell(column: Column, record: Record) -> str:
    values = [record[key] for key in column.keys]
    if isinstance(column, IntervalColumn):
        inside = _bar(values[0], values[1], values[2], column.axis, _color(values[3]))
    elif isinstance(column, ModelColumn):
        name = f"<span>{_breakable(one_line(values[0]))}</span>"
        inside = f'<span class="named">{_swatch(values[1])}{name}</span>'
    elif isinstance(column, StateColumn):
        inside = f'<a href="#{escape(values[1], quote=True)}">{escape(values[0])}</a>'
    else:
        inside = _breakable(column.show(record))
    return f"<td{_class(column)}>{inside}</td>"


def _bar(value: float, low: float, high: float, axis: tuple[float, float], color: str) -> str:
    """An interval with its value, drawn along an axis as wide as the cell."""
    if math.isnan(value):
        return ""
    start, end = axis

    def at(number: float) -> str:
        return f"{100 * (min(max(number, start), end) - start) / (end - start):.2f}%"

    ends = "" if math.isnan(low + high) else f'x1="{at(low)}" x2="{at(high)}" '
    return (
        f'<svg class="bar" aria-hidden="true" style="color:{color}"><line {ends}y1="50%" y2="50%"/>'
        f'<circle cx="{at(value)}" cy="50%" r="4"/></svg>'
    )


def _breakable(text: str) -> str:
    """Names of columns in programs may be broken after an underscore."""
    return escape(text).replace("_", "_<wbr>")


def _group_rates(rates: GroupRates) -> str:
    head = "".join(
        f'<th scope="col" class="drawn">{title}</th>' for _, title in (("", "AUC"), *_GROUP_RATES)
    )
    bar = _bar(0.5, 0.5, 0.5, (0, 1), "var(--data)")
    cells = "".join(
        f'<td class="drawn" data-rate="{key}"><span></span>{bar}</td>'
        for key in ("auc", *(key for key, _ in _GROUP_RATES))
    )
    rows = "".join(
        f'<tr data-group="{place}"><th scope="row" class="name">{_breakable(name)}'
        f'<span class="note">{escape(size)}</span></th>{cells}</tr>'
        for place, (name, size) in enumerate(zip(rates.names, rates.sizes, strict=True))
    )
    curves = "".join(
        f'<figure class="small" data-group="{place}"><figcaption>{_breakable(name)}</figcaption>'
        '<svg viewBox="0 0 100 100" class="small-roc" aria-hidden="true">'
        '<path class="frame" d="M0 0H100V100H0ZM0 100L100 0"/><path class="whole"/>'
        '<path class="part"/><circle r="3"/></svg></figure>'
        for place, name in enumerate(rates.names)
    )
    start, end = rates.axis
    return (
        f'<div class="small-multiples" data-part="group-curves">{curves}</div>'
        '<p class="note">ROC curve of the chosen model in each group, over that of all examples in '
        "grey; the point is the threshold of the panel. Below, what this one threshold does to "
        f"each group, with 95 % intervals; the AUC is drawn from {start:g} to {end:g}, rates from "
        "0 to 100 %. Grey lines: all examples. At another prevalence the odds of all groups are "
        "shifted alike.</p>"
        f'<div class="table" tabindex="0"><table class="groups" data-axis="{start} {end}">'
        f'<thead><tr><th scope="col" class="name">{escape(rates.by)}</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _panel(panel: Panel, groups: GroupRates | None) -> str:
    models = []
    for one in panel.models:
        color = panel.colors[one.name]
        dashes = "" if color is None else DASHES[style_of(color).dashes]
        models.append(
            {
                **one.to_dict(),
                "color": None if color is None else _color(color),
                "dashes": dashes,
                "probabilities": one.name in panel.probabilities,
                "weighted": one.counts.tp_squared is not None,
                "groupAucs": [
                    [None if math.isnan(number) else number for number in ends]
                    for ends in panel.group_aucs[one.name]
                ],
            }
        )
    setting = panel.setting
    start: dict[str, Any] = {
        "model": panel.model,
        "miss": setting.false_negative_cost,
        "alarm": setting.false_positive_cost,
        "prevalence": setting.prevalence,
        "capacity": setting.capacity,
    }
    data = {"models": models, "start": start, "groups": list(groups.names if groups else ())}
    # "</script>" within a name must not end the data.
    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    options = "".join(
        f'<option value="{place}">{escape(one_line(model.name))}</option>'
        for place, model in enumerate(panel.models)
    )
    return (
        _asset("panel.html").replace("<!-- models -->", options)
        + f'<script type="application/json" id="report-data">{text}</script>'
    )
