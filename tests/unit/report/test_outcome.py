"""The sentence that sums a comparison up, case by case."""

import itertools

import pytest

from roclab.inference.comparison.results import Comparison, ModelPair, ModelValue, Omnibus
from roclab.inference.intervals.interval import Interval
from roclab.report.documents.comparison import outcome


def sentence(values, different, correction="holm"):
    """Of models with these values; `different` holds p-values of pairs, all others are 0.6."""
    models = [
        ModelValue(
            model=name,
            interval=Interval(
                measure="auc",
                value=value,
                low=value - 0.1,
                high=value + 0.05,
                standard_error=0.02,
                confidence_level=0.95,
                method="auto",
                n_pos=10,
                n_neg=20,
            ),
            letters="",
        )
        for name, value in values.items()
    ]
    pairs = [
        ModelPair(
            model_a=a,
            model_b=b,
            difference=values[a] - values[b],
            low=-1,
            high=1,
            standard_error=0.02,
            statistic=0.0,
            pvalue=0.5,
            adjusted_pvalue=different.get(a + b, different.get(b + a, 0.6)),
            method="mover",
        )
        for a, b in itertools.combinations(values, 2)
    ]
    return outcome(
        Comparison(
            models=tuple(models),
            pairs=tuple(pairs),
            omnibus=Omnibus(statistic=1.0, df=2, pvalue=0.5, method="simes"),
            groups=(),
            measure="auc",
            correction=correction,
            confidence_level=0.95,
            n_pos=10,
            n_neg=20,
        )
    )


@pytest.mark.parametrize(
    ("values", "different", "expected"),
    [
        (
            {"a": 0.8, "b": 0.931, "c": 0.92},
            {"ab": 0.003},
            "b has the highest AUC (0.931); it is not significantly different from c, and is "
            "significantly better than a "
            "(adjusted p = 0.003).",
        ),
        (
            {"a": 0.8, "b": 0.7},
            {},
            "a has the highest AUC (0.800), but is not significantly different from b.",
        ),
        (
            {"a": 0.8, "b": 0.7, "c": 0.75},
            {},
            "a has the highest AUC (0.800), but is not significantly different from c and b.",
        ),
        (
            {"a": 0.8, "b": 0.7},
            {"ab": 1e-9},
            "a has the highest AUC (0.800) and is significantly better than b (adjusted p < "
            "0.001).",
        ),
        (
            {"a": 0.6, "b": 0.7, "c": 0.9},
            {"ac": 0.001, "bc": 0.0202},
            "c has the highest AUC (0.900) and is significantly better than b and a "
            "(adjusted p at most 0.020).",
        ),
        (
            {"a": 0.8, "b": 0.8, "c": 0.7},
            {"ac": 0.01, "bc": 0.02},
            "a and b share the highest AUC (0.800) and are significantly better than c "
            "(adjusted p = 0.020).",
        ),
        (
            {"a": 0.8, "b": 0.8, "c": 0.7},
            {"ac": 0.01},
            "a and b share the highest AUC (0.800), but are not significantly different from c.",
        ),
        (
            {"a": 0.8, "b": 0.8, "c": 0.7, "d": 0.6},
            {"ad": 0.01, "bd": 0.01},
            "a and b share the highest AUC (0.800); they are not significantly different "
            "from c, and are significantly better than d (adjusted p = 0.010).",
        ),
        (
            {"a": 0.8, "b": 0.8},
            {},
            "a and b share the highest AUC (0.800); they are not significantly different.",
        ),
        (
            {"a": 0.8} | {f"m{i}": 0.7 - i / 100 for i in range(8)},
            {},
            "a has the highest AUC (0.800), but is not significantly different from m0, m1, m2, "
            "m3, m4 and 3 more.",
        ),
    ],
)
def test_cases(values, different, expected):
    assert sentence(values, different) == expected


def test_without_correction_the_p_value_is_not_called_adjusted():
    assert sentence({"a": 0.8, "b": 0.7}, {"ab": 0.01}, "none") == (
        "a has the highest AUC (0.800) and is significantly better than b (p = 0.010)."
    )
