"""How much memory rows may take on this machine, and where they are kept beyond it."""

from __future__ import annotations

import math
import os
import re
import sys
import tempfile
from pathlib import Path

from roclab.checks.options import shown
from roclab.errors import InputError

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_SIZE = re.compile(r"\s*([0-9.]+)\s*([KMGT]?)I?B?\s*", re.IGNORECASE)
_SMALLEST = 10**7


def memory_bytes(limit: str | int | None) -> int:
    """Bytes of a limit such as ``"2GB"``; half of the machine's memory if there is none."""
    if limit is None:
        return _physical_memory() // 2
    size = _SIZE.fullmatch(limit) if isinstance(limit, str) else None
    try:
        found = float(size[1]) * _UNITS[size[2].upper()] if size else float(limit)
    except (TypeError, ValueError):
        found = math.nan
    if not (_SMALLEST <= found < 1e18):
        raise InputError(
            found="{memory_limit=}{value} is not an amount of memory",
            needed="a number of bytes is needed, at least 10 MB",
            fix="Pass {memory_limit=}'2GB'.",
            value=shown(limit),
        )
    return int(found)


def temporary_directory(directory: str | os.PathLike[str] | None) -> Path:
    """The directory for temporary files; that of the system if none is given."""
    return Path(tempfile.gettempdir() if directory is None else directory)


def _physical_memory() -> int:
    """Bytes of memory of this machine, or of the container that the process runs in."""
    if sys.platform == "win32":
        return _windows_memory()
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
    except OSError:
        return total
    return min(total, int(limit)) if limit.isdecimal() else total


def _windows_memory() -> int:
    """Bytes of memory of a machine with Windows, as GlobalMemoryStatusEx says."""
    import ctypes

    class MemoryStatus(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            ("total", ctypes.c_uint64),
            ("others", ctypes.c_uint64 * 6),
        )

    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    if not ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status)):  # type: ignore[attr-defined]
        raise ctypes.WinError()  # type: ignore[attr-defined]
    return int(status.total)
