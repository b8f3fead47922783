"""The words of options stand in one place; tables with an entry for each word agree with it."""

from typing import get_args

from roclab.checks import choices
from roclab.inference.planning.variance import COVARIANCES
from roclab.learning.solvers import SOLVERS
from roclab.readers.files import FORMATS


def test_tables_have_an_entry_for_each_word() -> None:
    assert set(get_args(choices.Solver)) == set(SOLVERS)
    assert get_args(choices.TableFormat) == tuple(FORMATS)
    assert set(get_args(choices.PlanningMethod)) == set(COVARIANCES)
