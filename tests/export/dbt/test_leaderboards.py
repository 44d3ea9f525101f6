"""What a leaderboard comes to in each adapter, and which leaderboards are refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.export.dbt import package as dbt
from rankmetrics.export.dbt.package import ADAPTERS
from rankmetrics.export.statements import without_header
from tests import ROOT
from tests.support import days, flat
from tests.support.dbt_packages import (
    GOOD,
    HISTORY,
    RECS,
    TRUTH,
    board,
    boards,
    by_hand,
    contents,
    described,
    same,
    sql,
)

pytestmark = pytest.mark.long


# --- what a leaderboard comes to --------------------------------------------------------------------------------------


def test_a_macro_holds_the_query_whose_numbers_evaluate_gives(package: Path) -> None:
    lists = {"lists": ["partition", "algorithm", "user"], "truth_lists": ["partition", "user"]}
    board(package, **lists, metrics=["ndcg@10", "recall@5,10", "unseen@5"], history="source('ml', 'history')")
    text = sql(package, "duckdb", recs=f"'{RECS}'", truth=f"'{TRUTH}'", history=f"'{HISTORY}'")
    result = rm.evaluate(RECS, TRUTH, ["ndcg@10", "recall@5,10", "unseen@5"], history=HISTORY)
    same(by_hand(text), result, ["algorithm"])


def test_a_leaderboard_has_a_history_until_a_day_and_named_systems(package: Path, tmp_path: Path) -> None:
    frames, systems = days.problem(4, ("history",)), pl.DataFrame({"algorithm": ["als", "new"]})
    files = {name: tmp_path / f"{name}.parquet" for name in ("recs", "truth", "history", "systems")}
    for name, path in files.items():
        (systems if name == "systems" else frames[name]).write_parquet(path)
    until: dict[str, Any] = {"history_until": "day", "history_lists": ["user"], "by": ["day", "algorithm"]}
    metrics = ["unseen@3", "popularity@3", "hit@3"]
    result = flat.evaluate(
        files["recs"], files["truth"], metrics, history=files["history"], systems=["als", "new"], **until
    )
    options: dict[str, Any] = {"lists": ["day", "algorithm", "user"], "truth_lists": ["day", "user"], **until}
    options |= {"columns": {"rank": "rank", "rating": "rating"}, "history": "ref('h')", "text": ["algorithm"]}
    for named in ("ref('systems')", ["als", "new"]):
        board(package, **options, metrics=metrics, systems=named)
        relations: dict[str, Any] = {name: f"'{path}'" for name, path in files.items()}
        table = by_hand(sql(package, "duckdb", **relations))
        assert "new" in table["algorithm"]
        same(table, result, ["day", "algorithm"])


def test_every_adapter_has_the_query_of_its_dialect(package: Path) -> None:
    board(package, catalog="ref('items')", metrics=["rr", "coverage"], adapters=list(ADAPTERS))
    options: dict[str, Any] = {"lists": ["algorithm", "user"], "truth_lists": ["user"], "catalog": "c"}
    options["columns"] = rm.Columns(score="score")
    for adapter, dialect in ADAPTERS.items():
        text = flat.to_sql("r", "t", ["rr", "coverage"], dialect=dialect, **options)
        expected = bare(re.sub(r"(?m)^ORDER BY.*\n?", "", without_header(text)))
        assert bare(sql(package, adapter, recs="r", truth="t", catalog="c")) == expected, adapter
    # settings that a query needs stay where its order goes
    assert re.search(r"\nSETTINGS join_use_nulls = 1.*$", sql(package, "clickhouse"))


def bare(text: str) -> str:
    """A query without what says how names are written, and without names that are the same again."""
    return re.sub(r"\b(\w+) as \1\b", r"\1", re.sub(r"[\"`\[\]]", "", text).lower()).strip()


def test_the_macro_of_a_metric_takes_the_mean_of_the_summary_in_every_adapter(package: Path) -> None:
    board(package, adapters=[*ADAPTERS])
    summaries = {adapter: sql(package, adapter) for adapter in ADAPTERS}
    board(package, adapters=[*ADAPTERS], per_list=True)
    text = (package / "macros/_metrics.sql").read_text()
    for adapter, summary in summaries.items():
        (mean,) = re.findall(rf"'{adapter}': '(.*?)'", text)
        assert re.search(re.escape(mean).replace(dbt.VALUE, r"\S+"), summary), (adapter, mean)
    board(package)
    assert not (package / "macros/_metrics.sql").exists()


def test_a_dialect_that_refuses_has_a_macro_that_says_why(package: Path) -> None:
    board(package, aggregates=["mean", "median"], adapters=["bigquery", "duckdb"])
    assert sql(package, "bigquery").startswith(
        "{{ rankmetrics.refuse('one: BigQuery has nothing for the aggregate median: its percentiles "
    )
    assert sql(package, "duckdb").startswith("WITH")
    assert "raise_compiler_error(reason)" in (package / "macros/_shared.sql").read_text()


def test_a_leaderboard_that_none_of_the_adapters_can_say_is_refused_at_once(package: Path) -> None:
    with pytest.raises(rm.DialectError, match="leaderboard 'one': Embeddings are made rows by an engine"):
        board(package, items="ref('items')", extra_columns={"items": {"embedding": "vector"}})
    with pytest.raises(rm.DialectError, match="leaderboard 'one': BigQuery has nothing for the aggregate median"):
        board(package, aggregates="median", adapters=["bigquery"])


def test_the_adapters_may_be_several(package: Path) -> None:
    text = (package / "leaderboards.yml").read_text()
    boards(package, text.replace("adapters: [duckdb]", "adapters: [duckdb, fabric]"))
    macros = (package / "macros/accuracy.sql").read_text()
    assert re.findall(r"macro (\w+)__", macros) == ["default", "duckdb", "fabric"]


def columns(package: Path) -> list[str]:
    return [column["name"] for column in described(package)["columns"]]


def test_columns_need_no_quotes_and_are_called_alike_in_every_warehouse(package: Path) -> None:
    adapters = [adapter for adapter in ADAPTERS if adapter != "sqlite"]  # which has no standard deviation
    metrics = {"metrics": ["nDCG(gain=linear)@10", "hit@5"], "aggregates": ["mean", "ci(0.9)"]}
    board(package, **metrics, columns={"score": "score", "rating": "rating"}, adapters=adapters)
    names = ["ndcg_gain_linear_at_10", "ndcg_gain_linear_at_10_ci_0_9", "hit_at_5", "hit_at_5_ci_0_9"]
    assert columns(package)[1:] == ["n_lists", *names]
    for adapter in adapters:
        text = sql(package, adapter).lower()
        assert all(re.search(rf"as [\"`\[]{name}[\"`\]]", text) for name in names), adapter
    board(package, metrics={"quality": "ndcg@10", "found": "recall@5"})
    assert columns(package) == ["algorithm", "n_lists", "quality", "found"]
    board(package, per_list=True, metrics=["hit@10", "rr"])
    assert columns(package) == ["algorithm", "user", "hit_at_10", "rr"]


def test_columns_are_described_by_their_metrics_and_shares_are_tested(package: Path) -> None:
    board(package, metrics=["recall@5", "n_hits@5"], aggregates=["mean", "std"], description="How good {{ we }} are.")
    assert described(package)["description"] == "How good {{ '{' }}{{ '{' }} we }} are."
    text = (package / "models/schema.yml").read_text()
    assert "recall@5: share of the relevant items that are among the first k." in text
    assert "std of recall@5: share of the relevant items" in text
    assert text.count("rankmetrics.from_0_to_1") == 1
    assert [text.count(f"rankmetrics.{one}\n") for one in ("has_no_null", "at_least_1", "at_least_0")] == [1, 1, 1]


def test_snowflake_has_unquoted_names_in_upper_case_unless_all_are_quoted(package: Path) -> None:
    board(package, lists=["algorithm", "user ID"], truth_lists=["user ID"], adapters=["snowflake"])
    text = sql(package, "snowflake", recs="RAW.RECS", truth="RAW.TRUTH")
    names = set(re.findall('"([^"]*)"', re.sub(r"/\*.*?\*/", "", text)))
    assert {name for name in names if name != name.upper()} == {"user ID"}
    assert {"ALGORITHM", "HIT_AT_10"} < names
    board(package, quote_names=True, adapters=["duckdb", "snowflake"])
    text = sql(package, "snowflake")
    assert '"algorithm"' in text
    assert 'AS "hit_at_10"' in text
    assert "adapter.quote('algorithm')" in (package / "tests/one_has_each_row_once.sql").read_text()


def test_one_row_over_everything_is_tested_to_be_one(package: Path) -> None:
    board(package, by=[])
    text = (package / "tests/one_has_each_row_once.sql").read_text()
    assert text.splitlines()[1:] == [
        "select count(*) as n_rows", "from {{ ref('one') }}", "having count(*) > 1"
    ]  # fmt: skip


# What the files hold of Jinja: what is ours to say, and braces that are only braces.
JINJA = (
    r"\{\{ '+\{'+ \}\}",  # YAML doubles what quotes stand within quotes
    r"\{\{ (return|rankmetrics\.\w+|adapter\.quote|ref|recs|truth)\b[^{}]*\}\}",
    r"\{% macro \w+\([\w, ]*\) -%\}",
    r"\{%- endmacro %\}",
    r"\{# written by rankmetrics [^{}]*#\}",
)
FILES = ("macros/one.sql", "models/one.sql", "models/schema.yml", "tests/one_has_each_row_once.sql")


def test_a_column_of_any_name_is_measured_and_nothing_in_it_is_taken_for_jinja(package: Path) -> None:
    for name in ("{{ x }}", "{% if y %}", "{# z", 'a"b`]c', "%} }} #}", "it's", "{{{%"):
        board(package, lists=[name, "user"], adapters=["duckdb", "snowflake", "sqlserver"])
        for file in FILES:
            text = (package / file).read_text()
            for pattern in JINJA:
                text = re.sub(pattern, "", text)
            assert "{" not in text, (name, file)
        quoted = '"' + name.replace('"', '""') + '"'
        recs = f"(SELECT algorithm AS {quoted}, * EXCLUDE (algorithm) FROM '{RECS}' WHERE partition = 1)"
        table = by_hand(sql(package, "duckdb", recs=recs, truth=f"(FROM '{TRUTH}' WHERE partition = 1)"))
        assert table.columns == [name, "n_lists", "hit_at_10"]
        assert table.height == 3


def test_a_metric_of_ones_own_is_measured(package: Path) -> None:
    (package / "own.sql").write_text("-- twice: twice the hits\nSELECT 2.0 * n_hits AS twice_in_dbt FROM metrics")
    text = (package / "leaderboards.yml").read_text().replace("ndcg@10", "twice_in_dbt@10")
    boards(package, f"define: own.sql\n{text}")
    assert "twice_in_dbt_at_10" in (package / "models/schema.yml").read_text()
    (package / "own.sql").write_text(
        "-- priced: prices of hits\n-- empty: 0\nSELECT SUM(items.price) AS priced FROM hits JOIN items USING (item)"
    )
    text = text.replace("twice_in_dbt@10", "priced").replace("    truth:", "    items: ref('items')\n    truth:")
    boards(package, f"define: .\n{text}")
    items = "(SELECT UNNEST(range(1, 5000)) AS item, 2.0 AS price)"
    table = by_hand(sql(package, "duckdb", "accuracy", recs=f"'{RECS}'", truth=f"'{TRUTH}'", items=items))
    truth = rm.Input(TRUTH, lists=["user"], columns={"item": "item"})
    hits = rm.evaluate(RECS, truth, "n_hits", lists=["algorithm", "user"]).collect()
    assert dict(table.select("algorithm", "priced").rows()) == {name: 2 * n for name, *_, n in hits.rows()}


def test_the_leaderboards_of_the_documentation_are_written(package: Path) -> None:
    page, models = (ROOT / "docs/dbt.md").read_text(), set[str]()
    for text in re.findall(r"```yaml\n(leaderboards:.*?)```", page, re.DOTALL):
        boards(package, text)
        models |= {path.stem for path in (package / "models").glob("*.sql")}
    assert models == {"accuracy", "novelty_by_country", "daily", "lists"}
    assert f"- **Adapters**: {', '.join(sorted(ADAPTERS))}." in page.replace("\n  ", " ")


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


def test_a_table_is_named_as_dbt_names_it(package: Path) -> None:
    for written, relation in RELATIONS.items():
        board(package, recs=written)
        assert f"measure_one(recs={relation}, truth=" in (package / "models/one.sql").read_text()


# --- what is refused --------------------------------------------------------------------------------------------------

BAD = {
    "": r"must hold keys and values, as in `leaderboards: ...`: None is not",
    "[1, 2]": r"must hold keys and values",
    "leaderboards: {}": "has no leaderboards",
    "leaderbords: {}": "'leaderbords' that means nothing.*Did you mean 'leaderboards'",
    "leaderboards: [a]": r"leaderboards: \['a'\] is not a mapping",
    "leaderboards:\n  one: 3": "leaderboard 'one' must hold keys and values, as in `recs: ...`: 3 is not",
    "leaderboards:\n  a: {b: [}": "line 2 is not YAML: ",
    "leaderboards:\n\tone: 2": "line 2 is not YAML: found character",
    "a: !!python/object:os.system {}": "line 1 is not YAML: could not determine a constructor",
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
    GOOD.replace("ref('recs')", "ref(recs)"): r"recs: 'ref\(recs\)' is not a table: write ref\('recs'\), source",
    GOOD.replace("ref('recs')", "a.b.c.d"): "is not a table",
    GOOD.replace("ref('recs')", "recs; drop table x"): "is not a table",
    GOOD.replace("ref('recs')", "source('recs')"): "is not a table",
    GOOD.replace("ref('recs')", "ref('recs', w=1)"): "is not a table",
    GOOD.replace("ref('recs')", "ref('recs', v=none())"): "is not a table",
    GOOD.replace("ref('recs')", "var('recs')"): "is not a table",
    GOOD.replace("ref('recs')", "3"): "recs: 3 is not text",
    GOOD.replace("hit@10", "recall@5,10"): r"metrics: 10 is not text. YAML splits \[a@5,10\] at the comma",
    GOOD.replace("[algorithm, user]", "[algorithm, yes]"): "lists: True is not text",
    GOOD.replace("[algorithm, user]", "[]"): "lists",
    GOOD.replace("hit@10", ""): "leaderboard 'one': No metric was asked for",
    GOOD.replace("hit@10", "ndgc@10"): "leaderboard 'one': There is no metric 'ndgc'. Did you mean 'ndcg'",
    GOOD.replace("[hit@10]", "{a: ndgc@10}"): "leaderboard 'one': There is no metric 'ndgc'",
    GOOD.replace("[hit@10]", "{a: 'hit@1,2'}"): "leaderboard 'one': 'hit@1,2' is 2 metrics",
    GOOD.replace("[hit@10]", "{A-b: hit@10}"): "metrics: 'A-b' cannot name a column",
    GOOD.replace("[hit@10]", "{a: hit@10, b: hit@10}"): "leaderboard 'one' asks for one metric under two names",
    GOOD.replace("[hit@10]", "{algorithm: hit@10}"): "leaderboard 'one': .*two columns called 'algorithm'",
    GOOD.replace("hit@10", "rbp(p=0.5)@5, rbp(p=0_5)@5"): "rbp",
    GOOD + "    columns: {itme: sku}": "columns: 'itme' is not a role of a column.*Did you mean 'item'",
    GOOD + "    columns: {item: 3}": "columns: 3 is not text",
    GOOD + "    columns: sku": "columns: 'sku' is not a mapping",
    GOOD + "    per_list: sure": "per_list: 'sure' is neither true nor false",
    GOOD + "adapters: [duckbd]": "the adapter 'duckbd', for which there is no SQL.*Did you mean 'duckdb'",
    GOOD + "define: [own.sql]": "own.sql",
}  # fmt: skip


def test_what_cannot_be_understood_is_refused_before_anything_is_written(package: Path) -> None:
    before = contents(package)
    for text, words in BAD.items():
        (package / "leaderboards.yml").write_text(text)
        with pytest.raises(rm.RankMetricsError, match=words):
            dbt.write(package)
        assert contents(package) == {**before, "leaderboards.yml": text}
    (package / "leaderboards.yml").unlink()
    with pytest.raises(rm.InputError, match=r"There is no .*leaderboards\.yml"):
        dbt.write(package)
    (package / "leaderboards.yml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(rm.InputError, match=r"leaderboards.yml cannot be read"):
        dbt.write(package)
