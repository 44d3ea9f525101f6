"""Each file of `rankmetrics/dialects` says all of its database, and is all that rankmetrics needs to know it."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
import sqlglot
from sqlglot import exp

import rankmetrics as rm
import rankmetrics.dialects
from docs.tooling.dialects_page import CONSTRUCTS, documented
from rankmetrics.dialects import base, rewrites
from rankmetrics.dialects.base import DIALECTS, OTHER_MODULES, grammar
from rankmetrics.dialects.model import Form, NamesOfJob, Rewrite
from rankmetrics.engines.opening import CONNECTED
from rankmetrics.export.statements import FORMS

PACKAGE = Path(rankmetrics.dialects.__file__).parents[1]

# What a dialect's file must hold to be known: the rest has defaults.
NEW = """
from rankmetrics.dialects import rewrites
from rankmetrics.dialects.model import Address, CatalogQueries, Dialect, Driver, Names

DIALECT = Dialect(
    called="Imaginary",
    grammar="postgres",
    rewrites=(rewrites.drop_materialized,),
    names=Names(longest=20),
    forms=frozenset({"query", "table"}),
    drivers=(Driver("sqlite3_of_imaginary"),),
    addresses=(Address("imaginary", "json", lambda json, address: json.loads("{}")),),
    catalog=CatalogQueries(),
    dbt_adapters=("dbt_imaginary",),
)
"""


# --- the registry -----------------------------------------------------------------------------------------------------


def test_every_file_of_the_folder_is_a_dialect_or_named_as_another_module() -> None:
    files = {path.stem for path in (PACKAGE / "dialects").glob("*.py")} - {"__init__"}
    assert {*DIALECTS} == files - OTHER_MODULES
    assert files >= OTHER_MODULES


def test_the_dialects_are_sorted_and_an_unknown_name_is_none_of_them() -> None:
    assert [*DIALECTS] == sorted(DIALECTS)
    assert "postgress" not in DIALECTS
    for name in ("postgress", "model"):
        with pytest.raises(KeyError):
            DIALECTS[name]


def test_one_file_in_the_folder_is_enough(tmp_path: Path) -> None:
    """The list of dialects, `to_sql`, connections, addresses and dbt know it; no other file names it."""
    (tmp_path / "imaginary.py").write_text(NEW)
    code = f"""
import rankmetrics.dialects
rankmetrics.dialects.__path__.append({str(tmp_path)!r})
import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS, dialects_of
from rankmetrics.engines.connections import opened
from rankmetrics.engines.connections import dialect_of
from rankmetrics.export.dbt.leaderboards import ADAPTERS

class Connection: pass
Connection.__module__ = "sqlite3_of_imaginary.core"

assert "imaginary" in DIALECTS
asked = dict(metrics="precision(divisor=list)@10", lists="user", truth_columns=rm.Columns(item="item"))
text = rm.to_sql("recs", "truth", dialect="imaginary", **asked)
assert '"precision_d_' in text and "MATERIALIZED" not in text, text
made = rm.to_sql("recs", "truth", dialect="imaginary", form="table", name="t", **asked)
assert made.splitlines()[2].startswith("CREATE OR REPLACE")
try:
    rm.to_sql("recs", "truth", dialect="imaginary", form="view", name="v", **asked)
    raise AssertionError("no view was refused")
except rm.DialectError as error:
    assert "imaginary has none" in str(error), error
