"""Inputs of every type, kind and fault: each is measured as plain data is, or refused by one of our errors, alike.

What is drawn is the same in every CI run; elsewhere it is new each time, and `make draw` draws at length.
"""

from __future__ import annotations

import gzip
import os
import random
import shutil
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest

import rankmetrics as rm
from rankmetrics.engines import duckdb as duckdb_engine
from rankmetrics.engines import polars as polars_engine
from tests.conftest import Engine
from tests.drawing import scaled
from tests.engines import DATABASES, need

SEED = 15 if "CI" in os.environ else None
METRICS = ["rr", "recall@2", "ndcg@3"]

PLAIN = pl.DataFrame({"user": [1, 1, 2, 3], "item": [1, 2, 3, 1], "score": [0.9, 0.5, 0.8, 0.1]})
TRUE = pl.DataFrame({"user": [1, 2, 3], "item": [2, 3, 4]})
EXPECTED = rm.evaluate(PLAIN, TRUE, METRICS).collect().rows()


def drawn(cases: list[Any], most: int) -> list[Any]:
    """So many of the cases, or all."""
    dice = random.Random(SEED)
    return cases if len(cases) <= scaled(most) else dice.sample(cases, scaled(most))


def outcome(ask: Callable[[], Any]) -> str:
    """`right` for the numbers of the plain data, the name of an error of ours otherwise."""
    try:
        found = ask()
    except rm.RankMetricsError as error:
        return type(error).__name__ if str(error).strip() else "an error without a word"
    assert [pytest.approx(row) for row in found] == EXPECTED
    return "right"


# --- types of ids -----------------------------------------------------------------------------------------------------

DAY = datetime(2024, 1, 1)

# What makes the ids 1, 2, 3 and 4 of a type, by what the type is for.
IDS: Mapping[str, Mapping[str, Callable[[pl.Series], pl.Series]]] = {
    "whole numbers": {
        **{
            str(kind): lambda ids, kind=kind: ids.cast(kind)  # type: ignore[misc]
            for kind in (pl.Int8, pl.Int32, pl.Int64, pl.Int128, pl.UInt8, pl.UInt32, pl.UInt64, pl.UInt128)
        },
        "Decimal(9, 0)": lambda ids: ids.cast(pl.Decimal(9, 0)),
        "Decimal(38, 0)": lambda ids: ids.cast(pl.Decimal(38, 0)),
    },
    "texts": {
        "String": lambda ids: ids.cast(pl.String),
        "Categorical": lambda ids: ids.cast(pl.String).cast(pl.Categorical),
        "Enum": lambda ids: ids.cast(pl.String).cast(pl.Enum(["4", "1", "3", "2"])),
    },
    "days": {"Date": lambda ids: _of(ids, lambda n: date(2024, 1, n))},
    "times": {
        unit: lambda ids, unit=unit: _of(ids, lambda n: DAY + timedelta(n)).cast(pl.Datetime(unit))  # type: ignore[misc]
        for unit in ("ms", "us", "ns")
    },
    "times with a zone": {
        "UTC": lambda ids: _of(ids, lambda n: (DAY + timedelta(n)).replace(tzinfo=UTC)),
        "Oslo": lambda ids: IDS["times with a zone"]["UTC"](ids).dt.convert_time_zone("Europe/Oslo"),
    },
}
NO_IDS: Mapping[str, Callable[[pl.Series], pl.Series]] = {
    "Float32": lambda ids: ids.cast(pl.Float32),
    "Float64": lambda ids: ids.cast(pl.Float64),
    "Decimal(9, 2)": lambda ids: ids.cast(pl.Decimal(9, 2)),
    "Null": lambda ids: pl.Series(ids.name, [None] * len(ids)),
    "Binary": lambda ids: _of(ids, lambda n: bytes([n])),
    "Time": lambda ids: _of(ids, time),
    "Duration": lambda ids: _of(ids, timedelta),
    "List": lambda ids: _of(ids, lambda n: [n]),
    "Struct": lambda ids: _of(ids, lambda n: {"id": n}),
}
ALL_IDS: Mapping[str, tuple[str, Callable[[pl.Series], pl.Series]]] = {
    **{name: (group, make) for group, kinds in IDS.items() for name, make in kinds.items()},
    **{name: (f"no ids ({name})", make) for name, make in NO_IDS.items()},
}


def _of(ids: pl.Series, make: Callable[[int], Any]) -> pl.Series:
    return pl.Series(ids.name, [make(one) for one in ids])


def measured(engine: Engine, recs: pl.DataFrame, truth: pl.DataFrame, **asked: Any) -> list[tuple[Any, ...]]:
    result = rm.evaluate(engine.give(recs), engine.give(truth), METRICS, **asked, **engine.options)
    return result.collect().rows()


