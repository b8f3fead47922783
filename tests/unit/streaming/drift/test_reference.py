"""The reference: its blocks are those of a stream, and their length fits their dependence."""

import numpy as np
import pytest
import reference_drift as slow

import roclab as rl


def streams(count, make, n=6000):
    return [make(np.random.default_rng(seed), n) for seed in range(count)]


def test_blocks_are_those_of_the_stream_in_its_order():
    y, s = slow.wandering(np.random.default_rng(0), 3000)
    reference = rl.DriftReference(y, s, per_class=7)
    cut = slow.blocks(list(zip(y, s, strict=True)), 7)
    assert reference.block_aucs == pytest.approx([slow.auc(block) for block in cut], abs=1e-12)
    assert reference.block_mean == pytest.approx(reference.block_aucs.mean())
    assert reference.block_events == np.mean([len(block) for block in cut])
    assert reference.pooled_auc == rl.auc(y, s)
    assert (reference.n_events, reference.n_pos) == (3000, y.sum())
    assert (reference.n_blocks, reference.per_class) == (len(cut), 7)
    by_events = rl.DriftReference(y, s, events=20)
    cut = slow.blocks(list(zip(y, s, strict=True)), 1, 20)
    assert by_events.block_aucs == pytest.approx([slow.auc(block) for block in cut], abs=1e-12)
    with pytest.raises(ValueError, match="read-only"):
        reference.block_aucs[0] = 1
    order = np.random.default_rng(1).permutation(3000)
    assert (
        rl.DriftReference(y[order], s[order], per_class=7).block_mean < reference.block_mean - 0.1
    )


def test_the_standard_error_is_corrected_for_autocorrelation():
    reference = rl.DriftReference(*slow.wandering(np.random.default_rng(0), 6000), per_class=5)
    x = reference.block_aucs - reference.block_mean
    count = len(x)
    lags = round(count ** (1 / 3))
    r = [(x[lag:] * x[:-lag]).sum() / (x * x).sum() for lag in range(1, lags + 1)]
    factor = max(1, 1 + 2 * sum((1 - lag / (lags + 1)) * one for lag, one in enumerate(r, 1)))
    assert reference.autocorrelation == pytest.approx(r[0])
    assert reference.df == pytest.approx((count - 1) / factor)
    assert reference.standard_error == pytest.approx(x.std(ddof=1) * np.sqrt(factor / count))


def test_its_error_is_the_spread_of_means():
    """Of 200 independent streams: 1.96 standard errors hold the true mean in about 95 %."""
    made = [rl.DriftReference(*one, per_class=5) for one in streams(200, slow.stream, 1500)]
    means = np.array([one.block_mean for one in made])
    errors = np.array([one.standard_error for one in made])
    assert errors.mean() == pytest.approx(means.std(), rel=0.15)


def test_independent_events_have_short_blocks():
    made = [rl.DriftReference(*one) for one in streams(40, slow.stream)]
    assert sum(one.per_class == 5 for one in made) >= 32
    assert sum(one.pooled_disagrees for one in made) <= 2
    assert "disagrees" not in repr(made[0])


def test_events_that_depend_on_each_other_have_longer_blocks():
    """Within a hundred events scores are near each other, which blocks of ten cannot show."""

    def make(rng, n):
        return slow.wandering(rng, n, 1.5, distance=1.0, length=100)

    made = [rl.DriftReference(*one) for one in streams(20, make, 20_000)]
    assert min(one.per_class for one in made) >= 14
    short = rl.DriftReference(*make(np.random.default_rng(0), 20_000), per_class=5)
    assert short.block_mean - short.pooled_auc > 0.05
    assert short.pooled_disagrees
    assert repr(short).endswith("mean AUC 0.854, pooled 0.768, which disagrees)")


def test_too_few_events_are_refused_with_the_number_that_is_needed():
    y, s = slow.stream(np.random.default_rng(0), 4000, rate=0.3)
    with pytest.raises(rl.InputError) as caught:
        rl.DriftReference(y[:300], s[:300])
    assert str(caught.value) == (
        "The 300 events of the reference make 15 blocks; 30 blocks are needed, which takes about "
        "600 events. Use a longer reference, or shorter blocks."
    )
    assert rl.DriftReference(y[:600], s[:600]).n_blocks >= 30
    for none in (y[:0], np.zeros(900, bool)):
        with pytest.raises(rl.InputError, match="make 0 blocks"):
            rl.DriftReference(none, s[: len(none)])
    with pytest.raises(rl.InputError, match="make 1 block;"):
        rl.DriftReference(np.arange(12) % 2, s[:12])


def test_blocks_that_are_correlated_at_all_lengths_are_refused():
    rng = np.random.default_rng(0)
    y, s = slow.stream(rng, 4000)
    drifting = s * np.linspace(3, -1, 4000)  # gets worse all the time
    with pytest.raises(rl.InputError) as caught:
        rl.DriftReference(y, drifting)
    assert str(caught.value) == (
        "Neighbouring blocks of the reference are correlated at every length of which its 4,000 "
        "events make 30 blocks; blocks of at least 80 examples of each class are needed, and for "
        "30 of them about 5,300 events. Use a longer reference, or set per_class and expect more "
        "false alarms."
    )
    assert rl.DriftReference(y, drifting, per_class=20).autocorrelation > 0.3


@pytest.mark.parametrize(
    ("options", "words"),
    [({"per_class": 0}, "per_class=0"), ({"events": 9, "per_class": 2}, "two rules")],
)
def test_rules_are_checked(options, words):
    with pytest.raises(rl.InputError, match=words):
        rl.DriftReference([0, 1] * 200, [0.0, 1.0] * 200, **options)
