"""Every model of a table, with its AUC and interval; by groups if asked."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from roclab.errors import DegenerateIntervalWarning, InputError, UndefinedMeasureWarning
from roclab.formatting import listed, one_line, plain_value
from roclab.inference.estimation.resampling import Draws
from roclab.inference.intervals.auc import IntervalMethod
from roclab.inference.intervals.interval import Interval, lacks_ends, lacks_width
from roclab.inference.intervals.stratified import StratifiedInterval
from roclab.inference.sampling_design import RowDesign
from roclab.measures import Measure
from roclab.measures.measure import MeasureFunction
from roclab.measures.specification import find_measures
from roclab.measures.stratified import StratumWeighting
from roclab.options import Alternative, Progress, RandomState, check_resamples, seed_of
from roclab.ranking import Ranking
from roclab.table import MissingValues, ScoreTable

__all__ = ["Evaluation", "EvaluationRow", "evaluate"]


@dataclass(frozen=True, kw_only=True, repr=False)
class EvaluationRow:
    """One model, in one group of rows or in all of them.

    Attributes
    ----------
    model : str
        The score column.
    group : object
        The value of the group column; None if the rows were not split.
    interval : Interval
        The AUC with its interval and the numbers of examples.
    values : mapping of str to float
        The further measures that were asked for, by the words for them, such as
        ``"partial_auc(max_fpr=0.1)"``; the parts of a measure that has some as ``"name.part"``.
    """

    model: str
    group: Any
    interval: Interval
    values: Mapping[str, float] = field(default_factory=dict, hash=False)

    def to_dict(self) -> dict[str, Any]:
        """Model, group, measure, the fields of the interval and further measures, on one level."""
        return {
            "model": self.model,
            "group": plain_value(self.group),
            "measure": "auc",
            **self.interval.to_dict(),
            **self.values,
        }

    def __repr__(self) -> str:
        group = "" if self.group is None else f" in {one_line(self.group)}"
        return f"EvaluationRow({one_line(self.model)}{group}: {self.interval!r})"


@dataclass(frozen=True, kw_only=True, repr=False)
class Evaluation:
    """What `evaluate` found.

    Attributes
    ----------
    rows : tuple of EvaluationRow
        One for each model; with `by`, one for each group and model.
    by : str or None
        The group column.
    missing : MissingValues
        What was left out when the table was read.
    measures : tuple of str
        The further measures that were asked for: the names of `values` in each row.
    cluster : str or None
        The column whose values are clusters of rows.
    stratum : str or None
        The column within whose values examples were compared; intervals are then
        `StratifiedInterval`.
    fold : str or None
        The column whose values are folds, over which the AUC was averaged.
    """

    rows: tuple[EvaluationRow, ...]
    by: str | None
    missing: MissingValues
    measures: tuple[str, ...] = ()
    cluster: str | None = None
    stratum: str | None = None
    fold: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values; what is not defined stays nan.

        The format decides how to write nan: JSON has no word for it, and `report` writes null.
        """
        return {
            "by": self.by,
            "cluster": self.cluster,
            "stratum": self.stratum,
            "fold": self.fold,
            "measures": list(self.measures),
            "rows": [row.to_dict() for row in self.rows],
            "missing": self.missing.to_dict(),
        }

    def __repr__(self) -> str:
        models = list(dict.fromkeys(row.model for row in self.rows))
        count = f"{len(models)} model{'s' * (len(models) != 1)}"
        if self.by is not None:
            groups = len(self.rows) // max(len(models), 1)
            grouped = f"{groups} group{'s' * (groups != 1)} of {one_line(self.by)}"
            return f"Evaluation({count} in {grouped})"
        values = listed(f"{one_line(r.model)} {r.interval.value:.3f}" for r in self.rows)
        return f"Evaluation({count}: {values})"


