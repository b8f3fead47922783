"""Files and binary streams: path, format, and what is wrong with them."""

from __future__ import annotations

import glob
import io
import os
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from csv import Error as CSVError
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from roclab.checks.options import shown
from roclab.errors import FileFormatError, InputError
from roclab.readers.batches import batches_of, small_chunks
from roclab.readers.columns import quoted, shortened
from roclab.readers.csv_rows import SEPARATORS
from roclab.readers.lines import BadLine, json_kinds, odd_quotes
from roclab.readers.opening import open_path, with_home
from roclab.readers.remote import is_remote, local_path, unreachable

FORMATS = {
    "csv": "CSV",
    "tsv": "TSV",
    "parquet": "Parquet",
    "jsonl": "JSON lines",
    "arrow": "Arrow",
    "excel": "Excel",
}
SUFFIXES = {
    **{format: format for format in ("csv", "tsv", "parquet", "jsonl", "arrow")},
    "ndjson": "jsonl",
    **dict.fromkeys(("ipc", "feather"), "arrow"),
    **dict.fromkeys(("xlsx", "xlsm", "xlsb", "xls", "ods"), "excel"),
}
TEXT_FORMATS = (*SEPARATORS, "jsonl")
UNTYPED_FORMATS = (*TEXT_FORMATS, "excel")  # whose columns of text may be numbers
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
# What other files are, and what to do with them.
FOREIGN = {
    b"PAR1": ("a Parquet file", "Pass {format=}'parquet'."),
    b"PK\x03\x04": (
        "an Excel workbook or a zip archive",
        "Pass {format=}'excel' for a workbook; unpack an archive.",
    ),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "Pass {format=}'excel'."),
    b"ARROW1": ("an Arrow file", "Pass {format=}'arrow'."),
    b"BZh": ("compressed with bzip2", "Decompress it, or use gzip or zstd."),
    b"\xfd7zXZ": ("compressed with xz", "Decompress it, or use gzip or zstd."),
    b"\xff\xfe": ("UTF-16 text", "Save it as UTF-8."),
    b"\xfe\xff": ("UTF-16 text", "Save it as UTF-8."),
}
HEAD_BYTES = 1 << 16
# A damaged file can make polars panic, which is none of its errors.
_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


@dataclass(frozen=True, kw_only=True)
class File:
    """The input: a path, or the bytes of a stream, in a known format."""

    data: str | bytes
    name: str
    format: str
    size: int
    head: bytes
    remote: bool = False

    def lines(self) -> pl.LazyFrame:
        """The decompressed lines of a text file, in a column `line`."""
        return pl.scan_lines(self.data, glob=False)

    def first_lines(self, count: int) -> list[str]:
        """The first lines, without a byte order mark; raise if all are blank."""
        with small_chunks():
            lines: list[str] = self.lines().head(count).collect()["line"].to_list() or [""]
        lines[0] = lines[0].removeprefix("\ufeff")
        if not any(line.strip() for line in lines):
            raise InputError(
                found="{file} is empty", needed="a table with rows is needed", file=self.name
            )
        return lines

    def line_batches(self) -> Iterator[pl.Series]:
        """Yield all lines in batches, without a byte order mark."""
        mark = "\ufeff"
        for batch in batches_of(self.lines()):
            lines = batch["line"]
            yield lines.str.strip_prefix(mark) if mark else lines
            mark = ""

    def each_line(self) -> Iterator[str]:
        """Yield the same lines one by one."""
        for lines in self.line_batches():
            yield from lines

    def rows(self) -> int | None:
        """Number of rows: exact for Parquet and Arrow, estimated for plain text, else None."""
        if self.format in ("parquet", "arrow"):
            scan = pl.scan_parquet if self.format == "parquet" else pl.scan_ipc
            return int(scan(self.data, glob=False).select(pl.len()).collect().item())
        lines = self.head.count(b"\n")
        if lines == 0 or self.head.startswith(COMPRESSED):
            return None
        return round(lines * self.size / len(self.head))


def open_files(source: Any, format: str | None) -> list[File]:
    """Open a path, a pattern, a directory, a list of paths, or bytes, and find the formats."""
    if isinstance(source, list | tuple):
        if not source:
            raise InputError(found="The list of files is empty", fix="Name a file.")
        return [file for one in source for file in open_files(one, format)]
    if not isinstance(source, str | os.PathLike):
        return [open_file(source, format)]
    if is_remote(source):
        return [open_file(source, format)]
    source = local_path(source)
    path = with_home(source)
    if os.path.isdir(path):
        found = sorted(
            glob.glob(os.path.join(glob.escape(path), "**", "*.parquet"), recursive=True)
        )
        if not found:
            raise InputError(
                found="`{path}` is a directory without .parquet files",
                fix="Name a file, or files by a pattern such as '{path}/*.csv'.",
                path=os.fspath(source),
            )
        return [open_file(one, format) for one in found]
    if glob.has_magic(path) and not os.path.lexists(path):
        found = sorted(glob.glob(path, recursive=True))
        if not found:
            raise InputError(
                found="No file matches `{path}`", fix="Check the pattern.", path=os.fspath(source)
            )
        return [open_file(one, format) for one in found]
    return [open_file(source, format)]


