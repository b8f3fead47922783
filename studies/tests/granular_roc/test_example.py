"""The example of the paper: printed values and recorded ones."""

import math

import pytest

from roclab_studies.catalogue import STUDIES
from roclab_studies.granular_roc import example
from roclab_studies.runner import question_of


class TestExample:
    def test_printed_values_are_met_but_for_the_last_which_is_cut(self):
        for name, (auc, low, up) in example.PRINTED.items():
            found = example.answer(example.Question(classifier=name, method="published, doubles"))
            assert found.auc == pytest.approx(auc)
            assert round(found.low, 3) == low
            assert (round(found.up, 3) if name == "A" else math.floor(1000 * found.up) / 1000) == up

    def test_the_recorded_answers_are_those_of_the_library_as_it_is(self):
        rows = STUDIES["granular_example"].recorded()
        assert [example.answer(question_of(example, row)) for row in rows] == rows
