"""Measures by word, with options: what is understood, and what a wrong word is told."""

import math

import numpy as np
import pytest

import roclab as rl
from roclab.measures.specification import find_measures, word_of

RANKING = rl.Ranking([0, 1, 0, 1, 1], [0.1, 0.4, 0.4, 0.8, 0.2])


@pytest.mark.parametrize(
    ("word", "name", "options"),
    [
        ("auc", "auc", {}),
        (" auc() ", "auc", {}),
        ("margin_auc(margin=0.2)", "margin_auc", {"margin": 0.2}),
        (
            "margin_auc ( margin = -1 , strict = True )",
            "margin_auc",
            {"margin": -1, "strict": True},
        ),
        ("partial_auc(fpr_range=(0, 0.1))", "partial_auc", {"fpr_range": (0, 0.1)}),
        ("partial_auc(tpr_range=[.9, 1],)", "partial_auc", {"tpr_range": [0.9, 1]}),
        ("rho_auc(grid=None)", "rho_auc", {"grid": None}),
        ("granular_auc(definition='published')", "granular_auc", {"definition": "published"}),
        ('calibration_error(norm="max")', "calibration_error", {"norm": "max"}),
    ],
)
def test_words(word, name, options):
    measure, found = rl.find_measure(word)
    assert (measure.name, found) == (name, options)


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("roc_auc", "auc"),
        ("auroc", "auc"),
        ("c_statistic", "auc"),
        ("pr_auc", "average_precision"),
        ("auprc", "average_precision"),
        ("ap", "average_precision"),
        ("brier", "brier_score"),
        ("logloss", "log_loss"),
        ("ece", "calibration_error"),
        ("ks", "ks_statistic"),
    ],
)
def test_familiar_names_are_aliases(alias, name):
    assert rl.find_measure(alias)[0].name == name
    assert alias in rl.find_measure(name)[0].aliases
    assert list(find_measures(f"{alias}, {name}")) == [name]


def test_aliases_take_options():
    measure, options = rl.find_measure("ece(n_bins=5)")
    assert (measure.name, options, word_of(measure, options)) == (
        "calibration_error",
        {"n_bins": 5},
        "calibration_error(n_bins=5)",
    )


def test_no_alias_is_ambiguous():
    measures = rl.list_measures().measures
    names = [name for one in measures for name in (one.name, *one.aliases)]
    assert len(names) == len(set(names))


def test_a_misspelt_alias_is_suggested():
    with pytest.raises(rl.InputError, match="Did you mean 'roc_auc'"):
        rl.find_measure("roc_acu")


def test_the_group_auc_is_known_by_its_name():
    with pytest.raises(rl.InputError, match=r"stratified_auc with stratum=?,.* weighting='rows'"):
        rl.find_measure("gauc")
    with pytest.raises(rl.InputError, match="needs the group of each row"):
        rl.find_measure("stratified_auc")


def test_what_is_found_can_be_called():
    measure, options = rl.find_measure("margin_auc(margin=0.2)")
    assert measure.value_of(RANKING, **options) == rl.margin_auc(RANKING, margin=0.2)
    measure, options = rl.find_measure("calibration_error(n_bins=2)")
    assert measure.value_of(RANKING, **options) == rl.calibration_error(RANKING, n_bins=2).value
    measure, options = rl.find_measure("scored_parts")
    assert measure.value_of(RANKING, **options) == rl.measures.scored_parts(RANKING)


def test_functions_with_options_beside_them():
    measure, options = rl.find_measure(rl.partial_auc, fpr_range=(0, 0.5))
    assert (measure.function, options) == (rl.partial_auc, {"fpr_range": (0, 0.5)})
    measure, options = rl.find_measure("margin_auc(margin=0.2)", strict=np.bool_(True))
    assert options == {"margin": 0.2, "strict": np.bool_(True)}
    pair = np.array([0, 0.1])
    assert rl.find_measure("partial_auc", fpr_range=pair)[1]["fpr_range"] is pair
    assert rl.find_measure("soft_auc", slope=np.float32(2))[1] == {"slope": 2}
    with pytest.raises(rl.InputError, match="margin is given twice, in 'margin_auc"):
        rl.find_measure("margin_auc(margin=0.2)", margin=0.3)
    with pytest.raises(rl.InputError, match="margin_auc needs margin"):
        rl.find_measure(rl.margin_auc)


@pytest.mark.parametrize("wrong", [rl.roc_curve, rl.multiclass_auc, math.sqrt, None, 3])
def test_what_is_no_measure_is_refused(wrong):
    with pytest.raises(rl.InputError, match=r"is not a measure.*'partial_auc\(fpr_range"):
        rl.find_measure(wrong)


