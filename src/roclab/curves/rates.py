"""Rates from the four counts at a threshold, for one threshold or a column of them."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_between
from roclab.errors import InputError

Column = TypeVar("Column")

# Rates are rounded: values that differ by less are equal.
SLACK = 1e-12

# In the order of a table.
RATES = (
    "sensitivity",
    "specificity",
    "fpr",
    "fnr",
    "ppv",
    "npv",
    "lr_pos",
    "lr_neg",
    "odds_ratio",
    "accuracy",
    "balanced_accuracy",
    "youden",
    "f1",
    "matthews",
)


class Rates(Generic[Column]):
    """Rates from true and false positives and negatives; nan for 0/0.

    Those that depend on the share of positives have `prevalence`, or else the share in the data.
    """

    tp: Column
    fp: Column
    tn: Column
    fn: Column
    prevalence: float | None

    @cached_property
    def sensitivity(self) -> Column:
        """Share of positives that are called positive: true positive rate, recall."""
        return self._share(self.tp, self.fn)

    @property
    def tpr(self) -> Column:
        """The same as `sensitivity`."""
        return self.sensitivity

    @cached_property
    def specificity(self) -> Column:
        """Share of negatives that are called negative: true negative rate."""
        return self._share(self.tn, self.fp)

    @cached_property
    def fpr(self) -> Column:
        """Share of negatives that are called positive: false positive rate."""
        return self._share(self.fp, self.tn)

    @cached_property
    def fnr(self) -> Column:
        """Share of positives that are called negative: false negative rate, miss rate."""
        return self._share(self.fn, self.tp)

    @cached_property
    def ppv(self) -> Column:
        """Positive predictive value: share of positives among examples called positive."""
        tp, fp, _, _ = self._masses()
        return self._share(tp, fp)

    @property
    def precision(self) -> Column:
        """The same as `ppv`."""
        return self.ppv

    @cached_property
    def npv(self) -> Column:
        """Negative predictive value: share of negatives among examples called negative."""
        _, _, tn, fn = self._masses()
        return self._share(tn, fn)

    @cached_property
    def lr_pos(self) -> Column:
        """Positive likelihood ratio: sensitivity / fpr; infinite without false positives."""
        return self._ratio(self.sensitivity, self.fpr, beyond=math.inf)

    @cached_property
    def lr_neg(self) -> Column:
        """Negative likelihood ratio: fnr / specificity; infinite without true negatives."""
        return self._ratio(self.fnr, self.specificity, beyond=math.inf)

    @cached_property
    def odds_ratio(self) -> Column:
        """Diagnostic odds ratio: TP TN / (FP FN), the ratio of the likelihood ratios."""
        counts: Any = (self.tp, self.fp, self.tn, self.fn)
        tp, fp, tn, fn = (count * 1.0 for count in counts)
        return self._ratio(tp * tn, fp * fn, beyond=math.inf)

    @cached_property
    def accuracy(self) -> Column:
        """Share of examples that are classified correctly."""
        tp, fp, tn, fn = self._masses()
        return self._share(tp + tn, fp + fn)

    @cached_property
    def called_positive(self) -> Column:
        """Share of examples that are called positive."""
        tp, fp, tn, fn = self._masses()
        return self._share(tp + fp, tn + fn)

    @cached_property
    def balanced_accuracy(self) -> Column:
        """Mean of sensitivity and specificity."""
        sensitivity: Any = self.sensitivity
        return self._kept((sensitivity + self.specificity) / 2)

    @cached_property
    def youden(self) -> Column:
        """Youden's J: sensitivity + specificity - 1."""
        sensitivity: Any = self.sensitivity
        return self._kept(sensitivity - self.fpr)

    @cached_property
    def f1(self) -> Column:
        """Harmonic mean of sensitivity and precision."""
        tp, fp, _, fn = self._masses()
        return self._share(2 * tp, fp + fn)

    @cached_property
    def matthews(self) -> Column:
        """Matthews correlation coefficient of predicted and true classes."""
        tp, fp, tn, fn = (mass * 1.0 for mass in self._masses())
        spread = np.sqrt((tp + fp) * (tn + fn)) * np.sqrt((tp + fn) * (tn + fp))
        return self._ratio(tp * tn - fp * fn, spread)

    def expected_cost(
        self,
        *,
        false_positive_cost: float,
        false_negative_cost: float,
        prevalence: float | None = None,
    ) -> Column:
        """Expected cost per example.

        ``prevalence * fnr * false_negative_cost + (1 - prevalence) * fpr * false_positive_cost``

        Parameters
        ----------
        false_positive_cost, false_negative_cost : float
            Costs of a false positive and of a false negative: not negative, not both 0.
        prevalence : float, optional
            Share of positives where the threshold will be used, between 0 and 1; by default that
            of the table.
        """
        check_costs(false_positive_cost, false_negative_cost)
        if prevalence is None:
            tp, fp, tn, fn = self._masses()
            return self._ratio(
                false_negative_cost * fn + false_positive_cost * fp, tp + fp + tn + fn
            )
        check_prevalence(prevalence)
        fnr: Any = self.fnr
        fpr: Any = self.fpr
        misses = prevalence * false_negative_cost * fnr
        return self._kept(misses + (1 - prevalence) * false_positive_cost * fpr)

    def _masses(self) -> tuple[Any, Any, Any, Any]:
        """The four counts, or with a prevalence their shares in a population that has it."""
        if self.prevalence is None:
            return self.tp, self.fp, self.tn, self.fn
        pos: Any = self.prevalence
        neg: Any = 1 - self.prevalence
        return (
            pos * self.sensitivity,
            neg * self.fpr,
            neg * self.specificity,
            pos * self.fnr,
        )

    def _share(self, part: Any, rest: Any) -> Column:
        return self._ratio(part, part + rest)

    def _ratio(self, above: Any, below: Any, beyond: float = math.nan) -> Column:
        """The ratio; nan for 0 / 0, and `beyond` for another number divided by 0."""
        if isinstance(below, np.ndarray):
            unknown = np.where(above > 0, beyond, np.nan)
            return self._kept(np.divide(above, below, out=unknown, where=below != 0))
        return self._kept(above / below if below else beyond if above > 0 else math.nan)

    def _kept(self, column: Any) -> Column:
        if isinstance(column, np.ndarray):
            column.flags.writeable = False
        else:
            column = float(column)
        kept: Column = column
        return kept


