"""Files of every kind and with every fault: read as the frame in them, or refused by an error of ours."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import product, zip_longest
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import rankmetrics as rm
from rankmetrics.engines import duckdb as duckdb_engine
from rankmetrics.engines import polars as polars_engine
from rankmetrics.engines.arrow import ArrowFiles
from tests.support import flat
from tests.support.engines import summarized
from tests.support.input_rules import RECS, TRUTH, _written
from tests.support.outcomes import EXPECTED, METRICS, PLAIN, TRUE, drawn, outcome
from tests.support.refusals import refusal

# --- files of every kind ----------------------------------------------------------------------------------------------


def _stream(frame: pl.DataFrame, path: Path) -> None:
    table = frame.to_arrow()
    with pa.ipc.new_stream(str(path), table.schema) as writer:
        writer.write_table(table)


def _compressed(text: str, path: Path) -> None:
    path.write_bytes(gzip.compress(text.encode()))


def _text(frame: pl.DataFrame, path: Path, separator: str = ",", **how: str) -> None:
    text = frame.write_csv(separator=separator)
    text = how.get("before", "") + text.replace("\n", how.get("line", "\n")) + how.get("after", "")
    path.write_bytes(text.encode(how.get("encoding", "utf-8")))


WRITERS: Mapping[str, tuple[str, Callable[[pl.DataFrame, Path], object]]] = {
    "Parquet": ("parquet", pl.DataFrame.write_parquet),
    "CSV": ("csv", _text),
    "CSV with semicolons": ("csv", lambda frame, path: _text(frame, path, ";")),
    "CSV with tabs": ("csv", lambda frame, path: _text(frame, path, "\t")),
    "CSV with bars": ("csv", lambda frame, path: _text(frame, path, "|")),
    "CSV with a mark of the order of bytes": ("csv", lambda frame, path: _text(frame, path, encoding="utf-8-sig")),
    "CSV of Windows": ("csv", lambda frame, path: _text(frame, path, line="\r\n")),
    "CSV with blank lines": ("csv", lambda frame, path: _text(frame, path, before="\n\n", line="\n\n", after="\n")),
    "CSV in quotes": ("csv", lambda frame, path: frame.write_csv(path, quote_style="always")),
    "CSV, compressed": ("csv.gz", lambda frame, path: _compressed(frame.write_csv(), path)),
    "TSV": ("tsv", lambda frame, path: _text(frame, path, "\t")),
    "TSV, compressed": ("tsv.gz", lambda frame, path: _compressed(frame.write_csv(separator="\t"), path)),
    "JSON": ("json", pl.DataFrame.write_json),
    "JSON, compressed": ("json.gz", lambda frame, path: _compressed(frame.write_json(), path)),
    "JSON lines": ("jsonl", pl.DataFrame.write_ndjson),
    "JSON lines, compressed": ("ndjson.gz", lambda frame, path: _compressed(frame.write_ndjson(), path)),
    "Arrow": ("arrow", pl.DataFrame.write_ipc),
    "Feather": ("feather", pl.DataFrame.write_ipc),
    "Arrow stream": ("ipc", _stream),
}


def written(frame: pl.DataFrame, name: str, kind: str, folder: Path) -> Path:
    ending, write = WRITERS[kind]
    path = folder / f"{name}.{ending}"
    write(frame, path)
    return path


@pytest.mark.parametrize("kind", WRITERS)
def test_a_file_of_any_kind_is_read_as_the_frame_in_it(kind: str, tmp_path: Path) -> None:
    recs, truth = written(PLAIN, "recs", kind, tmp_path), written(TRUE, "truth", kind, tmp_path)
    # DuckDB reads the first pair, Polars the second: text of every kind as DuckDB reads it
    pairs = (
        [(recs, truth), (PLAIN.lazy(), truth)]
        if kind in ("Parquet", "CSV", "Arrow", "Arrow stream")
        else [(recs, truth)]
    )
    for given, other in pairs:
        assert outcome(lambda: summarized(rm.evaluate(given, other, METRICS)).rows()) == "right"  # noqa: B023


@pytest.mark.parametrize("kind", ["Parquet", "CSV"])
def test_a_file_may_be_named_by_a_pattern_and_read_under_a_limit_of_memory(kind: str, tmp_path: Path) -> None:
    written(PLAIN, "recs", kind, tmp_path)
    truth, pattern = written(TRUE, "truth", kind, tmp_path), f"{tmp_path}/r*.{WRITERS[kind][0]}"
    limit: dict[str, Any] = {"memory_limit": "1GB"}
    assert outcome(lambda: summarized(rm.evaluate(pattern, [truth], METRICS)).rows()) == "right"
    assert outcome(lambda: summarized(flat.evaluate(PLAIN.lazy(), truth, METRICS, **limit)).rows()) == "right"


# Cells of a column of text, and what the column is then.
CELLS: Mapping[str, tuple[list[str], str]] = {
    "whole numbers": (["1", "2", "-3"], "integer"),
    "whole numbers that need more than 64 bits": (["18446744073709551615", "1"], "integer"),
    "numbers that begin with 0": (["007", "12"], "string"),
    "numbers with a sign or a space": (["+7", " 12"], "string"),
    "fractions": (["1", "2.5", "-1e-3", "nan", "Inf"], "float"),
    "truths": (["true", "False", ""], "boolean"),
    "letters of truths": (["t", "f"], "string"),
    "infinities, of which one is the first cell": (["-Infinity", "inf", "2"], "float"),
    "the sign of a comment": (["#1", "#2"], "string"),
    "days": (["2024-01-31", "2023-12-01"], "date"),
    "a day and a time": (["2024-01-31", "2024-01-31 10:00:00"], "string"),
    "days of another order": (["31-01-2024", "2024/01/31"], "string"),
    "a day that there is not": (["2024-01-31", "2024-02-31"], "string"),
    "times": (["2024-01-31 10:00:00", "2024-01-31T10:00"], "datetime"),
    "texts": (["a", "1"], "string"),
    "nothing": (["", ""], "string"),
}


@pytest.mark.parametrize("late", [False, True], ids=["from the first row", "after many numbers"])
def test_all_cells_of_a_text_file_say_the_type_of_a_column(late: bool, tmp_path: Path) -> None:
    may_begin_with_numbers = ("integer", "float", "string")
    columns = [
        [
            *(["1"] * 30_000 if late and family in may_begin_with_numbers and any(cells) else [""] * 30_000 * late),
            *cells,
        ]
        for cells, family in CELLS.values()
    ]
    lines = [
        ",".join(f"c{number}" for number in range(len(columns))),
        *map(",".join, zip_longest(*columns, fillvalue="")),
    ]
    (tmp_path / "recs.csv").write_text("\n".join(lines), encoding="utf-8")
    for kind in (duckdb_engine.DuckDB, polars_engine.Polars):
        engine = kind({"truth": str(tmp_path / "recs.csv")}, None)
        families = [column.family for column in engine.inputs["truth"].schema.values()]
        assert dict(zip(CELLS, families, strict=True)) == {name: family for name, (_, family) in CELLS.items()}
        read = engine.frame("truth").collect() if isinstance(engine, polars_engine.Polars) else _read(engine)
        assert read.height == len(lines) - 1


def test_hexadecimal_numbers_and_quoted_numbers_keep_their_text_and_value(tmp_path: Path) -> None:
    (tmp_path / "recs.csv").write_text('hex,quoted\n0x1F,"1"\n0x2a,"2"\n', encoding="utf-8")
    engine = polars_engine.Polars({"truth": str(tmp_path / "recs.csv")}, None)
    assert engine.frame("truth").collect().rows() == [("0x1F", 1), ("0x2a", 2)]


def _read(engine: duckdb_engine.DuckDB) -> pl.DataFrame:
    return engine.collect(engine.run(f"SELECT * FROM {engine.inputs['truth'].table.sql('duckdb')}", []))


# --- files that go wrong ----------------------------------------------------------------------------------------------


def _become_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _replace(path: Path) -> None:
    """Another table in the place of the file: a column is gone, another holds texts."""
    kind = next(kind for kind, (ending, _) in WRITERS.items() if path.name.endswith(f".{ending}"))
    other = pl.DataFrame({"user": ["a", "b"], "thing": [1.5, 2.5]})
    WRITERS[kind][1](other, path)


FAULTS: Mapping[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "a folder": _become_a_folder,
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "garbled": lambda path: path.write_bytes(b"\x00\xff" * 500),
    "replaced": _replace,
}


def _nothing(computed: object) -> None:
    """What was computed, where only that it was matters."""


ASKED: Mapping[str, Callable[[rm.Result, Path], Any]] = {
    "collect": lambda result, _: result.collect().drop("n_missing").rows(),
    "collect per list": lambda result, _: _nothing(result.collect(per_list=True)),
    "check": lambda result, _: result.check(),
    "notes": lambda result, _: _nothing(result.notes()),
    "print": lambda result, _: _nothing(repr(result)),
    "show": lambda result, _: _nothing(result._repr_html_()),
    "write": lambda result, folder: result.write(folder / "summary.parquet"),
    "write per list": lambda result, folder: result.write(folder / "lists.csv", per_list=True),
}


@dataclass(frozen=True)
class Case:
    """A file of a kind, given as an input to an engine, with a fault, and how the result is asked for."""

    kind: str
    side: str
    way: str
    fault: str
    asked: str


WAYS = ("files", "Polars", "limited")
FILES = ["Parquet", "CSV", "CSV, compressed", "JSON", "JSON lines", "Arrow", "Arrow stream"]
CASES = [Case(*one) for one in product(FILES, ("recs", "truth"), WAYS, FAULTS, ASKED)]


def given_to(case: Case, path: Path) -> tuple[Any, Any, dict[str, Any]]:
    """What evaluate is given: the path where the engine reads files, a scan where it is Polars'."""
    limit = {"memory_limit": "1GB"} if case.way == "limited" else {}
    if case.way == "files":
        return (path, TRUE, limit) if case.side == "recs" else (PLAIN.to_arrow(), path, limit)
    if case.side == "truth":
        return PLAIN.lazy(), path, limit
    scan: Any = {"Parquet": pl.scan_parquet, "CSV": pl.scan_csv, "JSON lines": pl.scan_ndjson, "Arrow": pl.scan_ipc}
    return scan.get(case.kind, lambda path: path)(path), TRUE, limit


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_damaged_file_ends_in_our_error_or_in_the_numbers_of_what_it_has(when: str, tmp_path: Path) -> None:
    for number, case in enumerate(drawn(CASES, 90)):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = written(PLAIN if case.side == "recs" else TRUE, case.side, case.kind, folder)
        recs, truth, limit = given_to(case, path)
        result = flat.evaluate(recs, truth, METRICS, **limit) if when == "after" else None
        FAULTS[case.fault](path)
        raised, found = None, None
        try:
            found = ASKED[case.asked](result or flat.evaluate(recs, truth, METRICS, **limit), folder)
        except rm.RankMetricsError as error:
            raised = error
        if case.fault == "deleted":
            assert type(raised) is rm.InputError, (case, raised)
            assert path.name in str(raised), (case, raised)
        if case.fault == "replaced" and when == "after" and case.way == "files":
            assert "have changed since evaluate looked at them: they had " in str(raised), (case, raised)
        # half of a text file is a text file, and Polars remembers what it has read of a file that it scans
        assert (raised and str(raised)) or case.fault in ("cut", "empty"), case
        if case.fault in ("cut", "empty") and found is not None and case.kind in ("Parquet", "Arrow"):
            assert [pytest.approx(row) for row in found] == EXPECTED, case
        shutil.rmtree(folder)


