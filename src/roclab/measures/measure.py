"""The registry of measures, and the ranking that each is computed from.

A measure is a function of labels and scores, or of a `Ranking`. The decorator `measure` adds it to
the registry, which commands and documentation list, and leaves the function as it is.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import EstimatedMeasure
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import Needs, is_undefined, warn_if_undefined
from roclab.errors import InputError
from roclab.measures.influence import InfluenceFunction
from roclab.measures.options import MeasureOption, options_of
from roclab.result import Result

Function = TypeVar("Function", bound=Callable[..., Any])
ScoreKind = Literal["any", "finite", "probability"]

# Whether measures are computed without the warning about missing examples.
_QUIET: ContextVar[bool] = ContextVar("roclab_undefined_measures_are_quiet", default=False)


@dataclass(frozen=True, kw_only=True)
class Measure:
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
    weighted : bool
        Whether it has a weighted form; otherwise weights are refused.
    needs : {"both classes", "positive examples", "examples"}
        Examples without which the result is undefined, with a warning: a number is then nan, and
        so are the parts of a result that has parts.
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
    function: Callable[..., Any]
    weighted: bool = True
    needs: Needs = "both classes"
    highest: Callable[..., float] | None = None
    influence: InfluenceFunction | None = None
    row_mean: bool = False

    def value_of(self, ranking: Ranking, **options: Any) -> Any:
        """Its value for a ranking, without the warning about missing examples.

        A float, or an object with the parts.

        Parameters
        ----------
        ranking : Ranking
            Labels and scores.
        **options
            Options of the measure, such as ``fpr_range=(0, 0.1)``.
        """
        quiet = _QUIET.set(True)
        try:
            result = self.function(ranking, **options)
        finally:
            _QUIET.reset(quiet)
        return result if self.parts else float(result)

    def range_with(self, options: Mapping[str, Any]) -> tuple[float, float]:
        """The range of its values with these options.

        Parameters
        ----------
        options : mapping
            Options of the measure, by name.
        """
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
        # By name: a measure is registered once.
        return _registered, (self.name,)


_MEASURES: dict[str, Measure] = {}


def measures_by_name() -> Mapping[str, Measure]:
    """The registry: all measures, sorted by name."""
    room = importlib.import_module("roclab.measures")
    for name in room.__all__:  # loading a module adds its measures
        getattr(room, name)
    return {name: _MEASURES[name] for name in sorted(_MEASURES)}


def _registered(name: str) -> Measure:
    return measures_by_name()[name]


@dataclass(frozen=True, kw_only=True, repr=False)
class MeasureList(Result):
    """All measures of a ranking.

    Attributes
    ----------
    measures : tuple of Measure
        The measures, sorted by name.
    """

    measures: tuple[Measure, ...]

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
    weighted: bool = True,
    needs: Needs = "both classes",
    highest: Callable[..., float] | None = None,
    influence: InfluenceFunction | None = None,
    row_mean: bool = False,
) -> Callable[[Function], Function]:
    """Register a function of labels and scores, or of a ranking, as a measure.

    The function itself is unchanged. It starts with `defined_ranking` if it returns a number, or
    with `measured_ranking` if its result has parts.

    Parameters
    ----------
    title : str
        Name in tables.
    meaning : str
        One line on the meaning of the number.
    reference : str
        Where it was published.
    low, high : float
        The range of its values.
    better : {"higher", "lower"}, default "higher"
        Which values are better.
    scores : {"any", "finite", "probability"}, default "any"
        Which scores it is defined for.
    parts : tuple of str, default ()
        The numbers in its result, by their names in ``to_dict()``; empty if it is a single number.
    aliases : tuple of str, default ()
        Other names that commands and `find_measure` accept.
    example : str, default ""
        Example options, such as ``"margin=0.2"``.
    weighted : bool, default True
        Whether it has a weighted form; otherwise weights are refused.
    needs : {"both classes", "positive examples", "examples"}, default "both classes"
        Examples without which the result is undefined.
    highest : callable, optional
        ``highest(**options)`` is its largest value, if that depends on the options.
    influence : callable, optional
        ``influence(ranking, **options)`` is its `Influence`, which determines its variance.
    row_mean : bool, default False
        Whether it is a mean over all rows.
    """

    def register(function: Function) -> Function:
        name = function.__name__
        _MEASURES[name] = Measure(
            name=name,
            title=title,
            meaning=meaning,
            low=low,
            high=high,
            better=better,
            scores=scores,
            reference=reference,
            options=options_of(function),
            parts=parts,
            aliases=aliases,
            example=f"{name}({example})" if example else name,
            function=function,
            weighted=weighted,
            needs=needs,
            highest=highest,
            influence=influence,
            row_mean=row_mean,
        )
        return function

    return register


def measured_ranking(
    measure: Callable[..., Any],
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None,
    sample_weight: npt.ArrayLike | None,
    pos_label: Any,
) -> Ranking:
    """The ranking that a registered measure is computed from, with a warning if it is undefined.

    Weights and scores that the measure does not take are refused.
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    entry = _MEASURES[measure.__name__]
    if ranking.weighted and not entry.weighted:
        raise InputError(
            found="{measure} has no weighted form",
            fix="Leave {sample_weight} out, or repeat the rows.",
            measure=entry.name,
        )
    check_scores(entry.name, ranking.scores, entry.scores)
    if not _QUIET.get():
        warn_if_undefined(entry.title, ranking, needs=entry.needs, undefined="The result")
    return ranking


def defined_ranking(
    measure: Callable[..., Any],
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None,
    sample_weight: npt.ArrayLike | None,
    pos_label: Any,
) -> Ranking | None:
    """As `measured_ranking`; None if the measure is undefined, so that its value is nan."""
    ranking = measured_ranking(measure, y_true, y_score, sample_weight, pos_label)
    return None if is_undefined(ranking, _MEASURES[measure.__name__].needs) else ranking


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
