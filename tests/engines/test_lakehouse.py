"""Tables of lakehouses, as their libraries write them: the rows of a version, its name, and files that are refused."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import lance
import polars as pl
import pytest
from deltalake import DeltaTable, write_deltalake
from pyiceberg.catalog.memory import InMemoryCatalog

import rankmetrics as rm
from rankmetrics.engines.lakehouse import form_of_path, read, split_version
from tests.reports.conftest import without_charts as without_charts
from tests.support.commands import refused, run
from tests.support.engines import summarized

pytestmark = pytest.mark.filterwarnings("ignore::rankmetrics.RankMetricsWarning")

TRUTH = pl.DataFrame({"user": [1, 2], "item": ["a", "b"]})
OLD = pl.DataFrame({"user": [1, 1, 1, 2, 2, 2], "item": list("xyaqrb"), "rank": [1, 2, 3] * 2})
NEW = OLD.with_columns(item=pl.Series(list("xyaqrs")))
ADDED = pl.DataFrame({"user": [1], "item": ["a"], "rank": [3], "price": [0.5]})
# The number 2 as a deletion vector that stands in the log, in Z85.
INLINE_VECTOR = "^Bg9^0rr910000000000iXQKl0rr91000005c8Xg0SSi2"
# nDCG@3 once a version is written, overwritten, its only hit deleted, and the hit added again with a further column.
# All files together have 0.5, too, so the version that was overwritten tells whether they are read.
VALUES = (0.5, 0.25, 0.0, 0.25)


def write_delta(folder: Path) -> list[Any]:
    write_deltalake(folder, OLD, configuration={"delta.enableDeletionVectors": "true"})
    write_deltalake(folder, NEW, mode="overwrite")
    DeltaTable(folder).delete("item = 'a'")
    write_deltalake(folder, ADDED, mode="append", schema_mode="merge")
    return ["v0", "1", "v2", DeltaTable(folder)]


def write_iceberg(folder: Path) -> list[Any]:
    catalog = InMemoryCatalog("tests", warehouse=folder.parent.as_uri())
    catalog.create_namespace("shop")
    table = catalog.create_table("shop.recs", schema=OLD.to_arrow().schema, location=folder.as_uri())
    table.append(OLD.to_arrow())
    assert table.metadata.current_snapshot_id is not None
    first = table.metadata.current_snapshot_id
    table.manage_snapshots().create_tag(first, "first").commit()
    table.overwrite(NEW.to_arrow())
    second = table.metadata.current_snapshot_id
    table.delete("item == 'a'")
    third = table.metadata.current_snapshot_id
    with table.update_schema() as schema:
        schema.union_by_name(ADDED.to_arrow().schema)
    table.append(ADDED.to_arrow())
    return ["first", second, third, table]


def write_lance(folder: Path) -> list[Any]:
    lance.write_dataset(OLD.to_arrow(), folder).tags.create("first", 1)
    data = lance.write_dataset(NEW.to_arrow(), folder, mode="overwrite")
    data.delete("item = 'a'")
    data.add_columns({"price": "CAST(NULL AS DOUBLE)"})
    return ["first", "v2", "3", lance.write_dataset(ADDED.to_arrow(), folder, mode="append")]


WRITERS: Mapping[str, Callable[[Path], list[Any]]] = {
    "delta": write_delta,
    "iceberg": write_iceberg,
    "lance": write_lance,
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[str, list[Any]]]:
    """A folder with a table of each format, and the versions of each table; the last is an object of its library."""
    folder = tmp_path_factory.mktemp("lake")
    TRUTH.write_parquet(folder / "truth.parquet")
    return folder, {form: write(folder / form) for form, write in WRITERS.items()}


@pytest.fixture(autouse=True)
def _here(lake: tuple[Path, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(lake[0])


def measured(systems: Mapping[str, object]) -> tuple[dict[str, float], list[tuple[str, int]]]:
    """The values of tables by their names, and the versions in the account."""
    result = rm.evaluate(systems, "truth.parquet", "ndcg@3", lists=["user", "system"])
    frame = summarized(result)
    account = result.account().pl().filter(pl.col("account").str.contains(" table "))
    return dict(zip(frame["system"], frame["ndcg@3"], strict=True)), account.select("account", "n").rows()


def test_each_version_of_a_table_has_its_own_rows_and_is_named(lake: tuple[Path, Mapping[str, list[Any]]]) -> None:
    versions = {f"{form}@{version}": n for form, named in lake[1].items() for n, version in enumerate(named[:3])}
    values, account = measured({path: path for path in versions})
    assert values == {path: VALUES[n] for path, n in versions.items()}
    names = {name.split(":")[0]: "(first)" in name for name, _ in account}
    assert names == {f"recommendations of '{path}'": path.endswith("@first") for path in versions}


def test_a_path_an_object_and_a_time_name_the_last_version(lake: tuple[Path, Mapping[str, list[Any]]]) -> None:
    now = datetime.now(UTC)
    last: dict[str, object] = {"digits": f"delta@{now:%Y%m%d%H%M%S}999"}
    for form, (*_, table) in lake[1].items():
        times = [f"{form}@{now:%Y-%m-%dT%H:%M:%S.%fZ}", f"{form}@{now.replace(year=now.year + 1):%Y-%m-%d}"]
        last |= {f"{form} {n}": value for n, value in enumerate([form, Path(form), table, *times])}
    values, account = measured(last)
    assert values == dict.fromkeys(last, VALUES[3])
    delta, iceberg, data = (lake[1][form][3] for form in WRITERS)
    numbers = {"Delta": delta.version(), "Iceberg": iceberg.metadata.current_snapshot_id, "Lance": data.version}
    for name, n in account:
        words = re.search(r"(?:version|snapshot) (\d+) of the (\w+) table '(.*)', written 20", name)
        assert words is not None, name
        assert int(words[1]) == n == numbers[words[2]], name
        assert Path(words[3]).resolve() == Path(words[2].lower()).resolve(), name


def test_polars_and_duckdb_read_every_format_for_every_input() -> None:
    metrics = {"coverage@3": 5 / 6, "unseen@3": 1 / 6, "ndcg@3": 0.25, "serendipity@3": 0.0}
    for recs in (NEW.lazy(), NEW.to_arrow()):
        result = rm.evaluate(
            recs, TRUTH, [*metrics], history="iceberg@first", catalog="lance@first", baseline="delta@v1"
        )
        assert summarized(result).select(*metrics).to_dicts() == [pytest.approx(metrics)], recs
        assert all(f" {form} table " in str(result) for form in ("Delta", "Iceberg", "Lance")), recs


def test_a_frame_keeps_the_version_when_the_table_that_was_given_moves_on(tmp_path: Path) -> None:
    for form, write in WRITERS.items():
        *_, table = write(tmp_path / form)
        frame, version = read("recs", "", form, table)
        columns, rows = frame.collect_schema().names(), frame.collect().height
        if form == "delta":
            table.load_as_version(0)
        else:
            table.delete("item = 'x'")
        assert (columns, rows) == ([*ADDED.columns[:3], "price"], 6), form
        assert (frame.collect().columns, frame.collect().height) == (columns, rows), form
        assert read("recs", "", form, table)[0].collect().height == (6 if form == "delta" else 5), form
        assert read("recs", version.path, form, version.path)[0].collect().height == rows, form
        assert frame.filter(pl.col("item") == "a").select("user").collect().rows() == [(1,)], form


def test_rows_that_a_deletion_vector_names_are_left_out(tmp_path: Path) -> None:
    # deltalake writes no deletion vectors; the third row is the only hit
    write_deltalake(tmp_path / "recs", NEW, configuration={"delta.enableDeletionVectors": "true"})
    log = tmp_path / "recs" / "_delta_log" / f"{0:020}.json"
    add = next(action["add"] for action in map(json.loads, log.read_text().splitlines()) if "add" in action)
    vector = {"storageType": "i", "pathOrInlineDv": INLINE_VECTOR, "sizeInBytes": 34, "cardinality": 1}
    removed = {"path": add["path"], "dataChange": True}
    actions: list[dict[str, Any]] = [
        {"commitInfo": {}},
        {"remove": removed},
        {"add": {**add, "deletionVector": vector}},
    ]
    log.with_name(f"{1:020}.json").write_text("\n".join(map(json.dumps, actions)))
    expected = {"recs": 0.0, "recs@v0": 0.25}
    assert measured({name: str(tmp_path / name) for name in expected})[0] == expected


def test_single_files_of_a_lakehouse_table_are_refused_as_input_and_output() -> None:
    part = next(Path("delta").glob("*.parquet"))
    data = next(Path("iceberg").rglob("*.parquet"))
    for value in (
        Path("delta").absolute() / "*.parquet",
        "delta/**/*.parquet",
        "*/*.parquet",
        ".",
        "iceberg/data",
        [part],
        str(data),
        data,
        f"{Path.cwd().as_uri()}/",
        f"{Path.cwd().as_uri()}/*/*.parquet",
    ):
        with pytest.raises(rm.InputError, match=r"names files of the (Delta|Iceberg) table .* rows of old versions"):
            rm.evaluate(value, TRUTH, "ndcg@3")
    for path in ("delta/out.parquet", "iceberg/data/out.csv", "lance/data/out.parquet"):
        with pytest.raises(rm.InputError, match="lies in the folder of the"):
            rm.evaluate(OLD, TRUTH, "ndcg@3").write(path)
        assert not Path(path).exists()


def test_an_address_of_this_machine_names_a_table_also_with_a_space(tmp_path: Path) -> None:
    folder = tmp_path / "my recs"
    for rows in (OLD, NEW):
        write_deltalake(folder, rows, mode="overwrite")
    old = dict.fromkeys([f"{folder}@v0", f"file://{folder}@v0", f"{folder.as_uri()}@v0"], VALUES[0])
    new = dict.fromkeys([str(folder), f"file://{folder}", folder.as_uri()], VALUES[1])
    newest = max(Path("iceberg/metadata").glob("*.metadata.json"))
    others = {path.absolute().as_uri(): VALUES[3] for path in (newest, *map(Path, WRITERS))}
    for expected in ({**old, **new}, others):
        assert measured({path: path for path in expected})[0] == expected
    write_delta(tmp_path / "with vectors")
    with pytest.raises(rm.InputError, match=r"has deletion vectors, and its path a space .* rename the folder"):
        rm.evaluate(tmp_path / "with vectors", TRUTH, "ndcg@3")


def test_a_version_that_is_not_there_is_refused_with_those_that_are(lake: tuple[Path, Any]) -> None:
    cases = {
        "delta@v7": "it has 0 to 3",
        "delta@first": "it has 0 to 3",
        "delta@2020-01-01": "has none as old as that, the first is of 20",
        "delta@20200101000000000": "has none as old as that",
        "delta@2024-13-01": "has no such time",
        "iceberg@77": "it has (main|first), ",
        "lance@v9": "it has first, 1, 2, 3, 4, 5",
        "lance@2020-01-01T00:00:00Z": "has none as old as that",
        "truth.parquet@v3": "has no versions",
        "nothing@v3": "neither a file that exists nor",
    }
    for path, message in cases.items():
        with pytest.raises(rm.InputError, match=message):
            rm.evaluate(path, TRUTH, "ndcg@3")
    with pytest.raises(rm.InputError, match="are several tables: give a mapping"):
        rm.evaluate(["delta", "delta@v0"], TRUTH, "ndcg@3")
    for form in WRITERS:
        with pytest.raises(rm.ColumnError, match=r"a table of (Delta|Iceberg|Lance) \(the recommendations\) have none"):
            rm.evaluate(
                rm.Input(f"{form}", columns=rm.Columns(score="rank")), TRUTH, "ndcg(ties=input)@3", lists=["user"]
            )


def test_a_path_with_an_at_sign_is_a_path_first(tmp_path: Path) -> None:
    write_deltalake(tmp_path / "recs@v0", NEW)
    write_deltalake(tmp_path / "recs", OLD)
    NEW.write_parquet(tmp_path / "me@home.parquet")
    expected = {"recs@v0": 0.25, "recs@v0@v0": 0.25, "recs": 0.5, "me@home.parquet": 0.25}
    assert measured({name: str(tmp_path / name) for name in expected})[0] == expected
    assert split_version("s3://me@bucket/recs") == ("s3://me@bucket/recs", "")


@pytest.mark.usefixtures("without_charts")
def test_commands_and_suites_read_a_version_that_document_and_report_name(tmp_path: Path) -> None:
    for path, version in {"delta": 3, "delta@v0": 0}.items():
        code, out, _ = run("evaluate", path, "truth.parquet", "-m", "ndcg@3", "--list", "user")
        assert (code, f"version {version} of" in out) == (0, True), path
    suite = """
        [suites.old]
        recs = "delta@v0"
        truth = "truth.parquet"
        metrics = ["ndcg@3"]
        gate = {minimum = {"ndcg@3" = 0.5}}
    """
    Path("rankmetrics.toml").write_text(suite)
    assert run("run", "old")[0] == 0
    Path("rankmetrics.toml").write_text(suite.replace("@v0", "@v1"))
    assert run("run", "old")[0] == 3
    assert "it has 0 to 3" in refused("evaluate", "delta@v7", "truth.parquet", "-m", "ndcg@3")
    result = rm.evaluate("delta", "truth.parquet", "ndcg@3", lists=["user"])
    assert '"recs": "delta@v3"' in result.to_text("json")
    rm.report(result, tmp_path / "report.html")
    assert "delta@v3" in (tmp_path / "report.html").read_text()


def test_a_hudi_table_and_a_format_without_its_library_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hudi" / ".hoodie").mkdir(parents=True)
    (tmp_path / "hudi" / ".hoodie" / "hoodie.properties").touch()
    with pytest.raises(rm.InputError, match="is a Hudi table, which rankmetrics does not read"):
        rm.evaluate(tmp_path / "hudi", TRUTH, "ndcg@3")
    for form, library in {"delta": "deltalake", "iceberg": "pyiceberg", "lance": "lance"}.items():
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(rm.InputError, match=rf"pip install 'rankmetrics-sql\[{form}\]'"):
            rm.evaluate(form, TRUTH, "ndcg@3")


def test_iceberg_metadata_names_a_version_and_two_of_one_number_are_refused(tmp_path: Path) -> None:
    write_iceberg(tmp_path / "recs")
    metadata = sorted((tmp_path / "recs" / "metadata").glob("*.metadata.json"))
    assert form_of_path(str(metadata[1])) == "iceberg"
    assert summarized(rm.evaluate(metadata[1], TRUTH, "ndcg@3"))["ndcg@3"].to_list() == [0.5]
    number = metadata[-1].name.partition("-")[0]
    shutil.copy(metadata[-1], metadata[-1].with_name(f"{number}-{uuid4()}.metadata.json"))
    with pytest.raises(rm.InputError, match="several files of metadata"):
        rm.evaluate(tmp_path / "recs", TRUTH, "ndcg@3")
    (tmp_path / "recs" / "metadata" / "version-hint.text").write_text(metadata[1].name)
    assert summarized(rm.evaluate(tmp_path / "recs", TRUTH, "ndcg@3"))["ndcg@3"].to_list() == [0.5]


def test_a_folder_or_glob_at_an_address_that_has_a_table_is_refused() -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    connection = duckdb.connect()
    connection.register_filesystem(memory)
    for name in ("plain/part.parquet", "table/part.parquet", "lake/shop/recs/data/part.parquet"):
        with memory.open(f"/{name}", "wb") as file:
            NEW.write_parquet(file)
    memory.pipe("/table/_delta_log/00000000000000000000.json", b"{}")
    memory.pipe("/lake/shop/recs/metadata/v1.metadata.json", b"{}")
    memory.pipe("/plain/metadata/about.metadata.json", b"{}")  # a file of another kind
    value = summarized(rm.evaluate("memory://plain/", TRUTH, "ndcg@3", connection=connection))["ndcg@3"]
    assert value.to_list() == [0.25]
    for path in ("memory://table/", "memory://table/*.parquet"):
        with pytest.raises(rm.InputError, match=r'files of the Delta table .*format="delta"'):
            rm.evaluate(path, TRUTH, "ndcg@3", connection=connection)
    for path in ("memory://lake/", "memory://lake/**/*.parquet", "memory://lake/shop/*/data/*.parquet"):
        with pytest.raises(rm.InputError, match=r"files of the Iceberg table '.*lake/shop/recs', .*format=\"iceberg\""):
            rm.evaluate(path, TRUTH, "ndcg@3", connection=connection)
    with pytest.raises(rm.InputError, match=r"cannot be read: (?!.*httpfs)"):
        rm.evaluate(rm.Input("s3x://bucket/table", format="delta"), TRUTH, "ndcg@3")
