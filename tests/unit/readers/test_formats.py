"""Every format and compression, from paths and streams, with progress."""

import gzip
import io
import os
import threading

import pytest
from score_files import FILES, TEXTS, assert_is_rows, csv_bytes, jsonl_bytes, parquet_bytes, read

import roclab
from roclab import read_scores

pytestmark = pytest.mark.usefixtures("engine")


class TestFormats:
    @pytest.mark.parametrize("name", FILES)
    @pytest.mark.parametrize("y_score", [None, ["a", "b"]])
    def test_path(self, tmp_path, name, y_score):
        path = tmp_path / name
        path.write_bytes(FILES[name])
        assert_is_rows(read_scores(path, y_true="label", y_score=y_score, by="region"))
        assert_is_rows(read_scores(str(path), y_true="label", y_score=y_score, by=["region"]))

    @pytest.mark.parametrize("name", FILES)
    def test_stream(self, name):
        format = name.lower().split(".")[1]
        stream = io.BytesIO(FILES[name])
        assert_is_rows(read_scores(stream, y_true="label", by="region", format=format))

    def test_stream_is_csv_by_default_and_may_be_a_pipe(self):
        receiving, sending = os.pipe()
        with os.fdopen(sending, "wb") as out:
            out.write(TEXTS["csv"])
        with os.fdopen(receiving, "rb") as stream:
            assert_is_rows(read_scores(stream, y_true="label", by="region"))

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    def test_named_pipe(self, tmp_path):
        path = tmp_path / "pipe"
        os.mkfifo(path)
        writer = threading.Thread(target=path.write_bytes, args=(TEXTS["csv"],))
        writer.start()
        table = read_scores(path, y_true="label", by="region", format="csv")
        writer.join()
        assert_is_rows(table)

    @pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet"])
    @pytest.mark.parametrize("stem", ["[1]", "a*", "q?", "{b}", "~", "sp ace", "k=v", "é"])
    def test_strange_file_name(self, tmp_path, name, stem):
        path = tmp_path / stem / f"{stem}{name}"
        path.parent.mkdir()
        path.write_bytes(FILES[name])
        (tmp_path / stem / f"a1{name}").write_text("another file, which a wildcard would find")
        assert_is_rows(read_scores(path, y_true="label", by="region"))

    def test_home_and_what_only_looks_like_it(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        (tmp_path / "home").mkdir()
        for path, name in [("home/x.csv", "~/x.csv"), ("~x.csv", "~x.csv")]:
            (tmp_path / path).write_bytes(TEXTS["csv"])
            assert_is_rows(read_scores(name, y_true="label", by="region"))

    def test_format_beats_suffix(self, tmp_path):
        path = tmp_path / "scores.txt"
        path.write_bytes(TEXTS["tsv"])
        assert_is_rows(read_scores(path, y_true="label", by="region", format="tsv"))

    def test_compression_is_seen_in_the_bytes(self, tmp_path):
        path = tmp_path / "scores.csv"
        path.write_bytes(gzip.compress(TEXTS["csv"]))
        assert_is_rows(read_scores(path, y_true="label", by="region"))

    def test_concatenated_gzip_members(self):
        data = gzip.compress(b"label,a\n1,2\n") + gzip.compress(b"0,3\n")
        assert read(data).scores["a"].tolist() == [2, 3]

    @pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.csv.gz"])
    def test_byte_order_mark(self, tmp_path, name):
        path = tmp_path / name
        data = b"\xef\xbb\xbf" + TEXTS[name.split(".")[1]]
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        assert_is_rows(read_scores(path, y_true="label", by="region"))

    def test_windows_line_ends_and_quotes(self):
        table = read('"label","a"\r\n"1","0.5"\r\n"0","0.25"\r\n')
        assert table.scores["a"].tolist() == [0.5, 0.25]

    def test_quoted_separators_and_line_feeds(self):
        text = 'label,a,note\n1,0.5,"x, ""y""\n\nz"\n0,0.25,\n'
        assert read(text).scores["a"].tolist() == [0.5, 0.25]

    def test_carriage_return_inside_a_field(self):
        assert len(read("label,a,t\n1,2,x\ry\n0,3,\n")) == 2

    def test_field_longer_than_pythons_limit(self):
        assert len(read('label,a,t\n1,2,"' + "x\n" * 100_000 + '"\n0,3,\n', y_score="a")) == 2

    def test_header_over_two_lines_and_after_blank_ones(self):
        table = read('\n\nlabel,"a\nb"\n1,2\n0,3\n')
        assert table.names == ("a\nb",)
        assert table.scores["a\nb"].tolist() == [2, 3]


class TestProgress:
    @pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet", "x.csv.gz"])
    def test_counts_up_to_the_rows(self, tmp_path, monkeypatch, name):
        monkeypatch.setattr("roclab.readers.batches.BATCH_ROWS", 100)
        rows = {"label": [0, 1] * 500, "a": [i / 7 for i in range(1000)]}
        path = tmp_path / name
        data = {"csv": csv_bytes, "jsonl": jsonl_bytes, "parquet": parquet_bytes}[
            name.split(".")[1]
        ](rows)
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        calls = []
        roclab.read_scores(path, y_true="label", progress=lambda *call: calls.append(call))
        done = [rows_done for rows_done, _ in calls]
        assert done == sorted(done)
        assert len(set(done)) > 2
        assert calls[-1] == (1000, 1000)
        totals = {total for _, total in calls[:-1]}
        if name == "x.parquet":
            assert totals == {1000}
        elif name == "x.csv.gz":
            assert totals == {None}
        else:
            assert totals.pop() == pytest.approx(1000, rel=0.1)

    def test_what_it_raises_is_the_callers(self):
        def stop(*_):
            raise OSError("the terminal is gone")

        with pytest.raises(OSError, match="the terminal is gone"):
            read(TEXTS["csv"], progress=stop)
