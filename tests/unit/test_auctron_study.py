"""The studies of AUCtron: answers that a loop finds too, and claims counted right."""

import math
import os
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import ttest_1samp
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import recall_score
from sklearn.model_selection import StratifiedKFold, cross_val_score

import roclab as rl
from studies.auctron import data as auctron_data
from studies.auctron import fixed_error_tables, fixed_errors, tables
from studies.auctron import starts as auctron_starts
from studies.auctron.rankers import CHOSEN, PENALTIES, PUBLISHED, RANKERS, Encoding, scores_of
from studies.ledger import Ledger
from studies.pages import RESULTS
from studies.resampling import CorrectedMean
from studies.runner import question_of, recorded

RNG = np.random.default_rng(3)
VALUES = np.column_stack(
    [RNG.normal(size=(120, 2)).round(1), RNG.integers(0, 3, 120), RNG.integers(0, 2, 120)]
).astype(float)
VALUES[::17, 0] = np.nan
VALUES[::13, 2] = np.nan
NUMERIC = np.array([True, True, False, False])
LABELS = np.nan_to_num(VALUES[:, 0]) + (VALUES[:, 2] == 2) + RNG.normal(size=120) > 0.8


@pytest.fixture
def table(monkeypatch):
    table = rl.datasets.Dataset(
        name="pima",
        version="",
        X=VALUES,
        y=LABELS,
        numeric=NUMERIC,
        feature_names=("a", "b", "time", "d"),
        categories=(None, None, ("x", "y", "z"), ("u", "v")),
        positive="yes",
        source="",
    )
    monkeypatch.setattr(rl.datasets, "load", lambda _: table)
    auctron_data.examples.cache_clear()
    yield
    auctron_data.examples.cache_clear()


class TestMeans:
    values = (0.1, 0.2, 0.3, 0.2)

    def test_the_error_counts_shared_training_rows(self):
        mean = CorrectedMean.of(self.values, 1 / 4)
        assert mean.value == pytest.approx(0.2)
        variance = (0.01 + 0 + 0.01 + 0) / 3
        assert mean.error == pytest.approx(math.sqrt((1 / 4 + 1 / 4) * variance))

    def test_without_shared_rows_it_is_students_test(self):
        mean, peer = CorrectedMean.of(self.values, 0), ttest_1samp(self.values, 0)
        assert mean.pvalue == pytest.approx(peer.pvalue)
        assert mean.interval(0.9) == pytest.approx(tuple(peer.confidence_interval(0.9)))

    @pytest.mark.parametrize(("values", "pvalue"), [([0, 0, 0], 1), ([0.125, 0.125, 0.125], 0)])
    def test_of_values_all_alike(self, values, pvalue):
        assert CorrectedMean.of(np.array(values) * 1.0, 0.5).pvalue == pvalue

    def test_over_sets_variances_add(self):
        leads = [CorrectedMean(value=v, error=e, splits=9) for v, e in ((0.1, 0.03), (0.2, 0.04))]
        assert tables.over_sets(leads) == pytest.approx(
            (0.15, 0.15 - 1.959964 * 0.025, 0.15 + 1.959964 * 0.025)
        )


@dataclass(frozen=True, kw_only=True)
class Row:
    name: str
    values: tuple[float, ...]


# What a module with postponed annotations has.
Row.__dataclass_fields__["name"].type = "str"
Row.__dataclass_fields__["values"].type = "tuple[float, ...]"


def test_a_ledger_keeps_many_numbers_in_a_cell(tmp_path):
    ledger = Ledger(tmp_path / "rows.csv", Row)
    rows = [Row(name="a", values=(0.1, 1e-300, math.inf)), Row(name="b", values=())]
    for row in rows[::-1]:
        ledger.add(row)
    assert ledger.read() == rows


