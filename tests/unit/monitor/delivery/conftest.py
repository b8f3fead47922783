"""A certificate for all tests of TLS."""

import pytest

from tests.unit.monitor.delivery.receivers import make_certificate


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    return make_certificate(tmp_path_factory.mktemp("certificate"))
