"""Which rows belong together: clusters, such as patients, or strata, such as queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.vector import as_names

__all__ = ["Membership"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Membership:
    """The cluster or stratum of every row of the input.

    Attributes
    ----------
    kind : str
        What users call it, ``"cluster"`` or ``"stratum"``.
    numbers : ndarray
        Of every row, counted from 0 in the order in which they first appear.
    count : int
        How many there are.
    """

    kind: str
    numbers: npt.NDArray[np.uint32]
    count: int

    @classmethod
    def of(cls, values: npt.ArrayLike, kind: str = "cluster") -> Membership:
        """From what users pass: a name or a number for each row."""
        members = as_names(values, kind).tolist()
        numbers: dict[Any, int] = {}
        found = [numbers.setdefault(member, len(numbers)) for member in members]
        return cls(kind=kind, numbers=np.array(found, dtype=np.uint32), count=len(numbers))

    def among(self, kept: npt.NDArray[np.intp] | None, rows: int) -> Membership:
        """Those of the rows that a ranking kept, None for all; rows of weight 0 are not among them.

        A cluster or stratum of such rows only is none.
        """
        found = len(self.numbers)
        if kept is None:
            if found != rows:
                raise InputError(
                    f"{self.kind} has {found:,} values and there are {rows:,} rows. "
                    "Give one value a row."
                )
            return self
        if len(kept) and found <= int(kept[-1]):
            raise InputError(
                f"{self.kind} has {found:,} values and there are at least "
                f"{int(kept[-1]) + 1:,} rows. Give one value a row."
            )
        numbers = self.numbers[kept]
        firsts = np.zeros(self.count, np.intp)
        firsts[numbers[::-1]] = np.arange(len(numbers))[::-1]
        is_first = firsts[numbers] == np.arange(len(numbers))
        anew = (np.cumsum(is_first) - 1)[firsts[numbers]]
        return Membership(
            kind=self.kind, numbers=anew.astype(np.uint32), count=int(np.count_nonzero(is_first))
        )
