"""Windows of roclab by the name of their class, so that what holds them can be restored."""

from __future__ import annotations

from typing import Any

from roclab.errors import InputError
from roclab.streaming.windows.approximate import ApproximateWindowAUC
from roclab.streaming.windows.cumulative import CumulativeAUC
from roclab.streaming.windows.decayed import DecayedAUC
from roclab.streaming.windows.sliding import WindowAUC
from roclab.streaming.windows.timed import TimeWindowAUC

WINDOWS: dict[str, Any] = {
    one.__name__: one
    for one in (ApproximateWindowAUC, CumulativeAUC, DecayedAUC, TimeWindowAUC, WindowAUC)
}


def kind_of(part: Any, holder: str, kinds: dict[str, Any]) -> str:
    """Return the name of the class of a part that can be restored."""
    name = type(part).__name__
    if kinds.get(name) is not type(part):
        raise InputError(
            found="This {holder} has a {kind}",
            needed="only windows and detectors of roclab can be written to bytes",
            fix="Save its parts by themselves.",
            holder=holder,
            kind=name,
        )
    return name
