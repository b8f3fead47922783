"""Which column plays which role, and the errors about columns that are not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from roclab.errors import ColumnError, InputError

SHOWN_NAMES = 20
SHOWN_LETTERS = 60

# How a column that arrives as text is read: as the type that fits, as a group, as text in which
# values may be missing, or as it is written.
Reading = Literal["value", "group", "text", "written"]


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns the user named, by role; `scores` is None for "every numeric column".

    `categories` are scores too, or features rather: the values of some column as they are written.
    """

    label: str
    scores: tuple[str, ...] | None
    weight: str | None
    groups: tuple[str, ...]
    categories: tuple[str, ...] = ()

    @classmethod
    def named(
        cls,
        *,
        y_true: str,
        y_score: str | Sequence[str] | None,
        sample_weight: str | None,
        by: str | Sequence[str] | None = None,
        categories: str | Sequence[str] = (),
    ) -> Columns:
        """Check the arguments of `read_scores` and `read_examples` that name columns."""
        scores = None if y_score is None else _names(y_score, "y_score")
        of_categories = _names(categories, "categories")
        columns = cls(
            label=_name(y_true, "y_true"),
            scores=scores,
            weight=None if sample_weight is None else _name(sample_weight, "sample_weight"),
            groups=() if by is None else _names(by, "by"),
            categories=of_categories,
        )
        if scores == ():
            raise InputError(
                "`y_score` is empty; name at least one column, or leave it out for every numeric "
                "column."
            )
        columns._refuse_two_roles()
        return columns

    @property
    def others(self) -> tuple[str, ...]:
        """Every named column that is not a score."""
        weight = () if self.weight is None else (self.weight,)
        return (self.label, *weight, *self.groups)

    def _refuse_two_roles(self) -> None:
        roles = [("y_true", self.label), ("sample_weight", self.weight)]
        roles += [("y_score", name) for name in self.scores or ()]
        roles += [("by", name) for name in self.groups]
        named = {*(self.scores or ())}
        roles += [("categories", name) for name in self.categories if name not in named]
        seen: dict[str, str] = {}
        for role, name in roles:
            if name is None:
                continue
            if name in seen:
                where = f"`{role}`" if seen[name] == role else f"`{seen[name]}` and `{role}`"
                raise InputError(
                    f"Column `{name}` is named twice, in {where}; a column has one role. "
                    "Leave one of them out."
                )
            seen[name] = role

    def needed(self, available: Sequence[str]) -> list[str]:
        """Return the columns to read out of those `available`; all of them named only once."""
        if self.scores is None:
            # A column without a name is the row index that pandas writes, and no model's score.
            others = set(self.others)
            scores = [name for name in available if name != "" and name not in others]
        else:
            scores = list(self.scores)
        scores += [name for name in self.categories if name not in set(scores)]
        return _present([*self.others, *scores], available)

    def reading(self, name: str) -> Reading:
        """How a column of text is read."""
        if name in self.categories:
            return "text"
        return "group" if name in self.groups else "value"


@dataclass(frozen=True, kw_only=True)
class AllColumns:
    """Every column of a file; `scores` are read as such, all others stay as they are written.

    `scores` are the features of a model, some of them `categories`; `others` must be there too.
    """

    scores: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def needed(self, available: Sequence[str]) -> list[str]:
        """Return the columns to read: those `available`, all of them named only once."""
        _present([*self.scores, *self.others, *available], available)
        return list(available)

    def reading(self, name: str) -> Reading:
        """How a column of text is read."""
        if name in self.categories:
            return "text"
        return "value" if name in self.scores else "written"


def _present(needed: list[str], available: Sequence[str]) -> list[str]:
    """Refuse names that are not there, or there twice."""
    counts = Counter(available)
    for name in needed:
        if not isinstance(name, str):
            raise InputError(
                f"The frame has a column named {name!r}, a {type(name).__name__}; names must "
                "be text. Rename it, or name the score columns with `y_score`."
            )
        if counts[name] == 0:
            raise ColumnError(unknown_column(name, available))
        if counts[name] > 1:
            raise InputError(
                f"{counts[name]} columns are called `{name}`; names must differ. "
                "Rename them, or name other columns with `y_score`."
            )
    return needed


def _name(value: object, argument: str) -> str:
    if isinstance(value, str):
        return value
    raise InputError(
        f"`{argument}` is a {type(value).__name__}; it needs the name of a column, a str."
    )


def _names(value: str | Sequence[str], argument: str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Sequence) and all(isinstance(name, str) for name in value):
        return tuple(value)
    raise InputError(
        f"`{argument}` is a {type(value).__name__}; it needs the name of a column or a list of "
        "names, each a str."
    )


def shortened(text: object) -> str:
    """Return the beginning of a long text, and a short one as it is."""
    shown = str(text)
    return shown if len(shown) <= SHOWN_LETTERS else f"{shown[:SHOWN_LETTERS]}..."


def quoted(names: Sequence[object]) -> str:
    """Return `a`, `b` and so on; the first twenty of a long list."""
    if not names:
        return "none"
    shown = ", ".join(f"`{shortened(name)}`" for name in names[:SHOWN_NAMES])
    more = len(names) - SHOWN_NAMES
    return shown if more <= 0 else f"{shown} and {more} more"


def unknown_column(name: str, available: Sequence[str]) -> str:
    """Return what is said about a column that is not there, with the nearest one that is."""
    message = f"No column `{name}`. Columns: {quoted(available)}."
    # Compared without case or padding, so that `Label` and ` label` count as near to `label`.
    folded = {str(other).strip().casefold(): other for other in reversed(available)}
    near = get_close_matches(name.strip().casefold(), folded, n=1)
    return f"{message} Did you mean `{folded[near[0]]}`?" if near else message
