"""What the rows of a table have to do with each other: clusters, strata or folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from roclab.errors import InputError
from roclab.inference.estimation.resampling import Draws
from roclab.inference.folds.cross_validation import unwarned_cross_validation
from roclab.inference.folds.fold_scores import folds_of
from roclab.inference.intervals.auc import IntervalMethod, unwarned_interval
from roclab.inference.intervals.interval import Interval
from roclab.inference.intervals.stratified import unwarned_stratified_interval
from roclab.measures.stratified import StratumWeighting
from roclab.options import Alternative
from roclab.ranking import Ranking
from roclab.row_groups import Membership
from roclab.table import ScoreTable

__all__ = ["RowDesign"]


@dataclass(frozen=True, kw_only=True)
class RowDesign:
    """The group columns of a table that say which rows belong together, and how.

    Attributes
    ----------
    cluster, stratum, fold : str or None
        Columns whose values are clusters, strata or folds; at most one.
    weighting : {"pairs", "equal"}
        How much a stratum counts.
    """

    cluster: str | None = None
    stratum: str | None = None
    fold: str | None = None
    weighting: StratumWeighting = "pairs"

    def check(self, measures: Iterable[str], method: str) -> None:
        """Strata and folds have one interval, that of the AUC, and go with nothing else."""
        if self.stratum is None and self.weighting != "pairs":
            raise InputError(
                f"weighting={self.weighting!r} is for strata. Pass `stratum`, or leave it out."
            )
        for name, column in (("stratum", self.stratum), ("fold", self.fold)):
            if column is None:
                continue
            others = {
                f"cluster={self.cluster!r}": self.cluster is not None,
                f"stratum={self.stratum!r}": name == "fold" and self.stratum is not None,
                f"the measure {', '.join(measures)}": bool(tuple(measures)),
                f"method={method!r}": method != "auto",
            }
            asked = [words for words, there in others.items() if there]
            if asked:
                raise InputError(
                    f"{name}={column!r} compares examples of the same {name} only, of which "
                    f"{asked[0]} does not know. Leave one of them out."
                )

    @property
    def measures(self) -> tuple[str, ...]:
        """What `values` adds to the AUC."""
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
        """The AUC of a model as the design has it, and further values by name."""
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
        # Not through table[model]: a table keeps its rankings, and those of many models would fill
        # the memory for nothing.
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
