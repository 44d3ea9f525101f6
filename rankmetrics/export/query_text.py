"""The query for tables of a warehouse, as text, without a connection: the user names the columns."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.errors import DialectError, Option, RankMetricsWarning, choices_for
from rankmetrics.estimates import with_estimates
from rankmetrics.export.statements import Statement
from rankmetrics.inputs.columns import BY_LIST, Columns, ColumnType, Family, Layout
from rankmetrics.inputs.input import flat_options
from rankmetrics.inputs.layout import layout, rest_of_lists, shared_columns
from rankmetrics.inputs.roles import OF_TRUTH, USUAL
from rankmetrics.inputs.sources import NO_EMBEDDINGS
from rankmetrics.messages import refused, said
from rankmetrics.metrics.catalog import catalog
from rankmetrics.options import arguments_of, with_options
from rankmetrics.queries import no_order
from rankmetrics.request import Request
from rankmetrics.sqltree import tree


@with_options(Request, "to_sql", "str")
def to_sql(*arguments: Any, **options: Any) -> str:  # noqa: D417  # with_options says how they are called
    """The query for tables of a warehouse, as text; rankmetrics does not connect, so you name the columns.

    Args:
        recs: name of the table of recommendations, as in `db.recs`; or, as for each table below, an `rm.Input` of the
            name, with its columns. By default, item and rank are called `item` and `rank`; if you name a score or a
            distance, there is no rank.
        truth: name of the table of the truth; none if no metric reads it, as for coverage. It has all list columns, or
            those of `rm.Input("db.truth", lists=["user"])`. It has a rating only if you name its column: otherwise
            every row of the truth counts as relevant, as a warning and the first line of the text say. If you give its
            columns without a rating, there is no warning.
        label: as in evaluate: the label column of `recs`, a table of all items that were shown. There is no truth then.
            The labels are numbers: cast a boolean in a view.
        lists: the columns that identify a list.
        dialect: the dialect of the text, such as snowflake, bigquery or postgres. The error for an unknown dialect
            lists all of them.
        history: name of the table of histories. By default, the columns of this table and those below are called as
            their roles are; history, baseline and log have the list columns of the truth, items and catalogue none.
        baseline: name of the table of recommendations to compare with; or a system of `recs`, by the columns that name
            it: `{"algorithm": "item-knn"}`.
        items: name of the table of items, one row per item and category.
        similarity: name of the table of similarities.
        catalog: name of the table of items that could be recommended.
        candidates: name of the table of items that each list is ranked among.
        log: name of the table of what was shown, with rewards and propensities.
        systems: as in evaluate; a text is the name of a table of systems.
        ties: as in evaluate; the rows of a warehouse have no order.
        text: the columns that hold text. PostgreSQL, MySQL and SQL Server compare and order texts by their bytes only
            if the query says so.
        dates: the columns that hold dates, for the types of `ddl` and the values of `where`. All other list columns
            count as whole numbers.
        per_list: the query for one row per list instead of the summary.
        form: the statement around the query. `query`: none. `view` and `table`: a statement that makes it, or puts it
            in place of an old one. `cte`: the steps alone, to paste above a SELECT of your own. `incremental`: the
            statements that write the rows of a partition, and may run again: they replace the rows of an earlier run.
            `ddl`: CREATE TABLE of the empty table that an `incremental` fills, with types and comments. `script`: as
            `table`, with a table of its own for each step that several steps read, for a database that would compute
            such a step several times. `macro`: a table macro of DuckDB, whose arguments are the names of the tables, or
            SELECTs in parentheses. `function`: a table function of PostgreSQL, BigQuery, Snowflake or Spark, whose
            arguments are the parameters in `where`, as in "day = :day".
            `check`: a query that returns no rows if the data is sound, otherwise a row for each fault for which
            `evaluate` would refuse the data: its name `fault`, the number `n`, a `sample` of keys, a sentence `what`.
        name: the name of the view, table, CTE, macro or function, as in `db.leaderboard`; by default, a CTE is called
            leaderboard, and a macro or function rank_metrics.
        where: the partition of an `incremental`, as in {"day": "2024-01-01"}: columns of `by`, each with a value, a
            list of values, or a pair of the lowest and the highest value; or a text of SQL, as in
            "day >= DATE '2024-01-01' AND day < DATE '2024-02-01'", or "day = :day" with a parameter that the job fills
            in. Every input that has these columns is filtered first. A `check` of a partition takes it, too.
        lookback: how many days (or whole numbers) before the partition are written again, for truth that comes late:
            `lookback=3` writes the day of `where` and the three days before it.
        existing: the columns that the table of `ddl` has already. The text is then an ALTER TABLE that adds the columns
            of new metrics; a comment names the columns that no metric fills any more.
        assume: what holds of the tables, for a shorter and cheaper query. `unique-recs` and `unique-truth`: no list has
            an item twice; `unique` says both. `not-null`: no list column and no item is NULL. `keys` says all of it.
            The numbers are wrong where it does not hold.
        guarded: whether the statement raises an error, and so writes nothing, if the data has a fault that `check`
            would return. MySQL and SQLite cannot raise an error within a query.
        counts: columns of the summary in addition to `n_lists`. `missing`: `n_missing`, the lists without
            recommendations. `tied`: `n_tied`, the lists with equal scores. `undefined`: `n_undefined_ndcg@10` and so
            on, the lists for which a metric is undefined, and which its mean leaves out.
        duplicates: as in `evaluate`; `error` makes a repeated item a fault, for `check` and `guarded`.
        quote_names: keep the case of all names as they are written. By default, the names of tables and columns that
            you write without quotes get the case that the dialect gives such names: `db.recs` is "DB"."RECS" in
            Snowflake. Quotes around a name keep its case: '"userId"'.
        lower_is_better: whether the score is a distance.
        ranks: `given` counts items at their ranks even if the ranks of a list do not start at 1, which is a fault by
            default (`checked`); `again` ranks the items of each list again, in the order of their ranks.

    Raises:
        MetricError: a metric or parameter is unknown.
        ColumnError: the columns contradict each other, or a metric needs a rating and none is named.
        InputError: form, name and where do not go together.
        DialectError: the dialect is unknown, or cannot express the query, as with embeddings.

    Example:
        >>> import rankmetrics as rm
        >>> truth = rm.Input("db.truth", lists=["user"], columns={"rating": "stars"})
        >>> leaderboard = {"recs": "db.recs", "truth": truth, "metrics": "hit@10", "lists": ["algorithm", "user"]}
        >>> text = to_sql(**leaderboard, dialect="snowflake")
        >>> 'FROM "DB"."RECS"' in text, 'AS "HIT_AT_10"' in text
        (True, True)
        >>> text = to_sql(**leaderboard, dialect="snowflake", form="view", name="db.leaderboard")
        >>> text.splitlines()[2]  # below the comment at the head
        'CREATE OR REPLACE VIEW "DB"."LEADERBOARD" AS'
    """
    arguments_by_name = flat_options(arguments_of(to_sql, *arguments, **options))
    partition = arguments_by_name.pop("where", None)
    return sql_of(Request(**arguments_by_name, partition=partition))


def sql_of(request: Request, *, is_model: bool = False, allowed: frozenset[str] = frozenset()) -> str:
    """The text of a request over tables whose schemas are unknown.

    The data may have the faults that are `allowed`. The query of a model of dbt has no order, and its columns have
    plain names, such as `ndcg_at_10`, even where a dialect's texts keep labels.
    """
    dialect, fold = str(request.dialect), not request.quote_names
    rename = partial(dialects.column_name, dialect=dialect) if fold else dialects.unquoted
    statement = Statement(
        dialect,
        request.form,
        request.name,
        request.partition,
        request.lookback,
        request.existing,
        assumed=request.assume,
        duplicates=request.duplicates,
        guarded=request.guarded,
        counts=request.counts,
        allowed=allowed,
        job=NamesOfJob(fold=fold, drop_labels=is_model),
        rename=rename,
        is_model=is_model,
    )
    if any(columns.embedding for columns in (request.extra_columns or {}).values()):
        raise DialectError(NO_EMBEDDINGS)
    request_layout = _assumed(request).renamed(rename)
    if request_layout.recs.rank is None and any(metric.values.get("ties") == "input" for metric in request.metrics):
        raise no_order()
    tables: dict[str, exp.Expr] = {
        name: dialects.table(table, dialect, is_folded=fold) for name, table in request.tables.items()
    }
    if request.names_baseline:
        rest_of_lists([*request.baseline], request.lists or ())
        named = [tree.column(rename(name)).eq(value) for name, value in request.baseline.items()]
        tables["baseline"] = exp.Subquery(this=exp.select("*").from_(tables["recs"].copy()).where(*named))
    metrics = with_estimates(request.metrics, request.sample)
    request_layout = request_layout.by_over()
    written = statement.text(metrics, request_layout, tables, request.aggregates, per_list=request.per_list)
    is_rated = any(metric.values.get("relevance") == "rated" for metric in request.metrics)
    if request.form == "check":
        return written
    if is_rated and request.truth is not None and request_layout.truth.rating is None and request.truth_columns is None:
        naming = {"rating": Option("columns", {"rating": "..."}), "item": Option("truth_columns", {"item": "item"})}
        warnings.warn(said(RankMetricsWarning, "unrated", what=UNRATED, **naming), stacklevel=3)
        return f"-- {UNRATED}.\n{written}"
    return written


# The warning for a metric of ratings where neither a rating nor the truth's columns are named.
UNRATED = "No rating column is named, so every row of the truth counts as relevant, whatever it is rated"


# The columns that a further input has by default, each called as its role is.
ASSUMED: Mapping[str, Sequence[str]] = {
    "history": ("item",),
    "baseline": ("item", "rank"),
    "items": ("item", "category", "popularity"),
    "similarity": ("item", "other", "similarity"),
    "catalog": ("item",),
    "candidates": ("item",),
    "log": ("item", "reward", "propensity"),
}

# The types of the columns of a role; numbers for the roles that are not here.
HOLD: Mapping[str, Family] = {"item": "integer", "other": "integer", "category": "string", "subtopic": "string"}


def _assumed(request: Request) -> Layout:
    """The layout of tables whose schemas are unknown: the named columns, with types that fit."""
    lists, columns, truth_columns = request.lists or (), request.columns or Columns(), request.truth_columns
    truth_lists = request.truth_lists or lists
    if not request.truth_lists and request.truth is None and request.label is None:  # those that all systems share
        types = {name: ColumnType("date" if name in (request.dates or ()) else "integer", "") for name in lists}
        known = {request.history_until, *(column for stated in request.extra_lists.values() for column in stated)}
        truth_lists = shared_columns(types, lists, None, request.by, known)
    item = columns.item or "item"
    rank = columns.rank or (None if columns.score or columns.distance or columns.probability else "rank")
    in_truth = truth_columns or Columns(item=item)
    extra_columns = request.named_columns
    roles = {
        "recs": replace(columns.only(USUAL["recommendations"]), item=item, rank=rank, lists={}),
        "truth": replace(
            in_truth.only(USUAL["truth"]).filled(columns.only(OF_TRUTH).roles),
            item=in_truth.item or item,
            lists=in_truth.lists or columns.lists,
        ),
        **{name: _named(name, extra_columns.get(name, Columns()), item) for name in request.extras},
    }
    lists_of: dict[str, Sequence[str]] = {"recs": lists, "truth": truth_lists}
    for name in request.extras:  # those that are named, or by default those of the truth
        stated = request.extra_lists.get(name, truth_lists if name in BY_LIST else ())
        until = [request.history_until] if name == "history" and request.history_until else []
        lists_of[name] = [*stated, *(column for column in until if column in truth_lists and column not in stated)]
    schemas = {
        name: {
            **{named.lists.get(column, column): ColumnType("integer", "") for column in lists_of[name]},
            **{column: ColumnType(HOLD.get(role, "float"), "") for role, column in named.roles.items()},
        }
        for name, named in roles.items()
    }
    if request.label is not None:  # recommendations and truth are one table
        schemas["recs"] |= {name: kind for name, kind in schemas["truth"].items() if name not in schemas["recs"]}
        schemas["recs"] |= dict.fromkeys(request.label, ColumnType("float", ""))
    if request.truth is None:
        schemas["truth"] = {}
    every = [*schemas.values()]
    own = [pair for metric in request.metrics for pair in catalog().own_columns(metric.name)]
    for name, column in own:  # quoted, so that a name in quotes keeps its case
        schemas.get(name, {}).setdefault(column.sql("duckdb"), ColumnType("float", ""))
    of_recs = roles.pop("recs").filled(columns.only(OF_TRUTH if request.label is not None else ()).roles)
    _set_type("text", every, request.text or (), ColumnType("string", "text"))
    _set_type("dates", every, request.dates or (), ColumnType("date", "date"))
    named = {"columns": of_recs, "truth_columns": roles.pop("truth"), "extra_columns": roles}
    options = {**request.of_layout, **named, "lists": lists, "truth_lists": truth_lists}
    return layout(schemas.pop("recs"), schemas.pop("truth") or None, extras=schemas, **options)


def _set_type(option: str, schemas: Sequence[dict[str, ColumnType]], columns: Sequence[str], kind: ColumnType) -> None:
    """Give these columns a type, in every table that has them."""
    for column in columns:
        if not any(column in schema for schema in schemas):
            known = list(dict.fromkeys(name for schema in schemas for name in schema))
            raise refused(
                "not_here", option=Option(option, is_noun=True), name=column, choices=choices_for(column, known)
            )
        for schema in schemas:
            if column in schema:
                schema[column] = kind


def _named(name: str, columns: Columns, item: str) -> Columns:
    """The columns of an input; a column without a name is called as its role is."""
    assumed = {role: item if role == "item" else role for role in ASSUMED[name]}
    if name == "items" and columns.roles:
        assumed = {"item": item}  # the named columns are the only ones
    if name == "baseline" and columns.score:
        assumed.pop("rank")
    missing: dict[str, Any] = {role: column for role, column in assumed.items() if getattr(columns, role) is None}
    return replace(columns, **missing)
