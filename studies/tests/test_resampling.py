"""Means over splits that share training rows."""

import math

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from roclab_studies.resampling import CorrectedMean


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
