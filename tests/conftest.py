"""How hypothesis searches: a modest search at the desk, the same one every time in CI.

And how tests are collected: without looking for garbage, of which there is none yet.
"""

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}

settings.register_profile("default", max_examples=60, **COMMON)
settings.register_profile("ci", max_examples=60, derandomize=True, **COMMON)
settings.register_profile("thorough", max_examples=400, **COMMON)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "default")
)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """A quarter of the collection of thousands of tests is spent on garbage collection."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