class TestEncoding:
    def test_columns_are_those_of_the_training_rows(self):
        encoding = Encoding.of(VALUES[:80], NUMERIC)
        columns = encoding.columns(VALUES[:80])
        assert columns.shape == (80, 2 + 3 + 1)  # of two categories an indicator is enough
        np.testing.assert_allclose(columns.mean(axis=0), 0, atol=1e-12)
        np.testing.assert_allclose(columns.std(axis=0), 1)
        new = encoding.columns(np.array([[np.nan, 0.0, 7.0, 1.0], [0.0, 0.0, np.nan, 0.0]]))
        back = new * encoding.deviation + encoding.mean
        np.testing.assert_allclose(
            back,
            [[np.nanmedian(VALUES[:80, 0]), 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0]],
            atol=1e-12,
        )

    def test_a_column_without_values_or_without_change_does_no_harm(self):
        encoding = Encoding.of(np.array([[np.nan, 5.0, 1.0], [np.nan, 5.0, 2.0]]), NUMERIC[:3])
        assert np.isfinite(encoding.columns(np.array([[3.0, np.nan, np.nan]]))).all()


class TestRankers:
    def test_the_setting_with_the_best_inner_auc_is_chosen(self):
        X = Encoding.of(VALUES, NUMERIC).columns(VALUES)
        model, setting = CHOSEN["logistic regression"].trained(X, LABELS, ~NUMERIC)
        folds = StratifiedKFold(3, shuffle=True, random_state=0)
        means = [
            cross_val_score(
                LogisticRegression(C=1 / (one * 120)), X, LABELS, scoring="roc_auc", cv=folds
            ).mean()
            for one in PENALTIES
        ]
        assert setting == PENALTIES[int(np.argmax(means))]
        assert model.get_params()["C"] == pytest.approx(1 / (setting * 120))

    def test_nothing_is_chosen_where_the_paper_chooses_nothing(self):
        X = Encoding.of(VALUES, NUMERIC).columns(VALUES)
        with pytest.warns(UserWarning, match="max_iter=80"):
            model, setting = PUBLISHED["AUCtron, descent"].trained(X, LABELS, ~NUMERIC)
        assert math.isnan(setting)
        assert (model.solver, model.alpha, model.n_iter_) == ("auctron", 0, 80)

    @pytest.mark.parametrize("name", ["AUCtron, L-BFGS", "linear SVM", "AUCsplit"])
    def test_scores_are_cut_at_zero(self, name):
        ranker = RANKERS[name]
        X = VALUES if ranker.raw else Encoding.of(VALUES, NUMERIC).columns(VALUES)
        model, _ = ranker.trained(X, LABELS, ~NUMERIC)
        assert (scores_of(model, X) > 0).tolist() == model.predict(X).tolist()