EXAMPLE = r"Its options: margin \(a number\).*For example: margin_auc\(margin=0\.2\)\.$"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("margin_auc", f"margin_auc needs margin. {EXAMPLE}"),
        ("margin_auc(strict=True)", f"margin_auc needs margin. {EXAMPLE}"),
        ("margin_auc(margn=1)", f"margin_auc has no option 'margn'. {EXAMPLE}"),
        ("margin_auc(by='g', margin=1)", f"no option 'by'. {EXAMPLE}"),
        ("margin_auc(0.2)", f"an option without a name. {EXAMPLE}"),
        ("margin_auc(**{'margin': 1})", f"an option without a name. {EXAMPLE}"),
        ("margin_auc(margin=0.2", f"cannot be parsed. {EXAMPLE}"),
        ("margin_auc(margin=0.2))", f"cannot be parsed. {EXAMPLE}"),
        ("margin_auc(margin=0.2)(1)", f"cannot be parsed. {EXAMPLE}"),
        ("margin_auc(margin=0.2).low", f"cannot be parsed. {EXAMPLE}"),
        ("margin_auc(margin=0.2) or _(margin=1)", f"cannot be parsed. {EXAMPLE}"),
        ("margin_auc(margin=\0)", f"cannot be parsed. {EXAMPLE}"),
        ("margin_auc(margin=" + "(" * 999, f"cannot be parsed. {EXAMPLE}"),
        ("margin_auc(margin=x)", f"margin=x is not a value.*{EXAMPLE}"),
        ("margin_auc(margin=__import__('os'))", f"margin=__import__.* is not a value.*{EXAMPLE}"),
        ("margin_auc(margin=1, margin=2)", "gives margin twice"),
        ("margin_auc(margin='a')", f"takes a number as margin, not 'a'. {EXAMPLE}"),
        ("margin_auc(margin=True)", f"takes a number as margin, not True. {EXAMPLE}"),
        ("margin_auc(margin=None)", f"takes a number as margin, not None. {EXAMPLE}"),
        ("margin_auc(margin=1j)", f"takes a number as margin, not 1j. {EXAMPLE}"),
        ("margin_auc(margin=1, strict=1)", f"takes True or False as strict, not 1. {EXAMPLE}"),
        ("margin_auc(margin=1, decimals=2.0)", "a whole number or None as decimals, not 2.0"),
        ("partial_auc(fpr_range=(0, 1, 2))", "a pair of numbers or None as fpr_range"),
        ("partial_auc(fpr_range=('a', 1))", "a pair of numbers or None as fpr_range"),
        ("granular_auc(definition='cleen')", "takes 'clean' or 'published' as definition"),
        ("granular_auc(definition=[])", "takes 'clean' or 'published' as definition"),
        ("gini(a=1)", "gini has no option 'a'. gini takes no options.$"),
        ("scored-auc", "No measure 'scored-auc'. Did you mean 'scored_auc'.*Measures: accuracy, "),
        ("", "No measure ''"),
        ("(margin=1)", "No measure ''"),
    ],
)
def test_wrong_words_are_told_what_is_right(word, said):
    with pytest.raises(rl.InputError, match=said):
        rl.find_measure(word)


def test_several_words_in_a_text():
    text = " scored_auc,,partial_auc(standardize=True,fpr_range=(0,0.1)), margin_auc(margin=0.2), "
    assert list(find_measures(text)) == [
        "scored_auc",
        "partial_auc(fpr_range=(0, 0.1), standardize=True)",
        "margin_auc(margin=0.2)",
    ]
    assert find_measures("") == find_measures([]) == {}


def test_the_same_measure_with_the_same_options_is_one():
    words = ["margin_auc(margin=.5,strict=False)", "margin_auc( strict=False, margin=0.5 )", rl.auc]
    assert list(find_measures(words)) == ["margin_auc(margin=0.5, strict=False)", "auc"]


@pytest.mark.parametrize("measure", rl.list_measures().measures, ids=lambda measure: measure.name)
def test_examples_are_words(measure):
    found, options = rl.find_measure(measure.example)
    assert found is measure
    assert word_of(measure, options) == measure.example
    assert all(option.name in options for option in measure.options if option.required)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("partial_auc(max_fpr=0.1)", r"partial_auc\(fpr_range=\(0, 0.1\), standardize=True\)"),
        ("auc(max_fpr=0.1)", r"partial_auc\(fpr_range=\(0, 0.1\), standardize=True\)"),
        ("youden", "Youden's J is ks_statistic"),
        ("F1", "at every one"),
    ],
)
def test_words_of_other_packages_get_a_hint(word, hint):
    with pytest.raises(rl.InputError, match=hint):
        rl.find_measure(word)
