"""Monitors in processes of their own, and small disks."""

import os
import subprocess
import sys

import pytest

from tests.e2e.monitor.process import Monitor


@pytest.fixture
def start(tmp_path):
    """Starts monitors on a directory, by default one of the test, and ends them."""
    made = []

    def start(directory=tmp_path / "data", **options):
        made.append(Monitor(directory, **options))
        return made[-1].start()

    yield start
    for monitor in made:
        monitor.stop()


class Disk:
    """A file system in memory that can be made larger, or read-only."""

    def __init__(self, directory, size):
        self.directory = directory
        directory.mkdir()
        self._mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs")

    def change(self, options):
        self._mount("-o", f"remount,{options}")

    def _mount(self, *arguments):
        done = subprocess.run(["mount", *arguments, self.directory], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"mount is not possible here: {done.stderr.strip()}")

    def remove(self):
        subprocess.run(["umount", "--lazy", self.directory], check=False, capture_output=True)


@pytest.fixture
def disk(tmp_path):
    """Makes a disk of a size."""
    if sys.platform != "linux" or os.geteuid():
        pytest.skip("only root mounts a small disk, on Linux")
    made = []

    def make(size):
        made.append(Disk(tmp_path / f"disk {len(made)}", size))
        return made[-1]

    yield make
    for one in made:
        one.remove()
