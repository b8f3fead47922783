"""The role of each column, and the errors about columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

from roclab.errors import ColumnError, InputError, Parameter
from roclab.readers.literals import as_number

SHOWN_NAMES = 20
SHOWN_LETTERS = 60

# How a column of text is read: as the type that fits, as a group, as text with missing values, or
# unchanged.
Reading = Literal["value", "group", "text", "written"]


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns the user named, by role; `scores` is None for "every numeric column".

    Features of a model are read as scores; `categories` are those that stay text. `parameter` is
    the one that names the scores: ``"y_score"`` or ``"features"``.
    """

    label: str
    scores: tuple[str, ...] | None
    weight: str | None
    groups: tuple[str, ...]
    categories: tuple[str, ...] = ()
    parameter: str = "y_score"

    @classmethod
    def named(
        cls,
        *,
        y_true: str,
        y_score: str | Sequence[str] | None,
        sample_weight: str | None,
        by: str | Sequence[str] | None = None,
        categories: str | Sequence[str] = (),
        parameter: str = "y_score",
    ) -> Columns:
        """Check the arguments of `read_scores` and `read_examples` that name columns."""
        columns = cls(
            label=_name(y_true, "y_true"),
            scores=None if y_score is None else _names(y_score, parameter),
            weight=None if sample_weight is None else _name(sample_weight, "sample_weight"),
            groups=() if by is None else _names(by, "by"),
            categories=_names(categories, "categories"),
            parameter=parameter,
        )
        columns._refuse_none_or_two_roles()
        return columns

    @property
    def noun(self) -> str:
        """What a message calls a score."""
        return "score" if self.parameter == "y_score" else "feature"

    @property
    def content(self) -> str:
        """What a message says the table needs."""
        return f"a label and a {self.noun}"

    @property
    def others(self) -> tuple[str, ...]:
        """Every named column that is not a score."""
        weight = () if self.weight is None else (self.weight,)
        return (self.label, *weight, *self.groups)

    def _refuse_none_or_two_roles(self) -> None:
        if self.scores == ():
            raise InputError(
                found="{parameter} is empty",
                needed="at least one column is needed",
                fix="Leave it out for every numeric column.",
                parameter=Parameter(self.parameter),
            )
        roles = [("y_true", self.label), ("sample_weight", self.weight)]
        roles += [(self.parameter, name) for name in self.scores or ()]
        roles += [("by", name) for name in self.groups]
        named = {*(self.scores or ())}
        roles += [("categories", name) for name in self.categories if name not in named]
        seen: dict[str, str] = {}
        for role, name in roles:
            if name is None:
                continue
            if name in seen:
                twice = seen[name] == role
                raise InputError(
                    found="Column `{column}` is named twice, in {role}"
                    if twice
                    else "Column `{column}` is named twice, in {first} and {role}",
                    needed="a column has one role",
                    fix="Leave one of them out.",
                    column=name,
                    first=Parameter(seen[name]),
                    role=Parameter(role),
                )
            seen[name] = role

    def among(self, available: Sequence[str]) -> Columns:
        """These columns, where a name may also be a list of names separated by commas."""
        known = set(available)
        scores = None if self.scores is None else _separated(self.scores, known)
        columns = replace(self, scores=scores, categories=_separated(self.categories, known))
        columns._refuse_none_or_two_roles()
        return columns

    def needed(self, available: Sequence[str]) -> list[str]:
        """The columns to read out of those `available`, each present exactly once."""
        if self.scores is None:
            # A column without a name is the row index that pandas writes, not a score.
            others = set(self.others)
            scores = [name for name in available if name != "" and name not in others]
        else:
            scores = list(self.scores)
        scores += [name for name in self.categories if name not in set(scores)]
        return _present([*self.others, *scores], available, self.parameter)

    def reading(self, name: str) -> Reading:
        """How a column of text is read."""
        if name in self.categories:
            return "text"
        return "group" if name in self.groups else "value"


