"""The SQL that tests/golden holds: example queries, splits, comparisons, and small queries before and after rewrites.

Every example is written for DuckDB; `three_metrics` is written for the other dialects, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import sqlglot
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.dialects.base import DIALECTS, text
from rankmetrics.dialects.model import NamesOfJob, Rewrite
from rankmetrics.sqltree import tree
from tests.support import flat

# The query that is written for every dialect.
IN_EVERY_DIALECT = "three_metrics"

# The example queries: the purpose, the metrics, and the other options.
QUERIES: dict[str, tuple[str, list[str], dict[str, Any]]] = {
    "three_metrics": (
        "Three metrics of algorithms over users, ranked by a rank column: the plain case.",
        ["ndcg@10", "recall@5,10", "ap@10"],
        {"lists": ["algorithm", "user"], "truth_lists": ["user"]},
    ),
    "score_and_rating": (
        "Ranked by score, graded by rating, over a partition, one row per list.",
        ["ndcg(gain=exponential)@10", "precision(rel=4, divisor=list)", "err(stop=graded)@10"],
        {
            "lists": ["partition", "algorithm", "user"],
            "truth_lists": ["partition", "user"],
            "columns": rm.Columns(score="score"),
            "truth_columns": rm.Columns(item="item", rating="rating"),
            "per_list": True,
        },
    ),
    "keywords_as_columns": (
        "List columns called as parts of the query are, lists of the recommendations only.",
        ["hit@5", "auc"],
        {
            "lists": ["rank", "hits", "order"],
            "truth_lists": ["hits"],
            "columns": rm.Columns(item="item_id", score="score"),
            "truth_columns": rm.Columns(item="item_id"),
            "missing": "skip",
        },
    ),
    "history_and_systems": (
        "Metrics of lists and of systems side by side, from a history, items and a catalogue; deviation, interval.",
        ["surprisal@10", "gini@10"],
        {
            "lists": ["algorithm", "user"],
            "truth_lists": ["user"],
            "history": "db.history",
            "items": "db.items",
            "catalog": "db.catalog",
            "extra_columns": {"items": rm.Columns(category="genre")},
            "aggregates": ["mean", "std", "ci(0.95)"],
        },
    ),
    "several_conventions": (
        "One metric under three conventions, each over its own lists.",
        ["ndcg(convention=replay)@10", "ndcg(convention=elliot)@10", "ndcg(convention=lenskit)@10"],
        {
            "lists": ["algorithm", "user"],
            "truth_lists": ["user"],
            "truth_columns": rm.Columns(item="item", rating="rating"),
        },
    ),
    "many_cutoffs": (
        "Many cutoffs: the query has the same steps, however many there are.",
        ["ndcg@1..8", "recall@1..8", "ap@1..8", "rr@8", "hit@8", "f_beta@10"],
        {"lists": ["algorithm", "user"], "truth_lists": ["user"]},
    ),
    "orders_of_equal_scores": (
        "The mean over all orders of equal scores, and the best order.",
        ["hit@10", "ndcg@10", "rr(ties=best)@10"],
        {
            "lists": ["algorithm", "user"],
            "truth_lists": ["user"],
            "columns": rm.Columns(score="score"),
            "ties": "expected",
        },
    ),
    "baseline": (
        "What differs from another system's lists.",
        ["unexpectedness@10", "serendipity@10", "rbo@10"],
        {"lists": ["algorithm", "user"], "truth_lists": ["user"], "baseline": "db.baseline"},
    ),
}

# The truth of a query that reads no rating.
UNRATED = {"truth_columns": rm.Columns(item="item")}

# The examples of `rm.split`: the purpose, the method, and the parameters.
SPLITS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "users": (
        "Some items of some users, by seeded hashes, of interactions without repeats and without rare items.",
        "users",
        {"mode": "joined", "max_test_users": 1000, "seed": 7, "repeats": "last", "k_core": 5, "rounds": 1},
    ),
    "time_share": (
        "The latest tenth of the interactions, without the day before.",
        "time",
        {"test_fraction": 0.1, "gap": "1 day", "cold_users": "drop"},
    ),
    "sliding": (
        "Two windows of a week, each with all that came before.",
        "sliding",
        {"at": "2024-01-01", "width": "1 week", "windows": 2},
    ),
}

CLICKS = pl.LazyFrame(
    schema={"user_id": pl.String, "item_id": pl.Int64, "rating": pl.Float64, "timestamp": pl.Datetime("us")}
)

# The examples of comparisons: the purpose, the step, and the options.
COMPARISONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "moments": (
        "The sums of a paired t-test of all systems against a baseline, each day apart.",
        "moments",
        {"baseline": "ItemKNN", "by": "day"},
    ),
    "signed_ranks": ("The sums of the signed-rank test of all pairs of systems.", "signed_rank_sums", {}),
    "randomization": (
        "The replicates of the randomization test, whose signs are drawn for each user.",
        "randomized_sums",
        {"cluster": "user", "replicates": 240, "seed": 7},
    ),
}

VALUES = pl.LazyFrame(
    schema={
        "day": pl.Date,
        "algorithm": pl.String,
        "user": pl.Int64,
        "ndcg@10": pl.Float64,
        "precision(rel=4)@10": pl.Float64,
    }
)

# A small query, in DuckDB's SQL, for each rewrite; `item` is a column of text, and `score` of doubles. `nest_steps` has
# none: it changes queries of more than 60 steps.
REWRITES = {
    # numbers
    "add_zero_to_scores": "SELECT item FROM recs ORDER BY score, item",
    "bound_powers": "SELECT POWER(0.85, x), POWER(2, x), EXP(x)",
    "cast_divisions": "SELECT a / b, LN(a) / b",
    "cast_powers": "SELECT POWER(2, x)",
    "compare_extremes": "SELECT LEAST(a, b), GREATEST(10, a), LEAST(COALESCE(a, 0), 10)",
    "mark_double_divisions": "SELECT LN(a) / LN(b), c / d",
    "union_grouping_sets": (
        "WITH totals AS (SELECT a, COUNT(*) AS n FROM recs GROUP BY GROUPING SETS ((a), ())) SELECT a, n FROM totals"
    ),
    "name_powers": "SELECT POW(2, POW(x, 3))",
    "replace_infinity": "SELECT NULLIF(x, CAST('Infinity' AS DOUBLE))",
    "replace_nan_tests": "SELECT NULLIF(x, CAST('NaN' AS DOUBLE)), NULLIF(y, 0)",
    "round_to_single": "SELECT CAST(x AS REAL)",
    # aggregates
    "cast_counts": "SELECT COUNT(*), ROW_NUMBER() OVER (ORDER BY x), SUM(CASE WHEN c THEN 1 END)",
    "group_what_is_counted": (
        "SELECT a, COUNT(*) AS n, COUNT(DISTINCT x) AS m, COUNT(DISTINCT x) FILTER (c) AS k FROM t GROUP BY a"
    ),
    "partition_by_text": "SELECT SUM(y) OVER (PARTITION BY a, score)",
    "rename_deviation": "SELECT STDDEV_SAMP(x)",
    "replace_filters": "SELECT SUM(x) FILTER (c), COUNT(*) FILTER (c), COUNT(DISTINCT x) FILTER (c)",
    "use_exact_quantiles": "SELECT MEDIAN(x), QUANTILE_DISC(x, 0.5)",
    "write_percentile_disc": "SELECT QUANTILE_DISC(x, 0.5)",
    # clauses
    "add_settings": "SELECT 1",
    "broadcast_cross_joins": "SELECT 1 FROM lists CROSS JOIN cutoffs",
    "collate_text": "SELECT item, x FROM recs ORDER BY item, x",
    "drop_materialized": "WITH hits AS MATERIALIZED (SELECT 1 AS a) SELECT a FROM hits",
    "keep_joined_groups": "WITH sums AS (SELECT a, SUM(b) AS b FROM t GROUP BY a) SELECT b FROM t JOIN sums USING (a)",
    "replace_values": "SELECT k FROM (VALUES (1), (2)) AS cutoffs(k)",
    # names
    "fold_names": "SELECT userId, AVG(x) AS ndcg_at_10 FROM lists GROUP BY userId",
    "make_names_plain": 'SELECT userId, AVG(x) AS "ndcg@10" FROM lists GROUP BY userId',
    "name_qualified_columns": "SELECT lists.a, b FROM lists",
    "qualify_columns_named_as_tables": "SELECT hits, x FROM hits",
    "qualify_window_columns": "SELECT SUM(y) OVER (ORDER BY rank) FROM recs",
    "shorten_names": f'SELECT x AS "precision(divisor=list, rel={"9" * 120})@10"',
    # texts
    "join_texts_of_array": "SELECT CONCAT_WS(':', a, b)",
    "write_hex_digest": "SELECT MD5(MD5(a))",
}


def files_of_sql(folder: Path) -> dict[Path, Callable[[], str]]:
    """The files of the folder, and the function that returns the contents of each."""
    return {
        **{folder / f"{name}.duckdb.sql": partial(query, name, "duckdb") for name in QUERIES},
        **{folder / f"{IN_EVERY_DIALECT}.{name}.sql": partial(query, IN_EVERY_DIALECT, name) for name in DIALECTS},
        **{folder / "splits" / f"{name}.duckdb.sql": partial(_split, name) for name in SPLITS},
        **{folder / "comparisons" / f"{name}.duckdb.sql": partial(_comparison, name) for name in COMPARISONS},
        **{folder / "rewrites" / f"{name}.sql": partial(_rewrite, name) for name in REWRITES},
    }


def query(name: str, dialect: str) -> str:
    """The text of an example query in a dialect."""
    purpose, metrics, options = QUERIES[name]
    sql = flat.to_sql("db.recs", "db.truth", metrics, dialect=dialect, **{**UNRATED, **options})
    return f"-- {purpose}\n-- {', '.join(metrics)}\n{sql}\n"


def _split(name: str) -> str:
    purpose, method, parameters = SPLITS[name]
    return f"-- {purpose}\n{rm.split(CLICKS, method, **parameters).to_sql('duckdb', interactions='db.clicks')}\n"


def _comparison(name: str) -> str:
    purpose, step, options = COMPARISONS[name]
    comparison = rm.compare_files(VALUES, VALUES, system="algorithm", **options)
    return f"-- {purpose}\n{comparison.to_sql('duckdb', step=step, per_list='db.per_list')}\n"


def _rewrite(name: str) -> str:
    """A rewrite, before and after: the query, and the text of every dialect that has this rewrite."""
    dialects_of_text: dict[str, list[str]] = {}
    for dialect, sql in rewritten(name):
        dialects_of_text.setdefault(sql, []).append(dialect)
    texts = [f"-- {', '.join(dialects)}\n{sql};\n" for sql, dialects in dialects_of_text.items()]
    return "\n".join([f"-- {name}\n{REWRITES[name]};\n", *texts])


def rewritten(name: str) -> Iterator[tuple[str, str]]:
    """The dialects that have a rewrite, each with the text of the rewrite's query."""
    for dialect, value in DIALECTS.items():
        rewrites = {function_of(rewrite).__name__: rewrite for rewrite in value.all_rewrites(NamesOfJob())}
        if name in rewrites:
            small = sqlglot.parse_one(REWRITES[name], read="duckdb")
            for column in tree.find(small, exp.Column):
                types = {"item": exp.DType.TEXT, "score": exp.DType.DOUBLE}
                column.type = exp.DataType(this=types[column.name]) if column.name in types else None
            is_of_names = name in ("fold_names", "make_names_plain", "shorten_names")  # of texts for jobs alone
            sql = text(small, dialect, job=NamesOfJob() if is_of_names else None)
            yield dialect, sql if name == "add_settings" else sql.partition("\nSETTINGS")[0]


def function_of(rewrite: Rewrite) -> Rewrite:
    return rewrite.func if isinstance(rewrite, partial) else rewrite