def evaluate(
    table: ScoreTable,
    *,
    by: str | None = None,
    measures: str | Sequence[str | MeasureFunction[..., Any]] = (),
    method: IntervalMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_resamples: int = 2000,
    rng: RandomState = None,
    cluster: str | None = None,
    stratum: str | None = None,
    weighting: StratumWeighting = "pairs",
    fold: str | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """The AUC of every model in a table, with a confidence interval, and further measures.

    Parameters
    ----------
    table : ScoreTable
        Labels and scores, from `read_scores` or from arrays.
    by : str, optional
        A group column of the table: every group is then evaluated by itself.
    measures : str or sequence of str, optional
        Further measures, by name and with options in brackets, such as ``"scored_auc"`` and
        ``"partial_auc(max_fpr=0.1)"``: those that ``roclab measures`` lists. A measure with parts
        gives a number for each.
    method, confidence_level, alternative, n_resamples, rng
        How the intervals are made, as in `auc_interval`. All models see the same draws.
    cluster : str, optional
        A group column of the table whose values are clusters of rows that are not independent, such
        as patients; intervals know of them, as in `auc_interval`.
    stratum : str, optional
        A group column of the table: only examples of the same value are compared, as in
        `stratified_auc_interval`, by method ``"between"``. Not together with `cluster`, `measures`
        or a method.
    weighting : {"pairs", "equal"}, default "pairs"
        How much a stratum counts, as in `stratified_auc`.
    fold : str, optional
        A group column of the table whose values are the folds of a cross-validation: the AUC is
        then averaged over them, as in `cross_validated_auc`, and ``pooled_auc`` is that of all rows
        together. Not together with `cluster`, `stratum`, `measures` or a method.
    progress : callable, optional
        Called as ``progress(done, total)`` with replicates of all models together.

    Returns
    -------
    Evaluation
        Groups in the order in which they first appear, and models in the order of the table. A
        group of one class has nan for its AUC; a single `UndefinedMeasureWarning` names all such
        groups.

    Raises
    ------
    ColumnError
        The table has no group column `by`, `cluster`, `stratum` or `fold`.
    InputError
        A measure or an option of one is not known, or a model's scores do not suit it. Strata or
        folds are asked for together with clusters, measures or a method. There is one fold only.

    Notes
    -----
    About O(n) for each model; O(n log n) at worst.

    Examples
    --------
    >>> table = ScoreTable([0, 1, 0, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [4, 3, 2, 1]})
    >>> evaluation = evaluate(table)
    >>> evaluation
    Evaluation(2 models: a 0.875, b 0.250)
    >>> evaluation.rows[0].interval
    AUC 0.875 [0.24, 0.99], 95 %, 2+ 2-
    >>> evaluate(table, measures="gini, margin_auc(margin=0.2)").rows[0].values
    {'gini': 0.75, 'margin_auc(margin=0.2)': 0.75}
    """
    if not isinstance(table, ScoreTable):
        raise InputError(
            f"`table` is a {type(table).__name__}; a ScoreTable is needed. Make one of a file or "
            "data frame with read_scores, or of arrays with ScoreTable."
        )
    further = find_measures(measures)
    further.pop("auc", None)  # every row has it
    design = RowDesign(cluster=cluster, stratum=stratum, fold=fold, weighting=weighting)
    design.check(further, method)
    parts = {None: table} if by is None else table.split(by)
    draws = _Series(len(parts) * len(table.names), check_resamples(n_resamples), rng, progress)
    rows = []
    for group, part in parts.items():
        for model in part.names:
            interval, values = design.interval(
                part,
                model,
                method=method,
                confidence_level=confidence_level,
                alternative=alternative,
                draws=draws,
            )
            values |= _values(part, model, further)
            rows.append(EvaluationRow(model=model, group=group, interval=interval, values=values))
    _warn_once(rows, by, design)
    columns = [column for word, (entry, _) in further.items() for column in _columns(word, entry)]
    return Evaluation(
        rows=tuple(rows),
        by=by,
        missing=table.missing,
        measures=(*design.measures, *columns),
        cluster=cluster,
        stratum=stratum,
        fold=fold,
    )


class _Series:
    """The draws of one row after the other: the same seed for all, and one progress."""

    def __init__(self, rows: int, n_resamples: int, rng: Any, progress: Progress | None) -> None:
        self._seed, self._done = seed_of(rng), 0
        self._n_resamples, self._total, self._progress = n_resamples, rows * n_resamples, progress

    def __call__(self) -> Draws:
        before = self._done
        self._done += self._n_resamples
        return Draws(
            n_resamples=self._n_resamples,
            seed=self._seed,
            progress=lambda done, _: self._tell(before + done),
        )

    def _tell(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, self._total)


def _columns(word: str, measure: Measure[Any]) -> list[str]:
    return [word] if measure.single else [f"{word}.{part}" for part in measure.parts]


def _values(
    table: ScoreTable, model: str, measures: Mapping[str, tuple[Measure[Any], dict[str, Any]]]
) -> dict[str, float]:
    if not measures:
        return {}
    # One sort for all of them, and not kept beyond this row.
    ranking = Ranking(table.y_true, table.scores[model], sample_weight=table.sample_weight)
    values: dict[str, float] = {}
    for word, (measure, options) in measures.items():
        try:
            value = measure.value_of(ranking, **options)
        except InputError as error:
            raise InputError(f"Model {model!r}, {word}: {error}") from None
        parts = {} if measure.single else value.to_dict()
        numbers = [parts[part] for part in measure.parts] or [value]
        values |= zip(_columns(word, measure), numbers, strict=True)
    return values


def _warn_once(rows: Sequence[EvaluationRow], by: str | None, design: RowDesign) -> None:
    fold = design.fold
    no_value = [row for row in rows if math.isnan(row.interval.value)]
    no_ends = [row for row in rows if lacks_ends(row.interval)]
    no_width = [row for row in rows if lacks_width(row.interval)]
    sentences = []
    if no_value and fold is not None:
        sentences.append(
            f"An AUC averaged over folds needs both classes in every fold of `{one_line(fold)}`; "
            f"{_where(no_value, rows, by)} one without, so the AUC is nan there. Make folds that "
            "keep the share of positives, or fewer of them; or use pooled_auc."
        )
    elif no_value and by is None:
        counts = no_value[0].interval
        sentences.append(
            f"An AUC needs both classes; there are {counts.n_pos:,} positive and "
            f"{counts.n_neg:,} negative examples"
            f"{' in strata that have both' * isinstance(counts, StratifiedInterval)}. Every "
            "result is nan."
        )
    elif no_value:
        sentences.append(
            f"An AUC needs both classes; {_where(no_value, rows, by)} only one, so the AUC is nan "
            "there."
        )
    if no_ends:
        few = any(min(row.interval.n_pos, row.interval.n_neg) < 2 for row in no_ends)
        needs = "two examples of each class" if few else "an AUC that is neither 0 nor 1"
        if design.cluster is not None and any(0 < row.interval.value < 1 for row in no_ends):
            needs = "two clusters with each class"
        sentences.append(
            f"The {no_ends[0].interval.method} interval needs {needs}; "
            f"{_where(no_ends, rows, by)} not, so its ends are nan there. "
            'method="auto" gives an interval.'
        )
    if sentences:
        warnings.warn(" ".join(sentences), UndefinedMeasureWarning, stacklevel=3)
    if no_width:
        models = listed(one_line(name) for name in dict.fromkeys(row.model for row in no_width))
        warnings.warn(
            f"The {no_width[0].interval.method} interval has no width in {len(no_width)} of "
            f"{len(rows)} rows (models: {models}), which is not certainty. "
            'method="auto" gives one.',
            DegenerateIntervalWarning,
            stacklevel=3,
        )


def _where(found: Sequence[EvaluationRow], rows: Sequence[EvaluationRow], by: str | None) -> str:
    """Say "2 of 5 groups of `region` (north, south) have", or "this table has" without groups."""
    if by is None:
        return "this table has"
    groups = list(dict.fromkeys(row.group for row in found))
    total = len(dict.fromkeys(row.group for row in rows))
    names = listed(one_line(group) for group in groups)
    verb = "has" if len(groups) == 1 else "have"
    return f"{len(groups)} of {total} groups of `{one_line(by)}` ({names}) {verb}"
