"""Evaluate recommendations against the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from sqlglot import exp

from rankmetrics.engines.arrow import as_frames
from rankmetrics.engines.base import Engine
from rankmetrics.engines.files import PARTS, Systems, inputs_of, of_mapping, with_formats
from rankmetrics.engines.opening import open_engine, unnest_inputs, unnest_items
from rankmetrics.estimates import with_estimates
from rankmetrics.inputs.columns import Columns, Layout
from rankmetrics.inputs.input import flat_options
from rankmetrics.inputs.layout import layout, rest_of_lists
from rankmetrics.inputs.sources import EXTRAS, INPUT_ROW, RANKED, SYSTEMS
from rankmetrics.metrics.catalog import catalog
from rankmetrics.options import arguments_of, with_options
from rankmetrics.planner.inputs import literal
from rankmetrics.request import Request
from rankmetrics.results.result import Result
from rankmetrics.sqltree import tree


@with_options(Request, "evaluate", "Result")
def evaluate(*arguments: Any, **options: Any) -> Result:  # noqa: D417  # with_options says how they are called
    """Measure recommendations against the truth, lazily: schemas are checked here, data when you ask for numbers.

    Args:
        recs: recommendations, one row each: the columns that identify a list, an item, and a rank or a score; or one
            row per list, with its items in a cell or in numbered columns, where the position is the rank. A Polars
            frame, a DuckDB relation, a path, a list of paths or a glob, the name of a table with `connection`, a pandas
            or Arrow table or dataset, or anything that exports an Arrow stream. The folder of a Delta, Iceberg or Lance
            table, as in `"recs"` or, for a version, `"recs@v12"`, or the object of its library. Systems that are each
            in a frame or file of their own are given as a mapping: `{"als": als, "knn": "knn.parquet"}`. Or
            `{user: [item, ...]}`, `{user: {item: score}}`, arrays `(users, items, scores)`, a sparse matrix. A
            SELECT that DuckDB, or the database behind `connection`, is to run. Here and below, `rm.Input(table,
            columns=..., lists=...)` in place of a table says what its columns are for, where their names do not tell.
        truth: the relevant items, one row each: some of the list columns, an item and, where graded, a rating. Any of
            the kinds above; it need not be the kind of the recommendations. Metrics that read no truth, such as
            coverage, need none: leave it out, and name `metrics=`. The lists are then those of the recommendations.
        label: for one table of all items that were shown, such as impressions: the column that says what came of an
            item, a boolean, a count or a rating. There is no other truth then: the rows that have a label are the
            truth, matched by every list column, and nothing is known of what was not shown (docs/impressions.md). Of
            several labels, as in `{"click": 1, "order": 3}`, an item has the highest gain of those above 0. NULL means
            not known. `True` takes the only column with a usual name of a label.
        metrics: such as `["ndcg@10", "recall@5,10,20", "precision(rel=4)@10"]`; rm.list_metrics() has them all. A
            mapping names the columns of the result: `{"accuracy": "ndcg@10"}`.
        by: list columns that the summary keeps; by default those that the truth does not have. `[]` gives one row.
            Several lists, the longest first, add totals: `[["day", "arm"], ["arm"], []]`. In a total, the other
            columns are NULL; it is over the lists of the rows that it totals.
        over: a list column, such as the seed of a training: the summary has the mean over its values of the means over
            lists, under the metric's label, their standard deviation (`ndcg@10 std over seed`), and the number of
            values (`n_seed`). Other `aggregates` are over these means, too.
        cluster: list columns whose lists are not independent, for standard errors and confidence intervals: by default
            the user (the query, the session), if other columns tell the lists of a user apart; `[]` takes all lists as
            independent.
        rollup: whether to add the totals of each shorter list of columns: of ["day", "arm"], `["day"]` and `[]`.
        lists: columns that identify a list; by default all of the recommendations but item, rank, score and rating.
        history: the items that each list's user knew before, one row each: some of the list columns and an item.
        baseline: recommendations to compare with: some of the list columns, an item, a rank or a score. Or one of the
            systems of the recommendations, by the columns that name it: `{"algorithm": "item-knn"}`.
        items: properties of the items: a category (or a list of them, or a row for each), an embedding, a popularity, a
            propensity.
        similarity: the similarity of pairs of items, one row per pair: item, other, similarity.
        catalog: the items that could be recommended; by default those of the history.
        candidates: the items that each list is ranked among, one row each: list columns that the truth shares, and an
            item. All other recommendations are left out, and the rest is ranked again. The items of a list's truth are
            always candidates. The numbers are not comparable with those of a full ranking.
        sample: draws the candidates: `rm.Negatives(n=100, by="popularity", seed=7)`, or a number of items. Each list is
            ranked among its truth and this many other items of the catalogue, which its history does not have.
        log: what was shown and what came of it, for off-policy metrics such as `ips`: one row per item shown, with list
            columns, the item, its reward and its propensity (the probability that it was shown, above 0). Where several
            items are shown at once, a position, too; where a list is shown several times, an impression. The
            recommendations are then a policy: rankings, or items with a column `probability` of showing them, and with
            an `expected_reward` for metrics such as `dr`. The truth may be left out.
        systems: systems that are scored in every partition, such as every day, with or without recommendations in it:
            names, as in `["als", "knn"]`, or, where several columns identify a system, mappings from column to value.
            Systems that have recommendations are scored anyway. Or a table of systems, of any kind above, with the
            list columns that the truth does not have.
        convention: the library whose spellings, definitions and policies hold, such as `replay` or `lenskit-0.14`;
            `rm.list_conventions()` and `rankmetrics conventions` list them.
        aggregates: how the summary aggregates the values of the lists: mean, geometric_mean, median, median_low, std,
            minimum, maximum, total, n, ci(0.95) (half the width of the confidence interval of the mean), ci_low,
            ci_high (its ends; docs/intervals.md), quantile(0.1), worst(0.1) (the mean over the worst served tenth of
            the lists), gini, atkinson, and their intervals, as in `worst(0.1) ci(0.95)`.
        missing: which lists the mean is taken over. `zero` (the default) takes every list of the truth, for every
            system, and scores a missing list 0 wherever a metric is defined; `skip` takes the lists that are in both,
            `listed` (the default without a truth) those of the recommendations, `history`, `baseline` and `log` (the
            default with a log and no truth) those of these inputs. If `by` keeps a column that the truth has too, such
            as `day`, a system is scored on the days on which it has recommendations.
        ties: which of equal scores comes first: `item` (the lower item, the default), `item_desc`, `text_desc` (the
            higher item as text, of scores that are equal in 32 bits), or `input` (the order of the rows, where rows
            have one). Or no order: `expected` is the exact mean over all orders of equal scores, `best` and `worst`
            put relevant items first and last. A rank column stands as it is.
        weights: how much a hit counts. `none` (the default): 1. `ips`: 1 / propensity, the probability with which a
            relevant item is seen in the truth; `snips`: this number divided by its mean over the relevant items of the
            list. `propensity=given` (the default) reads the column `propensity` of the truth, `items` that of the
            items; `popularity` and `jain` compute it from the history. `limit` is the largest 1 / propensity. All in
            one text: `"snips(propensity=popularity(gamma=2), limit=100)"`. docs/propensities.md explains them.
        unjudged: recommended items that nobody judged, because the truth of their list does not have them.
            `irrelevant` (the default) counts them as irrelevant; `removed` removes them before any cutoff, and later
            items move up (condensed lists); `removed_negative` removes items rated below 0, too. Items that were judged
            irrelevant need rows in the truth, with a rating of 0.
        duplicates: `count` credits a repeated item once and counts it in the account; `first` removes all but the first
            position of an item from its list, and later items move up; `error` refuses repeated items.
        connection: where tables are named: a connection of DuckDB, or of any database (of PEP 249, SQLAlchemy, ADBC,
            chDB, DataFusion), in which the query then runs; a Spark session; a backend of Ibis; or the address of a
            database, as in `postgresql://user@host/name`.
        dialect: the SQL dialect of the connection, where its module does not tell.
        memory_limit: such as `"2GB"`, for data larger than memory: DuckDB computes within the limit and writes the rest
            to disk. Polars streams a LazyFrame into DuckDB, and the result is a LazyFrame, too.
        lower_is_better: whether the score is a distance, as with `rm.Input(recs, columns={"distance": "..."})`.
        ranks: what holds for lists whose ranks do not start at 1, or have gaps. `checked` (the default) refuses ranks
            that do not start at 1; `given` counts every item at its rank, as RecTools does; `again` ranks the items of
            each list again, from 1 on, in the order of their ranks, as after a filter.
        where: conditions of SQL, such as `day = '2024-01-01'`: only rows for which all hold are read. A condition
            filters every input that has all of its columns, or the input named before it: `"recs: model = 'als'"`.

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
    return measure(options_of(*arguments, **options))