@pytest.mark.parametrize("column", ["user", "item"])
def test_ids_match_where_their_types_are_of_one_kind_and_are_refused_elsewhere(column: str) -> None:
    connection = duckdb.connect()
    for left, right in drawn([*product(ALL_IDS, repeat=2)], 100):
        (group, make), (other, make_other) = ALL_IDS[left], ALL_IDS[right]
        recs, truth = PLAIN.with_columns(make(PLAIN[column])), TRUE.with_columns(make_other(TRUE[column]))
        expected = "right" if group == other and "no ids" not in group else "ColumnError"
        for given in (recs.lazy(), _in_duckdb(connection, recs)):
            found = outcome(lambda: rm.evaluate(given, truth, METRICS).collect().rows())  # noqa: B023
            assert (left, right, type(given), found) == (left, right, type(given), expected)


def _in_duckdb(connection: duckdb.DuckDBPyConnection, frame: pl.DataFrame) -> Any:
    """A frame as a relation, as far as Arrow has its types."""
    wide = [name for name, kind in frame.schema.items() if kind in (pl.Int128, pl.UInt128)]
    relation = connection.from_arrow(frame.cast(dict.fromkeys(wide, pl.Decimal(38, 0))).to_arrow())
    return relation.select(", ".join(f'"{n}"::HUGEINT AS "{n}"' if n in wide else f'"{n}"' for n in frame.columns))


# Types of databases, by what they are for: what makes an id of the column n, which holds 1, 2, 3 or 4.
IN_DATABASES: Mapping[str, Mapping[str, list[str]]] = {
    "postgres": {
        "whole numbers": ["n::smallint", "n::bigint", "n::numeric(9, 0)"],
        "texts": ["n::text", "n::varchar(9)"],
        "days": ["date '2024-01-01' + n::int"],
        "times": ["timestamp '2024-01-01' + n * interval '1 day'"],
        "times with a zone": ["timestamptz '2024-01-01 00:00+00' + n * interval '1 day'"],
        "nothing": ["n::float8", "n::numeric(9, 2)", "n::text::bytea", "time '00:00' + n * interval '1 hour'"],
        "nothing else": ["n * interval '1 day'", "ARRAY[n]"],
    },
    "clickhouse": {
        "whole numbers": ["toInt8(n)", "toUInt64(n)", "toInt32(n)", "toDecimal64(n, 0)"],
        "texts": ["toString(n)", "toLowCardinality(toString(n))"],
        "days": ["toDate('2024-01-01') + n", "toDate32('2024-01-01') + n"],
        "times": ["toDateTime64('2024-01-01 00:00:00', 3) + n", "toDateTime('2024-01-01 00:00:00') + n"],
        "nothing": ["toFloat64(n)", "toFloat32(n)", "toDecimal64(n, 2)", "[n]", "NULL"],
    },
    "datafusion": {
        "whole numbers": [f"arrow_cast(n, '{kind}')" for kind in ("Int8", "UInt64", "Decimal128(9, 0)")],
        "texts": [f"arrow_cast(n, '{kind}')" for kind in ("Utf8", "LargeUtf8", "Utf8View")],
        "days": ["arrow_cast(arrow_cast(n, 'Int32'), 'Date32')"],
        "times": ["arrow_cast(n, 'Timestamp(Nanosecond, None)')"],  # of two units it joins none
        "nothing": ["arrow_cast(n, 'Float32')", "arrow_cast(n, 'Decimal128(9, 2)')", "NULL", "make_array(n)"],
        "nothing else": ["arrow_cast(n, 'Duration(Second)')", "arrow_cast(arrow_cast(n, 'Utf8'), 'Binary')"],
    },
    "sqlite": {
        "whole numbers": ["CAST(n AS INTEGER)"],
        "texts": ["CAST(n AS TEXT)"],
        "nothing": ["CAST(n AS REAL)", "CAST(n AS BLOB)"],
    },
    "mariadb": {
        "whole numbers": ["CAST(n AS UNSIGNED)", "CAST(n AS SIGNED)", "CAST(n AS DECIMAL(9, 0))"],
        "texts": ["CAST(n AS CHAR(9))"],
        "days": ["DATE('2024-01-01') + INTERVAL n DAY"],
        "times": ["TIMESTAMP('2024-01-01') + INTERVAL n DAY"],
        "nothing": ["CAST(n AS DOUBLE)", "CAST(n AS DECIMAL(9, 2))", "CAST(n AS BINARY(2))", "MAKETIME(n, 0, 0)"],
    },
}


@pytest.fixture(params=DATABASES, ids=repr)
def database(request: pytest.FixtureRequest) -> Engine:
    """A database, if it can be had here."""
    found: Engine = request.param
    need(found)
    return found


