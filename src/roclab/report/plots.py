"""Pictures: a result in, matplotlib axes out."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab.curves import roc_curve, roc_hull
from roclab.errors import InputError, MissingExtraError
from roclab.formatting import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from roclab.curves import ROCCurve, ROCHull
    from roclab.inference import AverageROC, BinormalFit, ROCBand
    from roclab.repair import ScoreRepair
    from roclab.selection import ModelSelection

__all__ = ["plot"]

_CURVE, _HULL, _REPAIRED, _BAND = "black", "#1b6ca8", "#c8553d", "#1b6ca8"


def plot(result: Any, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw a result.

    Parameters
    ----------
    result : ROCCurve, ROCBand, BinormalFit, AverageROC, ROCHull, ScoreRepair or ModelSelection
        What to draw. An average has its standard errors at some points. A selection is drawn as
        the values of all models with two standard errors to either side, contenders filled. A
        repair is drawn as the ROC curve before and after it, the hull, and the sections that it
        mends.
    ax : matplotlib Axes, optional
        Where; by default a new figure.
    **options
        Of a repair: `ranking`, the examples to draw it for; by default those to which it was
        fitted.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.

    Examples
    --------
    >>> from roclab import repair_section
    >>> repair = repair_section([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])
    >>> plot(repair).get_legend().get_texts()[0].get_text()
    'before, AUC 0.556'
    """
    # By name, so that rooms whose results are not drawn are not loaded.
    drawer = next((_DRAWERS[one.__name__] for one in type(result).__mro__ if _known(one)), None)
    if drawer is None:
        raise InputError(
            f"{type(result).__name__} cannot be drawn; {', '.join(_DRAWERS)} can. Pass one of "
            "these."
        )
    strange = [name for name in options if name not in inspect.signature(drawer).parameters]
    if strange:
        raise InputError(
            f"{type(result).__name__} is drawn without the option {strange[0]!r}. Change what the "
            "Axes hold that plot returns."
        )
    if ax is None:
        try:
            from matplotlib import pyplot
        except ModuleNotFoundError:
            raise MissingExtraError("matplotlib", extra="plot", purpose="A picture") from None
        ax = pyplot.subplots(figsize=(4.5, 4.5), layout="constrained")[1]
    drawer(result, ax, **options)
    return ax


def _known(kind: type) -> bool:
    return kind.__name__ in _DRAWERS and kind.__module__.startswith("roclab.")


def _draw_curve(curve: ROCCurve, ax: Axes) -> None:
    area = np.sum(np.diff(curve.fpr) * (curve.tpr[1:] + curve.tpr[:-1])) / 2
    ax.plot(curve.fpr, curve.tpr, color=_CURVE, lw=1.5, label=f"AUC {area:.3f}")
    _finish(ax)


def _draw_from_below(fpr: Any, tpr: Any, ax: Axes, label: str) -> None:
    """A curve that goes straight up at first, if it is known from there on."""
    if fpr[0] == 0:
        fpr, tpr = np.r_[0, fpr], np.r_[0, tpr]
    ax.plot(fpr, tpr, color=_CURVE, lw=1.5, label=label)


def _draw_band(band: ROCBand, ax: Axes) -> None:
    label = f"{100 * band.confidence_level:g} % {band.kind} band"
    ax.fill_between(band.fpr, band.low, band.high, color=_BAND, alpha=0.25, lw=0, label=label)
    _draw_from_below(band.fpr, band.tpr, ax, "curve")
    _finish(ax, reverse=True)


def _draw_fit(fit: BinormalFit, ax: Axes) -> None:
    # Most rates near 0, where the curve is steep.
    fpr = np.linspace(0, 1, 2001) ** 3
    label = f"binormal, AUC {fit.auc.value:.3f}"
    ax.plot(fpr, fit.tpr_at(fpr), color=_HULL, lw=1.5, label=label)
    _finish(ax)


