"""Fixtures of the engines' tests: schemas of databases, and folders with files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.support import input_rules, kinds
from tests.support.engines import LOCAL, ROOMS, Engine
from tests.support.kinds import Desk
from tests.support.schemas import NAMED, Room, Shop, room_of


@pytest.fixture(params=LOCAL, ids=repr)
def engine(request: pytest.FixtureRequest) -> Engine:
    """One test body over both engines in this process."""
    found: Engine = request.param
    return found


@pytest.fixture(params=ROOMS)
def room(request: pytest.FixtureRequest) -> Iterator[Room]:
    """One test body over all databases, most of them in the long tests."""
    with room_of(request.param) as found:
        yield found


@pytest.fixture
def postgres() -> Iterator[Room]:
    with room_of(NAMED["postgres"]) as found:
        yield found


@pytest.fixture
def shop(postgres: Room) -> Shop:
    postgres.of(kinds.RECS, kinds.TRUTH)
    return Shop(postgres)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, duckdb.connect())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The two inputs as files and as databases, in the folder that we are in."""
    monkeypatch.chdir(tmp_path)
    input_rules.RECS.write_parquet(tmp_path / "recs.parquet")
    input_rules.TRUTH.write_parquet(tmp_path / "truth.parquet")
    for name, frame in (("recs", input_rules.RECS), ("truth", input_rules.TRUTH)):
        (tmp_path / f"{name}_folder").mkdir()
        frame.write_parquet(tmp_path / f"{name}_folder" / "part.parquet")
        given = frame.to_arrow()
        with duckdb.connect(tmp_path / "warehouse.duckdb") as connection:
            connection.execute("CREATE SCHEMA IF NOT EXISTS shop")
            connection.execute(f"CREATE TABLE shop.{name} AS FROM given")
        with sqlite3.connect(tmp_path / "shop.sqlite") as database:
            columns = ", ".join(f'"{one}" {"REAL" if one == "score" else "INTEGER"}' for one in frame.columns)
            database.execute(f"CREATE TABLE {name} ({columns})")
            database.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * frame.width)})", frame.rows())
        assert given is not None
    return tmp_path