@dataclass(frozen=True, kw_only=True)
class AllColumns:
    """Every column of a file; `scores` are converted to numbers, the others are left unchanged.

    `scores` are the features of a model, some of them `categories`; `others` must exist too.
    """

    scores: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def content(self) -> str:
        """What a message says the table needs."""
        return quoted([*self.scores, *self.others])

    def among(self, available: Sequence[str]) -> AllColumns:  # noqa: ARG002, as in Columns
        """These columns: each name is that of one column."""
        return self

    def needed(self, available: Sequence[str]) -> list[str]:
        """All columns `available`, each present exactly once."""
        _present([*self.scores, *self.others, *available], available)
        return list(available)

    def reading(self, name: str) -> Reading:
        """How a column of text is read."""
        if name in self.categories:
            return "text"
        return "value" if name in self.scores else "written"


def _separated(names: tuple[str, ...], known: Set[str]) -> tuple[str, ...]:
    """The names in texts with commas between them, unless a column has such a text as its name."""
    found: list[str] = []
    for name in names:
        if "," in name and name not in known:
            found += filter(None, map(str.strip, name.split(",")))
        else:
            found.append(name)
    return tuple(found)


def _present(
    needed: list[str], available: Sequence[str], parameter: str | None = None
) -> list[str]:
    """Raise for names that do not exist or exist twice; others can be named by `parameter`."""
    counts = Counter(available)
    for name in needed:
        if not isinstance(name, str):
            raise InputError(
                found="A column of the frame is named {name}, a {kind}",
                needed="names must be text",
                fix="Rename it, or name the columns with {parameter}.",
                name=repr(name),
                kind=type(name).__name__,
                parameter=Parameter(parameter or "y_score"),
            )
        if counts[name] == 0:
            raise _unknown_column(name, available)
        if counts[name] > 1:
            raise InputError(
                found="{count} columns are called `{name}`",
                needed="names must differ",
                fix="Rename them, or name other columns with {parameter}."
                if parameter
                else "Rename them.",
                count=counts[name],
                name=name,
                parameter=Parameter(parameter or ""),
            )
    return needed


def _name(value: object, parameter: str) -> str:
    if isinstance(value, str):
        return value
    raise InputError(
        found="{parameter} is a {kind}",
        needed="the name of a column, a str, is needed",
        parameter=Parameter(parameter),
        kind=type(value).__name__,
    )


def _names(value: str | Sequence[str], parameter: str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Sequence) and all(isinstance(name, str) for name in value):
        return tuple(value)
    raise InputError(
        found="{parameter} is a {kind}",
        needed="the name of a column or a list of names, each a str, is needed",
        parameter=Parameter(parameter),
        kind=type(value).__name__,
    )


def shortened(text: object) -> str:
    """The first letters of a long text; a short one unchanged."""
    shown = str(text)
    return shown if len(shown) <= SHOWN_LETTERS else f"{shown[:SHOWN_LETTERS]}..."


def quoted(names: Sequence[object]) -> str:
    """The names as `a`, `b` and so on; the first twenty of a long list."""
    if not names:
        return "none"
    shown = ", ".join(f"`{shortened(name)}`" for name in names[:SHOWN_NAMES])
    more = len(names) - SHOWN_NAMES
    return shown if more <= 0 else f"{shown} and {more} more"


def _unknown_column(name: str, available: Sequence[str]) -> ColumnError:
    """The error for a column that does not exist, with the most similar one."""
    # Compared without case or padding, so that `Label` and ` label` are similar to `label`.
    if available and all(as_number(str(other)) is not None for other in available):
        return ColumnError(
            found="No column `{name}`, and all names of columns are numbers: {columns}",
            needed="the first row must have the names",
            fix="Has the file no header? Put a row of names before the others.",
            name=name,
            columns=quoted(available),
        )
    folded = {str(other).strip().casefold(): other for other in reversed(available)}
    near = get_close_matches(name.strip().casefold(), folded, n=1)
    return ColumnError(
        found="No column `{name}`",
        fix="Columns: {columns}." + (" Did you mean `{near}`?" if near else ""),
        name=name,
        columns=quoted(available),
        near=folded[near[0]] if near else "",
    )
