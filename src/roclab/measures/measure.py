"""The decorator that makes a public measure from a function of a ranking, and the registry.

A measure is written as a function of a `Ranking`. The decorator `measure` lets it also take labels
and scores, or a table of models, handles undefined results, and adds it to the registry, which
commands and documentation list.
"""

from __future__ import annotations

import importlib
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import (
    Any,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    Protocol,
    TypeVar,
    get_args,
    overload,
)

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import EstimatedMeasure
from roclab.checks.options import refuse_unknown
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.table import ScoreTable
from roclab.errors import InputError
from roclab.measures.influence import InfluenceFunction
from roclab.measures.options import MeasureOption, options_of
from roclab.ranking_arguments import (
    Needs,
    RankingArguments,
    lacks,
    option_names,
    warn_of_lack,
    with_ranking_arguments,
)
from roclab.result import Result

Options = ParamSpec("Options")
Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)
ScoreKind = Literal["any", "finite", "probability"]


@dataclass(frozen=True, kw_only=True)
class Measure(Generic[Value_co]):
    """Description of a measure.

    Attributes
    ----------
    name : str
        Name of the function, also used by commands.
    title : str
        Name in tables.
    meaning : str
        One line on the meaning of the number.
    low, high : float
        The range of its values.
    better : {"higher", "lower"}
        Which values are better.
    scores : {"any", "finite", "probability"}
        Which scores it is defined for.
    reference : str
        Where it was published.
    options : tuple of MeasureOption
        Its options.
    parts : tuple of str
        The numbers in its result, by their names in ``to_dict()``; empty if it is a single number.
    aliases : tuple of str
        Other names that commands and `find_measure` accept, such as scikit-learn's ``roc_auc``.
    example : str
        A specification with options, as commands and `find_measure` accept it.
    function : callable
        The public function.
    value_of : callable
        ``value_of(ranking, **options)`` is its value for a ranking, without the warning about
        missing examples: a float, or an object with the parts.
    highest : callable or None
        ``highest(**options)`` is its largest value, if that depends on the options.
    influence : callable or None
        ``influence(ranking, **options)`` is its `Influence`, which determines its variance; None
        if it has none.
    row_mean : bool
        Whether it is a mean over all rows.
    """

    name: str
    title: str
    meaning: str
    low: float
    high: float
    better: Literal["higher", "lower"]
    scores: ScoreKind
    reference: str
    options: tuple[MeasureOption, ...]
    parts: tuple[str, ...]
    aliases: tuple[str, ...]
    example: str
    function: MeasureFunction[..., Value_co]
    value_of: Callable[..., Any]
    highest: Callable[..., float] | None = None
    influence: InfluenceFunction | None = None
    row_mean: bool = False

    def range_with(self, options: Mapping[str, Any]) -> tuple[float, float]:
        """The range of its values with these options."""
        return self.low, self.high if self.highest is None else self.highest(**options)

    def trials(self, numbers: tuple[float, float]) -> float | None:
        """Number of trials of a proportion that varies as much as the measure may.

        Measures of the ranking alone vary at most as much as the share of correctly ranked examples
        of the smaller class, and means over rows as a share of all rows. None for measures of the
        scores themselves, and where lower is better.

        Parameters
        ----------
        numbers : tuple of float
            Numbers of independent positive and negative examples.
        """
        if self.scores != "any" or self.better != "higher":
            return None
        return sum(numbers) if self.row_mean else min(numbers)

    @property
    def single(self) -> bool:
        """Whether it is a single number."""
        return not self.parts

    @property
    def has_variance(self) -> bool:
        """Whether the core has its variance, DeLong's, and its replicates."""
        return self.name in get_args(EstimatedMeasure)

    @property
    def closed_form(self) -> Literal["delong", "paired_t", "influence_function"] | None:
        """Name of the closed form of its variance; None if it needs resampling."""
        if self.has_variance:
            return "delong"
        if self.influence is None:
            return None
        return "paired_t" if self.row_mean else "influence_function"

    def to_dict(self) -> dict[str, Any]:
        """The description as plain Python values."""
        kept = ("name", "title", "meaning", "low", "high", "better", "scores", "reference")
        return {
            **{field: getattr(self, field) for field in kept},
            "options": [option.to_dict() for option in self.options],
            "parts": list(self.parts),
            "aliases": list(self.aliases),
            "closed_form": self.closed_form,
            "example": self.example,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        # By name: measures are unique, and their functions are made by the decorator.
        return _registered, (self.name,)


_MEASURES: dict[str, Measure[Any]] = {}


def measures_by_name() -> Mapping[str, Measure[Any]]:
    """The registry: all measures, sorted by name."""
    room = importlib.import_module("roclab.measures")
    for name in room.__all__:  # loading a module adds its measures
        getattr(room, name)
    return {name: _MEASURES[name] for name in sorted(_MEASURES)}


def _registered(name: str) -> Measure[Any]:
    return measures_by_name()[name]


@dataclass(frozen=True, kw_only=True, repr=False)
class MeasureList(Result):
    """All measures of a ranking."""

    measures: tuple[Measure[Any], ...]

    def __repr__(self) -> str:
        return f"MeasureList({', '.join(measure.name for measure in self.measures)})"


def list_measures() -> MeasureList:
    """The measures of a ranking, each with its meaning, range, options and reference.

    Examples
    --------
    >>> measures = {measure.name: measure for measure in list_measures().measures}
    >>> print(*measures["margin_auc"].options, sep=", ")
    margin, strict=False, normalize=False, decimals=None
    """
    return MeasureList(measures=tuple(measures_by_name().values()))


class MeasureArguments(RankingArguments, total=False):
    """The keyword arguments that all measures share: ``**_: Unpack[MeasureArguments]``."""

    by: str | None


class MeasureFunction(Protocol[Options, Value_co]):
    """A measure as users call it."""

    __name__: str

    @overload
    def __call__(
        self, y_true: ScoreTable, *args: Options.args, **options: Options.kwargs
    ) -> dict[Any, Any]: ...
    @overload
    def __call__(
        self,
        y_true: npt.ArrayLike | Ranking,
        y_score: npt.ArrayLike | None = None,
        *args: Options.args,
        **options: Options.kwargs,
    ) -> Value_co: ...


_Y_TRUE = """y_true : array-like, Ranking or ScoreTable
        Target labels (see `Ranking`), a ranking, or a table: the result is then a dict with a
        value per model."""
_BY = """by : str, optional
        Group column of a table. The result is then a dict of groups, each a dict of models."""


def measure(
    *,
    title: str,
    meaning: str,
    reference: str,
    low: float = 0,
    high: float = 1,
    better: Literal["higher", "lower"] = "higher",
    scores: ScoreKind = "any",
    parts: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    example: str = "",
    weights: bool = True,
    needs: Needs = "both classes",
    unsorted: Callable[..., Any] | None = None,
    highest: Callable[..., float] | None = None,
    influence: InfluenceFunction | None = None,
    row_mean: bool = False,
) -> Callable[[Callable[Concatenate[Ranking, Options], Value]], MeasureFunction[Options, Value]]:
    """Make a public measure from a function of a ranking.

    Parameters
    ----------
    title, meaning, low, high, reference, better, scores, parts, aliases
    highest, influence, row_mean
        As in `Measure`.
    example : str
        Example options, such as ``"margin=0.2"``.
    weights : bool
        Whether it has a weighted form; otherwise weights are refused.
    needs : {"both classes", "positive examples", "examples"}
        Examples without which the result is undefined, with a warning. A number is then nan; a
        function whose result has parts is called, and sets them to nan.
    unsorted : callable, optional
        Computes the result of unweighted arrays without a ranking: called as
        ``unsorted(y_true, y_score, pos_label, **options)``, it returns the result, or None if the
        ranking is needed.

    Notes
    -----
    The docstring of the function has ``{arguments}`` in place of the shared parameters.
    """

    def decorate(of_ranking: Callable[..., Any]) -> Any:
        name, known = of_ranking.__name__, option_names(of_ranking)
        number = inspect.signature(of_ranking, eval_str=True).return_annotation is float

        def checked_value(ranking: Ranking, options: dict[str, Any], warn: bool = True) -> Any:
            if ranking.weighted and not weights:
                raise InputError(
                    found="{measure} has no weighted form",
                    fix="Leave {sample_weight} out, or repeat the rows.",
                    measure=name,
                )
            check_scores(name, ranking.scores, scores)
            undefined = lacks(ranking, needs)
            result = math.nan if number and undefined else of_ranking(ranking, **options)
            if undefined and warn:
                warn_of_lack(title, ranking, needs, "The result")
            return result

        def public(
            y_true: npt.ArrayLike | Ranking | ScoreTable,
            y_score: npt.ArrayLike | None = None,
            *,
            sample_weight: npt.ArrayLike | None = None,
            pos_label: Any = None,
            by: str | None = None,
            **options: Any,
        ) -> Any:
            refuse_unknown(name, options, known)
            if isinstance(y_true, ScoreTable):
                if y_score is not None or sample_weight is not None or pos_label is not None:
                    raise InputError(
                        found="A ScoreTable was passed with {y_score}, {sample_weight} or "
                        "{pos_label}",
                        needed="a ScoreTable already has labels, scores and weights",
                        fix="Pass it alone.",
                    )
                parts = {None: y_true} if by is None else y_true.split(by)
                values = {
                    group: {model: checked_value(part[model], options) for model in part.names}
                    for group, part in parts.items()
                }
                return values[None] if by is None else values
            if by is not None:
                raise InputError(
                    found="{by} was passed without a ScoreTable",
                    needed="{by} names a column of a table",
                    fix="Pass a table, or leave {by} out.",
                )
            if unsorted and sample_weight is None and not isinstance(y_true, Ranking):
                value = None
                if y_score is not None:
                    value = unsorted(y_true, y_score, pos_label, **options)
                if value is not None:
                    return value
            ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
            return checked_value(ranking, options)

        def value_of(ranking: Ranking, **options: Any) -> Any:
            result: Any = checked_value(ranking, options, warn=False)
            return result if parts else float(result)

        function = with_ranking_arguments(public, of_ranking, _Y_TRUE, _BY)
        _MEASURES[name] = Measure(
            name=name,
            title=title,
            meaning=meaning,
            low=low,
            high=high,
            better=better,
            scores=scores,
            reference=reference,
            options=options_of(of_ranking),
            parts=parts,
            aliases=aliases,
            example=f"{name}({example})" if example else name,
            function=function,
            value_of=value_of,
            highest=highest,
            influence=influence,
            row_mean=row_mean,
        )
        return function

    return decorate


def check_scores(name: str, scores: npt.NDArray[Any], kind: ScoreKind) -> None:
    """Refuse ascending scores for which a measure is not defined."""
    if kind == "any" or len(scores) == 0:
        return
    low, high = scores[0], scores[-1]  # they ascend
    if kind == "probability" and not (low >= 0 and high <= 1):
        raise InputError(
            found="The scores range from {low} to {high}",
            needed="{measure} needs probabilities, between 0 and 1",
            fix="Calibrate them first, or choose a measure of ranking.",
            measure=name,
            low=f"{low:g}",
            high=f"{high:g}",
        )
    if not (np.isfinite(low) and np.isfinite(high)):
        raise InputError(
            found="Some scores are infinite",
            needed="{measure} needs finite scores",
            fix="Clip them first.",
            measure=name,
        )