class TestData:
    @pytest.mark.usefixtures("table")
    def test_what_is_known_only_with_the_class_is_left_out(self):
        assert auctron_data.examples("wpbc").X.shape == (120, 4)
        found = auctron_data.examples("wpbc without time")
        assert found.feature_names == ("a", "b", "d")
        assert np.array_equal(found.X, VALUES[:, [0, 1, 3]], equal_nan=True)
        assert found.numeric.tolist() == [True, True, False]
        assert len(found.categories) == 3

    def test_splits_keep_shares_and_come_in_one_order(self):
        many = list(auctron_data.splits(LABELS, 5))
        for learn, judge in many:
            assert sorted([*learn, *judge]) == list(range(120))
            assert len(judge) == 36
            assert LABELS[judge].mean() == pytest.approx(LABELS.mean(), abs=0.02)
        for few, all_ in zip(auctron_data.splits(LABELS, 2), many, strict=False):
            assert few[1].tolist() == all_[1].tolist()

    @pytest.mark.usefixtures("table")
    @pytest.mark.parametrize("learner", ["MSEtron, L-BFGS", "AUCsplit, no limits"])
    def test_answers_what_a_loop_finds(self, learner):
        found = auctron_data.answer(auctron_data.Question(learner=learner, data="pima", splits=3))
        aucs, rates = [], []
        for learn, judge in auctron_data.splits(LABELS, 3):
            X, new = VALUES[learn], VALUES[judge]
            if learner == "AUCsplit, no limits":
                model = rl.AUCSplitTreeClassifier(categorical_features=[2, 3])
            else:
                encoding = Encoding.of(X, NUMERIC)
                X, new = encoding.columns(X), encoding.columns(new)
                model = rl.MSEtronClassifier(max_iter=2000, standardize=False, random_state=0)
            model.fit(X, LABELS[learn])
            aucs.append(rl.auc(LABELS[judge], scores_of(model, new)))
            called = model.predict_proba(new)[:, 1] >= 0.5
            rates.append([recall_score(LABELS[judge], called, pos_label=one) for one in (1, 0)])
        assert found.aucs == pytest.approx(aucs, abs=1e-6)
        assert (found.sensitivity, found.specificity) == pytest.approx(
            tuple(np.mean(rates, axis=0)), abs=1e-4
        )
        assert (found.rows, found.positives) == (120, int(LABELS.sum()))

    @pytest.mark.usefixtures("table")
    def test_the_other_threshold_is_learned_from_the_training_rows(self):
        question = auctron_data.Question(learner="MSEtron, L-BFGS", data="pima", splits=2)
        found, rates = auctron_data.answer(question), []
        for learn, judge in auctron_data.splits(LABELS, 2):
            encoding = Encoding.of(VALUES[learn], NUMERIC)
            X, new = encoding.columns(VALUES[learn]), encoding.columns(VALUES[judge])
            model = rl.MSEtronClassifier(max_iter=2000, standardize=False, random_state=0)
            known = model.fit(X, LABELS[learn]).decision_function(X)
            sums = [
                (known[LABELS[learn]] >= cut).mean() + (known[~LABELS[learn]] < cut).mean()
                for cut in known
            ]
            called = model.decision_function(new) >= known[np.argmax(sums)]
            rates.append([recall_score(LABELS[judge], called, pos_label=one) for one in (1, 0)])
        assert (found.best_sensitivity, found.best_specificity) == pytest.approx(
            tuple(np.mean(rates, axis=0)), abs=1e-4
        )

    @pytest.mark.parametrize("study", [auctron_data, auctron_starts, fixed_errors])
    def test_asks_each_question_once(self, study):
        asked = study.questions()
        assert len(set(asked)) == len(asked)
        assert len(study.questions(50)) <= len(asked)


class TestStarts:
    question = auctron_starts.Question(solver="descent", data="pima", spread=5.0, starts=3)

    def test_training_starts_where_it_is_told(self):
        X = Encoding.of(VALUES, NUMERIC).columns(VALUES)
        parameters = np.linspace(-2, 2, X.shape[1] + 1)
        model = auctron_starts.starting_from(parameters).set_params(max_iter=1000)
        model.fit(X, LABELS)
        outputs = expit(X @ parameters[:-1] + parameters[-1])
        expected = rl.learning.pairwise_loss(LABELS, outputs, gamma=0.3).value
        assert model.loss_curve_[0] == pytest.approx(expected)
        assert model.loss_curve_[-1] < expected

    @pytest.mark.usefixtures("table")
    def test_going_on_ends_with_a_gradient_that_has_vanished_and_no_higher(self):
        found = auctron_starts.answer(self.question)
        assert len(found.losses) == len(found.further_aucs) == 3
        assert all(b <= a for a, b in zip(found.losses, found.further_losses, strict=True))
        assert max(found.further_gradients) < 1e-6
        assert all(0.4 < auc < 1 for auc in (*found.aucs, *found.further_aucs))

    @pytest.mark.usefixtures("table")
    def test_solvers_and_sizes_share_their_directions(self):
        small = replace(self.question, spread=1e-4)
        ends = [
            auctron_starts.answer(replace(small, solver=solver)).further_losses
            for solver in ("descent", "L-BFGS")
        ]
        assert ends[0] == pytest.approx(ends[1], rel=1e-4)

    def test_arrived_is_within_a_hundredth(self):
        found = tables.arrived((0.1, 0.1009, 0.1011, 0.5), 0.1)
        assert found.tolist() == [True, True, False, False]
        assert tables.arrived((0.0, 0.00009, 0.0002), 0.0).sum() == 2

    def test_outcomes_are_counted_against_the_best_start_of_the_same_objective(self):
        rows = [
            auctron_starts.Answer(
                solver=solver,
                data="pima",
                spread=1.0,
                starts=4,
                losses=(0.1, 0.2, 0.3, 0.4),
                gradients=(1e-3, 1e-3, 1e-3, 1e-3),
                aucs=(0.7, 0.7, 0.7, 0.8),
                further_losses=further,
                further_gradients=(1e-8, 1e-8, 1e-8, 1e-8),
                further_aucs=(0.7, 0.7, 0.7, 0.7),
                further_saturated=(0.0, 1.0, 0.95, 0.1),
            )
            for solver, further in (
                ("descent", (0.1, 0.1, 0.3, 0.4)),
                ("L-BFGS", (0.2, 0.2, 0.3, 0.4)),
                ("penalised L-BFGS", (0.1, 0.2, 0.3, 0.05)),
            )
        ]
        lowest = tables.lowest_losses(rows)
        assert lowest == {("pima", 0.0): 0.1, ("pima", 0.01): 0.05}
        assert tables.outcomes(rows[0], 0.1) == (1, 2, 1, 1)
        assert tables.outcomes(rows[1], 0.1) == (1, 0, 2, 2)
        assert tables.outcomes(rows[2], 0.05) == (0, 1, 2, 1)


