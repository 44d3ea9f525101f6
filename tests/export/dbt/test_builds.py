"""dbt itself builds the numbers that `evaluate` returns, where it is installed.

dbt pins what we do not, so it lives in an environment of its own: .venv-dbt, or wherever RANKMETRICS_DBT says that the
command is.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pytest

import rankmetrics as rm
from rankmetrics.export.dbt import package as dbt
from tests.support.dbt_packages import DATA, HISTORY, RECS, SPINE, TRUTH, dbt_command, model, run_dbt, same, sql

pytestmark = pytest.mark.long


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
    "models/means.sql": """
select algorithm, avg(ndcg_at_10) as ndcg
from ({{ rankmetrics.measure_lists(ref('recs'), ref('truth')) }}) as lists
group by algorithm
""",
    "models/composed.sql": """
select lists.algorithm, count(*) as n_lists,
  {{ rankmetrics.ndcg(10) }} as ndcg, {{ rankmetrics.recall(k=5) }} as recall,
  {{ rankmetrics.ndcg(10, 'lists', gain='exponential') }} as gains, {{ rankmetrics.rr() }} as rr
from ({{ rankmetrics.measure_lists(ref('recs'), ref('truth')) }}) as lists
group by lists.algorithm
""",
    "models/spine.sql": "select date '2024-01-01' as day",
    "models/spine.yml": SPINE,
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
  lists:
    <<: *all
    metrics: ["ndcg@10", "recall@5,10", rr, "ndcg(gain=exponential)@10"]
    per_list: true
    config: {enabled: false}
  each_list: {<<: *all, per_list: true, partition: partition, semantic_model: true}
  tables: {<<: *all, recs: raw.recs, truth: raw.truth, missing: skip}
  odd: {<<: *all, recs: "ref('shop', 'odd_recs')", lists: [partition, "{{ x }}", user]}
  beyond:
    <<: *all
    history: source('ml', 'history')
    items: source('ml', 'items')
    extra_columns: {items: {category: category}}
    metrics: [surprisal@10, unseen@10, coverage@10, gini@10, miscalibration@10]
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A project that dbt has built, and what dbt said."""
    dbt_command()
    folder = tmp_path_factory.mktemp("shop")
    for name, text in {**PROJECT, "models/written.sql": WRITTEN}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.replace("@data", str(DATA)))
    dbt.init(folder / "rankmetrics")
    (folder / "rankmetrics/leaderboards.yml").write_text(BOARDS)
    dbt.write(folder / "rankmetrics")
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute("CREATE SCHEMA raw")
        for name in ("recs", "truth"):
            connection.execute(f"CREATE TABLE raw.{name} AS FROM '{DATA / name}.parquet'")
    said = "".join(run_dbt(folder, command) for command in ("deps", "build"))
    return folder, said


METRICS = ["ndcg@10", "recall@5,10", "rr"]
VALUES = ["ndcg_at_10", "recall_at_5", "recall_at_10", "rr"]
WRITTEN = rm.to_sql(
    rm.Input("{{ ref('recs') }}", columns={"score": "score"}),
    rm.Input("{{ ref('truth') }}", lists=["partition", "user"], columns={"item": "item", "rating": "rating"}),
    METRICS,
    lists=["partition", "algorithm", "user"],
    dialect="duckdb",
)


def test_dbt_builds_and_tests_every_leaderboard(built: tuple[Path, str]) -> None:
    (done,) = re.findall(r"Done\. (.*)", built[1])
    assert re.fullmatch(r"PASS=\d+ WARN=0 ERROR=0 SKIP=0.*", done)
    assert len(re.findall("PASS .*_has_each_row_once", built[1])) == 7
    assert len(re.findall("PASS .*_has_sound_data", built[1])) == 8
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
    same(model(built, "each_list"), rm.evaluate(RECS, TRUTH, METRICS), ids, per_list=True)


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


def test_a_model_of_the_project_reads_a_leaderboard_or_calls_its_macro(built: tuple[Path, str]) -> None:
    assert model(built, "best").rows() == [("matrix-factorisation",)]
    means = dict(rm.evaluate(RECS, TRUTH, METRICS).collect().select("algorithm", "ndcg@10").rows())
    assert dict(model(built, "means").rows()) == pytest.approx(means, abs=1e-12)


def test_the_macro_of_a_metric_is_its_mean_in_a_model_of_the_project(built: tuple[Path, str]) -> None:
    expected = rm.evaluate(RECS, TRUTH, ["ndcg@10", "recall@5", "ndcg(gain=exponential)@10", "rr"])
    same(model(built, "composed"), expected, ["algorithm"])
    for call in ("ndcg(20)", "ndcg(10, gain='linear')", "rr(10)"):
        with pytest.raises(AssertionError, match="is in no leaderboard with per_list: true"):
            run_dbt(built[0], "compile", "--inline", f"select {{{{ rankmetrics.{call} }}}}")


def test_dbt_fills_in_the_references_of_a_text_of_to_sql(built: tuple[Path, str]) -> None:
    assert "{{ ref('recs') }}" in (built[0] / "models/written.sql").read_text()
    same(model(built, "written"), rm.evaluate(RECS, TRUTH, METRICS), ["algorithm"])


def test_dbt_reads_a_semantic_model_of_the_values_per_list(built: tuple[Path, str]) -> None:
    manifest = json.loads((built[0] / "target/semantic_manifest.json").read_text())
    (semantic,) = manifest["semantic_models"]
    assert [(each["name"], each["expr"], each["type"]) for each in semantic["dimensions"]] == [
        ("partition", '"partition"', "time"),
        ("algorithm", '"algorithm"', "categorical"),
        ("user", '"user"', "categorical"),
    ]
    assert [each["name"] for each in manifest["metrics"]] == [f"each_list_{name}" for name in VALUES]
    assert semantic["measures"][0]["agg"] == "average"
