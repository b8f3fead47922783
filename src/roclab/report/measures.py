"""The list of measures as a table."""

from __future__ import annotations

from typing import Any

from roclab.report.sheet import Page, Sheet

__all__ = ["page", "records"]

_NEEDS = {"finite": "finite scores", "probability": "probabilities"}


def page(data: dict[str, Any]) -> Page:
    """Each measure with its options, range, meaning and reference."""
    sheet = Sheet(
        header=("measure", "options", "range", "meaning", "reference"),
        names=5,
        whole=1,
        rows=tuple(
            (
                measure["name"],
                _options(measure),
                f"{_end(measure['low'])} to {_end(measure['high'])}"
                + (", lower is better" if measure["better"] == "lower" else ""),
                measure["meaning"] + _remarks(measure),
                measure["reference"],
            )
            for measure in data["measures"]
        ),
    )
    notes = (
        'Print them with: roclab evaluate FILE --label COLUMN --measures "NAME,NAME(OPTION=VALUE)"',
        'Options without a value must be given: "margin_auc(margin=0.2)".',
    )
    return Page(sheets=(sheet,), notes=notes)


def records(data: dict[str, Any]) -> list[dict[str, Any]]:
    """One line for each, options and parts in one field."""
    return [
        measure | {"options": _options(measure), "parts": ", ".join(measure["parts"])}
        for measure in data["measures"]
    ]


def _options(measure: dict[str, Any]) -> str:
    return ", ".join(
        option["name"] if option["required"] else f"{option['name']}={option['default']!r}"
        for option in measure["options"]
    )


def _remarks(measure: dict[str, Any]) -> str:
    remarks = [f"parts: {', '.join(measure['parts'])}"] if measure["parts"] else []
    remarks += [_NEEDS[measure["scores"]]] if measure["scores"] in _NEEDS else []
    return f" ({'; '.join(remarks)})" if remarks else ""


def _end(value: float) -> str:
    return f"{value:g}".replace("inf", "infinity")
