"""Each dialect says all of its database, and is all that rankmetrics needs to know it."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args

import pytest
import sqlglot
from sqlglot import exp

import rankmetrics as rm
import rankmetrics.dialects
from docs.tooling.dialects_page import CONSTRUCTS, documented
from rankmetrics.dialects import base, databases, rewrites
from rankmetrics.dialects.base import DIALECTS, grammar
from rankmetrics.dialects.databases import DATABASES
from rankmetrics.dialects.model import Dialect, Form, NamesOfJob
from rankmetrics.engines.opening import CONNECTED
from rankmetrics.export.statements import FORMS
from rankmetrics.metrics.catalog import catalog
from tests.support import flat, matrix
from tests.support.partitions import parsed

PACKAGE = Path(rankmetrics.dialects.__file__).parents[1]

# --- the registry -----------------------------------------------------------------------------------------------------


def test_the_dialects_are_sorted_by_name() -> None:
    assert [*DIALECTS] == sorted(DATABASES)
    assert "postgress" not in DIALECTS


def test_one_value_is_enough() -> None:
    """The list of dialects, `to_sql`, connections, addresses and dbt know it; no other file names it."""
    code = """
from dataclasses import replace
from rankmetrics.dialects.databases import DATABASES, POSTGRES, SPARK
from rankmetrics.dialects.model import Dialect, Driver, Names

DATABASES["imaginary"] = Dialect(
    called="Imaginary",
    grammar="postgres",
    names=Names(longest=20),
    forms=frozenset({"query", "table"}),
    drivers=(
        Driver("sqlite3_of_imaginary"),
        Driver("json", schemes=("imaginary",), open=lambda json, address: json.loads("{}")),
    ),
    dbt_adapters=("dbt_imaginary",),
)
for name, original in (("aurora", POSTGRES), ("yellow", POSTGRES), ("zspark", SPARK)):  # names on both sides
    DATABASES[name] = replace(original, called="Like another", grammar="postgres")

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS, dialects_of
from rankmetrics.engines.connections import dialect_of, opened
from rankmetrics.export.dbt.package import ADAPTERS

class Connection: pass
Connection.__module__ = "sqlite3_of_imaginary.core"

assert "imaginary" in DIALECTS
options = dict(truth=rm.Input("truth", columns={"item": "item"}), metrics="precision(divisor=list)@10", lists="user")
text = rm.to_sql("recs", dialect="imaginary", form="table", name="t", **options)
assert '"precision_d_' in text and "MATERIALIZED" not in text, text
assert text.splitlines()[2].startswith("CREATE OR REPLACE")
try:
    rm.to_sql("recs", dialect="imaginary", form="view", name="v", **options)
    raise AssertionError("no view was refused")
except rm.DialectError as error:
    assert "imaginary has none" in str(error), error
