"""Addresses of files and databases elsewhere: what is missing is named."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankmetrics as rm
from rankmetrics.engines.connections import opened
from tests.support.input_rules import said
from tests.support.refusals import refusal


@pytest.mark.parametrize(("scheme", "extension"), [("s3", "httpfs"), ("gs", "httpfs"), ("abfss", "azure")])
def test_an_address_says_which_extension_and_secret_it_needs(
    scheme: str, extension: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rankmetrics.engines import files

    said = str(files.unreadable("truth", "no way there", [f"{scheme}://bucket/x.parquet"]))
    assert f"LOAD {extension}" in said
    assert "CREATE SECRET" in said
    assert "storage_options" in said


def test_a_database_that_is_not_there_is_not_made(folder: Path) -> None:
    for address in ("sqlite:///nosuch.db", "duckdb:///nosuch.db", "chdb:///nosuch"):
        with refusal(rm.InputError, "no database", "nosuch"):
            opened(address)
    assert not list(folder.glob("nosuch*"))
    assert "Did you mean 'shop.sqlite'?" in said(
        "evaluate", "recs", "truth", "-m", "rr", "--connection", "sqlite:///shop.sqlit"
    )


def test_a_driver_that_is_not_installed_is_named() -> None:
    with refusal(rm.InputError, "pip install", "snowflake-sqlalchemy"):
        opened("snowflake://me@account/db")
