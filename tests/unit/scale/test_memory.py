"""Memory of this machine, where it is asked for in different ways."""

import ctypes
import struct

import pytest

from roclab.scale import memory


class Kernel:
    """The library of Windows that knows the memory; bytes where its documentation has them."""

    def __init__(self, name):
        assert name == "kernel32"

    def GlobalMemoryStatusEx(self, status):
        found = ctypes.cast(status, ctypes.POINTER(ctypes.c_uint32))
        if found[0] != 64:  # dwLength, which the caller sets
            return 0
        ctypes.memmove(status, struct.pack("<IIQ", 64, 37, 24 * 2**30), 16)
        return 1


def test_memory_of_windows(monkeypatch):
    monkeypatch.setattr(ctypes, "WinDLL", Kernel, raising=False)
    assert memory._windows_memory() == 24 * 2**30


def test_half_of_the_memory_is_used(monkeypatch):
    monkeypatch.setattr(memory, "_physical_memory", lambda: 24 * 2**30)
    assert memory.memory_bytes(None) == 12 * 2**30
    assert memory.memory_bytes("2GB") == 2 * 10**9


@pytest.mark.skipif(not hasattr(memory.os, "sysconf"), reason="needs a POSIX system")
def test_no_more_than_the_machine_has():
    pages = memory.os.sysconf("SC_PHYS_PAGES") * memory.os.sysconf("SC_PAGE_SIZE")
    assert 2**28 < memory._physical_memory() <= pages