def test_the_lazy_summary_under_a_limit_of_memory_raises_errors_of_ours(tmp_path: Path) -> None:
    for fault in ("deleted", "replaced", "a folder"):
        path = written(PLAIN, fault, "Parquet", tmp_path)
        summary = rm.evaluate(pl.scan_parquet(path), TRUE, METRICS, memory_limit="1GB").summary()
        FAULTS[fault](path)
        with pytest.raises(rm.RankMetricsError):
            summary.collect()


# --- Text files: a proper header, UTF-8, and columns in one order -----------------------------------------------------


HEADERS = {
    "1,2,0.5\n1,3,0.4\n": (rm.InputError, ("must name the columns", "'1', '2' and '0.5'", 'header=["user", "item", "')),
    ",user,item,score\n0,1,2,0.5\n": (rm.InputError, ("Column 1", "no name", "index=False")),
    "\n\n": (rm.InputError, ("must name the columns", "there is none")),
    "user,item,score\n1,2\n": (rm.InputError, ("cannot be read", "line 2 of")),
    "user,item,score\n1,2,0.5,7\n": (rm.InputError, ("cannot be read", "line 2 of")),
}


def test_a_text_file_without_a_proper_header_is_refused_with_the_cure(tmp_path: Path) -> None:
    for number, (text, (kind, words)) in enumerate(HEADERS.items()):
        path = _written(tmp_path / f"recs{number}.csv", text)
        for given, other in ((path, TRUTH), (RECS.lazy(), path)):
            with refusal(kind, *words, case=text):
                rm.evaluate(given, other, "rr")


