# ruff: noqa: RUF009  # option returns a field of a dataclass
"""Every option of an evaluation, declared once: its name, type, default, meaning, and which values it may have.

`evaluate`, `to_sql`, the command line and leaderboards.yml all build a Request, which checks the options. Each of these
faces derives its spelling of an option from the declaration here, and says itself only what cannot be derived: that
`lists` is `--list`, for example.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

from rankmetrics.declaration import COLUMNS, DATABASES, DUCKDB, INPUTS, Face, declaration_of, option
from rankmetrics.errors import ColumnError, Option
from rankmetrics.inputs.assumptions import read_assumptions
from rankmetrics.inputs.columns import Columns
from rankmetrics.inputs.negatives import Negatives
from rankmetrics.inputs.sources import EXTRAS, SYSTEMS
from rankmetrics.option_checks import (
    aggregates_of,
    candidates_in_words,
    check_extra_columns,
    column_names,
    columns_of_roles,
    count_columns,
    in_words,
    one_of,
    policy_choice,
    read_negatives,
    systems_given,
    texts,
    ties_of_ranks,
)

if TYPE_CHECKING:
    from rankmetrics.metrics.metric import Metric, Setting
    from rankmetrics.metrics.summaries import Aggregate

Missing = Literal["zero", "skip", "listed", "history", "baseline"]
Systems = str | Sequence[str | int | Mapping[str, str | int]]
Duplicates = Literal["count", "error"]


def _lists_option(meaning: str) -> Any:
    return option(meaning, "texts", None, group=INPUTS, check=column_names)


LISTS_OF = {f"{name}_lists": name for name in ("history", "baseline", "items", "catalog")}  # option -> input

# --- the options ------------------------------------------------------------------------------------------------------

NOTHING_READ: Mapping[Face, str] = {
    "to_sql": "no data is read there",
    "key": "no data is read there",
}
OF_SCHEMAS: Mapping[Face, str] = {"evaluate": "the schemas tell"}
OF_A_TEXT: Mapping[Face, str] = {"evaluate": "Result.to_sql has it"}
OF_A_MODEL: Mapping[Face, str] = {**OF_A_TEXT, "key": "dbt makes the table and cuts the rows"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Request:
    """The options of an evaluation, checked.

    Raises:
        MetricError: a metric, a convention, an aggregate or a choice is unknown.
        ColumnError: what should name columns does not, or names columns of an input that was not given.

    Example:
        >>> Request(recs="db.recs", truth="db.truth", metrics="ndcg@5,10", lists="user").metrics
        [ndcg@5, ndcg@10]
        >>> Request(recs="db.recs", truth="db.truth", metrics="hit", duplicates="drop")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rankmetrics.errors.MetricError: duplicates must be one of 'count' and 'error': 'drop' is ...
    """

    recs: Any = option(
        "Recommendations: a Parquet, CSV, JSON or Arrow file, a glob, a folder, a table, or a SELECT.", "input"
    )
    truth: Any = option("The relevant items: a file, a glob, a folder, a table, or a SELECT.", "input")
    metrics: Sequence[Metric] = option(
        "A metric, as in ndcg@10 or recall@5,10,20; accuracy=ndcg@10 names its column.", "metrics"
    )
    by: tuple[str, ...] | None = option(
        "Group the summary by this column (default: the list columns that the truth lacks).",
        "texts",
        None,
        check=column_names,
    )
    convention: str | None = option(
        "Follow the metric names and definitions of this library, as in lenskit-0.14.", "text", None
    )
    missing: str | None = option(
        "Lists without recommendations: zero or skip. Or average only the lists of: listed, history or baseline.",
        "text",
        None,
        check=policy_choice,
    )
    ties: str | None = option(
        "Order of equal scores: item, item_desc, text_desc or input (the order of the rows). Or over all orders: "
        "expected (their mean), best or worst.",
        "text",
        None,
        check=policy_choice,
    )
    aggregates: Sequence[Aggregate] = option(
        "Aggregate of the values of the lists: mean, median, std, ci(0.95) and others.",
        "texts",
        "mean",
        check=aggregates_of,
    )
    duplicates: str = option(
        "Repeated items of a list: count (report them) or error.",
        "text",
        "count",
        check=partial(one_of, ("count", "error")),
    )
    lists: tuple[str, ...] | None = option(
        "A column that identifies a list (default: all columns without another role).",
        "texts",
        None,
        group=COLUMNS,
        check=column_names,
    )
    truth_lists: tuple[str, ...] | None = option(
        "A list column of the truth, as in user, or user=user_id if the name differs (default: all it has).",
        "texts",
        None,
        group=COLUMNS,
        check=column_names,
    )
    columns: Columns | None = option(
        "The columns of item, rank, score and rating, if they have unusual names.",
        "columns",
        None,
        group=COLUMNS,
        check=columns_of_roles,
    )
    truth_columns: Columns | None = option(
        "The columns of the truth, if they have other names than in the recommendations.",
        "columns",
        None,
        group=COLUMNS,
        check=columns_of_roles,
    )
    lower_is_better: bool = option(
        "A lower score is better, as for distances.", "yes or no", default=False, group=COLUMNS
    )
    rank_from: int = option(
        "The rank of a list's first item: 1 or 0.", "number", 1, group=COLUMNS, check=partial(one_of, (0, 1))
    )
    files_as: str | None = option(
        "What several files of recommendations are: one system each, in this list column; or parts of one table.",
        "text",
        None,
        group=COLUMNS,
        absent=NOTHING_READ,
    )
    format: tuple[str, ...] = option(
        "The format, if the file name does not show it: trec, movielens, recbole, csv; of one input: truth: movielens.",
        "texts",
        None,
        group=COLUMNS,
        check=texts,
        absent=NOTHING_READ,
    )
    text: tuple[str, ...] | None = option(
        "A text column of tables that rankmetrics cannot read (docs: dialects).",
        "texts",
        None,
        check=column_names,
        absent=OF_SCHEMAS,
    )
    dates: tuple[str, ...] | None = option(
        "A date column of tables that rankmetrics cannot read.", "texts", None, check=column_names, absent=OF_SCHEMAS
    )
    systems: Any = option(
        "Systems to score in every partition, even if they have no lists there: a list of names, or a table.",
        "names or a table",
        None,
        check=systems_given,
    )
    history: Any = option("The items that each user knew before.", "input", None, group=INPUTS)
    baseline: Any = option("Recommendations to compare with.", "input", None, group=INPUTS)
    items: Any = option("Categories, embeddings or popularity of the items.", "input", None, group=INPUTS)
    similarity: Any = option("The similarity of pairs of items.", "input", None, group=INPUTS)
    catalog: Any = option("The items that could be recommended.", "input", None, group=INPUTS)
    candidates: Any = option(
        "The items that each list is ranked among, beside its relevant items.", "input", None, group=INPUTS
    )
    sample: Negatives | None = option(
        "Rank the relevant items among sampled negatives, as in 100 or 'popularity(n=100, seed=7)'.",
        "text",
        None,
        group=INPUTS,
        check=read_negatives,
    )
    extra_columns: Mapping[str, Columns] | None = option(
        "A column of one of these inputs, as in items.category=genre.", "columns of inputs", None, group=INPUTS
    )
    history_lists: tuple[str, ...] | None = _lists_option("A list column of the history (default: all it has).")
    baseline_lists: tuple[str, ...] | None = _lists_option("A list column of the baseline (default: all it has).")
    items_lists: tuple[str, ...] | None = _lists_option("A list column of the items, such as a day.")
    catalog_lists: tuple[str, ...] | None = _lists_option("A list column of the catalogue, such as a day.")
    history_until: str | None = option(
        "A list column such as day: the history of a list is then the rows of earlier days.", "text", None, group=INPUTS
    )
    where: tuple[str, ...] = option(
        "Read only these rows, as in \"day = '2024-01-01'\": of every input that has the column, or of one, as in "
        "\"recs: model = 'als'\".",
        "texts",
        None,
        group=INPUTS,
        check=texts,
        absent={"to_sql": "its `where` is the partition", "key": "the models that are read cut the rows"},
    )
    connection: Any = option(
        "The address of a database with the tables, as in postgresql://user@host/name.",
        "other",
        None,
        group=DATABASES,
        absent={"to_sql": "nothing is connected to", "key": "dbt connects"},
    )
    dialect: str | None = option(
        "The dialect to write (default: that of --connection, else duckdb).",
        "text",
        None,
        absent={"key": "the adapter tells"},
    )
    memory_limit: str | None = option(
        "Memory limit of DuckDB, as in 2GB; beyond it, work spills to disk.",
        "text",
        None,
        group=DUCKDB,
        absent=NOTHING_READ,
    )
    per_list: bool = option("One row per list instead of the summary.", "yes or no", default=False, absent=OF_A_TEXT)
    form: str = option(
        "query, view, table, cte, incremental, ddl, macro, check or script.", "text", "query", absent=OF_A_MODEL
    )
    guarded: bool = option(
        "Raise an error instead of returning numbers if the data has a fault.",
        "yes or no",
        default=False,
        absent=OF_A_TEXT,
    )
    quote_names: bool = option(
        "Quote names, so that they keep their case in every database.", "yes or no", default=False, absent=OF_A_TEXT
    )
    counts: tuple[str, ...] = option(
        "A column of counts after n_lists: missing, tied or undefined (per metric).",
        "texts",
        (),
        check=count_columns,
        absent=OF_A_TEXT,
    )
    name: str | None = option("The name of the view, table or macro.", "text", None, absent=OF_A_MODEL)
    partition: Any = option(
        "The partition to write (incremental), as in \"day = DATE '2024-01-31'\", a range, or day IN (...).",
        "texts",
        None,
        absent=OF_A_MODEL,
    )
    lookback: int = option(
        "Also write this number of days before the partition again, for late truth.", "number", 0, absent=OF_A_MODEL
    )
    assume: frozenset[str] = option(
        "Assume this, for a shorter query: unique (no list has an item twice), not-null, or keys (both).",
        "texts",
        (),
        check=read_assumptions,
        absent={"evaluate": "the engine's data is checked, and not assumed"},
    )

    def __post_init__(self) -> None:
        from rankmetrics._gc import gc_paused
        from rankmetrics.metrics.metric import read_metrics

        for field in fields(self):
            if check := declaration_of(field).check:
                object.__setattr__(self, field.name, check(field.name, getattr(self, field.name)))
        with gc_paused():
            metrics = read_metrics(self.metrics, self.convention, self.policies)
        among = candidates_in_words(self.candidates, self.sample)
        object.__setattr__(self, "metrics", [replace(metric, among=among) for metric in metrics])
        check_extra_columns(self.extra_columns, self.inputs)
        for name in ("history_until", *LISTS_OF):
            of = name.partition("_")[0]
            if getattr(self, name) is not None and of not in self.inputs:
                raise ColumnError(Option(name, is_noun=True), " is given, and no ", Option(of), " was given.")

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """The inputs that were given, by name."""
        extras = {name: getattr(self, name) for name in EXTRAS}
        given = {name: value for name, value in extras.items() if value is not None}
        if not isinstance(self.systems, tuple):
            given[SYSTEMS] = self.systems
        return {"recs": self.recs, "truth": self.truth, **given}

    @property
    def named_systems(self) -> tuple[Any, ...]:
        """The systems that the caller names; none if the caller gives a table of them."""
        return self.systems if isinstance(self.systems, tuple) else ()

    @property
    def extras(self) -> dict[str, Any]:
        """The inputs that were given beside recommendations and truth."""
        return {name: value for name, value in self.inputs.items() if name in EXTRAS}

    @property
    def extra_lists(self) -> dict[str, tuple[str, ...]]:
        """The list columns of the optional inputs, where the caller named them."""
        found = {name: getattr(self, option) for option, name in LISTS_OF.items()}
        return {name: lists for name, lists in found.items() if lists is not None}

    @property
    def changed(self) -> dict[str, str]:
        """The options that differ from their default, as texts, in the order of their declaration.

        No inputs, and no connection: its address may hold a password.

        Example:
            >>> Request(recs="db.recs", truth="db.truth", metrics="ndcg@5,10", by=["day"], missing="skip").changed
            {'metrics': 'ndcg@5, ndcg@10', 'by': 'day', 'missing': 'skip'}
        """
        given = {field.name: getattr(self, field.name) for field in fields(self) if field.repr}
        return {name: in_words(value) for name, value in given.items() if value != _default_of(name)}

    @property
    def policies(self) -> dict[str, Setting]:
        """The policies that hold for every metric that does not set its own."""
        chosen = {"missing": self.missing, "ties": self.ties or ties_of_ranks(self.recs)}
        return {name: value for name, value in chosen.items() if value is not None}


def _default_of(name: str) -> Any:
    """The default of an option as a Request holds it."""
    one = Request.__dataclass_fields__[name]
    check = declaration_of(one).check
    return check(name, one.default) if check else one.default


def options_of(*faces: Face) -> dict[str, Field[Any]]:
    """The options that all of these faces have, by name, in the order of their declaration.

    >>> [name for name in options_of("to_sql", "flag") if name not in options_of("evaluate")]
    ['text', 'dates', 'per_list', 'form', 'guarded', 'quote_names', 'counts', 'name', 'partition', 'lookback', 'assume']
    """
    return {field.name: field for field in fields(Request) if not {*faces} & declaration_of(field).absent.keys()}
