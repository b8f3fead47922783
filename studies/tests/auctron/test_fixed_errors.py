"""AUC given an error count: the published case, and claims counted right."""

import math
from dataclasses import replace

import pytest

import roclab as rl
from roclab_studies.auctron import fixed_error_tables, fixed_errors


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