class TestErrorCounts:
    @pytest.mark.parametrize(("P", "Q", "k"), [(10, 90, 10), (3, 5, 2), (50, 50, 20)])
    def test_means_over_false_positives_make_up_the_mean(self, P, Q, k):
        weights, means = [], []
        for x in range(max(0, k - P), min(k, Q) + 1):
            weights.append(math.comb(P - k + 2 * x, x) * math.comb(Q + k - 2 * x, k - x))
            means.append(fixed_errors.mean_given_false_positives(P, Q, k, x))
        mean = sum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights)
        assert mean == pytest.approx(rl.auc_given_errors(P, Q, k).mean)

    def test_the_published_case(self):
        found = fixed_errors.answer(fixed_errors.Question(size=100, positives=10, errors=10))
        # SPEC of the project, by enumeration checked for small counts.
        assert (round(found.mean, 4), round(found.deviation, 4)) == (0.5116, 0.0988)
        assert found.accuracy == 0.9

    def test_claims_are_read_off_the_answers(self):
        answers = [fixed_errors.answer(one) for one in fixed_errors.questions()]
        told = [line.split("|")[-2].strip() for line in _lines(answers)]
        assert told.count("**no**") == 3
        spoilt = [
            replace(row, mean=1.0) if (row.positives, row.errors) == (100, 3) else row
            for row in answers
        ]
        told = [line.split("|")[-2].strip() for line in _lines(spoilt)]
        assert told.count("**no**") == 5  # equal to the accuracy, and monotone


def _lines(answers):
    return fixed_error_tables.claims(answers).splitlines()[2:]


def made_up(learner, data, aucs, **rates):
    usual = {"sensitivity": 0.5, "specificity": 0.5}
    usual |= {"best_sensitivity": 0.7, "best_specificity": 0.7}
    return auctron_data.Answer(
        learner=learner,
        data=data,
        splits=len(aucs),
        rows=100,
        positives=30,
        aucs=aucs,
        setting=math.nan,
        **(usual | rates),
    )