def open_file(source: Any, format: str | None) -> File:
    """Open a path or a binary file object, and find its format."""
    if isinstance(source, str | os.PathLike):
        file = _open_path(source, format)
    else:
        file = _open_stream(io.BytesIO(source) if isinstance(source, bytes) else source, format)
    if file.format == "jsonl" and file.head.startswith(BOM_UTF8):
        whole = Path(file.data).read_bytes() if isinstance(file.data, str) else file.data
        return _in_memory(whole.removeprefix(BOM_UTF8), file.name, file.format)
    return file


def _open_stream(source: Any, format: str | None) -> File:
    data = source.read()
    if isinstance(data, str):
        raise InputError(
            found="The file object gives text",
            needed="bytes are needed",
            fix="Open it with mode 'rb', or pass `sys.stdin.buffer`.",
        )
    piped = source is getattr(sys.stdin, "buffer", None)
    name = "Standard input" if piped else "The stream"
    return _in_memory(bytes(data), name, _known_format(format or "csv"))


def _open_path(source: str | os.PathLike[str], format: str | None) -> File:
    name = f"`{os.fspath(source)}`"
    if is_remote(source):
        url = os.fspath(source)
        known = format_of(Path(url)) if format is None else _known_format(format)
        return File(data=url, name=name, format=known, size=0, head=b"", remote=True)
    path, opened = open_path(source)  # absolute, so that polars sees no `~` to expand
    with opened:
        pipe = not path.is_file()
        if format is None and pipe and not path.suffix:
            format = "csv"  # as for a stream: the shell's `<(command)` has no suffix
        known = format_of(path) if format is None else _known_format(format)
        if pipe:  # which can be read only once
            return _in_memory(opened.read(), name, known)
        head = opened.read(HEAD_BYTES)
    return File(data=str(path), name=name, format=known, size=path.stat().st_size, head=head)


def _in_memory(data: bytes, name: str, format: str) -> File:
    return File(data=data, name=name, format=format, size=len(data), head=data[:HEAD_BYTES])


def _known_format(format: str) -> str:
    known = SUFFIXES.get(format, format)
    if known not in FORMATS:
        raise InputError(
            found="{format=}{value} is not a known format",
            fix="Choose one of {formats}.",
            value=shown(format),
            formats=quoted(list(FORMATS)),
        )
    return known


def format_of(path: Path, *, written: bool = False) -> str:
    """The format of the suffix of a path that is read, or of one that is written."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compressed = bool(suffixes) and suffixes[-1] in COMPRESSIONS
    suffix = "".join(suffixes[-2:-1] if compressed else suffixes[-1:])
    known = SUFFIXES.get(suffix[1:])
    if known in TEXT_FORMATS or (known and not compressed and not (written and known == "excel")):
        return known
    others = ".parquet and .arrow" if written else ".parquet, .arrow and .xlsx"
    raise InputError(
        found="The suffix of `{file}` is not that of a known format",
        needed=f"known are .csv, .tsv, .jsonl, .ndjson (each also with .gz or .zst), {others}",
        fix="Name the output with one of these suffixes."
        if written
        else "Rename the file, or pass the format, as in {format=}'csv'.",
        file=path.name,
    )


def refuse_foreign(file: File) -> None:
    """Raise if a file begins like a file of another kind."""
    for magic, (kind, fix) in FOREIGN.items():
        if file.head.startswith(magic):
            raise FileFormatError(found="{file} is {kind}", fix=fix, file=file.name, kind=kind)


@contextmanager
def explained(file: File) -> Iterator[None]:
    """Convert errors inside a file to one that names the file."""
    try:
        yield
    except (*_ERRORS, UnicodeError, CSVError, BadLine) as error:
        raise _diagnosis(file, error) from None


def _diagnosis(file: File, error: BaseException) -> InputError:
    if file.remote and isinstance(error, OSError | pl.exceptions.ComputeError):
        reason = str(error)
        if isinstance(error, OSError) or "object-store error" in reason:
            return unreachable(file.name, reason)
    if not isinstance(error, BadLine) and file.format in TEXT_FORMATS:
        # polars seldom reports the line. Reading line by line finds it, or fails as well.
        try:
            (json_kinds if file.format == "jsonl" else odd_quotes)(file.each_line())
        except (*_ERRORS, BadLine) as second:
            error = second
    if isinstance(error, BadLine):
        jsonl = file.format == "jsonl"
        return FileFormatError(
            found="{file}, line {line}, `{text}`: "
            + ("not a JSON object" if jsonl else "a quote is not closed"),
            fix="Write one object per line, and null for a missing number."
            if jsonl
            else "Close it, and double a quote inside quotes.",
            file=file.name,
            line=error.number,
            text=shortened(error.line),
        )
    reason = str(error).strip().split("\n")[0].rstrip(".")
    if isinstance(error, pl.exceptions.PanicException):
        reason = "it is damaged, or was changed"
    if "utf" in reason.lower():
        return FileFormatError(
            found="{file} is not UTF-8 text",
            fix="Save it as UTF-8, or convert it with iconv.",
            file=file.name,
        )
    return FileFormatError(
        found="{file} cannot be read as {format_name}: {reason}",
        file=file.name,
        format_name=FORMATS[file.format],
        reason=reason,
    )
