"""What is read in memory is read in parts too: tests that use `engine` run with both."""

import functools

import pytest
import score_files
from engines import read_with


@pytest.fixture(scope="module", params=["memory", "parts", "stream"])
def engine(request):
    """The engine behind the name `read_scores` in a module of tests."""
    modules = [module for module in (request.module, score_files) if hasattr(module, "read_scores")]
    with pytest.MonkeyPatch.context() as patch:
        for module in modules:
            patch.setattr(module, "read_scores", functools.partial(read_with, request.param))
        yield request.param
