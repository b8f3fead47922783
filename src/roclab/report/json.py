"""JSON: every digit, and null for what is not defined."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roclab.inference import AUCPlan, Comparison, Evaluation, GroupedComparison
    from roclab.measures import MeasureList
    from roclab.repair import CheckedRepair, RepairExplanation
    from roclab.selection import ModelSelection

    Result = (
        Evaluation
        | MeasureList
        | Comparison
        | GroupedComparison
        | CheckedRepair
        | RepairExplanation
        | ModelSelection
        | AUCPlan
    )

__all__ = ["to_json", "to_json_line"]


def to_json(result: Result) -> str:
    r"""A result as JSON, indented by two blanks, with a line end.

    Floats have the digits that give the same double back; nan, for which JSON has no word, is
    null, and infinity the text ``"inf"``. Only ASCII is used (``\u00e9``), so no terminal or pipe
    can garble it.
    """
    return json.dumps(_without_nan(result.to_dict()), indent=2, allow_nan=False) + "\n"


def to_json_line(kind: str, data: dict[str, Any]) -> str:
    """Data of a stream as one line of JSON, which says first what kind it is of."""
    return json.dumps({"kind": kind, **_without_nan(data)}, allow_nan=False) + "\n"


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
