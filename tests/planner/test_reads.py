"""How often a text reads each table, where a database computes a step anew for each of its readers."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from sqlglot import exp, parse_one

import rankmetrics as rm
from rankmetrics.dialects import base as dialects

SIX = ["recall@5,10,20", "ndcg@10", "ap@10", "rr", "precision@10", "hit@10"]


def reads(sql: str, dialect: str) -> Counter[str]:
    """The number of times that `recs` and `truth` are read, with every CTE written out where it is read.

    >>> reads("WITH a AS (SELECT * FROM recs) SELECT * FROM a JOIN a AS b ON true", "duckdb")
    Counter({'recs': 2})
    """
    query = parse_one(sql, dialect=dialects.grammar(dialect))
    steps = {step.alias: step.this for step in query.find_all(exp.CTE)}

    @cache
    def of_step(name: str | None) -> Counter[str]:
        total: Counter[str] = Counter()
        for table in (query if name is None else steps[name]).find_all(exp.Table):
            is_read = isinstance(table.parent, (exp.From, exp.Join))  # and not named in a hint
            if is_read and (name is not None or not table.find_ancestor(exp.CTE)):
                total += of_step(table.name) if table.name in steps else Counter({table.name.lower(): 1})
        return total

    return Counter({name: n for name, n in of_step(None).items() if name in ("recs", "truth")})


@pytest.mark.parametrize("column", ["rank", "score"])
@pytest.mark.parametrize("dialect", sorted(dialects.DIALECTS))
def test_each_table_is_read_twice_with_every_step_inlined(dialect: str, column: str) -> None:
    for metrics in (["ndcg@10"], SIX):
        sql = rm.to_sql(
            *("recs", "truth", metrics),
            lists=["algorithm", "user"],
            truth_lists=["user"],
            columns=rm.Columns(item="item", **{column: column}),
            truth_columns=rm.Columns(item="item", rating="rating"),
            dialect=dialect,
        )
        assert reads(sql, dialect) == Counter(recs=2, truth=2), metrics
