"""What documents are run with."""

import hidden_packages
import pytest


@pytest.fixture
def as_installed(tmp_path_factory, monkeypatch):
    """Only what `pip install 'roclab[all]'` brings can be imported, here and in commands."""
    with hidden_packages.hidden(tmp_path_factory.mktemp("environment")) as variables:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        yield