def _draw_average(average: AverageROC, ax: Axes) -> None:
    label = f"mean of {average.n_folds} curves"
    if average.fpr[0] == 0 and average.fpr[-1] == 1:
        area = np.sum(np.diff(average.fpr) * (average.tpr[1:] + average.tpr[:-1])) / 2
        label += f", AUC {area:.3f}"
    _draw_from_below(average.fpr, average.tpr, ax, label)
    places = np.linspace(0, len(average) - 1, min(len(average), 11)).astype(int)
    places = places[(average.fpr[places] > 0) & (average.fpr[places] < 1)]
    aside = average.fpr_error[places] if average.over == "threshold" else None
    ax.errorbar(
        average.fpr[places],
        average.tpr[places],
        xerr=aside,
        yerr=average.tpr_error[places],
        color=_BAND,
        fmt="none",
        capsize=2,
        label="standard error",
    )
    _finish(ax)


def _draw_hull(hull: ROCHull, ax: Axes) -> None:
    label = f"hull, AUC {hull.auc:.3f}"
    ax.plot(hull.fpr, hull.tpr, color=_HULL, lw=1.5, marker="o", ms=4, label=label)
    _finish(ax)


def _draw_repair(repair: ScoreRepair, ax: Axes, ranking: Any = None) -> None:
    before = repair.known_ranking(ranking, "plot")
    after = repair.apply_to_ranking(before)
    old, new, hull = roc_curve(before), roc_curve(after), roc_hull(before)
    for number, section in enumerate(repair.steps[0] if repair.steps else ()):
        inside = (section.low <= old.thresholds) & (old.thresholds < section.high)
        if inside.any():
            # From the point at which the section is entered to the one at which it is left.
            start = max(int(np.argmax(inside)) - 1, 0)
            points = slice(start, start + 1 + int(np.count_nonzero(inside)))
            label = "mended" if number == 0 else None
            ends = slice(points.start, points.stop, max(1, points.stop - points.start - 1))
            ax.fill(
                np.concatenate((old.fpr[points], old.fpr[ends][::-1])),
                np.concatenate((old.tpr[points], old.tpr[ends][::-1])),
                color=_REPAIRED,
                alpha=0.25,
                lw=0,
                label=label,
            )
    ax.plot(hull.fpr, hull.tpr, color=_HULL, lw=1, ls="--", label=f"hull, AUC {hull.auc:.3f}")
    ax.plot(new.fpr, new.tpr, color=_REPAIRED, lw=1.5, label=f"after, AUC {after.summary.auc:.3f}")
    ax.plot(old.fpr, old.tpr, color=_CURVE, lw=1.5, label=f"before, AUC {before.summary.auc:.3f}")
    _finish(ax, reverse=True)


def _draw_selection(selection: ModelSelection, ax: Axes) -> None:
    models = selection.models[::-1]
    for place, model in enumerate(models):
        ax.errorbar(
            model.value,
            place,
            xerr=2 * model.standard_error,
            color=_HULL if model.contender else "grey",
            fmt="o",
            mfc=_HULL if model.contender else "white",
            ms=5,
            lw=1,
        )
    ax.set_yticks(range(len(models)), [one_line(model.model) for model in models])
    ax.set(
        xlabel=f"{selection.title}, two standard errors to either side",
        title=f"{len(selection.contenders)} of {len(models)} may be the best (filled)",
    )
    ax.spines[["top", "right"]].set_visible(False)


def _finish(ax: Axes, *, reverse: bool = False) -> None:
    """The square with its diagonal, and the legend."""
    ax.plot([0, 1], [0, 1], color="lightgrey", lw=0.8, zorder=0)
    ax.set(xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, loc="lower right", reverse=reverse)


_DRAWERS: dict[str, Callable[..., None]] = {
    "AverageROC": _draw_average,
    "BinormalFit": _draw_fit,
    "ROCBand": _draw_band,
    "ROCCurve": _draw_curve,
    "ROCHull": _draw_hull,
    "ScoreRepair": _draw_repair,
    "ModelSelection": _draw_selection,
}