def test_ids_of_databases_match_by_the_same_rule(database: Engine) -> None:
    kinds = {made: group for group, of in IN_DATABASES[database.name].items() for made in of}
    recs, truth = (database.give(one.rename({"item": "n"})) for one in (PLAIN, TRUE))
    user = "`user`" if database.name == "mariadb" else '"user"'
    for left, right in drawn([*product(kinds, repeat=2)], 40):
        selects = (
            f"SELECT {user}, {left} AS item, score FROM {recs}",
            f"SELECT {user}, {right} AS item FROM {truth}",
        )
        expected = "right" if kinds[left] == kinds[right] and "nothing" not in kinds[left] else "ColumnError"
        found = outcome(lambda: rm.evaluate(*selects, metrics=METRICS, **database.options).collect().rows())  # noqa: B023
        assert (left, right, found) == (left, right, expected)


# --- types of numbers -------------------------------------------------------------------------------------------------

NEGATIVE_NAN = struct.unpack("<d", struct.pack("<Q", 0xFFF8000000000000))[0]
NUMBERS = [
    pl.Int8, pl.Int64, pl.Int128, pl.UInt8, pl.UInt64, pl.Float16, pl.Float32, pl.Float64, pl.Decimal(9, 0),
    pl.Decimal(9, 2),
]  # fmt: skip


@pytest.mark.parametrize("kind", NUMBERS, ids=str)
def test_ranks_scores_and_ratings_of_any_type_of_number_are_as_those_of_64_bits(engine: Engine, kind: Any) -> None:
    ranks = pl.DataFrame({"user": [1, 1, 1, 2, 2], "item": [1, 2, 3, 1, 2], "rank": [3, 1, 2, 2, 1]})
    scores = ranks.select("user", "item", score=4 - pl.col("rank"))
    truth = pl.DataFrame({"user": [1, 1, 2], "item": [1, 3, 2], "rating": [5, 1, 3]})
    for recs, column in ((ranks, "rank"), (scores, "score")):
        asked = ["ndcg(gain=linear)@3", "rr"]
        plain = rm.evaluate(recs, truth, asked).collect().rows()
        given = recs.cast({column: kind}), truth.cast({"rating": kind})
        found = rm.evaluate(engine.give(given[0]) if _arrow_has(kind) else given[0], given[1], asked).collect().rows()
        assert found == plain, column


def _arrow_has(kind: Any) -> bool:
    return kind not in (pl.Int128, pl.Float16)


@pytest.mark.parametrize("kind", [pl.Float32, pl.Float64], ids=str)
def test_a_nan_of_either_sign_ranks_last(engine: Engine, kind: Any) -> None:
    scores = [NEGATIVE_NAN, float("nan"), -9.0, float("-inf"), None]
    places = [*range(5)]
    random.Random(SEED).shuffle(places)
    recs = pl.DataFrame({"user": 1, "item": places, "score": [scores[one] for one in places]}, strict=False)
    recs = recs.cast({"user": pl.Int64, "score": kind})
    for item, place in ((2, 1), (3, 2)):
        truth = pl.DataFrame({"user": [1], "item": [item]})
        for given in (engine.give(recs), recs.lazy()):
            assert rm.evaluate(given, truth, "rr").collect()["rr"].item() == 1 / place


# --- files of every kind ----------------------------------------------------------------------------------------------


def _stream(frame: pl.DataFrame, path: Path) -> None:
    table = frame.to_arrow()
    with pa.ipc.new_stream(str(path), table.schema) as writer:
        writer.write_table(table)


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
    "CSV, compressed": ("csv.gz", lambda frame, path: path.write_bytes(gzip.compress(frame.write_csv().encode()))),
    "TSV": ("tsv", lambda frame, path: _text(frame, path, "\t")),
    "TSV, compressed": (
        "tsv.gz",
        lambda frame, path: path.write_bytes(gzip.compress(frame.write_csv(separator="\t").encode())),
    ),
    "JSON": ("json", pl.DataFrame.write_json),
    "JSON, compressed": ("json.gz", lambda frame, path: path.write_bytes(gzip.compress(frame.write_json().encode()))),
    "JSON lines": ("jsonl", pl.DataFrame.write_ndjson),
    "JSON lines, compressed": (
        "ndjson.gz",
        lambda frame, path: path.write_bytes(gzip.compress(frame.write_ndjson().encode())),
    ),
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
    glob = f"{tmp_path}/r*.{WRITERS[kind][0]}"
    pairs: list[tuple[object, object]] = [(recs, truth), (str(recs), TRUE), (PLAIN.lazy(), truth), (glob, [truth])]
    for given, other in pairs:
        assert outcome(lambda: rm.evaluate(given, other, METRICS).collect().rows()) == "right"  # noqa: B023
    assert outcome(lambda: rm.evaluate(PLAIN.lazy(), truth, METRICS, memory_limit="1GB").collect().rows()) == "right"