assert dialects_of("sqlite3_of_imaginary") == ["imaginary"]
assert dialect_of(Connection(), None) == "imaginary"
assert opened("imaginary://anything") == {{}}
assert ADAPTERS["dbt_imaginary"] == "imaginary"
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_writing_one_dialect_imports_no_other() -> None:
    code = """
import sys, rankmetrics as rm
rm.to_sql("recs", "truth", "ndcg@10", lists="user", dialect="snowflake", truth_columns=rm.Columns(item="item"))
from rankmetrics.dialects.base import DIALECTS
print([one for one in DIALECTS if f"rankmetrics.dialects.{one}" in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['snowflake']\n"


# --- every file is complete -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_says_what_it_is_called_and_where_it_is_documented(name: str) -> None:
    assert DIALECTS[name].called
    assert name in documented(), (
        f"docs/dialects.toml says nothing of {name}: add [{name}] with `documentation` (the address of its SQL "
        "reference), `tried` (run, imitated or read), `tried_with` and `notes`, as the comment at its top says."
    )
    one = documented()[name]
    assert one.documentation.startswith("https://")
    assert all(construct.count("(") == construct.count(")") for construct in one.facts.values())
    assert import_module(f"rankmetrics.dialects.{name}").__doc__


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_has_a_driver_and_a_catalogue_or_says_that_nothing_connects_to_it(name: str) -> None:
    one = DIALECTS[name]
    assert bool(one.drivers) == (one.catalog is not None)
    assert one.drivers or "nothing to connect to" in documented()[name].notes, (
        f"rankmetrics/dialects/{name}.py names no driver: say in the notes of [{name}] in docs/dialects.toml that "
        "there is nothing to connect to."
    )
    if one.catalog:
        asked = one.catalog.columns(exp.to_table("shop.recs")).sql(grammar(name))
        assert "recs" in asked
        assert "shop" in asked
        assert len(sqlglot.parse(asked, read=grammar(name))) == 1
        assert not one.catalog.tables or len(sqlglot.parse(one.catalog.tables, read=grammar(name))) == 1
    extras = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {address.extra for address in one.addresses if address.extra}
    named |= {extra for driver in one.drivers for extra in re.findall(r"^rankmetrics\[(.*)\]$", driver.install)}
    assert named <= {*extras}


@pytest.mark.parametrize("name", DIALECTS)
def test_a_text_was_run_by_a_named_release_or_read_beside_linked_pages(name: str) -> None:
    one = documented()[name]
    assert bool(one.tried_with) == (one.tried != "read"), (
        f"[{name}] in docs/dialects.toml: `tried_with` names the release, or the imitation, that ran the texts."
    )
    n_links = sum("](https://" in fact for fact in one.facts.values())
    assert one.tried != "read" or n_links >= 5, (
        f"Nobody ran a text of {name}, and [{name}.facts] in docs/dialects.toml links to {n_links} pages of its "
        "documentation. Say there what it documents, with a link, of at least five of these constructs: "
        f"{', '.join(CONSTRUCTS)}."
    )


@pytest.mark.parametrize("name", DIALECTS)
def test_a_lack_names_itself_and_its_reason(name: str) -> None:
    for lack in DIALECTS[name].lacks:
        assert lack.what.startswith(("the ", "a "))
        assert lack.cure.endswith(".")
        assert lack.why
        assert not lack.why.endswith(".")
        with pytest.raises(rm.DialectError, match=f"{DIALECTS[name].called} has nothing for {lack.what}: {lack.why}"):
            base.text(exp.select(lack.kind(this=exp.column("x"))), name)


def test_no_two_dialects_claim_one_driver_vendor_address_adapter_or_backend() -> None:
    dialects = DIALECTS.values()
    lists = [
        [driver.module for one in dialects for driver in one.drivers if driver.module not in CONNECTED],
        [vendor for one in dialects for vendor in one.vendors],
        [address.scheme for one in dialects for address in one.addresses],
        [scheme for one in dialects for scheme in one.sqlalchemy],
        [adapter for one in dialects for adapter in one.dbt_adapters],
        [one.ibis_backend for one in dialects if one.ibis_backend],
        [one.called for one in dialects],
    ]
    for names in lists:
        assert sorted({*names}) == sorted(names)


def test_the_forms_of_the_dialects_are_those_that_statements_are_made_in() -> None:
    assert {*get_args(Form)} == {*FORMS}
    assert {form for one in DIALECTS.values() for form in one.forms} == {*FORMS}


# --- rewrites ---------------------------------------------------------------------------------------------------------


def _rewrites() -> list[Rewrite]:
    found = {rewrite for one in DIALECTS.values() for rewrite in map(_function, one.all_rewrites(NamesOfJob()))}
    return sorted(found, key=lambda one: one.__name__)


def _function(rewrite: Rewrite) -> Rewrite:
    return rewrite.func if isinstance(rewrite, partial) else rewrite


def test_a_rewrite_shows_before_and_after_and_says_why() -> None:
    for rewrite in _rewrites():
        example, _, why = (inspect.getdoc(rewrite) or "").partition("\n\n")
        assert re.fullmatch(r"`.* → .+", example, re.DOTALL), rewrite.__name__
        assert why.endswith("."), rewrite.__name__


def test_every_public_function_of_the_rewrites_is_used_by_a_dialect() -> None:
    helpers = {"plain", "folded", "shortened", "nan_tests", "infinities"}
    used = {one.__name__ for one in _rewrites()} | helpers
    functions = [one.name for one in ast.parse(inspect.getsource(rewrites)).body if isinstance(one, ast.FunctionDef)]
    assert [one for one in functions if not one.startswith("_") and one not in used] == []


# --- no dialect is named elsewhere ------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["engines", "export", "planner"])
def test_no_code_outside_the_folder_compares_with_a_dialects_name(folder: str) -> None:
    """A comparison of `dialect` with a text, or a mapping from dialects' names, would be a second place to edit."""
    for path in (PACKAGE / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare) and "dialect" in ast.unparse(node.left).lower():
                texts = [one for side in node.comparators for one in ast.walk(side) if isinstance(one, ast.Constant)]
                assert not [one for one in texts if one.value in DIALECTS], f"{path}: {ast.unparse(node)}"
            if isinstance(node, ast.Dict):
                keys = {one.value for one in node.keys if isinstance(one, ast.Constant)}
                assert len(keys & {*DIALECTS} - {"duckdb", "polars"}) == 0, f"{path}: {ast.unparse(node)}"
