"""The package of dbt: what is written, what is refused, and, where dbt is installed, that it builds the same numbers.

dbt pins what the rest of the house does not, so it lives in an environment of its own: .venv-dbt, or wherever
RANKMETRICS_DBT says that the command is.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from typer.testing import CliRunner

import rankmetrics as rm
from rankmetrics._files import data_folder
from rankmetrics.cli.commands import app
from rankmetrics.export.dbt import package as dbt
from rankmetrics.export.dbt.jinja import needs_no_quotes
from rankmetrics.export.dbt.leaderboards import ADAPTERS, yaml
from tests.engines import means
from tests.golden import ROOT

pytestmark = pytest.mark.long

DATA = data_folder()
RECS, TRUTH, HISTORY = DATA / "recs.parquet", DATA / "truth.parquet", DATA / "history.parquet"


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package within the project of a shop, as init makes it."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "dbt_project.yml").write_text("name: 'shop'  # ours\nversion: '1.0'\n")
    dbt.init(folder / "rankmetrics")
    return folder


@pytest.fixture
def package(example: Path, tmp_path: Path) -> Path:
    """That package, for one test to change."""
    shutil.copytree(example, tmp_path, dirs_exist_ok=True)
    return tmp_path / "rankmetrics"


def boards(package: Path, text: str) -> None:
    (package / "leaderboards.yml").write_text(text)
    dbt.write(package)


def board(package: Path, **fields: Any) -> None:
    """One leaderboard, written; YAML reads JSON."""
    plain = {"recs": "ref('recs')", "truth": "ref('truth')", "lists": ["algorithm", "user"], "truth_lists": ["user"]}
    adapters = fields.pop("adapters", ["duckdb"])
    given = {"columns": {"score": "score"}, "metrics": ["hit@10"], **plain, **fields}
    boards(package, json.dumps({"adapters": adapters, "leaderboards": {"one": given}}))


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def sql(package: Path, adapter: str, name: str = "one", **relations: object) -> str:
    """What a macro comes to for an adapter, as Jinja renders it."""
    text = (package / f"macros/{name}.sql").read_text()
    start = text.index(f"{{% macro {adapter}__measure_{name}(")
    inside = text[text.index("-%}", start) + 3 : text.index("{%- endmacro %}", start)].strip()
    for one, relation in relations.items():
        inside = inside.replace(f"{{{{ {one} }}}}", str(relation))
    return inside.replace("{{ '{' }}", "{")


# --- init -------------------------------------------------------------------------------------------------------------


def test_init_writes_a_package_that_is_whole(tmp_path: Path) -> None:
    made = dbt.init(tmp_path / "boards")
    assert set(contents(tmp_path / "boards")) == {
        "dbt_project.yml",
        "leaderboards.yml",
        "macros/_shared.sql",
        "macros/accuracy.sql",
        "models/accuracy.sql",
        "models/schema.yml",
        "tests/accuracy_has_each_row_once.sql",
    }
    assert {str(path.relative_to(tmp_path / "boards")) for path in made.files} == set(contents(tmp_path / "boards"))


def test_init_says_from_which_project_the_models_come_that_the_package_is_within(package: Path) -> None:
    model = (package / "models/accuracy.sql").read_text().splitlines()[1]
    assert model == "{{ rankmetrics.measure_accuracy(recs=ref('shop', 'recs'), truth=ref('shop', 'truth')) }}"


def test_init_names_no_project_where_there_is_none(tmp_path: Path) -> None:
    dbt.init(tmp_path / "rankmetrics")
    assert "recs=ref('recs')" in (tmp_path / "rankmetrics/models/accuracy.sql").read_text()


def test_init_refuses_a_project_and_says_where_the_package_may_go(package: Path) -> None:
    before = contents(package.parent)
    with pytest.raises(rm.InputError, match=r"is a project of dbt already.*rankmetrics dbt init .*rankmetrics\."):
        dbt.init(package.parent)
    assert contents(package.parent) == before


def test_init_refuses_a_folder_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for taken in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(rm.InputError, match="is no empty folder"):
            dbt.init(taken)
    assert contents(tmp_path) == {"notes.txt": "mine"}


def test_init_refuses_a_project_around_it_without_a_name_before_it_writes(tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text("version: 1\n")
    with pytest.raises(rm.InputError, match="has no line that says what the project is called"):
        dbt.init(tmp_path / "rankmetrics")
    assert not (tmp_path / "rankmetrics").exists()


def test_what_is_read_by_pyyaml_says_how_to_install_it(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(rm.InputError, match=re.escape("pip install 'rankmetrics[dbt]'")):
        dbt.write(package)
    with pytest.raises(rm.InputError, match="PyYAML"):
        dbt.init(package / "inner")
    assert not (package / "inner").exists()


# --- write ------------------------------------------------------------------------------------------------------------


def test_write_removes_what_no_leaderboard_asks_for_any_more(package: Path) -> None:
    text = (package / "leaderboards.yml").read_text()
    (package / "leaderboards.yml").write_text(text.replace("accuracy:", "quality:"))
    done = dbt.write(package)
    assert sorted(path.relative_to(package).as_posix() for path in done.removed) == [
        "macros/accuracy.sql",
        "models/accuracy.sql",
        "tests/accuracy_has_each_row_once.sql",
    ]
    assert {one for one in contents(package) if "accuracy" in one} == set()
    assert "quality" in (package / "models/quality.sql").read_text()


def test_write_touches_nothing_that_it_did_not_write(package: Path) -> None:
    own = {"dbt_project.yml": "name: rankmetrics\n", "models/mine.sql": "select 1", "macros/mine.sql": "{# mine #}"}
    for name, text in own.items():
        (package / name).write_text(text)
    dbt.write(package)
    assert {name: (package / name).read_text() for name in own} == own


@pytest.mark.parametrize("name", ["models/accuracy.sql", "models/schema.yml", "macros/_shared.sql"])
def test_write_overwrites_no_file_that_is_the_users(package: Path, name: str) -> None:
    (package / name).write_text("select 1 as mine")
    before = contents(package)
    with pytest.raises(rm.InputError, match=f"{name} was not written by rankmetrics"):
        dbt.write(package)
    assert contents(package) == before


def test_write_writes_the_same_twice(package: Path) -> None:
    before = contents(package)
    dbt.write(package)
    assert contents(package) == before


def test_what_cannot_be_written_is_said_in_a_sentence(package: Path) -> None:
    shutil.rmtree(package / "models")
    (package / "models").write_text("a file where a folder should be")
    with pytest.raises(rm.InputError, match=r"Cannot write '.*models/accuracy\.sql'"):
        dbt.write(package)


def test_write_needs_a_package(tmp_path: Path) -> None:
    with pytest.raises(rm.InputError, match=r"has no dbt_project\.yml: `rankmetrics dbt init"):
        dbt.write(tmp_path)


def test_a_package_may_have_another_name(package: Path) -> None:
    (package / "dbt_project.yml").write_text("name: boards\n")
    dbt.write(package)
    texts = contents(package)
    assert texts["models/accuracy.sql"].splitlines()[1].startswith("{{ boards.measure_accuracy(")
    assert "adapter.dispatch('measure_accuracy', 'boards')" in texts["macros/accuracy.sql"]
    assert "boards.from_0_to_1" in texts["models/schema.yml"]
    assert not any("rankmetrics." in text for name, text in texts.items() if name != "leaderboards.yml")


# --- what a leaderboard comes to --------------------------------------------------------------------------------------


def test_a_macro_holds_the_query_whose_numbers_evaluate_gives(package: Path) -> None:
    lists = {"lists": ["partition", "algorithm", "user"], "truth_lists": ["partition", "user"]}
    board(package, **lists, metrics=["ndcg@10", "recall@5,10", "unseen@5"], history="source('ml', 'history')")
    text = sql(package, "duckdb", recs=f"'{RECS}'", truth=f"'{TRUTH}'", history=f"'{HISTORY}'")
    result = rm.evaluate(RECS, TRUTH, ["ndcg@10", "recall@5,10", "unseen@5"], history=HISTORY)
    same(by_hand(text), result, ["algorithm"])


def test_every_adapter_has_the_query_of_its_dialect(package: Path) -> None:
    board(package, catalog="ref('items')", metrics=["rr", "coverage"], adapters=list(ADAPTERS))
    for adapter, dialect in ADAPTERS.items():
        text = rm.to_sql(
            "r",
            "t",
            ["rr", "coverage"],
            catalog="c",
            lists=["algorithm", "user"],
            truth_lists=["user"],
            columns=rm.Columns(score="score"),
            dialect=dialect,
        )
        expected = bare(re.sub(r"(?m)^ORDER BY\n  .*\n?", "", text))
        assert bare(sql(package, adapter, recs="r", truth="t", catalog="c")) == expected, adapter


def bare(text: str) -> str:
    """A query without what says how names are written, and without names that are the same again."""
    return re.sub(r"\b(\w+) as \1\b", r"\1", re.sub(r"[\"`\[\]]", "", text).lower()).strip()


def test_settings_that_a_query_needs_stay_where_its_order_goes(package: Path) -> None:
    assert re.search(r"\nSETTINGS join_use_nulls = 1.*$", sql(package, "clickhouse", "accuracy"))


def test_a_dialect_that_refuses_has_a_macro_that_says_why(package: Path) -> None:
    board(package, aggregates=["mean", "median"], adapters=["bigquery", "duckdb"])
    assert sql(package, "bigquery").startswith(
        "{{ rankmetrics.refuse('one: BigQuery has nothing for the aggregate median: its percentiles "
    )
    assert sql(package, "duckdb").partition("\n")[2].startswith("WITH")
    assert "raise_compiler_error(reason)" in (package / "macros/_shared.sql").read_text()


def test_a_leaderboard_that_no_dialect_can_say_is_refused_at_once(package: Path) -> None:
    with pytest.raises(rm.DialectError, match="leaderboard 'one': Embeddings are made rows by an engine"):
        board(package, items="ref('items')", extra_columns={"items": {"embedding": "vector"}})


def test_a_leaderboard_that_none_of_the_adapters_can_say_is_refused_at_once(package: Path) -> None:
    with pytest.raises(rm.DialectError, match="leaderboard 'one': BigQuery has nothing for the aggregate median"):
        board(package, aggregates="median", adapters=["bigquery"])


def test_the_adapters_may_be_fewer(package: Path) -> None:
    text = (package / "leaderboards.yml").read_text()
    boards(package, f"adapters: [duckdb, fabric]\n{text}")
    macros = (package / "macros/accuracy.sql").read_text()
    assert re.findall(r"macro (\w+)__", macros) == ["default", "duckdb", "fabric"]


def test_columns_need_no_quotes_and_are_called_alike_in_every_warehouse(package: Path) -> None:
    asked = {"metrics": ["nDCG(gain=linear)@10", "hit@5"], "aggregates": ["mean", "ci(0.9)"]}
    board(
        package,
        **asked,
        columns={"score": "score", "rating": "rating"},
        adapters=[one for one in ADAPTERS if one != "sqlite"],
    )
    found = columns(package)
    assert found[1:] == [
        "n_lists", "ndcg_gain_linear_at_10", "ndcg_gain_linear_at_10_ci_0_9", "hit_at_5", "hit_at_5_ci_0_9"
    ]  # fmt: skip
    for adapter in set(ADAPTERS) - {"sqlite"}:  # which has no standard deviation
        last = sql(package, adapter)[-800:].lower()
        assert all(re.search(rf"as [\"`\[]{one}[\"`\]]", last) for one in found[2:]), adapter


def described(package: Path) -> dict[str, Any]:
    """The model in schema.yml."""
    model: dict[str, Any]
    (model,) = yaml().safe_load((package / "models/schema.yml").read_text())["models"]
    return model


def columns(package: Path) -> list[str]:
    return [one["name"] for one in described(package)["columns"]]


def test_metrics_may_be_named(package: Path) -> None:
    board(package, metrics={"quality": "ndcg@10", "found": "recall@5"})
    assert columns(package) == ["algorithm", "n_lists", "quality", "found"]


def test_one_row_per_list_has_the_list_columns_and_no_count(package: Path) -> None:
    board(package, per_list=True, metrics=["hit@10", "rr"])
    assert columns(package) == ["algorithm", "user", "hit_at_10", "rr"]


def test_columns_are_described_by_their_metrics_and_shares_are_tested(package: Path) -> None:
    board(package, metrics=["recall@5", "n_hits@5"], aggregates=["mean", "std"], description="How good {{ we }} are.")
    assert described(package)["description"] == "How good {{ '{' }}{{ '{' }} we }} are."
    text = (package / "models/schema.yml").read_text()
    assert "recall@5: share of the relevant items that are among the first k." in text
    assert "std of recall@5: share of the relevant items" in text
    assert text.count("rankmetrics.from_0_to_1") == 1
    assert text.count("not_null") == 1


def test_snowflake_has_the_names_in_upper_case_that_are_written_without_quotes(package: Path) -> None:
    board(package, lists=["algorithm", "user ID"], truth_lists=["user ID"], adapters=["snowflake"])
    text = sql(package, "snowflake", recs="RAW.RECS", truth="RAW.TRUTH")
    written = set(re.findall('"([^"]*)"', re.sub(r"/\*.*?\*/", "", text)))
    assert {one for one in written if needs_no_quotes(one)} == set()
    assert {"user ID", "ALGORITHM", "RANKED", "hit@10", "HIT_AT_10"} < written
    assert text.endswith('AS "HIT_AT_10"\nFROM "PER_LIST"\nGROUP BY\n  "ALGORITHM"')


def test_names_stand_in_snowflake_where_they_are_said_to_be_quoted(package: Path) -> None:
    board(package, quote_columns=True, adapters=["duckdb", "snowflake"])
    text = sql(package, "snowflake")
    assert '"algorithm"' in text
    assert 'AS "HIT_AT_10"' in text
    assert "adapter.quote('algorithm')" in (package / "tests/one_has_each_row_once.sql").read_text()


def test_one_row_over_everything_is_tested_to_be_one(package: Path) -> None:
    board(package, by=[])
    text = (package / "tests/one_has_each_row_once.sql").read_text()
    assert text.splitlines()[1:] == [
        "select count(*) as n_rows", "from {{ ref('one') }}", "having count(*) > 1"
    ]  # fmt: skip


CURLY = ("{{ x }}", "{% if y %}", "{# z", 'a"b`]c', "%} }} #}", "it's", "{{{%")


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


def test_a_column_of_any_name_is_measured(package: Path, tmp_path: Path) -> None:
    for name in CURLY:
        board(package, lists=[name, "user"])
        quoted = '"' + name.replace('"', '""') + '"'
        recs = f"(SELECT algorithm AS {quoted}, * EXCLUDE (algorithm) FROM '{RECS}' WHERE partition = 1)"
        found = by_hand(sql(package, "duckdb", recs=recs, truth=f"(FROM '{TRUTH}' WHERE partition = 1)"))
        assert found.columns == [name, "n_lists", "hit_at_10"]
        assert found.height == 3


def test_a_metric_of_ones_own_is_measured(package: Path) -> None:
    (package / "own.sql").write_text("-- twice: twice the hits\nSELECT 2.0 * n_hits AS twice_in_dbt FROM metrics")
    text = (package / "leaderboards.yml").read_text().replace("ndcg@10", "twice_in_dbt@10")
    boards(package, f"define: own.sql\n{text}")
    assert "twice_in_dbt_at_10" in (package / "models/schema.yml").read_text()


def test_the_leaderboards_of_the_documentation_are_written(package: Path) -> None:
    (text,) = re.findall(r"```yaml\n(leaderboards:.*?)```", (ROOT / "docs/dbt.md").read_text(), re.DOTALL)
    boards(package, text)
    assert (package / "models/novelty_by_country.sql").is_file()


def test_the_documentation_names_every_adapter() -> None:
    text = (ROOT / "docs/dbt.md").read_text().replace("\n  ", " ")
    assert f"- **Adapters**: {', '.join(sorted(ADAPTERS))}." in text


RELATIONS = {
    "ref('recs')": "ref('recs')",
    '{{ ref("shop", "recs") }}': "ref('shop', 'recs')",
    "ref('recs', v=2)": "ref('recs', v=2)",
    "ref('recs', version='b')": "ref('recs', v='b')",
    "source( 'ml' , 'recs')": "source('ml', 'recs')",
    "recs": "api.Relation.create(identifier='recs')",
    "db.recs": "api.Relation.create(schema='db', identifier='recs')",
    "p.db.recs": "api.Relation.create(database='p', schema='db', identifier='recs')",
}


@pytest.mark.parametrize("written", RELATIONS)
def test_a_table_is_named_as_dbt_names_it(package: Path, written: str) -> None:
    board(package, recs=written)
    assert f"measure_one(recs={RELATIONS[written]}, truth=" in (package / "models/one.sql").read_text()


# --- what is refused --------------------------------------------------------------------------------------------------

GOOD = """
leaderboards:
  one:
    recs: ref('recs')
    truth: ref('truth')
    lists: [algorithm, user]
    truth_lists: [user]
    metrics: [hit@10]
