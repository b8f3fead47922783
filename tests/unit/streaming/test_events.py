"""One check of an event, with one message, wherever it enters; from the core with its parts."""

import subprocess
import sys

import numpy as np
import pytest

import roclab as rl

TAKERS = {
    "WindowAUC": lambda: rl.WindowAUC(4).update,
    "CumulativeAUC": lambda: rl.CumulativeAUC().update,
    "DecayedAUC": lambda: rl.DecayedAUC(4).update,
    "ApproximateWindowAUC": lambda: rl.ApproximateWindowAUC(4, 0.1).update,
    "TimeWindowAUC": lambda: lambda label, score: rl.TimeWindowAUC(4).update(label, score, time=1),
    "BlockEDetector": lambda: rl.BlockEDetector(0.9).update,
    "revert": lambda: rl.WindowAUC(4).revert,
    "PendingLabels": lambda: lambda _, score: rl.PendingLabels(4).add_prediction("id", score),
}
LABEL = (
    "; a label of a stream must be a boolean, 0/1 or -1/1. "
    "Compare it with the positive class first: update(label == 'yes', score)."
)
FINITE = "; a stream needs finite scores. Clip infinite scores, drop missing ones."
REFUSED = {
    "text as label": ("yes", 0.5, "y_true is 'yes'" + LABEL),
    "NumPy's text as label": (np.str_("1"), 0.5, "y_true is '1'" + LABEL),
    "a number as label": (np.int8(2), 0.5, "y_true is 2" + LABEL),
    "nan": (1, np.float32("nan"), "y_score is nan" + FINITE),
    "infinite": (1, float("-inf"), "y_score is -inf" + FINITE),
    "too large": (1, 10**400, f"y_score is {str(10**400)[:60]}{FINITE}"),
    "text as score": (1, "{y_true}", "y_score is '{y_true}'; a real number is needed."),
    "NumPy's text as score": (1, np.str_("0.5"), "y_score is '0.5'; a real number is needed."),
    "nothing": (1, None, "y_score is None; a real number is needed."),
}


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("refused", REFUSED)
def test_the_same_fault_has_the_same_message(taker, refused):
    label, score, message = REFUSED[refused]
    if taker == "PendingLabels" and "label" in refused:
        return  # returns labels unchanged
    with pytest.raises(rl.InputError) as caught:
        TAKERS[taker]()(label, score)
    assert str(caught.value) == message


def test_errors_of_the_core_have_parts():
    with pytest.raises(rl.InputError) as caught:
        rl.WindowAUC(4).update(1, "{y_true}")
    error = caught.value
    assert (error.found, error.needed, error.fix) == (
        "{y_score} is {value}",
        "a real number is needed",
        "",
    )
    assert error.values == {"value": "'{y_true}'"}
    assert error.parameters == ("y_score",)
    assert error.message(lambda name, _: f"--{name}") == (
        "--y_score is '{y_true}'; a real number is needed."
    )


def test_the_core_alone_names_what_it_refuses():
    code = (
        "from roclab import _core\n"
        "for event in [('{y_score}', 1), (1, float('inf'))]:\n"
        "    try:\n"
        "        _core.checked_event(*event)\n"
        "    except ValueError as error:\n"
        "        print(type(error).__name__, error, sep=': ')\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [
        "ValueError: ('label', '{y_score}')",
        "ValueError: ('infinite or missing score', inf)",
    ]


@pytest.mark.parametrize("score", [True, np.int8(1), np.float16(1), 1])
def test_every_real_number_is_a_score(score):
    for taker in TAKERS.values():
        if "revert" not in taker.__code__.co_names:
            taker()(True, score)


MISUSED = {
    "no score": ((1,), {}, "missing the argument 'y_score'"),
    "no label": ((), {"y_score": 0.5}, "missing the argument 'y_true'"),
    "time by position": ((1, 0.5, 3), {}, "takes 2 positional arguments.* but 3 were given"),
    "label twice": ((1, 0.5), {"y_true": 1}, "multiple values for argument 'y_true'"),
    "unknown": ((1, 0.5), {"weight": 2}, "unexpected keyword argument 'weight'"),
}


@pytest.mark.parametrize(
    "make", [lambda: rl.WindowAUC(4), rl.CumulativeAUC, lambda: rl.DecayedAUC(4)]
)
@pytest.mark.parametrize("misused", MISUSED)
def test_an_event_that_does_not_fit_the_signature_is_a_type_error(make, misused):
    window = make()
    args, keywords, message = MISUSED[misused]
    with pytest.raises(TypeError, match=message):
        window.update(*args, **keywords)
    assert len(window) == 0
    window.update(y_score=0.5, sample_weight=None, y_true=1, time=3)
    assert (window.n_pos, window.n_neg) == (1, 0)


def test_a_window_without_init_is_refused():
    window = rl.WindowAUC.__new__(rl.WindowAUC)
    for read in (lambda: window.update(1, 0.5), lambda: window.auc):
        with pytest.raises(TypeError, match=r"WindowAUC.__init__\(\) was not called"):
            read()