def options_of(*arguments: Any, **options: Any) -> dict[str, Any]:
    """The arguments of a call of `evaluate` as options of a Request."""
    return flat_options(arguments_of(evaluate, *arguments, **options))


def measure(options: Mapping[str, Any]) -> Result:
    """The Result for the options of a Request: its engine is chosen, and the roles of its columns are found."""
    request = Request(**options)
    formatted = {name: with_formats(name, value, request.format) for name, value in request.tables.items()}
    inputs, files_as = {name: as_frames(name, value) for name, value in formatted.items()}, request.files_as
    if isinstance(inputs["recs"], Mapping):
        inputs["recs"] = of_mapping(inputs["recs"], files_as)
    recs, ranked = inputs_of(inputs["recs"]), None
    if any(type(table).__module__.startswith("rankmetrics.rankings.") for table in recs):
        from rankmetrics.rankings.rankings import RankedInputs  # it imports NumPy and Numba

        ranked = RankedInputs.replacing(inputs)
    engine = open_engine(
        inputs,
        inputs.get("truth") if ranked else recs[0],  # rankings have no kind of their own: that of the truth decides
        request.connection,
        request.dialect,
        memory_limit=request.memory_limit,
        needs_md5=request.sample is not None,
        accept=ranked.refuse_unless_read_by if ranked else None,
    )
    if files_as not in (None, PARTS) and not isinstance(inputs["recs"], Systems):
        engine.name_files("recs", str(files_as))
    roles = unnest_inputs(engine, request)
    if request.where:
        engine.keep_rows(request.where)
    inputs_layout = _layout_of(request, engine, roles, ranked.columns(request.columns) if ranked else request.columns)
    filtered = frozenset(name for name, source in engine.inputs.items() if source.condition is not None)
    by_file = engine.by_file("recs") if files_as is None else None
    metrics = with_estimates(request.metrics, request.sample)
    own_columns = {pair for metric in metrics for pair in catalog().own_columns(metric.name)}
    read = frozenset(
        (name, str(inputs_layout.side(name).column(column.name)))
        for name, column in own_columns
        if name in inputs_layout.names()
    )
    inputs_layout = replace(
        inputs_layout, ranked_by_score=bool(ranked), readings=tuple(engine.readings()), filtered=filtered, read=read
    )
    result = Result(engine, metrics, inputs_layout, request.duplicates, request.aggregates, by_file, request.changed)
    if ranked:
        ranked.prepare(engine, result._queries)
    return result


