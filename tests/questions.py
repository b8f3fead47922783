"""What can be asked of labels, scores and weights: every public function that takes all three."""

import numpy as np

import roclab as rl

DRAWN = {"rng": 0, "n_resamples": 40}


def halves(scores):
    return (scores > 0.5).astype(float)


def table(truth, scores, weights, group=None):
    """Models that often tie."""
    columns = {
        "a": scores,
        "b": np.where(scores == 0.5, 0.4, scores),
        "c": halves(scores),
        "d": np.abs(scores),
    }
    groups = None if group is None else {"g": group}
    return rl.ScoreTable(truth, columns, sample_weight=weights, groups=groups)


def mean_of_positives(truth, scores, sample_weight=None):
    weights = None if sample_weight is None else sample_weight[truth]
    return float(np.average(scores[truth], weights=weights))


def of_measure(word):
    measure, options = rl.find_measure(word)
    return lambda t, s, w: measure.function(t, s, sample_weight=w, **options)


OF_ROWS = {
    **{one.example or one.name: of_measure(one.example) for one in rl.list_measures().measures},
    **{
        word: of_measure(word)
        for word in (
            "brier_parts(n_bins=4, strategy='quantile')",
            "brier_parts(n_bins=None)",
            "calibration_error(n_bins=3, strategy='quantile')",
            "calibration_error(n_bins=4, strategy='quantile')",
            "capture_at(share=0.5)",
            "partial_auc(fpr_range=(0.25, 0.5))",
            "partial_auc(tpr_range=(0.5, 1))",
        )
    },
    **{
        curve.__name__: lambda t, s, w, curve=curve: curve(t, s, sample_weight=w)
        for curve in (
            rl.roc_curve,
            rl.roc_hull,
            rl.cost_curve,
            rl.precision_recall_curve,
            rl.curves.precision_recall_gain_curve,
            rl.operating_points,
            rl.granular_roc,
        )
    },
    **{
        f"auc_interval, {method}": lambda t, s, w, method=method: rl.auc_interval(
            t, s, sample_weight=w, method=method, **DRAWN
        )
        for method in ("auto", "delong", "score", "newcombe", "bootstrap", "bca")
    },
    "scored_auc_interval": lambda t, s, w: rl.scored_auc_interval(
        t, s, sample_weight=w, method="bca", **DRAWN
    ),
    "interval": lambda t, s, w: rl.interval(t, s, measure="ks_statistic", sample_weight=w, **DRAWN),
    "sensitivity_at": lambda t, s, w: rl.sensitivity_at(
        t, s, specificity=0.75, sample_weight=w, **DRAWN
    ),
    "specificity_at": lambda t, s, w: rl.specificity_at(
        t, s, sensitivity=0.75, sample_weight=w, **DRAWN
    ),
    "roc_band": lambda t, s, w: rl.roc_band(t, s, sample_weight=w, **DRAWN),
    "margin_curve": lambda t, s, w: rl.margin_curve(t, s, sample_weight=w),
    "area of margin_curve": lambda t, s, w: rl.margin_curve(t, s, sample_weight=w).area(),
    "repair_section": lambda t, s, w: rl.repair_section(t, s, sample_weight=w).apply(s).tolist(),
    "multiclass_auc": lambda t, s, w: rl.multiclass_auc(
        t, np.column_stack([-s, s]), sample_weight=w, average="weighted"
    ),
    "compare_to_value": lambda t, s, w: rl.compare_to_value(t, s, value=0.6, sample_weight=w),
    "compare_independent_auc": lambda t, s, w: rl.compare_independent_auc(
        rl.Ranking(t, s, sample_weight=w), rl.Ranking(t, -s, sample_weight=w)
    ),
    "evaluate": lambda t, s, w: rl.evaluate(table(t, s, w), measures="ks_statistic"),
    "stratified_auc_interval": lambda t, s, w: rl.stratified_auc_interval(
        t, s, stratum=np.arange(len(t)) % 2, sample_weight=w
    ),
    "pairwise_loss": lambda t, s, w: rl.learning.pairwise_loss(t, s, sample_weight=w).value,
    "best": lambda t, s, w: rl.operating_points(t, s, sample_weight=w).best(),
    "compare_auc": lambda t, s, w: rl.compare_auc(
        t, s, halves(s), sample_weight=w, method="bootstrap", **DRAWN
    ),
    "compare": lambda t, s, w: rl.compare(table(t, s, w)),
    **{
        f"select_model, {by}": lambda t, s, w, by=by: rl.select_model(
            table(t, s, w), measure=by, **DRAWN
        )
        for by in ("auc", "scored_auc", "brier_score")
    },
}
OF_GROUPS = {
    **{
        f"auc_interval, {method}": lambda t, s, w, g, method=method: rl.auc_interval(
            t, s, sample_weight=w, cluster=g, method=method, **DRAWN
        )
        for method in ("auto", "bootstrap", "bca", "bootstrap_t")
    },
    "interval": lambda t, s, w, g: rl.interval(
        t, s, measure="brier_score", sample_weight=w, cluster=g, **DRAWN
    ),
    "sensitivity_at": lambda t, s, w, g: rl.sensitivity_at(
        t, s, specificity=0.5, sample_weight=w, cluster=g, **DRAWN
    ),
    "roc_band": lambda t, s, w, g: rl.roc_band(t, s, sample_weight=w, cluster=g, **DRAWN),
    "compare_auc": lambda t, s, w, g: rl.compare_auc(
        t, s, halves(s), sample_weight=w, cluster=g, method="bootstrap", **DRAWN
    ),
    "stratified_auc": lambda t, s, w, g: rl.stratified_auc(
        t, s, stratum=g, sample_weight=w, weighting="equal"
    ),
    "stratified_auc_interval": lambda t, s, w, g: rl.stratified_auc_interval(
        t, s, stratum=g, sample_weight=w
    ),
    "cross_validated_auc": lambda t, s, w, g: rl.cross_validated_auc(t, s, fold=g, sample_weight=w),
    "average_roc": lambda t, s, w, g: rl.average_roc(t, s, fold=g, sample_weight=w),
    "evaluate, cluster": lambda t, s, w, g: rl.evaluate(table(t, s, w, g), cluster="g"),
    "evaluate, fold": lambda t, s, w, g: rl.evaluate(table(t, s, w, g), fold="g"),
    "evaluate, stratum": lambda t, s, w, g: rl.evaluate(table(t, s, w, g), stratum="g"),
    "compare": lambda t, s, w, g: rl.compare(table(t, s, w, g), cluster="g"),
    "select_model": lambda t, s, w, g: rl.select_model(table(t, s, w, g), cluster="g", **DRAWN),
    "select_model by a function": lambda t, s, w, g: rl.select_model(
        table(t, s, w, g),
        measure=mean_of_positives,
        better="higher",
        cluster="g",
        **DRAWN,
    ),
}
