"""JSON bodies, and the header that names a delivery."""

from __future__ import annotations

import json
import re
from typing import Any

from roclab.checks.options import shown
from roclab.errors import InputError

_ID = re.compile(r"[A-Za-z0-9._:-]{1,200}")


def json_body(payload: Any) -> bytes:
    """JSON in UTF-8, compact."""
    return json.dumps(payload, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def delivery_headers(attempt_id: str) -> dict[str, str]:
    """The id of a delivery, which is the same for each attempt."""
    if not _ID.fullmatch(attempt_id):
        raise InputError(
            found="{attempt_id=}{value} cannot be sent as a header",
            needed="1 to 200 letters, digits or . _ : - are needed",
            fix="Pass a UUID.",
            value=shown(attempt_id),
        )
    return {"X-Roclab-Delivery": attempt_id}
