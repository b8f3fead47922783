"""A file or a binary stream: where it is, its format, and what is wrong with it."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from csv import Error as CSVError
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from roclab.errors import FileFormatError, InputError
from roclab.readers.columns import quoted, shortened
from roclab.readers.lines import BadLine, json_kinds, odd_quotes

FORMATS = {"csv": "CSV", "tsv": "TSV", "parquet": "Parquet", "jsonl": "JSON lines"}
ALIASES = {"ndjson": "jsonl"}
SEPARATORS = {"csv": ",", "tsv": "\t"}
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
FOREIGN = {
    b"PAR1": "a Parquet file; say format='parquet'",
    b"PK\x03\x04": "a zip archive or an Excel workbook; unpack it, or save the sheet as CSV",
    b"ARROW1": "an Arrow file; load it with pyarrow or polars and pass the frame",
    b"BZh": "compressed with bzip2; decompress it, or use gzip or zstd",
    b"\xfd7zXZ": "compressed with xz; decompress it, or use gzip or zstd",
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
}
HEAD_BYTES = 1 << 16


@dataclass(frozen=True, kw_only=True)
class File:
    """What is read: a path, or the bytes of a stream, in a known format."""

    data: str | bytes
    name: str
    format: str
    size: int
    head: bytes

    def lines(self) -> pl.LazyFrame:
        """Return the decompressed lines of a text file, in a column `line`."""
        return pl.scan_lines(self.data, glob=False)

    def first_lines(self, count: int) -> list[str]:
        """Return the first lines, without a byte order mark, and refuse a file of blank ones."""
        lines: list[str] = self.lines().head(count).collect()["line"].to_list()
        if not any(line.strip() for line in lines):
            raise InputError(f"{self.name} is empty; a table with a label and a score is needed.")
        lines[0] = lines[0].removeprefix("\ufeff")
        return lines

    def each_line(self) -> Iterator[str]:
        """Give the same lines one by one."""
        for batch in self.lines().collect_batches():
            yield from batch["line"]

    def rows(self) -> int | None:
        """Return the number of rows: exact for Parquet, estimated for plain text, else None."""
        if self.format == "parquet":
            count = pl.scan_parquet(self.data, glob=False).select(pl.len()).collect()
            return int(count.item())
        lines = self.head.count(b"\n")
        if lines == 0 or self.head.startswith(COMPRESSED):
            return None
        return round(lines * self.size / len(self.head))


def open_file(source: Any, format: str | None) -> File:
    """Find out what a path or a binary file object holds."""
    if isinstance(source, str | os.PathLike):
        file = _open_path(source, format)
    else:
        file = _open_stream(source, format)
    if file.head.startswith(BOM_UTF8):
        whole = Path(file.data).read_bytes() if isinstance(file.data, str) else file.data
        return _in_memory(whole.removeprefix(BOM_UTF8), file.name, file.format)
    return file


def _open_stream(source: Any, format: str | None) -> File:
    data = source.read()
    if isinstance(data, str):
        raise InputError(
            "The file object gives text; bytes are needed. Open it with mode 'rb', or pass "
            "`sys.stdin.buffer`."
        )
    return _in_memory(bytes(data), "The stream", _known_format(format or "csv"))


def _open_path(source: str | os.PathLike[str], format: str | None) -> File:
    if not os.fspath(source):
        raise InputError("The name of the file is empty. Name a file.")
    # Absolute, so that polars sees no `~` of its own to expand.
    path = Path(os.path.expanduser(source)).absolute()
    name = f"`{os.fspath(source)}`"
    try:
        opened = path.open("rb")
    except FileNotFoundError:
        raise InputError(f"No file {name} (`{path}`). Check the path.") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a directory; a file is needed.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{name} cannot be opened: {reason}.") from None
    with opened:
        pipe = not path.is_file()
        if format is None and pipe and not path.suffix:
            format = "csv"  # as for a stream: the shell's `<(command)` has no name of its own
        known = format_of(path) if format is None else _known_format(format)
        if pipe:  # which can be read only once
            return _in_memory(opened.read(), name, known)
        head = opened.read(HEAD_BYTES)
    return File(data=str(path), name=name, format=known, size=path.stat().st_size, head=head)


def _in_memory(data: bytes, name: str, format: str) -> File:
    return File(data=data, name=name, format=format, size=len(data), head=data[:HEAD_BYTES])


def _known_format(format: str) -> str:
    known = ALIASES.get(format, format)
    if known not in FORMATS:
        raise InputError(f"No format `{format}`. Formats: {quoted(list(FORMATS))}.")
    return known


def format_of(path: Path, advice: str = "Say the format with `format=`.") -> str:
    """Return the format that the suffix of a path says; `advice` if it says none."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compressed = bool(suffixes) and suffixes[-1] in COMPRESSIONS
    suffix = "".join(suffixes[-2:-1] if compressed else suffixes[-1:])
    known = ALIASES.get(suffix[1:], suffix[1:])
    if known in FORMATS and not (compressed and known == "parquet"):
        return known
    raise InputError(
        f"The suffix of `{path.name}` says no known format. Known are .csv, .tsv, .jsonl, .ndjson "
        f"(each also with .gz or .zst) and .parquet. {advice}"
    )


def refuse_foreign(file: File) -> None:
    """Refuse bytes that some other kind of file begins with."""
    for magic, what in FOREIGN.items():
        if file.head.startswith(magic):
            raise FileFormatError(f"{file.name} is {what}.")


@contextmanager
def explained(file: File) -> Iterator[None]:
    """Turn what is wrong inside a file into one sentence about the file."""
    try:
        yield
    except (pl.exceptions.PolarsError, OSError, UnicodeError, CSVError, BadLine) as error:
        raise FileFormatError(_diagnosis(file, error)) from None


def _diagnosis(file: File, error: Exception) -> str:
    if not isinstance(error, BadLine) and file.format != "parquet":
        # Polars seldom says where. A second look at the lines finds the one, or fails as well.
        try:
            (json_kinds if file.format == "jsonl" else odd_quotes)(file.each_line())
        except (pl.exceptions.PolarsError, OSError, BadLine) as second:
            error = second
    if isinstance(error, BadLine):
        where = f"{file.name}, line {error.number}, `{shortened(error.line)}`"
        if file.format == "jsonl":
            return f"{where}: not a JSON object. Write one a line, and null for a missing number."
        return f"{where}: a quote is left open. Close it, and double a quote inside quotes."
    reason = str(error).strip().split("\n")[0].rstrip(".")
    if "utf" in reason.lower():
        return f"{file.name} is not UTF-8 text. Save it as UTF-8, or convert it with iconv."
    return f"{file.name} cannot be read as {FORMATS[file.format]}: {reason}."
