"""Groups of rows: clusters, such as patients, or strata, such as queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError, Parameter
from roclab.vector import as_names


@dataclass(frozen=True, kw_only=True, eq=False)
class Membership:
    """The cluster or stratum of every row of the input.

    Attributes
    ----------
    kind : str
        The parameter, ``"cluster"`` or ``"stratum"``.
    numbers : ndarray
        The group of every row, counted from 0 in order of first appearance.
    count : int
        Number of groups.
    """

    kind: str
    numbers: npt.NDArray[np.uint32]
    count: int

    @classmethod
    def of(cls, values: npt.ArrayLike, kind: str = "cluster") -> Membership:
        """From a name or a number for each row."""
        members = as_names(values, kind).tolist()
        numbers: dict[Any, int] = {}
        found = [numbers.setdefault(member, len(numbers)) for member in members]
        return cls(kind=kind, numbers=np.array(found, dtype=np.uint32), count=len(numbers))

    def among(self, kept: npt.NDArray[np.intp] | None, rows: int) -> Membership:
        """The groups of the rows that a ranking includes; None for all rows.

        A group whose rows all have weight 0 is not counted.
        """
        found = len(self.numbers)
        if kept is None:
            if found != rows:
                raise self._wrong_length(f"{rows:,} rows")
            return self
        if len(kept) and found <= int(kept[-1]):
            raise self._wrong_length(f"at least {int(kept[-1]) + 1:,} rows")
        numbers = self.numbers[kept]
        firsts = np.zeros(self.count, np.intp)
        firsts[numbers[::-1]] = np.arange(len(numbers))[::-1]
        is_first = firsts[numbers] == np.arange(len(numbers))
        renumbered = (np.cumsum(is_first) - 1)[firsts[numbers]]
        return Membership(
            kind=self.kind,
            numbers=renumbered.astype(np.uint32),
            count=int(np.count_nonzero(is_first)),
        )

    def _wrong_length(self, rows: str) -> InputError:
        return InputError(
            found="{kind} has {values} values and there are {rows}",
            needed="one value per row is needed",
            kind=Parameter(self.kind),
            values=f"{len(self.numbers):,}",
            rows=rows,
        )
