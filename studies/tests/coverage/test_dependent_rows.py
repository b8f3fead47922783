"""Coverage with clusters and strata: what is drawn, counted and recorded."""

import dataclasses

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.coverage import dependent_rows
from roclab_studies.coverage.dependent_tables import BLOCKS as DEPENDENT
from roclab_studies.runner import question_of


@pytest.fixture(scope="module")
def answers():
    return STUDIES["dependent_rows"].recorded()


def question(**changes):
    asked = {"method": "auto", "design": "one class", "groups": 200, "rows": 20}
    asked |= {"spread": 0.5, "auc": 0.8, "runs": 5}
    return dependent_rows.Question(**asked | changes)


class TestSamples:
    def test_scores_of_a_cluster_correlate_as_asked(self):
        asked = question(design="mixed", groups=2000, rows=2, spread=0.5)
        labels, scores, _, groups = next(dependent_rows.samples(asked))
        noise = scores - dependent_rows.separation(asked) * labels
        assert (groups == np.arange(4000) // 2).all()
        assert np.corrcoef(noise[::2], noise[1::2])[0, 1] == pytest.approx(0.5, abs=0.06)
        assert np.std(noise) == pytest.approx(1, abs=0.04)
        assert labels.mean() == pytest.approx(dependent_rows.SHARE, abs=0.03)

    def test_clusters_of_one_class_have_one(self):
        labels, _, _, groups = next(dependent_rows.samples(question()))
        assert {len(set(labels[groups == group])) for group in range(200)} == {1}

    def test_two_models_correlate_as_asked(self):
        asked = question(design="difference", groups=3000, rows=2, spread=0.5)
        labels, first, second, _ = next(dependent_rows.samples(asked))
        shift = dependent_rows.separation(asked) * labels
        found = np.corrcoef(first - shift, second - shift)[0, 1]
        assert found == pytest.approx(dependent_rows.CORRELATION, abs=0.05)
        assert dependent_rows.true_value(asked) == 0

    @pytest.mark.parametrize("spread", [0.0, 0.5])
    @pytest.mark.parametrize("auc", [0.7, 0.95])
    def test_strata_have_the_auc_on_average(self, spread, auc):
        asked = question(design="strata", groups=4000, rows=20, spread=spread, auc=auc)
        labels, scores, _, groups = next(dependent_rows.samples(asked))
        assert rl.stratified_auc(labels, scores, stratum=groups) == pytest.approx(auc, abs=0.01)
        assert rl.auc(labels, scores) < auc - 0.05

    def test_all_methods_see_the_same(self):
        first, second = (
            next(dependent_rows.samples(question(method=method))) for method in ("auto", "bca")
        )
        assert (first[1] == second[1]).all()


class TestAnswers:
    def test_counted(self):
        asked = question(groups=30, rows=4, runs=20)
        found = dependent_rows.answer(asked)
        ends = [
            dependent_rows.interval(asked, sample, run)
            for run, sample in enumerate(dependent_rows.samples(asked))
        ]
        assert found.covered == sum(low <= 0.8 <= high for low, high in ends)
        assert found.mean_width == pytest.approx(np.mean([high - low for low, high in ends]), 1e-5)
        assert found.undefined == 0

    def test_naive_methods_do_not_see_the_clusters(self):
        sample = next(dependent_rows.samples(question()))
        naive = dependent_rows.interval(question(method="naive delong"), sample, 0)
        plain = rl.auc_interval(sample[0], sample[1], method="delong")
        assert naive == (plain.low, plain.high)
        low, high = dependent_rows.interval(question(method="delong"), sample, 0)
        assert high - low > 2 * (plain.high - plain.low)


class TestTables:
    def test_every_cell_is_a_row(self):
        answers = [
            dependent_rows.Answer(
                **dataclasses.asdict(asked), covered=asked.runs, undefined=1, mean_width=0.05
            )
            for asked in dependent_rows.questions()
        ]
        for table_of in DEPENDENT.values():
            lines = table_of(answers).splitlines()
            assert len(lines) == 2 + 16
            assert "1.000 (0.050, 0.1 % undefined)" in lines[-1]


class TestRecorded:
    """What the page claims of the answers, and that they are those of the library as it is."""

    @pytest.mark.parametrize(
        "cell",
        [
            {"method": "auto", "design": "one class", "groups": 15},
            {"method": "delong", "design": "difference", "groups": 30, "rows": 5},
            {"method": "between", "design": "strata", "groups": 20},
        ],
    )
    def test_is_that_of_the_library(self, answers, cell):
        cell |= {"spread": 0.5, "auc": 0.95}
        (row,) = (one for one in answers if all(getattr(one, name) == cell[name] for name in cell))
        assert dependent_rows.answer(question_of(dependent_rows, row)) == row

    def test_recommended_methods_hold(self, answers):
        for design, method in (("one class", "auto"), ("mixed", "auto"), ("strata", "between")):
            rows = [row for row in answers if (row.design, row.method) == (design, method)]
            assert min(row.coverage for row in rows) > 0.9
            assert np.mean([row.coverage for row in rows]) > 0.935

    def test_naive_intervals_do_not(self, answers):
        rows = [row for row in answers if row.method.startswith("naive") and row.spread > 0]
        assert max(row.coverage for row in rows if row.design == "one class") < 0.85
        assert max(row.coverage for row in rows if row.design == "strata") < 0.5
