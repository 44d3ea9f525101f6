"""The text for ClickHouse runs over Distributed tables, on a cluster of two shards that are chDB itself.

Both shards read the same local tables, so a Distributed table has each of their rows twice.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.support import flat

pytest.importorskip("chdb")

CLUSTER = """<clickhouse><tcp_port>9000</tcp_port><remote_servers><two>
<shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard>
<shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard>
</two></remote_servers></clickhouse>"""

# chDB takes its clusters from a file, and one file in a process.
JOB = """
import json, sys
import chdb
config, rows, queries = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
connection = chdb.connect(f":memory:?config-file={config}")
for database in ("here", "db"):
    connection.query(f"CREATE DATABASE {database}")
for name, table in rows.items():
    columns = ", ".join(f"{column} {'String' if column == 'algorithm' else 'Int64'}" for column in table[0])
    connection.query(f"CREATE TABLE here.{name} ({columns}) ENGINE=MergeTree ORDER BY tuple()")
    values = ", ".join("(" + ", ".join(map(repr, row.values())) + ")" for row in table)
    connection.query(f"INSERT INTO here.{name} VALUES {values}")
    connection.query(f"CREATE TABLE db.{name} ({columns}) ENGINE=Distributed('two', 'here', {name})")
answers = []
for query in queries:
    try:
        answers.append([json.loads(line) for line in str(connection.query(query, "JSONEachRow")).splitlines() if line])
    except Exception as error:
        answers.append(str(error))
print(json.dumps(answers))
"""

RECS = [
    {"algorithm": algorithm, "user": user, "item": item, "rank": rank}
    for algorithm, items in {"als": (1, 2, 3), "knn": (3, 4, 1)}.items()
    for user in (1, 2, 3)
    for rank, item in enumerate(items, start=1)
]
TRUTH = [{"user": user, "item": item} for user, item in [(1, 1), (1, 4), (2, 3), (4, 1)]]
METRICS = [
    ["ndcg@3", "recall@2"],
    ["ndcg(missing=skip)@3", "ap(missing=skip)@3"],
    ["coverage@2", "hit(missing=skip)@1"],
]


def test_distributed_tables_give_the_numbers_of_local_ones_only_under_our_setting(tmp_path: Path) -> None:
    (tmp_path / "config.xml").write_text(CLUSTER)
    options: dict[str, Any] = {"lists": ["algorithm", "user"], "truth_lists": ["user"], "dialect": "clickhouse"}
    options |= {"catalog": "db.catalog", "truth_columns": rm.Columns(item="item")}
    texts = [flat.to_sql("db.recs", "db.truth", metrics, **options) for metrics in METRICS]
    texts += [
        text.replace("distributed_product_mode = 'global'", "distributed_product_mode = 'deny'") for text in texts
    ]
    rows: dict[str, Any] = {"recs": RECS, "truth": TRUTH, "catalog": [{"item": item} for item in range(1, 6)]}
    command = [sys.executable, "-c", JOB, str(tmp_path / "config.xml"), json.dumps(rows), json.dumps(texts)]
    process = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent, check=True)
    answers: list[Any] = json.loads(process.stdout)
    recs, truth, catalog = map(pl.DataFrame, rows.values())
    for metrics, answer in zip(METRICS, answers[: len(METRICS)], strict=True):
        result = rm.evaluate(pl.concat([recs, recs]), pl.concat([truth, truth]), metrics, catalog=catalog)
        expected = result.summary().collect().sort("algorithm").rows()
        assert [(system, *map(float, numbers)) for system, *numbers in (row.values() for row in answer)] == [
            pytest.approx(row) for row in expected
        ], metrics
    refusals = [answer for answer in answers[len(METRICS) :] if isinstance(answer, str)]
    assert refusals
    assert all("Double-distributed IN/JOIN subqueries is denied" in refusal for refusal in refusals)