assert dialects_of("sqlite3_of_imaginary") == ["imaginary"]
assert dialect_of(Connection(), None) == "imaginary"
assert opened("imaginary://anything") == {}
assert ADAPTERS["dbt_imaginary"] == "imaginary"
Connection.__module__ = "psycopg"
assert dialect_of(Connection(), None) == "postgres", dialect_of(Connection(), None)
Connection.__module__ = "adbc_driver_manager"
Connection.adbc_get_info = lambda self: {"vendor_name": "PostgreSQL"}
assert dialect_of(Connection(), None) == "postgres"
Connection.__module__ = "redshift_connector"
assert dialect_of(Connection(), None) == "redshift"
assert ADAPTERS["postgres"] == "postgres"
assert {"aurora", "postgres", "yellow"} <= {*dialects_of("psycopg")}
"""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr


# --- every value is complete ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_has_a_name_a_documentation_and_how_it_was_tried(name: str) -> None:
    assert DIALECTS[name].called
    assert DIALECTS[name].grammar or name in sqlglot.Dialect.classes, (
        f'sqlglot has no grammar {name}: name one in databases.py, as in `grammar="postgres"`.'
    )
    assert name in documented(), (
        f"docs/dialects.toml says nothing of {name}: add [{name}] with `documentation` (the address of its SQL "
        "reference), `tried` (run, imitated or read), `tried_with` and `notes`, as the comment at its top says."
    )
    page = documented()[name]
    assert page.documentation.startswith("https://")
    assert all(construct.count("(") == construct.count(")") for construct in page.facts.values())
    assert bool(page.tried_with) == (page.tried != "read"), (
        f"[{name}] in docs/dialects.toml: `tried_with` names the release, or the imitation, that ran the texts."
    )
    n_links = sum("](https://" in fact for fact in page.facts.values())
    assert page.tried != "read" or n_links >= 5, (
        f"Nobody ran a text of {name}, and [{name}.facts] in docs/dialects.toml links to {n_links} pages of its "
        "documentation. Say there what it documents, with a link, of at least five of these constructs: "
        f"{', '.join(CONSTRUCTS)}."
    )


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_has_a_driver_and_a_catalogue_or_says_that_nothing_connects_to_it(name: str) -> None:
    dialect = DIALECTS[name]
    assert dialect.drivers or "nothing to connect to" in documented()[name].notes, (
        f"{name} has no driver in rankmetrics/dialects/databases.py: say in the notes of [{name}] in "
        "docs/dialects.toml that there is nothing to connect to."
    )
    query = base.about(dialect.catalog.columns, exp.to_table("shop.recs"), name)
    assert "recs" in query
    assert "shop" in query
    assert len(sqlglot.parse(query, read=grammar(name))) == 1
    assert not dialect.catalog.tables or len(sqlglot.parse(dialect.catalog.tables, read=grammar(name))) == 1
    extras = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {driver.extra for driver in dialect.drivers if driver.extra}
    assert named <= {*extras}


def test_a_lack_names_itself_and_its_reason() -> None:
    for name, dialect in DIALECTS.items():
        for lack in dialect.lacks:
            assert lack.what.startswith(("the ", "a ")), name
            assert lack.cure.endswith("."), name
            assert re.search(r"[^.]$", lack.why), name
            with pytest.raises(rm.DialectError, match=f"{dialect.called} has nothing for {lack.what}: {lack.why}"):
                base.text(exp.select(lack.kind(this=exp.column("x"))), name)


def test_no_two_dialects_claim_one_driver_vendor_address_adapter_or_backend() -> None:
    """A field counts in the dialect that declares it, and not in those that inherit it with `replace`."""
    calls = {
        statement.targets[0].id: {keyword.arg for keyword in statement.value.keywords}
        for statement in ast.parse(inspect.getsource(databases)).body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and isinstance(statement.value, ast.Call)
    }

    def declared(field: str) -> list[Any]:
        dialects = [getattr(databases, name) for name, fields in calls.items() if field in fields]
        return [getattr(dialect, field) for dialect in dialects if isinstance(dialect, Dialect)]

    drivers = [driver for some in declared("drivers") for driver in some]
    lists = [
        [driver.module for driver in drivers if driver.module not in CONNECTED],
        [scheme for driver in drivers for scheme in driver.schemes],
        *([one for some in declared(field) for one in some] for field in ("vendors", "sqlalchemy", "dbt_adapters")),
        declared("ibis_backend"),
        [dialect.called for dialect in DIALECTS.values()],
    ]
    assert all(lists)
    for names in lists:
        assert [name for name in {*names} if names.count(name) > 1] == [], "two dialects in databases.py have it"


def test_the_forms_of_the_dialects_are_those_that_statements_are_made_in() -> None:
    assert {*get_args(Form)} == {*FORMS}
    assert {form for dialect in DIALECTS.values() for form in dialect.forms} == {*FORMS}


# --- rewrites ---------------------------------------------------------------------------------------------------------


def test_a_rewrite_shows_before_and_after_and_says_why_and_a_dialect_uses_it() -> None:
    every = {each for dialect in DIALECTS.values() for each in (*dialect.all_rewrites(NamesOfJob()), *dialect.digits)}
    functions = {each.func if isinstance(each, partial) else each for each in every}
    for rewrite in functions:
        example, _, why = (inspect.getdoc(rewrite) or "").partition("\n\n")
        assert re.fullmatch(r"`.* → .+", example, re.DOTALL), rewrite.__name__
        assert why.endswith("."), rewrite.__name__
    used = {rewrite.__name__ for rewrite in functions} | {"plain", "folded", "shortened"}
    names = [node.name for node in ast.parse(inspect.getsource(rewrites)).body if isinstance(node, ast.FunctionDef)]
    assert [name for name in names if not name.startswith("_") and name not in used] == []


def test_distinct_counts_that_one_group_per_value_cannot_give_stay_as_they_are() -> None:
    for counts in (
        "a, COUNT(DISTINCT x), COUNT(DISTINCT y) FROM t GROUP BY a",
        "a, COUNT(DISTINCT x), COUNT(DISTINCT x) FILTER (WHERE c), SUM(y) FROM t GROUP BY a",
        "a, COUNT(DISTINCT x, y), COUNT(DISTINCT x, y) FILTER (WHERE c) FROM t GROUP BY a",
        "t.a, COUNT(DISTINCT t.x), COUNT(DISTINCT t.x) FILTER (WHERE c) FROM t GROUP BY t.a",
        "COUNT(DISTINCT x + 1), COUNT(DISTINCT x + 1) FILTER (WHERE c) FROM t GROUP BY a",
        "x, COUNT(DISTINCT x), COUNT(DISTINCT x) FILTER (WHERE c) FROM t GROUP BY x",
        "COUNT(DISTINCT x), COUNT(DISTINCT x) FILTER (WHERE c) FROM t",
    ):
        query = sqlglot.parse_one(f"SELECT {counts}", read="duckdb")
        before = query.copy()
        rewrites.group_what_is_counted(query)
        assert query == before, counts


def test_bigquery_partitions_popularities_by_their_text() -> None:
    """The column is named in `databases.py`: where `sql/` calls it otherwise, BigQuery would refuse the query."""
    options: dict[str, Any] = {"history": "db.history", "lists": "user", "truth_columns": rm.Columns(item="item")}
    text = flat.to_sql("db.recs", "db.truth", "n_long_tail@10", dialect="bigquery", **options)
    assert "CAST(`n_users` AS STRING)" in text


def test_no_code_outside_the_folder_compares_with_a_dialects_name() -> None:
    """A comparison of `dialect` with a text, or a mapping from dialects' names, would be a second place to edit."""
    for path in (path for folder in ("engines", "export", "planner") for path in (PACKAGE / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare) and "dialect" in ast.unparse(node.left).lower():
                texts = [part for side in node.comparators for part in ast.walk(side) if isinstance(part, ast.Constant)]
                assert not [text for text in texts if text.value in DIALECTS], f"{path}: {ast.unparse(node)}"
            if isinstance(node, ast.Dict):
                keys = {key.value for key in node.keys if isinstance(key, ast.Constant)}
                assert len(keys & {*DIALECTS} - {"duckdb", "polars"}) == 0, f"{path}: {ast.unparse(node)}"


# --- What the notes of the dialects claim about the limits of databases: the length of a text, the stages of a query --


SIX = ("ndcg", "recall", "precision", "ap", "rr", "hit")
# All metrics except those that read a log, subtopics or embeddings.
ALL = tuple(
    name
    for name in matrix.variants()
    if name != "embedding_diversity" and catalog().metric(name).fields.get("subject") not in ("log", "subtopics")
)

ATHENA_BYTES, TRINO_STAGES = 262_144, 150


@cache
def text(dialect: str, names: tuple[str, ...], cutoffs: Sequence[int]) -> str:
    """The text for these metrics at these cutoffs, from tables that have every column."""
    metrics = []
    for metric in map(rm.Metric, names):
        has_cutoff = "k" in catalog().own_parameters(metric.name)
        metrics += [metric @ cutoff for cutoff in cutoffs] if has_cutoff else [metric]
    options: dict[str, Any] = {name: f"db.{name}" for name in ("history", "baseline", "items", "similarity", "catalog")}
    options |= {"columns": rm.Columns(rank="rank", pool="pool")}
    options |= {"truth_columns": rm.Columns(item="item", rating="rating")}
    options |= {"lists": ["algorithm", "user"], "truth_lists": ["user"]}
    return flat.to_sql("db.recs", "db.truth", metrics, dialect=dialect, **options)


@pytest.mark.long
def test_athena_takes_all_metrics_at_two_cutoffs_and_the_six_usual_ones_at_fifty() -> None:
    assert len(text("athena", ALL, (5, 10)).encode()) <= ATHENA_BYTES
    assert len(text("athena", SIX, range(1, 51)).encode()) <= ATHENA_BYTES


@pytest.mark.long
def test_all_metrics_are_too_long_for_athena_and_have_too_many_stages_for_trino() -> None:
    assert len(text("athena", ALL, range(1, 21)).encode()) > ATHENA_BYTES
    assert stages(parsed(text("trino", ALL, (5, 10, 20)), "trino")) > TRINO_STAGES


def stages(query: exp.Expr) -> int:
    """The joins, groups, windows and DISTINCTs of a query, once every CTE is written out where it is read."""
    steps = {cte.alias: cte.this for cte in query.find_all(exp.CTE)}

    @cache
    def count(name: str) -> int:
        return count_in(steps[name])

    def count_in(select: exp.Expr) -> int:
        nodes = [*select.walk(prune=lambda node: isinstance(node, exp.With))]
        own = [node for node in nodes if isinstance(node, (exp.Join, exp.Group, exp.Window))]
        distinct = [node for node in nodes if isinstance(node, exp.Select) and node.args.get("distinct")]
        read = [node.name for node in nodes if isinstance(node, exp.Table) and not node.db and node.name in steps]
        return len(own) + len(distinct) + sum(map(count, read))

    return count_in(query)


def test_trino_writes_out_few_stages_for_the_six_usual_metrics() -> None:
    assert stages(parsed(text("trino", SIX, (5, 10, 20)), "trino")) < 20
