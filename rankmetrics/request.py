# ruff: noqa: RUF009  # _option returns a field of a dataclass
"""Every option of an evaluation, declared once: its name, type, default, meaning, and which values it may have.

`evaluate`, `to_sql`, the command line and leaderboards.yml all build a Request, which checks the options. Each of these
faces derives its spelling of an option from the declaration here, and says itself only what cannot be derived: that
`lists` is `--list`, for example.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

from rankmetrics.errors import ColumnError, Option
from rankmetrics.inputs.assumptions import read_assumptions
from rankmetrics.inputs.columns import Columns
from rankmetrics.inputs.negatives import Negatives
from rankmetrics.inputs.sources import EXTRAS
from rankmetrics.option_checks import (
    aggregates_of,
    candidates_in_words,
    check_extra_columns,
    column_names,
    columns_of_roles,
    count_columns,
    one_of,
    policy_choice,
    read_negatives,
    texts,
)

if TYPE_CHECKING:
    from rankmetrics.metrics.label import Setting
    from rankmetrics.metrics.metric import Metric
    from rankmetrics.metrics.summaries import Aggregate

# The faces of an evaluation: two functions, the flags of the command line, the keys of leaderboards.yml.
Face = Literal["evaluate", "to_sql", "flag", "key"]

# What a value of an option is. Each face has one way to read each kind.
Kind = Literal["input", "metrics", "text", "texts", "number", "yes or no", "columns", "columns of inputs", "other"]

# Groups of options, as `--help` shows them.
COLUMNS, INPUTS, DATABASES, DUCKDB = "Columns", "More inputs", "Other databases", "DuckDB"


@dataclass(frozen=True)
class Declaration:
    """What is declared of an option beside its name, type and default.

    Attributes:
        meaning: one sentence, which `--help` prints.
        kind: what a value is.
        group: the group of options in which `--help` shows it; empty for the first group.
        check: returns a value as the Request holds it, or raises an error that names the option.
        absent: the faces that do not have the option, each with the reason.
    """

    meaning: str
    kind: Kind
    group: str
    check: Callable[[str, Any], Any] | None
    absent: Mapping[Face, str]


def _option(
    meaning: str,
    kind: Kind,
    default: Any = MISSING,
    *,
    group: str = "",
    check: Callable[[str, Any], Any] | None = None,
    absent: Mapping[Face, str] | None = None,
) -> Any:
    declaration = Declaration(meaning, kind, group, check, absent or {})
    shown = kind not in ("input", "other")  # to print some inputs is to compute them
    return field(default=default, metadata={"declaration": declaration}, repr=shown)


def _lists_option(meaning: str) -> Any:
    return _option(meaning, "texts", None, group=INPUTS, check=column_names)


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
        >>> Request(recs="db.recs", truth="db.truth", metrics="hit", duplicates="drop")
        Traceback (most recent call last):
        rankmetrics.errors.MetricError: duplicates must be one of 'count' and 'error': 'drop' is not.
    """

    recs: Any = _option(
        "Recommendations: a Parquet, CSV, JSON or Arrow file, a glob, a folder, a table, or a SELECT.", "input"
    )
    truth: Any = _option("What was relevant: a file, a glob, a folder, a table, or a SELECT.", "input")
    metrics: Sequence[Metric] = _option(
        "A metric, as in recall@5,10,20, or accuracy=ndcg@10 to name its column.", "metrics"
    )
    by: tuple[str, ...] | None = _option(
        "A list column that the summary keeps (default: those the truth has not).", "texts", None, check=column_names
    )
    convention: str | None = _option(
        "The library whose spellings and definitions hold, as in lenskit-0.14.", "text", None
    )
    missing: str | None = _option(
        "Lists without recommendations: zero or skip; or average the lists of listed, history or baseline.",
        "text",
        None,
        check=policy_choice,
    )
    ties: str | None = _option(
        "First among equal scores: item, item_desc, text_desc or input (the order of the rows).",
        "text",
        None,
        check=policy_choice,
    )
    aggregates: Sequence[Aggregate] = _option(
        "How to aggregate the values of the lists: mean, median, std, ci(0.95) and others.",
        "texts",
        "mean",
        check=aggregates_of,
    )
    duplicates: str = _option(
        "Repeated items: count or error.",
        "text",
        "count",
        check=partial(one_of, ("count", "error")),
    )
    lists: tuple[str, ...] | None = _option(
        "A column that identifies a list (default: all that play no role).",
        "texts",
        None,
        group=COLUMNS,
        check=column_names,
    )
    truth_lists: tuple[str, ...] | None = _option(
        "A list column that the truth shares, by its name or as user=user_id (default: those it has).",
        "texts",
        None,
        group=COLUMNS,
        check=column_names,
    )
    columns: Columns | None = _option(
        "The columns of item, rank, score and rating, where these have unusual names.",
        "columns",
        None,
        group=COLUMNS,
        check=columns_of_roles,
    )
    truth_columns: Columns | None = _option(
        "The columns of the truth, where these have other names than in the recommendations.",
        "columns",
        None,
        group=COLUMNS,
        check=columns_of_roles,
    )
    lower_is_better: bool = _option("The score is a distance.", "yes or no", default=False, group=COLUMNS)
    rank_from: int = _option(
        "The rank of a list's first item: 1 or 0.", "number", 1, group=COLUMNS, check=partial(one_of, (0, 1))
    )
    files_as: str | None = _option(
        "What several files of recommendations are: systems, under the name of a list column, or parts of one table.",
        "text",
        None,
        group=COLUMNS,
        absent=NOTHING_READ,
    )
    text: tuple[str, ...] | None = _option(
        "A column that holds text, of tables that cannot be looked at (see dialects in the docs).",
        "texts",
        None,
        check=column_names,
        absent=OF_SCHEMAS,
    )
    dates: tuple[str, ...] | None = _option(
        "A column that holds dates, of such tables.", "texts", None, check=column_names, absent=OF_SCHEMAS
    )
    systems: Sequence[Any] = _option("A system to score in every partition, found or not.", "texts", None, check=texts)
    history: Any = _option("The items that each user knew before.", "input", None, group=INPUTS)
    baseline: Any = _option("Recommendations to compare with.", "input", None, group=INPUTS)
    items: Any = _option("Categories, embeddings or popularity of the items.", "input", None, group=INPUTS)
    similarity: Any = _option("How alike two items are, per pair.", "input", None, group=INPUTS)
    catalog: Any = _option("The items that could be recommended.", "input", None, group=INPUTS)
    candidates: Any = _option(
        "The items that each list is ranked among, beside its relevant items.", "input", None, group=INPUTS
    )
    sample: Negatives | None = _option(
        "Rank the relevant items among so many sampled negatives, as in 100 or 'popularity(n=100, seed=7)'.",
        "text",
        None,
        group=INPUTS,
        check=read_negatives,
    )
    extra_columns: Mapping[str, Columns] | None = _option(
        "A column of one of these, as in items.category=genre.", "columns of inputs", None, group=INPUTS
    )
    history_lists: tuple[str, ...] | None = _lists_option("The list columns of the history (default: all it has).")
    baseline_lists: tuple[str, ...] | None = _lists_option("The list columns of the baseline (default: all it has).")
    items_lists: tuple[str, ...] | None = _lists_option("Columns by which the items differ, such as a day.")
    catalog_lists: tuple[str, ...] | None = _lists_option("Columns by which the catalogue differs, such as a day.")
    history_until: str | None = _option(
        "A list column such as day: the history of a list is the rows of earlier days.", "text", None, group=INPUTS
    )
    where: tuple[str, ...] = _option(
        "Take only the rows for which this holds, as in \"day = '2024-01-01'\": of every input that has the "
        "columns, or of one, as in \"recs: model = 'als'\".",
        "texts",
        None,
        group=INPUTS,
        check=texts,
        absent={"to_sql": "its `where` is the partition", "key": "the models that are read cut the rows"},
    )
    connection: Any = _option(
        "The address of a database whose tables are named, as in postgresql://user@host/name.",
        "other",
        None,
        group=DATABASES,
        absent={"to_sql": "nothing is connected to", "key": "dbt connects"},
    )
    dialect: str | None = _option(
        "The dialect to write (default: that of --connection, else duckdb).",
        "text",
        None,
        absent={"key": "the adapter tells"},
    )
    memory_limit: str | None = _option(
        "Memory for DuckDB, as in 2GB; beyond it, work goes to disk.", "text", None, group=DUCKDB, absent=NOTHING_READ
    )
    per_list: bool = _option("One row per list instead of the summary.", "yes or no", default=False, absent=OF_A_TEXT)
    form: str = _option(
        "query, view, table, cte, incremental, ddl, macro, check or script.", "text", "query", absent=OF_A_MODEL
    )
    guarded: bool = _option(
        "Raise an error instead of returning numbers if the data has a fault.",
        "yes or no",
        default=False,
        absent=OF_A_TEXT,
    )
    quote_names: bool = _option(
        "Keep the case of names, even where the database turns names without quotes to upper or lower case.",
        "yes or no",
        default=False,
        absent=OF_A_TEXT,
    )
    counts: tuple[str, ...] = _option(
        "A column of counts beside n_lists: missing, tied or undefined (per metric).",
        "texts",
        (),
        check=count_columns,
        absent=OF_A_TEXT,
    )
    name: str | None = _option("What the view, the table or the like is called.", "text", None, absent=OF_A_MODEL)
    partition: Any = _option(
        "The partition of an incremental, as in \"day = DATE '2024-01-31'\", a range, or day IN (...).",
        "texts",
        None,
        absent=OF_A_MODEL,
    )
    lookback: int = _option(
        "How many days before the partition to write again, for truth that comes late.", "number", 0, absent=OF_A_MODEL
    )
    assume: frozenset[str] = _option(
        "What holds of the tables, for a shorter query: unique (no list has an item twice), not-null, or keys (both).",
        "texts",
        (),
        check=read_assumptions,
        absent={"evaluate": "the engine's data is checked, and not assumed"},
    )

    def __post_init__(self) -> None:
        from rankmetrics._gc import gc_paused
        from rankmetrics.metrics.metric import read_metrics

        for option in fields(self):
            if check := declaration_of(option).check:
                object.__setattr__(self, option.name, check(option.name, getattr(self, option.name)))
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
        return {"recs": self.recs, "truth": self.truth, **given}

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
    def policies(self) -> dict[str, Setting]:
        """The policies that hold for every metric that does not set its own."""
        chosen = {"missing": self.missing, "ties": self.ties}
        return {name: value for name, value in chosen.items() if value is not None}


def declaration_of(option: Field[Any]) -> Declaration:
    """What is declared of an option beside its name, type and default."""
    found: Declaration = option.metadata["declaration"]
    return found


def options_of(*faces: Face) -> dict[str, Field[Any]]:
    """The options that all of these faces have, by name, in the order of their declaration.

    >>> [name for name in options_of("to_sql", "flag") if name not in options_of("evaluate")]
    ['text', 'dates', 'per_list', 'form', 'guarded', 'quote_names', 'counts', 'name', 'partition', 'lookback', 'assume']
    """
    return {one.name: one for one in fields(Request) if not {*faces} & declaration_of(one).absent.keys()}
