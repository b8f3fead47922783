"""The words that options accept, the same in Python and at the shell."""

from __future__ import annotations

from typing import Literal

Alternative = Literal["two-sided", "less", "greater"]
CohortPeriod = Literal["hour", "day", "week"]
Correction = Literal["holm", "fdr", "none"]
DriftAlternative = Literal["less", "greater", "two-sided"]
Engine = Literal["auto", "memory", "polars", "spark", "dask"]
EstimatedMeasure = Literal["auc", "scored_auc"]
EventFormat = Literal["csv", "tsv", "jsonl"]
IntervalMethod = Literal[
    "auto", "delong", "logit", "score", "newcombe", "bootstrap", "bca", "bootstrap_t"
]
KeepRule = Literal["significant", "every_fold", "most_folds"]
MissingLabels = Literal["drop", "bounds"]
PairMethod = Literal["auto", "delong"]
PictureFormat = Literal["png", "svg", "pdf"]
PlanningMethod = Literal["obuchowski", "delong"]
PlotKind = Literal[
    "roc",
    "pr",
    "pr-gain",
    "det",
    "calibration",
    "decision",
    "gains",
    "cost",
    "thresholds",
    "margin",
    "hull",
    "scores",
    "forest",
    "pairs",
]
RepairMethod = Literal["mirror", "flatten"]
Sections = Literal["largest", "all"]
SequenceMethod = Literal["hedged_capital", "empirical_bernstein"]
Solver = Literal["lbfgs", "newton-cg", "auctron"]
ScaleMethod = Literal["exact", "bounded"]
StratumWeighting = Literal["pairs", "rows", "positives", "equal"]
TableFormat = Literal["csv", "tsv", "parquet", "jsonl", "arrow", "excel"]