"""

BAD = {
    "": r"must hold keys and values, as in `leaderboards: ...`: None is none",
    "[1, 2]": r"must hold keys and values",
    "leaderboards: {}": "has no leaderboards",
    "leaderbords: {}": "'leaderbords' that means nothing.*Did you mean 'leaderboards'",
    "leaderboards: [a]": r"leaderboards: \['a'\] is no mapping",
    "leaderboards:\n  one: 3": "leaderboard 'one' must hold keys and values, as in `recs: ...`: 3 is none",
    "leaderboards:\n  a: {b: [}": "line 2 is no YAML: ",
    "leaderboards:\n\tone: 2": "line 2 is no YAML: found character",
    "a: !!python/object:os.system {}": "line 1 is no YAML: could not determine a constructor",
    GOOD + "  one: {}": "line 9: 'one' is there already",
    GOOD + "    lists: [user]": "line 9: 'lists' is there already",
    "&a [*a]": "must hold keys and values",
    GOOD.replace("one:", "One:"): "'One' cannot be the name of a leaderboard",
    GOOD.replace("one:", "a-b:"): "'a-b' cannot be the name of a leaderboard",
    GOOD.replace("one:", "1:"): "1 cannot be the name of a leaderboard",
    GOOD.replace("one:", "'../one':"): "'../one' cannot be the name of a leaderboard",
    GOOD.replace("metrics:", "metrcis:"): "leaderboard 'one' has a key 'metrcis' that.*Did you mean 'metrics'",
    GOOD.replace("    recs: ref('recs')\n", ""): r"leaderboard 'one' has no 'recs': name the table.*ref\('recs'\)",
    GOOD.replace("    metrics: [hit@10]\n", ""): "leaderboard 'one' has no 'metrics': ask for some",
    GOOD.replace("ref('recs')", "ref(recs)"): r"recs: 'ref\(recs\)' is no table: write ref\('recs'\), source",
    GOOD.replace("ref('recs')", "a.b.c.d"): "is no table",
    GOOD.replace("ref('recs')", "recs; drop table x"): "is no table",
    GOOD.replace("ref('recs')", "source('recs')"): "is no table",
    GOOD.replace("ref('recs')", "ref('recs', w=1)"): "is no table",
    GOOD.replace("ref('recs')", "ref('recs', v=none())"): "is no table",
    GOOD.replace("ref('recs')", "var('recs')"): "is no table",
    GOOD.replace("ref('recs')", "3"): "recs: 3 is no text",
    GOOD.replace("hit@10", "recall@5,10"): r"metrics: 10 is no text. YAML splits \[a@5,10\] at the comma",
    GOOD.replace("[algorithm, user]", "[algorithm, yes]"): "lists: True is no text",
    GOOD.replace("[algorithm, user]", "[]"): "lists",
    GOOD.replace("hit@10", ""): "leaderboard 'one': No metric was asked for",
    GOOD.replace("hit@10", "ndgc@10"): "leaderboard 'one': There is no metric 'ndgc'. Did you mean 'ndcg'",
    GOOD.replace("[hit@10]", "{a: ndgc@10}"): "leaderboard 'one': There is no metric 'ndgc'",
    GOOD.replace("[hit@10]", "{a: 'hit@1,2'}"): "leaderboard 'one': 'hit@1,2' is 2 metrics",
    GOOD.replace("[hit@10]", "{A-b: hit@10}"): "metrics: 'A-b' cannot name a column",
    GOOD.replace("[hit@10]", "{a: hit@10, b: hit@10}"): "leaderboard 'one' asks for one metric under two names",
    GOOD.replace("[hit@10]", "{algorithm: hit@10}"): "two columns would be called 'algorithm': name the metrics",
    GOOD.replace("hit@10", "rbp(p=0.5)@5, rbp(p=0_5)@5"): "rbp",
    GOOD.replace("hit@10", "surprisal@10"): "leaderboard 'one': surprisal.*history:",
    GOOD.replace("hit@10", "hit(rel=4)@10"): r"leaderboard 'one': .*columns: {rating: \"\.\.\.\"}",
    GOOD + "    columns: {itme: sku}": "columns: 'itme' is no role of a column.*Did you mean 'item'",
    GOOD + "    columns: {item: 3}": "columns: 3 is no text",
    GOOD + "    columns: sku": "columns: 'sku' is no mapping",
    GOOD + "    extra_columns: {itmes: {item: sku}}": "leaderboard 'one': .*'itmes'.*Did you mean 'items'",
    GOOD + "    missing: nobody": "leaderboard 'one': missing must be one of",
    GOOD + "    ties: input\n    columns: {score: s}": 'leaderboard .one.: ties: input goes by the order of the rows',
    GOOD + "    aggregates: [meen]": "leaderboard 'one': There is no aggregate 'meen'",
    GOOD + "    convention: relpay": "leaderboard 'one': .*'relpay'",
    GOOD.replace("hit", "rr") + "    convention: capri": r"leaderboard 'one': .*'rr' under capri.*rr\(convention=",
    GOOD.replace("hit", "bpref") + "    convention: trec_eval": "leaderboard 'one': bpref has no cutoff under",
    GOOD.replace("hit@10", "recall") + "    convention: rectools": "leaderboard 'one': recall always has a cutoff",
    GOOD + "    by: [user_id]": "leaderboard 'one': Cannot summarise by 'user_id'",
    GOOD + "    per_list: sure": "per_list: 'sure' is neither true nor false",
    GOOD + "adapters: [duckbd]": "no SQL for the adapter 'duckbd'.*Did you mean 'duckdb'",
    GOOD + "define: [own.sql]": "own.sql",
}  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_what_cannot_be_understood_is_refused_before_anything_is_written(package: Path, text: str) -> None:
    (package / "leaderboards.yml").write_text(text)
    before = contents(package)
    with pytest.raises(rm.RankMetricsError, match=BAD[text]):
        dbt.write(package)
    assert contents(package) == before


def test_leaderboards_that_are_not_there_are_said_to_be_missing(package: Path) -> None:
    (package / "leaderboards.yml").unlink()
    with pytest.raises(rm.InputError, match=r"There is no .*leaderboards\.yml"):
        dbt.write(package)
    (package / "leaderboards.yml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(rm.InputError, match=r"leaderboards.yml cannot be read"):
        dbt.write(package)


# --- the command line -------------------------------------------------------------------------------------------------


def run(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["dbt", *map(str, arguments)], env={"NO_COLOR": "1", "COLUMNS": "200"})
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.stdout, done.stderr


def test_the_command_init_says_what_it_wrote_and_what_to_do_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dbt_project.yml").write_text("name: shop\n")
    code, out, err = run("init")
    assert (code, err) == (0, "")
    assert out.startswith("wrote rankmetrics/dbt_project.yml\nwrote rankmetrics/leaderboards.yml\n")
    assert out.endswith("\nName it in packages.yml, then run dbt deps:\n\npackages:\n  - local: rankmetrics\n")


def test_the_command_init_has_no_more_to_say_where_there_is_no_project(tmp_path: Path) -> None:
    _, out, _ = run("init", tmp_path / "boards")
    assert all(line.startswith("wrote ") for line in out.splitlines())


def test_the_command_write_says_what_it_wrote_and_removed(package: Path) -> None:
    text = (package / "leaderboards.yml").read_text()
    (package / "leaderboards.yml").write_text(text.replace("accuracy:", "quality:"))
    code, out, _ = run("write", package)
    assert code == 0
    assert f"wrote {package / 'models/quality.sql'}\n" in out
    assert f"removed {package / 'models/accuracy.sql'}\n" in out


def test_the_command_write_refuses_in_a_sentence(package: Path) -> None:
    (package / "leaderboards.yml").write_text(GOOD.replace("hit@10", "ndgc@10"))
    code, out, err = run("write", package)
    assert (code, out) == (2, "")
    assert re.match(r"Error: .*leaderboards.yml, leaderboard 'one': There is no metric 'ndgc'. Did you mean", err)


# --- dbt itself -------------------------------------------------------------------------------------------------------

PROJECT = {
    "dbt_project.yml": """
