"""Files on a web server, on this machine: read, or one line why not, and never without end."""

import re
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from score_files import FILES, ROWS

from roclab import FileFormatError, InputError, read_scores
from roclab.cli import main
from roclab.readers.remote import unreachable


class Handler(BaseHTTPRequestHandler):
    """Sends files and parts of files; the path may be a status, as /403.csv."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.answer(with_body=False)

    def do_GET(self):
        self.answer(with_body=True)

    def answer(self, with_body):
        name = self.path.removeprefix("/")
        data = FILES.get(name.removeprefix("whole/"))
        status = 404 if data is None else 200
        if name[:3].isdecimal():
            status = int(name[:3])
        data, headers = data or b"", {}
        wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if status == 200 and wanted and not name.startswith("whole/"):
            first, last = wanted.groups()
            begin = int(first) if first else max(len(data) - int(last), 0)
            end = min(int(last) + 1, len(data)) if first and last else len(data)
            headers["Content-Range"] = f"bytes {begin}-{end - 1}/{len(data)}"
            status, data = 206, data[begin:end]
        self.send_response(status)
        headers |= {"Content-Length": str(len(data)), "ETag": '"1"'}
        headers["Last-Modified"] = "Wed, 01 Jan 2025 00:00:00 GMT"
        for header, value in headers.items():
            self.send_header(header, value)
        self.end_headers()
        if with_body:
            self.wfile.write(data)


@pytest.fixture(scope="module")
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def silent(monkeypatch):
    """A server that takes connections and never answers."""
    monkeypatch.setattr("roclab.readers.remote.PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.usefixtures("engine")
class TestWebServers:
    @pytest.mark.parametrize("name", [name for name in FILES if name.islower()])
    def test_files_are_read(self, server, name):
        table = read_scores(f"{server}/{name}", y_true="label", y_score="a", by="region")
        assert table.scores["a"].tolist() == ROWS["a"]
        assert table.groups["region"].tolist() == ROWS["region"]

    @pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet", "arrow"])
    @pytest.mark.parametrize("status", ["401 Unauthorized", "403 Forbidden", "404 Not Found"])
    def test_answers_that_are_no_file(self, server, suffix, status):
        url = f"{server}/{status[:3]}.{suffix}"
        with pytest.raises(
            InputError, match=f"^`{url}` cannot be reached: the server says {status}"
        ):
            read_scores(url, y_true="label")

    @pytest.mark.parametrize("suffix", ["csv", "parquet"])
    def test_servers_without_parts_of_files(self, server, suffix):
        with pytest.raises(InputError, match="does not send parts of files; download it first"):
            read_scores(f"{server}/whole/x.{suffix}", y_true="label")

    @pytest.mark.parametrize("suffix", ["csv", "tsv.gz", "jsonl", "parquet", "arrow"])
    def test_servers_that_do_not_answer(self, silent, suffix):
        message = rf"^`{silent}/x.{suffix}` cannot be reached: it does not answer within 0\.5 sec"
        with pytest.raises(InputError, match=message):
            read_scores(f"{silent}/x.{suffix}", y_true="label")

    def test_faults_of_the_file_itself(self, server, monkeypatch):
        monkeypatch.setitem(FILES, "odd.csv", b"label,a\n1,2\n0,3,4\n")
        with pytest.raises(FileFormatError, match=r"odd.csv`, line 3: 3 fields"):
            read_scores(f"{server}/odd.csv", y_true="label")


@pytest.mark.usefixtures("engine")
def test_addresses_of_this_machine_are_paths(tmp_path):
    path = tmp_path / "a b.csv"
    path.write_bytes(FILES["x.csv"])
    assert read_scores(path.as_uri(), y_true="label").scores["a"].tolist() == ROWS["a"]
    with pytest.raises(InputError, match=r"No file `.*/c d\.csv`"):
        read_scores((tmp_path / "c d.csv").as_uri(), y_true="label")


@pytest.mark.usefixtures("engine")
def test_schemes_that_nothing_reads(tmp_path, monkeypatch):
    message = (
        r"^`ftp://host/x\.csv` has the scheme `ftp`; files are read from http://, https://, s3:"
    )
    with pytest.raises(InputError, match=message):
        read_scores("ftp://host/x.csv", y_true="label")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd:").mkdir()
    (tmp_path / "odd:" / "x.csv").write_bytes(FILES["x.csv"])
    assert len(read_scores("odd://x.csv", y_true="label")) == 4


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            "object-store error: Generic S3 error: Error performing GET http://x in 1s, after 8 "
            "retries - HTTP error: error sending request\n\nCaused by:\n  tcp connect error\n"
            "  Connection refused (os error 111)",
            "the connection is refused",
        ),
        ("HTTP error: error sending request\n\nCaused by:\n  dns error", "the host is not known"),
        ("HTTP error: error sending request\n\nCaused by:\n  timed out", "it does not answer"),
        ("Server returned non-2xx status code: 503 Service Unavailable: <html>", "the server says"),
        ("object-store error: something new\nand more", "something new. Check"),
    ],
)
def test_reasons_in_one_line(said, reason):
    found = str(unreachable("`s3://bucket/x.csv`", said))
    assert found.startswith(f"`s3://bucket/x.csv` cannot be reached: {reason}")
    assert "\n" not in found


def test_an_address_of_a_file_that_is_none():
    with pytest.raises(InputError, match=r"is no address of a file: Invalid IPv6 URL; .*alone"):
        read_scores("file://[a/x.csv", y_true="label")


@pytest.mark.parametrize("engine", ["memory", "polars"])
def test_the_command_ends(silent, engine, capfd):
    assert main(["evaluate", f"{silent}/x.csv", "--label", "label", "--engine", engine]) == 2
    [line] = capfd.readouterr().err.splitlines()
    assert line.startswith(f"roclab: `{silent}/x.csv` cannot be reached: it does not answer within")


def test_a_call_that_is_left_behind_does_not_keep_the_program(silent):
    program = (
        "import roclab as rl, roclab.readers.remote as remote\n"
        "remote.PATIENCE = 0.5\n"
        f"try: rl.read_scores('{silent}/x.csv', y_true='label')\n"
        "except rl.InputError as error: print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert "it does not answer within 0.5 seconds" in run.stdout
