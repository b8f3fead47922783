"""Sampling design of a table: clusters, strata or folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from roclab.choices import Alternative, IntervalMethod, StratumWeighting
from roclab.errors import InputError, Parameter
from roclab.inference.estimation.resampling import Draws
from roclab.inference.folds.cross_validation import unwarned_cross_validation
from roclab.inference.folds.fold_scores import folds_of
from roclab.inference.intervals.auc import unwarned_interval
from roclab.inference.intervals.interval import Interval
from roclab.inference.intervals.stratified import unwarned_stratified_interval
from roclab.options import shown
from roclab.ranking import Ranking
from roclab.row_groups import Membership
from roclab.table import ScoreTable


@dataclass(frozen=True, kw_only=True)
class RowDesign:
    """Group columns of a table that define its sampling design.

    Attributes
    ----------
    cluster, stratum, fold : str or None
        Columns with clusters, strata or folds; at most one.
    weighting : {"pairs", "equal"}
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
            stratum = self.stratum if name == "fold" else None
            others = {
                "{cluster=}{other}": None if self.cluster is None else repr(self.cluster),
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

    def interval(
        self,
        table: ScoreTable,
        model: str,
        *,
        method: IntervalMethod,
        confidence_level: float,
        alternative: Alternative,
        draws: Callable[[], Draws],
    ) -> tuple[Interval, dict[str, float]]:
        """AUC of a model under this design, and further values by name."""
        labels, scores, weights = table.y_true, table.scores[model], table.sample_weight
        if self.fold is not None:
            folds = folds_of(labels, scores, table.group_column(self.fold), weights, None)
            found = unwarned_cross_validation(
                folds, confidence_level=confidence_level, alternative=alternative
            )
            return found.averaged, {"pooled_auc": found.pooled.value}
        if self.stratum is not None:
            within = unwarned_stratified_interval(
                Ranking(labels, scores, sample_weight=weights),
                Membership.of(table.group_column(self.stratum), "stratum"),
                weighting=self.weighting,
                confidence_level=confidence_level,
                alternative=alternative,
            )
            return within, {}
        # Not table[model]: a table keeps its rankings, and those of many models need much memory.
        clusters = None
        if self.cluster is not None:
            clusters = Membership.of(table.group_column(self.cluster))
        whole = unwarned_interval(
            labels,
            scores,
            sample_weight=weights,
            method=method,
            confidence_level=confidence_level,
            alternative=alternative,
            draws=draws,
            clusters=clusters,
        )
        return whole, {}