name: shop
profile: shop
on-run-end: "{{ shop.show() }}"
""",
    "profiles.yml": """
shop:
  target: dev
  outputs: {dev: {type: duckdb, path: shop.duckdb, threads: 2}}
""",
    "packages.yml": "packages: [{local: rankmetrics}]",
    "models/recs.sql": "select * from '@data/recs.parquet'",
    "models/truth.sql": "{{ config(materialized='ephemeral') }} select * from '@data/truth.parquet'",
    "models/odd_recs.sql": """select algorithm as "{{ '{' }}{ x }}", * exclude (algorithm) from {{ ref('recs') }}""",
    "models/sources.yml": """
sources:
  - name: ml
    config: {meta: {external_location: "@data/{name}.parquet"}}
    tables: [{name: history}, {name: items}]
""",
    "models/daily.sql": """
{{ config(materialized='incremental', unique_key=['partition', 'algorithm']) }}
{% set new %}{% if is_incremental() %}where partition > (select max(partition) from {{ this }}){% endif %}{% endset %}
{{ rankmetrics.measure_by_partition(
    recs='(select * from ' ~ ref('recs') ~ ' ' ~ new ~ ')',
    truth='(select * from ' ~ ref('truth') ~ ' ' ~ new ~ ')',
) }}
""",
    "models/best.sql": "select algorithm from {{ ref('rankmetrics', 'accuracy') }} order by ndcg_at_10 desc limit 1",
    "macros/show.sql": """
{% macro show() %}
  {% for adapter in ('clickhouse', 'postgres', 'snowflake', 'sqlserver') %}
    {% do print('SHOWN ' ~ tojson([adapter, rankmetrics[adapter ~ '__measure_odd']('the_recs', 'the_truth')])) %}
  {% endfor %}
{% endmacro %}
""",
}

BOARDS = """
adapters: [bigquery, clickhouse, duckdb, postgres, snowflake, sqlserver]
leaderboards:
  accuracy: &all
    recs: ref('shop', 'recs')
    truth: ref('shop', 'truth')
    lists: [partition, algorithm, user]
    truth_lists: [partition, user]
    columns: {score: score, rating: rating}
    metrics: ["ndcg@10", "recall@5,10", rr]
    description: "The {{ leaderboard }}, {% if %} {# any #}."
  by_partition: {<<: *all, by: [partition, algorithm], aggregates: [mean, median, "ci(0.95)"]}
  overall: {<<: *all, by: [], metrics: {quality: ndcg@10, found: hit@5}}
  lists: {<<: *all, per_list: true}
  tables: {<<: *all, recs: raw.recs, truth: raw.truth, missing: skip}
  odd: {<<: *all, recs: "ref('shop', 'odd_recs')", lists: [partition, "{{ x }}", user]}
  beyond:
    <<: *all
    history: source('ml', 'history')
    items: source('ml', 'items')
    extra_columns: {items: {category: category}}
    metrics: [surprisal@10, unseen@10, coverage@10, gini@10, miscalibration@10]
