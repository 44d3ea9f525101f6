"""Forms, partitions and values that do not go together are refused in words."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import polars as pl

import rankmetrics as rm
from tests.support.partitions import DAYS, RECS, asked, evaluated
from tests.support.refusals import refusal

PARTITION = {"where": {"partition": 1}}


# Options of a statement, and the error that they raise.
STATEMENTS: list[tuple[dict[str, Any], type[rm.RankMetricsError], str]] = [
    ({"form": "veiw"}, rm.InputError, "Did you mean 'view'?"),
    ({"form": None}, rm.InputError, "no form None"),
    ({"name": "lb"}, rm.InputError, 'form="query" makes nothing that name="..." could name'),
    ({"form": "view"}, rm.InputError, 'form="view" makes a view, which needs a name: name="db.leaderboard"'),
    ({"form": "table", "name": ""}, rm.InputError, "needs a name"),
    ({"form": "incremental", **PARTITION}, rm.InputError, "makes an INSERT, which needs a name"),
    ({"form": "incremental", "name": "lb"}, rm.InputError, 'say which, where={"partition": "2024-01-01"}'),
    ({"form": "incremental", "name": "lb", "where": {}}, rm.InputError, "say which"),
    ({"form": "incremental", "name": "lb", "where": 5}, rm.InputError, "5, which is neither a mapping nor a text"),
    ({**PARTITION}, rm.InputError, 'form="incremental" adds: form="query" takes none'),
    ({"form": "view", "name": "lb", **PARTITION}, rm.InputError, 'form="view" takes none'),
    ({"form": "view", "name": "f(x)"}, rm.DialectError, "cannot be the name of a table in duckdb"),
    ({"form": "cte", "name": "db.lb"}, rm.InputError, "whose name is one plain word: 'db.lb' is not"),
    ({"form": "view", "name": "Recs"}, rm.InputError, "'Recs' is the table of the recommendations"),
    ({"form": "table", "name": "truth"}, rm.InputError, "'truth' is the table of the truth: give what is made"),
    ({"form": "incremental", "name": "history", **PARTITION}, rm.InputError, "the table of the history"),
    ({"form": "cte", "name": "recs"}, rm.InputError, "the table of the recommendations"),
    ({"form": "macro", "per_list": True, "metrics": ["coverage@5"]}, rm.MetricError, "nothing per list"),
]

# A partition, other options, and the error.
PARTITIONS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"partitoin": 1}, {}, "identified by 'partition', 'day', 'algorithm' and 'user'. Did you mean 'partition'?"),
    ({"item": 10}, {}, "by 'item': lists are identified by 'partition', 'day', 'algorithm' and 'user'. If the rec"),
    ({"user": 1}, {}, "would not say which 'user' they are of: keep it with by=[...]."),
    ({"partition": 1}, {"by": ["algorithm"]}, "would not say which 'partition'"),
    ({"partition": 1, "day": DAYS[0]}, {"by": ["partition"]}, "would not say which 'day'"),
]

# A partition with a value that does not fit the type of its column, and the error.
VALUES: list[tuple[dict[str, Any], str]] = [
    ({"partition": "one"}, "'one' is not a value for the list column 'partition', which is integer"),
    ({"partition": "1.5"}, "which is integer"),
    ({"partition": 1.0}, "which is integer"),
    ({"partition": True}, "True is not a value"),
    ({"partition": None}, "None is not a value"),
    ({"partition": DAYS[0]}, "which is integer"),
    ({"day": "yesterday"}, "'yesterday' is not a value for the list column 'day', which is date"),
    ({"day": "2024-02-30"}, "which is date"),
    ({"day": 20240101}, "which is date"),
    ({"day": datetime(2024, 1, 1, 12)}, "a partition is a whole number, a text or a date"),
    ({"algorithm": 0.5}, "which is string"),
    ({"algorithm": ["a", 0.5]}, "0.5 is not a value for the list column 'algorithm', which is string"),
]


def test_what_does_not_go_together_is_refused_in_words() -> None:
    for options, error, words in STATEMENTS:
        with refusal(error, words, case=options):
            asked(**{"name": None, "where": None, **options})


def test_a_partition_that_the_result_would_not_tell_is_refused() -> None:
    for where, options, words in PARTITIONS:
        with refusal(rm.ColumnError, words, case=where):
            asked(form="incremental", where=where, **options)
        with refusal(rm.ColumnError, words, case=where):
            evaluated(**options).to_sql("postgres", form="incremental", name="lb", where=where)


def test_a_value_that_does_not_fit_its_column_is_refused() -> None:
    result = evaluated()
    for where, words in VALUES:
        with refusal(rm.ColumnError, words, case=where):
            result.to_sql("duckdb", form="incremental", name="lb", where=where)
    with refusal(rm.ColumnError, "1.5 is not a value for the list column 'partition': a partition is"):
        asked(form="incremental", where={"partition": 1.5})  # its type is unknown
    recs = RECS.with_columns(algorithm=pl.col("algorithm") == "a")
    with refusal(rm.ColumnError, "which is boolean"):
        evaluated(recs).to_sql("duckdb", form="incremental", name="lb", where={"algorithm": "true"})
