"""What defines no metric is refused, and leaves no metric behind."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankmetrics as rm
from tests.support.refusals import refusal


@pytest.mark.parametrize(
    ("definition", "parts"),
    [
        ("SELECT COUNT(*) AS mine FROM hits; SELECT COUNT(*) AS yours FROM hits", ("one SELECT and nothing else",)),
        ("DROP TABLE hits", ("one SELECT and nothing else",)),
        ("", ("one SELECT and nothing else",)),
        ("SELECT COUNT(*) FROM hits", ("one expression with a name", "AS name")),
        ("SELECT COUNT(*) AS mine, 1 AS yours FROM hits", ("one SELECT of one expression",)),
        ('SELECT COUNT(*) AS "my metric" FROM hits', ("letters, digits and underscores", "'my metric' is not")),
        ("SELECT COUNT(*) AS ndcg FROM hits", ("'ndcg' is a metric of rankmetrics already", "another name")),
        ("SELECT COUNT(*) AS MRR FROM hits", ("'MRR' is a metric of rankmetrics already", "another name")),
        ("SELECT COUNT(*) AS hit_Rate FROM hits", ("'hit_Rate' is a metric of rankmetrics already", "another name")),
        ("SELECT COUNT(*) AS first_hit FROM hits", ("'first_hit' is a metric of rankmetrics already",)),
        ("SELECT SUM(rnk) AS mine FROM hits", ("'mine' reads 'rnk'", "stage 'hits'", "Did you mean 'rank'?")),
        ("SELECT n_hit / 2 AS mine FROM metrics", ("'mine' reads 'n_hit'", "not in metrics", "Did you mean 'n_hits'")),
        ("SELECT COUNT(*) AS mine FROM hist", ("'mine' reads 'hist'", "neither metrics nor a stage", "'hits'")),
        ("SELECT COUNT(*) * $half AS mine FROM hits", ("'mine' reads $half",)),
        ("SELECT COUNT(*) AS mine FROM hits GROUP BY rank", ("'mine'", "FROM one stage or metrics", "WHERE")),
        ("SELECT COUNT(*) AS mine FROM hits ORDER BY 1", ("'mine'", "FROM one stage or metrics", "WHERE")),
        ("SELECT COUNT(*) AS mine FROM hits JOIN judged USING (item)", ("'mine'", "FROM one stage or metrics")),
        ("SELECT 1 AS mine", ("'mine'", "FROM one stage or metrics")),
        ("nowhere/mine.sql", ("'nowhere/mine.sql' cannot be read", "No such file")),
        (Path("nowhere/mine.sql"), ("'nowhere/mine.sql' cannot be read", "No such file")),
    ],
)
def test_what_defines_no_metric_is_refused(definition: str | Path, parts: tuple[str, ...]) -> None:
    with refusal(rm.MetricError, *parts):
        rm.define(definition)


def test_a_refused_definition_leaves_no_metric_behind() -> None:
    with refusal(rm.MetricError):
        rm.define("SELECT COUNT(*) * $half AS left_behind FROM hits")
    with refusal(rm.MetricError, "no metric 'left_behind'"):
        rm.parse("left_behind")
