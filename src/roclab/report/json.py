"""The data of a document as JSON: every digit, and null for what is undefined."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from roclab.report.document import Document


def to_json(document: Document) -> str:
    r"""JSON, indented by two spaces, with a line end.

    Floats have the digits that give the same double back; nan, which JSON lacks, is null, and
    infinity is the text ``"inf"``. Only ASCII is used (``\u00e9``), so that no terminal or pipe
    garbles it.
    """
    return json.dumps(_without_nan(document.data), indent=2, allow_nan=False) + "\n"


def to_json_line(kind: str, data: Mapping[str, Any]) -> str:
    """Data of a stream as one line of JSON, with its kind first."""
    return json.dumps({"kind": kind, **_without_nan(data)}, allow_nan=False) + "\n"


def _without_nan(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