"""


def dbt_command() -> Path:
    """The command dbt, wherever it is."""
    path = Path(os.environ.get("RANKMETRICS_DBT") or ROOT / ".venv-dbt" / "bin" / "dbt")
    if not path.is_file():
        reason = f"dbt is not here: there is no {path} (RANKMETRICS_DBT says otherwise)"
        pytest.fail(reason) if os.environ.get("RANKMETRICS_ALL") else pytest.skip(reason)
    return path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A project that dbt has built, and what dbt said."""
    command, folder = dbt_command(), tmp_path_factory.mktemp("shop")
    for name, text in PROJECT.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.replace("@data", str(DATA)))
    dbt.init(folder / "rankmetrics")
    (folder / "rankmetrics/leaderboards.yml").write_text(BOARDS)
    dbt.write(folder / "rankmetrics")
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute("CREATE SCHEMA raw")
        for name in ("recs", "truth"):
            connection.execute(f"CREATE TABLE raw.{name} AS FROM '{DATA / name}.parquet'")
    said = ""
    for arguments in (["deps"], ["build"]):
        done = subprocess.run(
            [command, *arguments, "--profiles-dir", ".", "--no-use-colors"],
            cwd=folder,
            capture_output=True,
            text=True,
            env={**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DO_NOT_TRACK": "1"},
        )
        said += done.stdout + done.stderr
        assert done.returncode == 0, said
    return folder, said


def by_hand(query: str, database: Path | None = None) -> pl.DataFrame:
    """What DuckDB answers somebody who runs a query by hand."""
    with duckdb.connect(str(database or ":memory:"), read_only=database is not None) as connection:
        frame: pl.DataFrame = connection.sql(query).pl()
        return frame


def model(built: tuple[Path, str], name: str) -> pl.DataFrame:
    return by_hand(f"FROM main.{name}", built[0] / "shop.duckdb")


def same(found: pl.DataFrame, result: rm.Result, by: list[str], *, per_list: bool = False) -> None:
    """Whether a table that dbt built holds what evaluate gives, in the order of its columns."""
    expected = means(result, per_list=per_list)
    renamed = expected.rename(dict(zip(expected.columns, found.columns, strict=True)))
    assert_frame_equal(found, renamed, check_row_order=not by, check_dtypes=False, abs_tol=1e-12)
    assert found.columns[: len(by)] == by


METRICS = ["ndcg@10", "recall@5,10", "rr"]


def test_dbt_builds_and_tests_every_leaderboard(built: tuple[Path, str]) -> None:
    (done,) = re.findall(r"Done\. (.*)", built[1])
    assert re.fullmatch(r"PASS=\d+ WARN=0 ERROR=0 SKIP=0.*", done)
    assert len(re.findall("PASS .*_has_each_row_once", built[1])) == 7
    assert "WARNING" not in built[1]


def test_dbt_builds_the_numbers_of_evaluate(built: tuple[Path, str]) -> None:
    found = model(built, "accuracy")
    assert found.columns == ["algorithm", "n_lists", "ndcg_at_10", "recall_at_5", "recall_at_10", "rr"]
    same(found, rm.evaluate(RECS, TRUTH, METRICS), ["algorithm"])
    partitions = rm.evaluate(
        RECS, TRUTH, METRICS, by=["partition", "algorithm"], aggregates=["mean", "median", "ci(0.95)"]
    )
    same(model(built, "by_partition"), partitions, ["partition", "algorithm"])
    same(model(built, "daily"), partitions, ["partition", "algorithm"])
    same(model(built, "overall"), rm.evaluate(RECS, TRUTH, ["ndcg@10", "hit@5"], by=[]), [])
    assert model(built, "overall").columns == ["n_lists", "quality", "found"]


def test_dbt_builds_the_lists_of_evaluate(built: tuple[Path, str]) -> None:
    ids = ["partition", "algorithm", "user"]
    same(model(built, "lists"), rm.evaluate(RECS, TRUTH, METRICS), ids, per_list=True)


def test_dbt_builds_from_sources_and_from_tables_of_the_warehouse(built: tuple[Path, str]) -> None:
    asked = ["surprisal@10", "unseen@10", "coverage@10", "gini@10", "miscalibration@10"]
    beyond = rm.evaluate(RECS, TRUTH, asked, history=HISTORY, items=DATA / "items.parquet")
    same(model(built, "beyond"), beyond, ["algorithm"])
    same(model(built, "tables"), rm.evaluate(RECS, TRUTH, METRICS, missing="skip"), ["algorithm"])


def test_dbt_takes_nothing_in_a_name_for_jinja(built: tuple[Path, str]) -> None:
    folder, said = built
    same(model(built, "odd"), rm.evaluate(RECS, TRUTH, METRICS), ["{{ x }}"])
    described = json.loads((folder / "target/manifest.json").read_text())["nodes"]["model.rankmetrics.odd"]
    assert "{{ x }}" in described["columns"]
    assert described["description"] == "The {{ leaderboard }}, {% if %} {# any #}."
    shown = dict(json.loads(one) for one in re.findall("SHOWN (.*)", said))
    assert len(shown) == 4
    for adapter, text in shown.items():
        assert text.count("{{ x }}") > 5, adapter
        assert text == sql(folder / "rankmetrics", adapter, "odd", recs="the_recs", truth="the_truth"), adapter


def test_a_model_of_the_project_reads_a_leaderboard(built: tuple[Path, str]) -> None:
    assert model(built, "best").rows() == [("matrix-factorisation",)]
