"""`roclab report`: a page on disk, or one line that says why not."""

import hashlib
from pathlib import Path

from commands import process


def test_the_page_says_how_it_was_made(scores, tmp_path, capsysbinary):
    from roclab.cli import main

    page = tmp_path / "page.html"
    assert main(["report", scores, "--label", "outcome", "--score", "ridge", "-o", str(page)]) == 0
    out = capsysbinary.readouterr().out.decode()
    assert out.startswith(f"{page}: ")
    text = page.read_text("utf-8").replace("<wbr>", "")
    assert hashlib.sha256(Path(scores).read_bytes()).hexdigest() in text
    assert f"roclab report {scores} --label outcome --output {page} --score ridge" in text
    assert "<title>scores.csv</title>" in text


def test_it_never_overwrites_its_input(scores, refusal):
    message = refusal("report", scores, "--label", "outcome", "-o", scores)
    assert "are the same file" in message


def test_a_missing_file_and_a_wrong_column(tmp_path, scores, refusal):
    missing = str(tmp_path / "none.csv")
    assert "none.csv" in refusal("report", missing, "--label", "outcome", "-o", str(tmp_path / "a"))
    message = refusal("report", scores, "--label", "outcom", "-o", str(tmp_path / "a"))
    assert "outcome" in message
    assert not (tmp_path / "a").exists()


def test_another_suffix_is_refused(tmp_path, scores, refusal):
    page = tmp_path / "page.txt"
    said = refusal("report", scores, "--label", "outcome", "-o", str(page))
    assert "page.txt` is not that of a web page. Possible suffixes: .html, .htm." in said
    assert not page.exists()


def test_a_folder_is_no_output(tmp_path, scores, refusal):
    assert "is a directory" in refusal("report", scores, "--label", "outcome", "-o", str(tmp_path))


def test_standard_input(scores, tmp_path):
    data = Path(scores).read_bytes()
    options = ("--label", "outcome", "-o", tmp_path / "page.html")
    assert process("report", *options, input=data).returncode == 0
    text = (tmp_path / "page.html").read_text("utf-8")
    assert hashlib.sha256(data).hexdigest() in text
    assert "<title>standard input</title>" in text