def best_place(
    loss: npt.NDArray[np.float64], fpr: npt.NDArray[np.float64], tpr: npt.NDArray[np.float64]
) -> npt.NDArray[np.intp]:
    """Place of the lowest loss along the last axis, where rates rise; -1 if all are infinite.

    Of equally good places the strictest that no other one dominates.
    """
    lowest = loss.min(axis=-1, keepdims=True)
    equal = loss <= lowest + SLACK
    first = np.argmax(equal, axis=-1)[..., np.newaxis]
    # Stricter places are worse, so that it is dominated at its own FPR or not at all.
    equal &= fpr == np.take_along_axis(fpr, first, axis=-1)
    highest = np.max(tpr, axis=-1, keepdims=True, where=equal, initial=-math.inf)
    found = np.argmax(equal & (tpr == highest), axis=-1)
    return np.where(np.isinf(lowest[..., 0]), -1, found)


def check_costs(false_positive_cost: Any, false_negative_cost: Any) -> tuple[float, float]:
    """The costs of both errors: not negative, and not both 0."""
    fix = "Costs are never negative."
    alarm = check_between(
        "false_positive_cost", false_positive_cost, 0, math.inf, or_low=True, fix=fix
    )
    miss = check_between(
        "false_negative_cost", false_negative_cost, 0, math.inf, or_low=True, fix=fix
    )
    if not (alarm or miss):
        raise InputError(
            found="{false_positive_cost} and {false_negative_cost} are both 0",
            fix="Pass a positive cost for one of them.",
        )
    return alarm, miss


def check_prevalence(prevalence: Any) -> float:
    """A share of positives, between 0 and 1."""
    fix = "Leave out {prevalence} for that of the data."
    return check_between("prevalence", prevalence, 0, 1, fix=fix)
