"""Applications to ask."""

from dataclasses import replace

import pytest

from roclab.monitor.settings import Settings
from tests.unit.monitor.api.client import Client


@pytest.fixture
def make_client(tmp_path):
    """A function that starts an application with some settings changed."""
    opened = []

    def make(address="127.0.0.1", **changes):
        settings = replace(Settings(data=tmp_path / "data"), **changes)
        opened.append(Client(settings, address).__enter__())
        return opened[-1]

    yield make
    for client in reversed(opened):
        client.__exit__()


@pytest.fixture
def client(make_client):
    """An application that serves this machine, without tokens."""
    return make_client()
