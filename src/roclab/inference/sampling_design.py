"""Sampling design of a table: clusters, strata or folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from roclab.checks.choices import Alternative, IntervalMethod, StratumWeighting
from roclab.checks.options import check_interval, shown
from roclab.data.ranking import Ranking
from roclab.data.table import ScoreTable
from roclab.errors import InputError, Parameter
from roclab.inference.estimation.estimate import unsorted_estimate
from roclab.inference.estimation.resampling import Draws
from roclab.inference.folds.cross_validation import unwarned_cross_validation
from roclab.inference.folds.fold_scores import folds_of_ranking
from roclab.inference.intervals.auc import interval_of_estimate, unwarned_interval
from roclab.inference.intervals.closed_form import CLOSED_FORMS
from roclab.inference.intervals.interval import Interval
from roclab.inference.intervals.stratified import unwarned_stratified_interval


@dataclass(frozen=True, kw_only=True)
class RowDesign:
    """Group columns of a table that define its sampling design.

    Attributes
    ----------
    cluster, stratum, fold : str or None
        Columns with clusters, strata or folds. Strata exclude the other two.
    weighting : {"pairs", "rows", "positives", "equal"}
        Weighting of the strata.
    """

    cluster: str | None = None
    stratum: str | None = None
    fold: str | None = None
    weighting: StratumWeighting = "pairs"

    def check(self, measures: Iterable[str], method: str) -> None:
        """Refuse other options with strata and folds, which have one interval of the AUC."""
        if self.stratum is None and self.weighting != "pairs":
            raise InputError(
                found="{weighting=}{value} has no effect without {stratum}",
                fix="Pass {stratum}, or leave out {weighting}.",
                value=shown(self.weighting),
            )
        for name, column in (("stratum", self.stratum), ("fold", self.fold)):
            if column is None:
                continue
            cluster = self.cluster if name == "stratum" else None
            stratum = self.stratum if name == "fold" else None
            others = {
                "{cluster=}{other}": None if cluster is None else repr(cluster),
                "{stratum=}{other}": None if stratum is None else repr(stratum),
                "the measure {other}": ", ".join(measures) or None,
                "{method=}{other}": None if method == "auto" else repr(method),
            }
            for text, other in others.items():
                if other is not None:
                    raise InputError(
                        found=f"{{name=}}{{column}} cannot be combined with {text}",
                        needed=f"it compares only examples of the same {name}",
                        fix="Leave out one of them.",
                        name=Parameter(name),
                        column=repr(column),
                        other=other,
                    )

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the further values of `interval`."""
        return ("pooled_auc",) if self.fold is not None else ()

    def needs_rows(self, ranking: Ranking, method: str) -> bool:
        """Whether an interval needs the order of a ranking's rows."""
        resamples_rows = ranking.weighted and method not in CLOSED_FORMS
        return resamples_rows or self.cluster is not None or self.stratum is not None

    def interval(
        self,
        ranking: Ranking,
        table: ScoreTable,
        *,
        method: IntervalMethod,
        confidence_level: float,
        alternative: Alternative,
        draws: Callable[[], Draws],
    ) -> tuple[Interval, dict[str, float]]:
        """AUC of a model of the table under this design, and further values by name."""
        if self.fold is not None:
            folds = folds_of_ranking(ranking, table.group_column(self.fold))
            found = unwarned_cross_validation(
                folds,
                clusters=None if self.cluster is None else table.members(self.cluster),
                confidence_level=confidence_level,
                alternative=alternative,
            )
            return found.averaged, {"pooled_auc": found.pooled.value}
        if self.stratum is not None:
            within = unwarned_stratified_interval(
                ranking,
                table.members(self.stratum),
                weighting=self.weighting,
                confidence_level=confidence_level,
                alternative=alternative,
            )
            return within, {}
        # Without a sort, unless the ranking has one or needs one.
        unsorted = not ranking.is_sorted and not ranking.weighted and self.cluster is None
        if unsorted and method in CLOSED_FORMS and method != "score":
            level, side = check_interval(confidence_level, alternative, method, IntervalMethod)
            estimate = unsorted_estimate(ranking.rows())
            return interval_of_estimate(estimate, method, level, side), {}
        whole = unwarned_interval(
            ranking,
            method=method,
            confidence_level=confidence_level,
            alternative=alternative,
            draws=draws,
            clusters=None if self.cluster is None else table.members(self.cluster),
        )
        return whole, {}
