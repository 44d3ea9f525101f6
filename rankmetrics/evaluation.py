"""The front door: evaluate two inputs, or print the query for two tables of a warehouse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rankmetrics.catalog import catalog
from rankmetrics.columns import Columns, ColumnType, Layout, Ties, layout
from rankmetrics.definition import read, read_file
from rankmetrics.errors import ColumnError, MetricError, names
from rankmetrics.metric import Metric
from rankmetrics.metric import metrics as read_metrics

if TYPE_CHECKING:
    import polars as pl

    from rankmetrics.result import Result

Asked = str | Metric | Iterable[str | Metric | Iterable[Metric]]
Missing = Literal["zero", "skip"]
Duplicates = Literal["count", "error"]


def evaluate(
    recs: object,
    truth: object,
    metrics: Asked,
    *,
    by: str | Sequence[str] | None = None,
    lists: str | Sequence[str] | None = None,
    truth_lists: str | Sequence[str] | None = None,
    columns: Columns | None = None,
    truth_columns: Columns | None = None,
    missing: Missing = "zero",
    ties: Ties | None = None,
    duplicates: Duplicates = "count",
    connection: object | None = None,
) -> Result:
    """Measure recommendations against the truth. Nothing is computed yet; what schemas tell is refused here.

    Args:
        recs: recommendations, one row each: the columns that identify a list, an item, and a rank or a score. A Polars
            frame, a DuckDB relation, a path, a list of paths or a glob, the name of a table with `connection`, a pandas
            or Arrow table or dataset, or anything that exports an Arrow stream.
        truth: what was relevant, one row per item: some of the list columns, an item and, where graded, a rating. Any
            of the kinds above, whatever the recommendations are.
        metrics: such as `["ndcg@10", "recall@5,10,20", "precision(rel=4)@10"]`; rm.list_metrics() has them all.
        by: list columns that the summary keeps; by default those that the truth has not, `[]` for one row.
        lists: columns that identify a list; by default all of the recommendations but item, rank, score and rating.
        truth_lists: list columns that the truth shares; by default those that it has.
        columns: names of item, rank, score and rating, where they are not the usual ones.
        truth_columns: the same for the truth, where its names differ.
        missing: `zero` scores 0 for a list of the truth that has no recommendations, wherever a metric is defined, for
            every system; `skip` leaves it out.
        ties: what stands first among equal scores: `item` (the lower item, the default), `item_desc`, or `input` (the
            order of the rows, where rows have one). A rank column stands as it is.
        duplicates: `count` credits a repeated item once and counts it in the account; `error` refuses.
        connection: a DuckDB connection, for names of tables.

    Returns:
        A Result: summary(), per_list() and account() are lazy, in the kind of `recs`; collect(), write() and printing
        compute and check.

    Raises:
        MetricError: a metric or parameter is unknown, or a cutoff is not a whole number from 1.
        ColumnError: a column is missing, ambiguous, or of a type that cannot match or be measured.
        InputError: an input is empty, cannot be read, or is of no known kind.

    Example:
        >>> import polars as pl
        >>> recs = pl.LazyFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "score": [0.9, 0.5, 0.8, 0.1]})
        >>> truth = pl.LazyFrame({"user": [1, 2], "item": [8, 7]})
        >>> evaluate(recs, truth, ["rr", "hit@1"]).summary().collect().to_dicts()
        [{'n_lists': 2, 'rr': 0.75, 'hit@1': 0.5}]
    """
    from rankmetrics.engines.base import engine_for
    from rankmetrics.result import Result

    _one_of("missing", missing, ("zero", "skip"))
    _one_of("duplicates", duplicates, ("count", "error"))
    _one_of("ties", ties, ("item", "item_desc", "input", None))
    asked = read_metrics(metrics)
    engine = engine_for(recs, connection)(recs, truth, connection, number_rows=ties == "input")
    found = layout(
        engine.recs.schema,
        engine.truth.schema,
        columns=columns,
        truth_columns=truth_columns,
        lists=_several("lists", lists),
        truth_lists=_several("truth_lists", truth_lists),
        by=_several("by", by),
        ties=ties,
    )
    return Result(engine, asked, found, missing, duplicates)


def to_sql(
    recs: str,
    truth: str,
    metrics: Asked,
    *,
    lists: str | Sequence[str],
    dialect: str,
    truth_lists: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    columns: Columns | None = None,
    truth_columns: Columns | None = None,
    missing: Missing = "zero",
    ties: Ties | None = None,
    per_list: bool = False,
) -> str:
    """The one query for two tables of a warehouse, as text; nothing is connected to, so nothing is looked up.

    Args:
        recs: name of the table of recommendations, as in `db.recs`.
        truth: name of the table of the truth.
        metrics: as in evaluate.
        lists: the columns that identify a list.
        dialect: duckdb, polars, postgres, snowflake, bigquery or spark.
        truth_lists: those of them that the truth has; by default all.
        columns: item, rank, score and rating. What is not named is taken to be `item` and `rank` (or, where a score is
            named, no rank); the truth has a rating only if one is named.
        truth_columns: the same for the truth, where its names differ.
        by: as in evaluate.
        missing: as in evaluate.
        ties: as in evaluate; the rows of a warehouse have no order.
        per_list: the query for one row per list instead of the summary.

    Raises:
        MetricError: a metric or parameter is unknown.
        ColumnError: the columns contradict each other, or a metric needs a rating and none is named.
        DialectError: the dialect is unknown, or cannot say what the query says.

    Example:
        >>> text = to_sql("db.recs", "db.truth", "hit@10", lists=["algorithm", "user"], truth_lists=["user"],
        ...     dialect="snowflake")
        >>> 'FROM "db"."recs"' in text
        True
    """
    from rankmetrics import dialect as dialects
    from rankmetrics.plan import Plan

    _one_of("missing", missing, ("zero", "skip"))
    _one_of("ties", ties, ("item", "item_desc", None))
    found = _assumed(
        lists, lists if truth_lists is None else truth_lists, columns or Columns(), truth_columns, by, ties
    )
    tables = {"recs": dialects.table(recs, dialect), "truth": dialects.table(truth, dialect)}
    plan = Plan(read_metrics(metrics), found, tables, missing)
    return dialects.text(plan.per_list() if per_list else plan.summary(), dialect)


def _assumed(
    lists: Sequence[str],
    truth_lists: Sequence[str],
    columns: Columns,
    truth_columns: Columns | None,
    by: Sequence[str] | None,
    ties: Ties | None,
) -> Layout:
    """The layout of tables that nobody has looked at: the columns that were named, under types that fit."""
    item = columns.item or "item"
    rank = columns.rank or (None if columns.score else "rank")
    in_truth = truth_columns or Columns(item=item, rating=columns.rating)
    whole, real = ColumnType("integer", ""), ColumnType("float", "")
    recs: dict[str, ColumnType] = {**dict.fromkeys(lists, whole), item: whole}
    recs.update({one: real for one in (rank, columns.score) if one})
    truth: dict[str, ColumnType] = {**dict.fromkeys(truth_lists, whole), in_truth.item or item: whole}
    truth.update({one: real for one in (in_truth.rating,) if one})
    return layout(
        recs,
        truth,
        columns=Columns(item=item, rank=rank, score=columns.score),
        truth_columns=Columns(item=in_truth.item or item, rating=in_truth.rating),
        lists=lists,
        truth_lists=truth_lists,
        by=by,
        ties=ties,
    )


def define(definition: str | Path) -> Metric:
    """Take in a metric of one's own: one SQL expression over what a stage holds, or over other metrics.

    Args:
        definition: `SELECT expression AS name FROM metrics`, or FROM a stage such as `hits`, with `WHERE rank <= $k`
            for a cutoff; or the path of a file that holds it. A comment above is its documentation.

    Returns:
        The metric; from now on its name can be used in evaluate, too.

    Raises:
        MetricError: it is not one SELECT of one named expression, reads what is not there, or its name is taken.

    Example:
        >>> hits_in_100 = define("SELECT n_hits / 100.0 AS hits_in_100 FROM metrics")
        >>> hits_in_100 @ 10
        hits_in_100@10
    """
    text = str(definition)
    is_file = isinstance(definition, Path) or text.strip().lower().endswith(".sql")
    return Metric(catalog().define(read_file(Path(text)) if is_file else read(text, "The definition")).name)


def list_metrics() -> pl.DataFrame:
    """The catalogue: metric, aliases, parameters with their defaults, summary, undefined, range, source.

    Example:
        >>> list_metrics().filter(metric="rr")["aliases"].to_list()
        [['MRR', 'mrr', 'reciprocal_rank', 'recip_rank']]
    """
    import polars as pl

    rows = [
        {
            "metric": one.name,
            "aliases": list(one.aliases),
            "parameters": [f"{name}={parameter.default}" for name, parameter in catalog().parameters(one.name).items()],
            "summary": one.summary,
            **{field: one.fields.get(field) for field in ("undefined", "range", "source")},
        }
        for one in catalog().metrics()
    ]
    return pl.DataFrame(rows)


def _several(name: str, columns: str | Sequence[str] | None) -> list[str] | None:
    """Names of columns, one of which may have come alone."""
    if columns is None:
        return None
    found = [columns] if isinstance(columns, str) else list(columns) if isinstance(columns, Iterable) else None
    if found is None or not all(isinstance(one, str) for one in found):
        raise ColumnError(f"{name} must be names of columns: {columns!r} is not.")
    return found


def _one_of(name: str, value: object, known: Sequence[object]) -> None:
    if value not in known:
        raise MetricError(f"{name} must be one of {names(one for one in known if one)}: {value!r} is not.")
