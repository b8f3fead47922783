"""What people search for, by page, where the title of the page does not have these words alone."""

SEARCH_TERMS = {
    "faq": ("faq", "questions", "help"),
    "installation": ("install", "pip install", "pip", "setup", "compiler", "extras", "uninstall"),
    "gallery": ("pictures", "figures", "visualization", "charts", "examples of plots"),
    "tutorial/first_numbers": ("tutorial", "getting started", "quickstart", "quick start"),
    "tutorial/first_alarm": ("first alarm", "monitor tutorial", "monitor demo"),
    "coming_from/libauc": ("libauc",),
    "coming_from/proc": ("proc", "r package"),
    "coming_from/river": ("river",),
    "coming_from/scikit_learn": ("scikit-learn", "sklearn", "roc_auc_score"),
    "how_to/common_tasks": ("common tasks", "cheat sheet", "examples"),
    "how_to/evaluate_a_file": (
        *("evaluate", "csv", "parquet", "excel", "xlsx", "read a file", "missing values"),
        "roclab evaluate",
    ),
    "how_to/compare_models": (
        *("compare two models", "compare models", "compare auc", "model comparison", "compare"),
        *("delong test", "p-value", "significance test", "roclab compare"),
    ),
    "how_to/choose_a_model": (
        *("model selection", "select model", "best model", "select", "contenders"),
        "roclab select",
    ),
    "how_to/choose_a_threshold": (
        *("threshold", "thresholds", "best threshold", "cutoff", "cut-off", "youden", "costs"),
        *("cost", "capacity", "roclab threshold", "optimal threshold"),
    ),
    "how_to/plot": (
        *("plot", "plots", "roc curve", "roc curves", "matplotlib", "colors", "colours"),
        "roclab plot",
    ),
    "how_to/write_a_report": ("report", "html report", "html", "roclab report"),
    "how_to/share_results": (
        *("mlflow", "github", "github actions", "ci", "exit code", "exit codes", "markdown"),
        *("share results", "gate", "artifact"),
    ),
    "how_to/share_a_summary": ("combine", "merge", "federated", "partial results"),
    "how_to/plan_a_study": ("sample size", "power", "power analysis", "roclab power", "study"),
    "how_to/repair_a_classifier": ("repair", "roclab repair"),
    "how_to/labels_and_scores": ("labels", "scores", "pos_label", "positive label", "nan"),
    "how_to/watch_a_stream": (
        *("drift", "concept drift", "stream", "alarm", "alarms", "roclab watch", "watch"),
    ),
    "how_to/monitor_alerts": (
        *("alerts", "alerting", "notifications", "webhook", "webhooks", "slack", "teams"),
        *("pagerduty", "mail", "email", "hmac", "signature"),
    ),
    "how_to/monitor_from_a_cluster": (
        *("summaries", "cohorts", "post summaries", "monitor spark", "monitor dask"),
    ),
    "how_to/run_the_monitor": (
        *("monitor", "monitoring", "roclab monitor", "production", "service", "server", "daemon"),
        *("monitor.toml", "configuration", "retention", "backup", "restore", "tokens", "token"),
        *("proxy", "roclab monitor import", "roclab monitor serve", "history", "replay"),
    ),
    "how_to/feed_the_monitor": (
        *("kafka", "nats", "queue", "ingest", "mlflow registry", "deployments", "idempotent"),
        "ndjson",
    ),
    "how_to/deploy_the_monitor": (
        *("systemd", "docker", "podman", "container", "kubernetes", "deploy", "deployment"),
    ),
    "how_to/monitor_metrics": ("prometheus", "grafana", "metrics", "dashboard"),
    "how_to/windows_on_spark": ("structured streaming", "spark streaming"),
    "how_to/evaluate_large_tables": (
        *("large tables", "big data", "spark", "dask", "cluster", "larger than memory"),
    ),
    "how_to/check_subgroups": (
        *("subgroup", "subgroups", "fairness", "bias by group", "groups", "segments"),
    ),
    "how_to/use_a_notebook": ("notebook", "jupyter", "pandas", "data frame", "dataframe", "polars"),
    "how_to/search_with_scikit_learn": (
        *("scorer", "scorers", "gridsearchcv", "scikit-learn scorer", "grid search"),
    ),
    "how_to/boosting": ("lightgbm", "xgboost", "gradient boosting", "boosting", "custom metric"),
    "how_to/train_a_ranker": ("train", "roclab train", "roclab score", "save a model", "skops"),
    "explanation/auc_and_ties": (
        *("auc", "roc auc", "ties", "gini", "gini coefficient", "mann-whitney", "auroc"),
        "area under the curve",
    ),
    "explanation/intervals": (
        *("confidence interval", "confidence intervals", "auc confidence interval"),
        *("delong", "bootstrap", "wilson interval", "standard error", "interval", "variance"),
    ),
    "explanation/bands": (
        *("band", "bands", "confidence band", "confidence bands", "binormal", "smooth roc"),
        "roc band",
    ),
    "explanation/comparison": ("equivalence", "non-inferiority", "noninferiority"),
    "explanation/hull_and_costs": (
        *("hull", "roc hull", "convex hull", "concavities", "concavity", "cost curve"),
        "cost curves",
    ),
    "explanation/operating_points": (
        *("sensitivity", "specificity", "operating point", "confusion matrix", "ppv", "det curve"),
        *("likelihood ratio", "true positive rate", "false positive rate"),
    ),
    "explanation/partial_auc": ("partial auc", "pauc"),
    "explanation/h_measure": ("h-measure", "h measure", "ks statistic", "ks", "kolmogorov-smirnov"),
    "explanation/scored_auc": (
        *("scored auc", "margin curve", "margin", "margins", "soft auc", "probabilistic auc"),
    ),
    "explanation/granular_roc": ("granular roc", "granular auc", "granularity"),
    "explanation/drift": (
        *("drift detection", "drift detector", "cusum", "e-detector", "false alarms"),
    ),
    "explanation/monitor": (
        *("cohort", "mature", "horizon", "late labels", "budget of false alarms"),
        *("provisional auc", "false alarms per month", "champion challenger"),
    ),
    "explanation/probability": (
        *("calibration", "reliability diagram", "brier score", "log loss", "calibration curve"),
        *("brier", "expected calibration error", "ece", "calibration slope"),
    ),
    "explanation/folds": (*("cross-validation", "cross validation", "folds", "average roc"),),
    "explanation/retrieval": (
        *("precision recall", "average precision", "lift", "gains table", "gains"),
        *("precision-recall curve", "precision recall curve", "precision", "recall", "pr auc"),
        *("precision-recall gain", "f1"),
    ),
    "explanation/decision_curves": ("decision curve", "decision curves", "net benefit"),
    "explanation/multiclass": ("multiclass", "multi-class auc", "multiclass auc", "hand-till"),
    "explanation/weights": ("weights", "sample weights", "sample weight", "sample_weight"),
    "explanation/change": ("population stability index", "psi", "why the auc changed", "change"),
    "explanation/clusters_and_strata": (
        *("clustered data", "clusters", "repeated measures", "strata", "stratified auc"),
    ),
    "explanation/sequential": ("sequential test", "confidence sequence", "a/b test"),
    "explanation/windows": ("sliding window", "window", "windows", "rolling auc"),
    "explanation/approximate_window": ("approximate window", "approximate auc"),
    "explanation/missing_labels": ("missing labels", "unlabelled", "unlabeled", "delayed labels"),
    "explanation/learning": ("auctron", "learning to rank", "pairwise loss", "auc loss"),
    "explanation/auc_split_tree": ("auc split", "decision tree", "aucsplittreeclassifier"),
    "explanation/speed": ("performance", "benchmark", "benchmarks", "threads"),
    "reference/command_line": ("cli", "shell", "options", "commands"),
    "reference/json": ("json", "to_dict", "schema"),
    "reference/errors": ("error", "errors", "warnings"),
    "reference/compatibility": (
        "deprecated",
        "deprecation",
        "semantic versioning",
        "compatibility",
    ),
    "reference/environment": ("environment variables", "roclab_num_threads", "settings"),
    "reference/api": ("api", "python api", "functions", "reference"),
}