class TestTables:
    @pytest.fixture
    def answers(self):
        rng = np.random.default_rng(1)
        noise = rng.normal(0, 0.02, (len(auctron_data.DATA), 10))
        return [
            made_up(
                learner,
                data,
                tuple(0.7 + noise[at] + 0.1 * (learner == "AUCtron") * (data == "pima")),
            )
            for at, data in enumerate(auctron_data.DATA)
            for learner in RANKERS
        ]

    def test_leads_beyond_chance_are_bold(self, answers):
        lines = tables.leads(answers, tuple(CHOSEN)).splitlines()
        assert len(lines) == 2 + len(auctron_data.DATA) + 1
        pima = next(line for line in lines if line.startswith("| pima"))
        assert pima.count("**+10.0 (+10.0 to +10.0)**") == 5
        others = [line for line in lines if "**" not in line]
        assert len(others) == len(lines) - 1
        assert lines[-1].count("+1.7 (+1.7 to +1.7)") == 5

    def test_a_zero_has_no_minus(self):
        assert tables._signed(-0.0004, -0.02, 0.0) == "+0.0 (-2.0 to +0.0)"

    def test_published_values_outside_the_interval_are_bold(self, answers):
        lines = tables.table_1(answers).splitlines()
        pima = next(line for line in lines if line.startswith("| pima (30 of 100) | 30.0"))
        assert pima.split("|")[3:9:2] == [" **76.7** ", " **77.9** ", " **79.3** "]
        assert lines[2].split("|")[5] == " 72.2 "

    def test_claims_count_sets(self, answers):
        spec = {"sensitivity": 0.9}
        lines = tables.data_claims(
            [
                replace(row, **spec, aucs=tuple(np.add(row.aucs, 0.04)))
                if row.learner == "AUCtron, descent"
                else row
                for row in answers
            ]
        ).splitlines()
        assert "on 6 of six, beyond chance on 6 | yes" in lines[2]
        assert "+4.0 (+4.0 to +4.0) | **no**" in lines[3]
        assert "on 6 of six | yes" in lines[5]
        assert "+0.000 on average, +0.000 to +0.000 | **no**" in lines[6]


def needs_data():
    if not os.environ.get("ROCLAB_DATA"):
        pytest.skip("ROCLAB_DATA is not set: no folder with pima.csv")


class TestRecorded:
    @pytest.mark.parametrize("data", ["pima", "ionosphere"])
    @pytest.mark.parametrize("learner", ["AUCtron, descent", "MSEtron, L-BFGS"])
    def test_aucs_are_those_of_the_library_as_it_is(self, learner, data):
        """If a learner has changed: python -m studies auctron_data --again."""
        needs_data()
        rows = recorded(auctron_data, RESULTS / "auctron_data")
        row = next(row for row in rows if (row.learner, row.data) == (learner, data))
        found = auctron_data.answer(replace(question_of(auctron_data, row), splits=3))
        assert found.aucs == pytest.approx(row.aucs[:3], abs=1e-3)

    @pytest.mark.parametrize(("data", "loss"), [("pima", 0.0428), ("ionosphere", 0.0063)])
    def test_small_starts_end_where_an_independent_program_ended(self, data, loss):
        """SPEC 3.3: losses after 80 epochs from coefficients of size 0.01, on all rows."""
        needs_data()
        found = rl.datasets.load(data)
        model = rl.AUCtronClassifier(solver="auctron", max_iter=80, random_state=0)
        with pytest.warns(UserWarning, match="max_iter=80"):
            model.fit(found.X, found.y)
        assert model.loss_curve_[-1] == pytest.approx(loss, abs=1e-4)

    @pytest.mark.parametrize(
        ("learner", "data", "auc"),
        [
            ("AUCtron, descent", "pima", 0.826),
            ("MSEtron, descent", "pima", 0.827),
            ("AUCtron, descent", "ionosphere", 0.876),
            ("MSEtron, descent", "ionosphere", 0.864),
        ],
    )
    def test_means_are_near_those_of_an_independent_program(self, learner, data, auc):
        """SPEC 3.6: means over 15 other splits of the same kind."""
        rows = recorded(auctron_data, RESULTS / "auctron_data")
        row = next(row for row in rows if (row.learner, row.data) == (learner, data))
        error = np.std(row.aucs) * math.sqrt(1 / 15 + 1 / 50)
        assert np.mean(row.aucs) == pytest.approx(auc, abs=3 * error)
