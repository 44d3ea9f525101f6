"""Nothing in a name is taken for Jinja."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.dbt_packages import CURLY, board

pytestmark = pytest.mark.long


# What the files hold of Jinja: what is ours to say, and braces that are only braces.
JINJA = (
    r"\{\{ '+\{'+ \}\}",  # YAML doubles what quotes stand within quotes
    r"\{\{ (return|rankmetrics\.\w+|adapter\.quote|ref|recs|truth)\b[^{}]*\}\}",
    r"\{% macro \w+\([\w, ]*\) -%\}",
    r"\{%- endmacro %\}",
    r"\{# written by rankmetrics [^{}]*#\}",
)


@pytest.mark.parametrize("name", CURLY)
def test_nothing_in_a_name_is_taken_for_jinja(package: Path, name: str) -> None:
    board(package, lists=[name, "user"], per_list=True, adapters=["duckdb", "snowflake", "sqlserver"])
    for file in ("macros/one.sql", "models/one.sql", "models/schema.yml", "tests/one_has_each_row_once.sql"):
        text = (package / file).read_text()
        for ours in JINJA:
            text = re.sub(ours, "", text)
        assert "{" not in text, file
