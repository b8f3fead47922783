"""What a report page is made of, beside the tables, figures and notes of other documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from roclab.report.document import Column, Note, Table
from roclab.report.figure import Figure
from roclab.report.page.counts import ModelCounts

Status = Literal["ok", "pending", "firing"]
Kind = Literal["roc", "pr", "cost", "benefit", "scores", "calibration"]


@dataclass(frozen=True)
class Facts:
    """A few large figures: what each is, its value, and a line below it."""

    items: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, kw_only=True)
class ModelColumn(Column):
    """Names of models with their colours; `keys` are the name and the number of its colour."""


@dataclass(frozen=True, kw_only=True)
class IntervalColumn(Column):
    """Intervals that are drawn in their rows; `keys` are value, low end, high end and colour."""

    axis: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class StateColumn(Column):
    """Links that set the decision panel; `keys` are the text and the state in the address."""


@dataclass(frozen=True)
class Moving:
    """A figure in which the decision panel marks its point.

    Attributes
    ----------
    figure : Figure
        What is drawn.
    kind : {"roc", "pr", "cost", "benefit", "scores", "calibration"}
        What the axes are.
    model : int, optional
        Place in the panel of the only model whose figure it is: another one replaces it when that
        is chosen.
    """

    figure: Figure
    kind: Kind
    model: int | None = None


@dataclass(frozen=True)
class Legend:
    """Models with their colours, for several figures."""

    colors: Mapping[str, int | None]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a decision is made for; None where nothing was said.

    Attributes
    ----------
    false_positive_cost, false_negative_cost : float or None
        Costs of both errors.
    prevalence : float or None
        Share of positives where the model will be used; None for that of the data.
    capacity : float or None
        Largest share of examples that can be called positive.
    assumed : bool
        Whether the costs were not given, but follow from the rarity of a class.
    """

    false_positive_cost: float | None = None
    false_negative_cost: float | None = None
    prevalence: float | None = None
    capacity: float | None = None
    assumed: bool = False


@dataclass(frozen=True, kw_only=True)
class Panel:
    """Controls of a decision, and the counts of the models behind them."""

    models: tuple[ModelCounts, ...]
    colors: Mapping[str, int | None]
    probabilities: frozenset[str]  # models whose scores are probabilities
    setting: Setting
    model: str
    group_aucs: Mapping[str, tuple[tuple[float, float, float], ...]]


@dataclass(frozen=True)
class Outcome:
    """What the decision of the panel does: to a thousand people, or the rates with intervals."""

    kind: Literal["people", "rates"]


@dataclass(frozen=True, kw_only=True)
class GroupRates:
    """What the decision of the panel does to each group.

    Attributes
    ----------
    by : str
        The group column.
    names : tuple of str
        The groups, in the order of the page.
    sizes : tuple of str
        What is said about the size of each.
    axis : tuple of float
        Ends of the axis of the AUC.
    """

    by: str
    names: tuple[str, ...]
    sizes: tuple[str, ...]
    axis: tuple[float, float]


@dataclass(frozen=True)
class Checks:
    """What was checked: a status, what it is about, and what was found."""

    items: tuple[tuple[Status, str, str], ...]


@dataclass(frozen=True)
class Row:
    """Parts side by side, where there is room: in three columns, or in two if they are `wide`."""

    parts: tuple[Part, ...]
    wide: bool = False


@dataclass(frozen=True)
class Folded:
    """Parts that are seen on demand."""

    title: str
    parts: tuple[Part, ...]


Part = (
    Figure
    | Note
    | Table
    | Facts
    | Moving
    | Legend
    | Panel
    | Outcome
    | GroupRates
    | Checks
    | Row
    | Folded
)


@dataclass(frozen=True)
class Section:
    """A title, and what is below it, perhaps on demand; `key` is its address on the page."""

    key: str
    title: str
    parts: tuple[Part, ...]
    folded: bool = False