def _layout_of(
    request: Request, engine: Engine, roles: Mapping[str, Mapping[str, str]], columns: Columns | None
) -> Layout:
    """The columns of the inputs, by their schemas; where the order of the rows breaks ties, with the rows numbered."""
    schemas = {name: source.schema for name, source in engine.inputs.items()}
    by_order = any(metric.values.get("ties") == "input" for metric in request.metrics)
    find_layout = partial(
        layout,
        schemas["recs"],
        schemas.get("truth"),
        in_order=by_order,
        systems_types=schemas.get(SYSTEMS),
        subtopics=any(catalog().reads_subtopics(metric.name) for metric in request.metrics),
    )
    options = {**request.of_layout, "columns": columns, "inferred_roles": roles}
    options["extras"] = {name: schema for name, schema in schemas.items() if name in EXTRAS}
    if request.names_baseline:
        options = _with_baseline(engine, request, options, find_layout(**options))
    inputs_layout = unnest_items(engine, find_layout(**options))
    for name in RANKED:
        if by_order and name in engine.inputs and inputs_layout.side(name).roles.rank is None:
            inputs_layout = inputs_layout.adding(name, INPUT_ROW, engine.number_rows(name))
    return inputs_layout


def _with_baseline(engine: Engine, request: Request, options: dict[str, Any], known: Layout) -> dict[str, Any]:
    """The options of the layout, once the system that `baseline` names is an input: its rows of the recommendations."""
    lists = rest_of_lists([*request.baseline], known.lists)
    tests = [
        tree.column(name).eq(literal(name, value, known.recs_types[name])) for name, value in request.baseline.items()
    ]
    engine.copy("recs", "baseline")
    engine.keep("baseline", exp.and_(*tests))
    return {
        **options,
        "extras": {**options["extras"], "baseline": engine.inputs["baseline"].schema},
        "extra_columns": request.named_columns,
        "extra_lists": {"baseline": lists, **request.extra_lists},
        "inferred_roles": {"baseline": options["inferred_roles"].get("recs", {}), **options["inferred_roles"]},
    }