# Cells of a column of text, and what the column is then.
CELLS: Mapping[str, tuple[list[str], str]] = {
    "whole numbers": (["1", "2", "-3"], "integer"),
    "whole numbers that need more than 64 bits": (["18446744073709551615", "1"], "integer"),
    "numbers that begin with 0": (["007", "12"], "string"),
    "numbers with a sign or a space": (["+7", " 12"], "string"),
    "fractions": (["1", "2.5", "-1e-3", "nan", "Inf"], "float"),
    "truths": (["true", "False", ""], "boolean"),
    "days": (["2024-01-31", "2023-12-01"], "date"),
    "a day that there is not": (["2024-01-31", "2024-02-31"], "string"),
    "times": (["2024-01-31 10:00:00", "2024-01-31T10:00"], "datetime"),
    "texts": (["a", "1"], "string"),
    "nothing": (["", ""], "string"),
}


@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("late", [False, True], ids=["from the first row", "after many numbers"])
def test_all_cells_of_a_text_file_say_the_type_of_a_column(name: str, late: bool, tmp_path: Path) -> None:
    cells, family = CELLS[name]
    first = ["1"] * 30_000 if late and family in ("integer", "float", "string") and any(cells) else []
    lines = ["user,item,score", *(f"{one},1,0.5" for one in [*first, *cells])]
    (tmp_path / "recs.csv").write_text("\n".join(lines), encoding="utf-8")
    for kind in (duckdb_engine.DuckDB, polars_engine.Polars):
        engine = kind({"truth": str(tmp_path / "recs.csv")}, None)
        assert engine.inputs["truth"].schema["user"].family == family
        read = engine._frames["truth"].collect() if isinstance(engine, polars_engine.Polars) else _read(engine)
        assert read.height == len(lines) - 1


def _read(engine: duckdb_engine.DuckDB) -> pl.DataFrame:
    return engine.collect(engine.run(f"SELECT * FROM {engine.inputs['truth'].table.sql('duckdb')}", []))


# --- files that go wrong ----------------------------------------------------------------------------------------------


def _delete(path: Path) -> None:
    path.unlink()


def _become_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _garble(path: Path) -> None:
    path.write_bytes(b"\x00\xff" * 500)


def _replace(path: Path) -> None:
    """Another table in the place of the file: a column is gone, another holds texts."""
    kind = next(kind for kind, (ending, _) in WRITERS.items() if path.name.endswith(f".{ending}"))
    other = pl.DataFrame({"user": ["a", "b"], "thing": [1.5, 2.5]})
    WRITERS[kind][1](other, path)


FAULTS: Mapping[str, Callable[[Path], None]] = {
    "deleted": _delete,
    "a folder": _become_a_folder,
    "empty": _empty,
    "cut": _cut,
    "garbled": _garble,
    "replaced": _replace,
}


def _nothing(computed: object) -> None:
    """What was computed, where only that it was matters."""


ASKED: Mapping[str, Callable[[rm.Result, Path], Any]] = {
    "collect": lambda result, _: result.collect().rows(),
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
def test_a_file_that_goes_wrong_ends_in_an_error_of_ours_or_in_the_numbers_of_what_is_there(
    when: str, tmp_path: Path
) -> None:
    for number, case in enumerate(drawn(CASES, 90)):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = written(PLAIN if case.side == "recs" else TRUE, case.side, case.kind, folder)
        recs, truth, limit = given_to(case, path)
        result = rm.evaluate(recs, truth, METRICS, **limit) if when == "after" else None
        FAULTS[case.fault](path)
        raised, found = None, None
        try:
            found = ASKED[case.asked](result or rm.evaluate(recs, truth, METRICS, **limit), folder)
        except rm.RankMetricsError as error:
            raised = error
        if case.fault == "deleted":
            assert type(raised) is rm.InputError, (case, raised)
            assert path.name in str(raised), (case, raised)
        # half of a text file is a text file, and Polars remembers what it has read of a file that it scans
        assert (raised and str(raised)) or case.fault in ("cut", "empty"), case
        if case.fault in ("cut", "empty") and found is not None and case.kind in ("Parquet", "Arrow"):
            assert [pytest.approx(row) for row in found] == EXPECTED, case
        shutil.rmtree(folder)


@pytest.mark.parametrize("fault", ["deleted", "replaced", "a folder"])
def test_the_lazy_summary_under_a_limit_of_memory_raises_errors_of_ours(fault: str, tmp_path: Path) -> None:
    path = written(PLAIN, "recs", "Parquet", tmp_path)
    summary = rm.evaluate(pl.scan_parquet(path), TRUE, METRICS, memory_limit="1GB").summary()
    FAULTS[fault](path)
    with pytest.raises(rm.RankMetricsError):
        summary.collect()
