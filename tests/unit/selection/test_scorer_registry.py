import pytest

import roclab as rl


def test_words_that_need_no_options():
    words = list(rl.scorers)
    assert len(words) == len(rl.scorers) == len(set(words))
    assert "scored_auc" in rl.scorers
    assert "neg_brier_score" in rl.scorers
    assert not {"margin_auc", "partial_auc", "granular_auc"} & set(words)
    assert [rl.scorers[word].name for word in words] == words
    assert repr(rl.scorers).startswith("ScorerRegistry(accuracy, auc, average_precision,")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("brier_score", "neg_brier_score"),
        ("neg_brier_score", "neg_brier_score"),
        ("margin_auc( margin = 0.2 )", "margin_auc(margin=0.2)"),
        ("neg_log_loss(clip=1e-9)", "neg_log_loss(clip=1e-09)"),
    ],
)
def test_names_are_the_same_for_the_same_scorer(word, name):
    assert rl.scorers[word].name == name


def test_measures_and_options_are_taken_as_they_are():
    assert rl.scorers.make(rl.margin_auc, margin=0.2).name == "margin_auc(margin=0.2)"
    assert list(rl.scorers.of(rl.auc, "log_loss")) == ["auc", "neg_log_loss"]
    made = rl.scorers.of("auc", "gini", pos_label="bad", response_method=["predict_proba"])
    assert [(s.pos_label, s.response_method) for s in made.values()] == [
        ("bad", ("predict_proba",))
    ] * 2


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("scord_auc", "No measure 'scord_auc'. Did you mean 'scored_auc'"),
        ("margin_auc", "margin_auc needs margin"),
        ("partial_auc", "No range was passed"),
        ("neg_auc", "auc is not a loss: higher is better. Ask for 'auc'"),
        ("granular_auc", r"granular_auc has several parts \(low, auc, up, lambda\)"),
        ("h_measure(severity_ratio='a')", "takes a number or None as severity_ratio"),
    ],
)
def test_words_that_make_no_scorer(word, message):
    with pytest.raises(rl.InputError, match=message):
        rl.scorers[word]


@pytest.mark.parametrize("methods", ["predict", [], ["predict_proba", "transform"]])
def test_methods_that_give_no_scores(methods):
    with pytest.raises(rl.InputError, match=r"is not an option\. Choose 'decision_function' or"):
        rl.scorers.make("auc", response_method=methods)