def test_text_files_with_columns_in_different_orders_are_refused(tmp_path: Path) -> None:
    _written(tmp_path / "a.csv", "user,item,score\n1,2,0.5\n")
    _written(tmp_path / "b.csv", "item,user,score\n1,2,0.5\n")
    with refusal(rm.InputError, "different columns", "b.csv", "in one order"):
        rm.evaluate(f"{tmp_path}/*.csv", TRUTH, "rr")


@pytest.mark.parametrize("kind", ["CSV", "JSON lines", "Arrow", "Parquet"])
def test_files_of_any_kind_hold_a_system_each(kind: str, tmp_path: Path) -> None:
    for name, frame in (("als", RECS), ("knn", RECS.with_columns(score=-pl.col("score")))):
        written(frame, name, kind, tmp_path)
    found = summarized(rm.evaluate(rm.Input(f"{tmp_path}/*.{WRITERS[kind][0]}", files_as="model"), TRUTH, "rr"))
    systems = summarized(rm.evaluate({"als": RECS, "knn": RECS.with_columns(score=-pl.col("score"))}, TRUTH, "rr"))
    assert found.rows() == systems.rows()


# --- Files of Arrow's own format: read batch by batch, as often as they are asked for ---------------------------------


def test_repeats_over_several_files_are_counted_only_in_shared_unranked_lists(tmp_path: Path) -> None:
    """Counting them sorts all rows."""
    users = pl.DataFrame(
        {"user": [1, 1, 2, 2], "item": [1, 2, 1, 2], "rank": [1, 2, 1, 2], "score": [0.9, 0.8, 0.9, 0.8]}
    )
    truth = users.select("user", "item")
    for second, drop, are_counted in (
        (users.filter(user=2), "rank", False),
        (users, "rank", True),
        (users.filter(user=2), "score", False),
    ):
        users.filter(user=1).drop(drop).write_parquet(tmp_path / "a.parquet")
        second.drop(drop).write_parquet(tmp_path / "b.parquet")
        result = rm.evaluate([tmp_path / "a.parquet", tmp_path / "b.parquet"], truth, "rr")
        assert result._checked._with_repeats == are_counted, drop
        with refusal(rm.DataError, "Several files hold the same item") if are_counted else nullcontext():
            assert result.collect()["rr"].item() == 1
    users.drop("score").write_parquet(tmp_path / "b.parquet")
    users.drop("score").filter(user=1).write_parquet(tmp_path / "a.parquet")
    with refusal(rm.DataError, "Several files hold the same item"):
        rm.evaluate([tmp_path / "a.parquet", tmp_path / "b.parquet"], truth, "rr").collect()


def test_several_files_of_arrow_follow_one_another_as_often_as_they_are_asked_for(tmp_path: Path) -> None:
    frame, path = pl.DataFrame({"user": [1, 2, 3], "item": ["a", "b", "c"]}), tmp_path / "recs.arrow"
    with pa.ipc.new_file(str(path), frame.to_arrow().schema) as file:
        file.write_table(frame.to_arrow(), max_chunksize=2)
    for _ in range(2):
        files = ArrowFiles("recommendations", [str(path), str(path)], file_column="file")
        found = pl.DataFrame(pa.RecordBatchReader.from_stream(files))
        assert found.drop("file").equals(pl.concat([frame, frame]))
        assert found["file"].unique().to_list() == [str(path)]


def test_a_file_that_is_not_arrow_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "recs.arrow"
    path.write_text("user,item", encoding="utf-8")
    refusals = {str(path): "is neither an Arrow file nor", "s3://bucket/recs.arrow": "on this machine"}
    for file, words in refusals.items():
        with refusal(rm.InputError, "The recommendations cannot be read: ", "recs.arrow'", words):
            ArrowFiles("recommendations", [file])
