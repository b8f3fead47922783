"""The tables of granular ROC: p-values as printed."""

import pytest

from roclab_studies.granular_roc import tables


class TestStatistics:
    def test_printed_correlations_fit_twenty_models(self):
        pairs = zip(tables.PRINTED_CORRELATIONS, tables.PRINTED_PVALUES, strict=True)
        for related, printed in pairs:
            assert tables.correlation_pvalue(related, 20) == pytest.approx(printed, abs=1e-3)
            assert tables.correlation_pvalue(related, 100) < 1e-6
