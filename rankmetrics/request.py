# ruff: noqa: RUF009  # option returns a field of a dataclass
"""Every option of an evaluation, declared once: its name, type, default, meaning, flag and check.

`evaluate`, `to_sql`, the command line, suites and leaderboards.yml all build a Request, which checks the options. Their
signatures, flags and keys follow from the declarations here; the docstring of `evaluate` documents each option.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from math import inf
from typing import TYPE_CHECKING, Any, Literal, get_args

from rankmetrics.errors import OF_INPUT, InputError, MetricError, Option, plain
from rankmetrics.inputs.assumptions import read_assumptions
from rankmetrics.inputs.columns import Columns, Ties
from rankmetrics.inputs.input import refuse_idle_options
from rankmetrics.inputs.negatives import Negatives
from rankmetrics.inputs.roles import ITEM, RANKING_ROLES
from rankmetrics.inputs.sources import EXTRAS, SYSTEMS
from rankmetrics.messages import said
from rankmetrics.options import (
    COLUMNS,
    DATABASES,
    DUCKDB,
    INPUTS,
    REQUIRED,
    STATISTICS,
    Face,
    Limit,
    check_options,
    column_names,
    declaration_of,
    groupings,
    one_of,
    option,
    read_limit,
    texts,
    whole_number,
)

if TYPE_CHECKING:
    from rankmetrics.metrics.metric import Metric, Setting
    from rankmetrics.metrics.summaries import Aggregate

Missing = Literal["zero", "skip", "listed", "history", "baseline", "log"]
Unjudged = Literal["irrelevant", "removed", "removed_negative"]
Names = tuple[str, ...] | None
Systems = str | Sequence[str | int | Mapping[str, str | int]]
Duplicates = Literal["count", "first", "error"]
Ranks = Literal["checked", "given", "again"]


# The options that say which columns the inputs have, how their ranks are read, and which rows the summary has.
OF_LAYOUT = (
    "columns truth_columns extra_columns lists truth_lists history_until by rollup over cluster lower_is_better "
    "rank_from ranks cold_start"
).split()

# --- checks -----------------------------------------------------------------------------------------------------------

# The counts of lists that a summary may show in addition to `n_lists`.
COUNTS = ("missing", "tied", "undefined")


def policy_choice(option: str, value: Any) -> Any:
    """A choice of a policy of sql/policies, or None: each metric decides."""
    from rankmetrics.metrics.catalog import catalog

    return None if value is None else one_of([*catalog().shared(option).choices], option, value)


def weights_of_hits(option: str, value: Any) -> str | None:
    """The policy `weights` with its parameters as a text, or None: each metric decides."""
    from rankmetrics.metrics.metric import parse

    if value is not None:
        parse(f"n_hits({option}={value})")
    return None if value is None else str(value)


def count_columns(option: str, value: Any) -> tuple[str, ...]:
    """The columns of counts that a summary shows in addition to `n_lists`; refuses others."""
    return tuple(dict.fromkeys(one_of(COUNTS, option, text) for text in texts(option, value)))


def labels_of(option: str, value: Any) -> dict[str, float | None] | None:
    """The label columns, each with its gain: None for the only label, whose values are ratings; empty for True.

    >>> labels_of("label", "clicked"), labels_of("label", ["click=1,order=3"])
    ({'clicked': None}, {'click': 1.0, 'order': 3.0})
    """
    if value is None or value is True:
        return {} if value else None
    flags = [text for each in texts(option, value) for text in str(each).split(",")]
    pairs = value.items() if isinstance(value, Mapping) else [text.partition("=")[::2] for text in flags]
    try:
        labels = {str(column).strip(): None if gain == "" else float(gain) for column, gain in pairs}
    except (TypeError, ValueError):
        labels = {"": 0}
    if labels != dict.fromkeys([*labels][:1]) and not all(
        gain is not None and 0 < gain < inf for gain in labels.values()
    ):
        examples = {"one": Option(option, "clicked"), "several": Option(option, ["click=1", "order=3"])}
        raise said(MetricError, "gains_of_labels", option=Option(option, is_noun=True), value=repr(value), **examples)
    return labels


def cluster_columns(option: str, value: Any) -> tuple[str, ...] | None:
    """Names of columns; an empty name is left out, so that `--cluster ""` names none."""
    columns = column_names(option, value)
    return None if columns is None else tuple(filter(None, columns))


def aggregates_of(option: str, value: Any) -> Sequence[Aggregate]:
    """Aggregates over lists, from their names."""
    from rankmetrics.metrics.summaries import read_aggregates

    return read_aggregates(value)


def read_negatives(option: str, value: Any) -> Negatives | None:
    """The sample for a Negatives, a number of items, or a text such as `popularity(n=100, seed=7)`; refuses others."""
    from rankmetrics.metrics.metric import read_label

    if value is None or isinstance(value, Negatives):
        return value
    if type(value) is int or (isinstance(value, str) and value.strip().isdecimal()):
        return Negatives(int(value))
    refusal = MetricError(
        f"{Option(option, is_noun=True)} must be a number of items, or a text such as 'popularity(n=100, seed=7)': "
        f"{value!r} is not."
    )
    if not isinstance(value, str):
        raise refusal
    try:
        label = read_label(value)
    except MetricError as error:
        raise refusal from error
    settings: dict[str, Any] = dict(label.settings)
    if label.cutoffs is not None or not {*settings} <= {"n", "seed", "estimate", "n_items", "gamma"}:
        raise refusal
    return Negatives(by=label.spelling, **settings)  # type: ignore[arg-type]  # it is checked there


def candidates_in_words(candidates: object | None, sample: Negatives | None) -> str:
    """The candidates in the names of the columns; empty if all items are ranked. Refuses candidates and a sample."""
    if sample is not None and candidates is not None:
        options = {"candidates": Option("candidates"), "sample": Option("sample")}
        raise said(InputError, "candidates_and_sample", **options)
    return sample.label if sample else "" if candidates is None else "candidates"


def refuse_metrics_as_truth(truth: object, metrics: object) -> None:
    """Refuse metrics in place of the truth, as in `evaluate(recs, ["coverage@10"])`."""
    from rankmetrics.metrics.metric import Metric, read_metrics

    texts_or_metrics = [truth] if isinstance(truth, (str, Metric)) else truth
    is_given = not isinstance(metrics, (str, Sequence)) or len(metrics) > 0
    if is_given or not isinstance(texts_or_metrics, (list, tuple)) or not texts_or_metrics:
        return
    try:
        labels = [metric.text for metric in read_metrics(texts_or_metrics)]
    except (MetricError, TypeError):
        return
    raise said(InputError, "metrics_as_truth", labels=labels, metrics=Option("metrics", labels))


def ties_of_ranks(recs: object) -> str | None:
    """The policy `ties` that rankings bring along: `expected`, if they were made without an order of equal scores."""
    tables = recs.values() if isinstance(recs, Mapping) else [recs]
    chosen = (getattr(table, "ties_of_metrics", None) for table in tables)
    return next((ties for ties in chosen if isinstance(ties, str)), None)


def in_words(value: object) -> str:
    """The value of an option as a report shows it: `day, user`, `user: owner`, `yes`, `none`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {in_words(each)}" for name, each in value.items()) or "none"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(in_words, value)) or "none"
    return str(value)


# --- the options ------------------------------------------------------------------------------------------------------

NOTHING_READ: Mapping[Face, str] = {"to_sql": "no data is read there", "key": "no data is read there"}
OF_SCHEMAS: Mapping[Face, str] = {"evaluate": "the schemas tell"}
OF_A_TEXT: Mapping[Face, str] = {"evaluate": "Result.to_sql has it"}
OF_A_MODEL: Mapping[Face, str] = {**OF_A_TEXT, "key": "dbt makes the table and cuts the rows"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Request:
    """The options of an evaluation, checked.

    Raises:
        MetricError: a metric, a convention, an aggregate or a choice is unknown.
        ColumnError: what should name columns does not, or names columns of an input that was not given.
    """

    recs: Any = option(
        "Recommendations: a Parquet, CSV, JSON or Arrow file, a glob, a folder, a table, or a SELECT.",
        "input",
        REQUIRED,
        flag="recs-table",
        is_positional=True,
    )
    truth: Any = option(
        "The relevant items: a file, a glob, a folder, a table, or a SELECT. Metrics that read none, such as coverage, "
        "need no truth.",
        "input",
        flag="truth-table",
        is_positional=True,
    )
    label: Mapping[str, float | None] | None = option(
        "One table of all items shown, without a truth: the column that says what came of each, such as clicked. "
        "Several with gains: click=1,order=3.",
        "labels",
        check=labels_of,
        group=COLUMNS,
    )
    metrics: Sequence[Metric] = option(
        "A metric, as in ndcg@10 or recall@5,10,20; accuracy=ndcg@10 names its column.",
        "metrics",
        (),
        flag="metric",
        is_positional=True,
    )
    by: tuple[str, ...] | tuple[tuple[str, ...], ...] | None = option(
        "Group the summary by this column (default: the list columns that the truth lacks).",
        "names",
        check=groupings,
        type="str | Sequence[str] | Sequence[Sequence[str]] | None",
    )
    rollup: bool = option(
        "Add totals: over the last column of by, over the last two, and over all lists.",
        "yes or no",
        absent={"key": "a model with totals has no key"},
    )
    over: str | None = option(
        "A list column such as seed: for each of its values a mean over lists, and then their mean and deviation.",
        "text",
        absent={"key": "a model keeps the rows of each seed"},
    )
    cluster: Names = option(
        "List columns whose lists are not independent, for confidence intervals (default: the user, if other columns "
        "split the lists of a user; none: '').",
        "names",
        check=cluster_columns,
    )
    convention: str | None = option(
        "Follow the metric names and definitions of this library, as in lenskit-0.14.", "text"
    )
    missing: Missing | None = option(
        "Lists without recommendations: zero or skip. Or average only the lists of: listed, history, baseline or log.",
        "choice",
        check=policy_choice,
    )
    ties: Ties | None = option(
        "Order of equal scores: item, item_desc, text_desc or input (the order of the rows). Or over all orders: "
        "expected (their mean), best or worst.",
        "choice",
        check=policy_choice,
    )
    weights: str | None = option(
        "How much a hit counts: none, ips (1 / propensity) or snips (self-normalized), as in "
        "'snips(propensity=popularity(gamma=2), limit=100)'.",
        "text",
        check=weights_of_hits,
    )
    unjudged: Unjudged | None = option(
        "Recommended items that the truth lacks: irrelevant, removed (later items move up), or removed_negative (items "
        "rated below 0, too).",
        "choice",
        check=policy_choice,
    )
    aggregates: Sequence[Aggregate] = option(
        "Aggregate of the values of the lists: mean, median, std, ci(0.95), worst(0.1) and others.",
        "texts",
        "mean",
        check=aggregates_of,
    )
    duplicates: Duplicates = option(
        "Repeated items of a list: count (report them), first (only the first position of each stays, and later items "
        "move up) or error.",
        "choice",
        "count",
        check=partial(one_of, get_args(Duplicates)),
    )
    lists: Names = option(
        "A column that identifies a list (default: all columns without another role).",
        "names",
        group=COLUMNS,
        required_by=["to_sql"],
    )
    truth_lists: Names = option(
        "A list column of the truth, as in user, or user=user_id if the name differs (default: all it has).",
        "names",
        group=COLUMNS,
    )
    columns: Columns | None = option(
        "The columns of item, rank, score and rating, if they have unusual names.", "columns", group=COLUMNS
    )
    truth_columns: Columns | None = option(
        "The columns of the truth, if they have other names than in the recommendations.", "columns", group=COLUMNS
    )
    lower_is_better: bool = option("A lower score is better, as for distances.", "yes or no", group=COLUMNS)
    rank_from: int = option(
        "The rank of a list's first item: 1 or 0.",
        "number",
        1,
        group=COLUMNS,
        check=partial(one_of, (0, 1)),
        type="Literal[0, 1]",
    )
    ranks: Ranks = option(
        "Ranks of a list that do not start at 1: checked (an error), given (count at these ranks), or again (rank the "
        "items of each list again, in the order of their ranks).",
        "choice",
        "checked",
        group=COLUMNS,
        check=partial(one_of, get_args(Ranks)),
    )
    files_as: str | None = option(
        "What several files of recommendations are: one system each, in this list column; or parts of one table.",
        "text",
        group=COLUMNS,
        absent=NOTHING_READ,
    )
    format: tuple[str, ...] = option(
        "The format, if the file name does not show it: trec, movielens, csv; of one input: truth: movielens. Or how "
        "text is read, as in decimal=, or 'recs: cells=\" \"' (docs: inputs).",
        "texts",
        group=COLUMNS,
        absent=NOTHING_READ,
    )
    text: Names = option(
        "A text column of tables that rankmetrics cannot read (docs: dialects).", "names", absent=OF_SCHEMAS
    )
    dates: Names = option("A date column of tables that rankmetrics cannot read.", "names", absent=OF_SCHEMAS)
    systems: Any = option(
        "Systems to score in every partition, even if they have no lists there: a list of names, or a table.",
        "names or a table",
        flag="system",
    )
    history: Any = option("The items that each user knew before.", "input", group=INPUTS)
    baseline: Any = option("Recommendations to compare with.", "input", group=INPUTS)
    items: Any = option("Categories, embeddings or popularity of the items.", "input", group=INPUTS)
    similarity: Any = option("The similarity of pairs of items.", "input", group=INPUTS)
    catalog: Any = option("The items that could be recommended.", "input", group=INPUTS)
    candidates: Any = option(
        "The items that each list is ranked among, in addition to its relevant items.", "input", group=INPUTS
    )
    sample: Negatives | None = option(
        "Rank the relevant items among sampled negatives, as in 100 or 'popularity(n=100, seed=7)'.",
        "text",
        group=INPUTS,
        check=read_negatives,
        type="Negatives | int | str | None",
    )
    log: Any = option("What was shown and what came of it, with propensities.", "input", group=INPUTS)
    extra_columns: Mapping[str, Columns] | None = option(
        "A column of one of these inputs, as in items.category=genre.", "columns of inputs", group=INPUTS
    )
    history_lists: Names = option("A list column of the history (default: all it has).", "names", group=INPUTS)
    baseline_lists: Names = option("A list column of the baseline (default: all it has).", "names", group=INPUTS)
    log_lists: Names = option("A list column of the log (default: all it has).", "names", group=INPUTS)
    items_lists: Names = option("A list column of the items, such as a day.", "names", group=INPUTS)
    catalog_lists: Names = option("A list column of the catalogue, such as a day.", "names", group=INPUTS)
    history_until: str | None = option(
        "A list column such as day: the history of a list is then the rows of earlier days.", "text", group=INPUTS
    )
    cold_start: bool = option(
        "The users are new: the history may have none of their lists, which is an error otherwise.",
        "yes or no",
        group=INPUTS,
    )
    where: tuple[str, ...] = option(
        "Read only these rows, as in \"day = '2024-01-01'\": of every input that has the column, or of one, as in "
        "\"recs: model = 'als'\".",
        "texts",
        group=INPUTS,
        absent={"to_sql": "its `where` is the partition", "key": "the models that are read cut the rows"},
    )
    connection: Any = option(
        "The address of a database with the tables, as in postgresql://user@host/name.",
        "other",
        group=DATABASES,
        absent={"to_sql": "nothing is connected to", "key": "dbt connects"},
    )
    dialect: str | None = option(
        "The dialect to write (default: that of --connection, else duckdb).",
        "text",
        absent={"key": "the adapter tells"},
        required_by=["to_sql"],
    )
    memory_limit: str | None = option(
        "Memory limit of DuckDB, as in 2GB; beyond it, work spills to disk.", "text", group=DUCKDB, absent=NOTHING_READ
    )
    per_list: bool = option("One row per list instead of the summary.", "yes or no", absent=OF_A_TEXT)
    form: str = option(
        "query, view, table, cte, incremental, ddl, macro, function, check or script.",
        "text",
        "query",
        flag="as",
        type="Form",
        absent=OF_A_MODEL,
    )
    guarded: bool = option(
        "Raise an error instead of returning numbers if the data has a fault.", "yes or no", absent=OF_A_TEXT
    )
    quote_names: bool = option(
        "Quote names, so that they keep their case in every database.", "yes or no", absent=OF_A_TEXT
    )
    counts: tuple[str, ...] = option(
        "A column of counts after n_lists: missing, tied or undefined (per metric).",
        "texts",
        (),
        check=count_columns,
        absent=OF_A_TEXT,
    )
    name: str | None = option("The name of the view, table or macro.", "text", absent=OF_A_MODEL)
    partition: Any = option(
        "The partition to write (incremental), as in \"day = DATE '2024-01-31'\", a range, or day IN (...).",
        "partition",
        flag="where",
        called={"to_sql": "where"},
        absent=OF_A_MODEL,
    )
    lookback: int = option(
        "Also write this number of days before the partition again, for late truth.", "number", 0, absent=OF_A_MODEL
    )
    existing: tuple[str, ...] = option(
        "A column that the table has already (ddl): write ALTER TABLE for the other columns.",
        "names",
        (),
        absent=OF_A_MODEL,
    )
    assume: frozenset[str] = option(
        "Assume this, for a shorter query: unique (no list has an item twice), not-null, or keys (both).",
        "texts",
        (),
        check=read_assumptions,
        absent={"evaluate": "the engine's data is checked, and not assumed"},
    )

    def __post_init__(self) -> None:
        from rankmetrics.metrics.metric import read_metrics

        check_options(self)
        refuse_metrics_as_truth(self.truth, self.metrics)
        metrics = read_metrics(self.metrics, self.convention, self.policies)
        among = candidates_in_words(self.candidates, self.sample)
        object.__setattr__(self, "metrics", [replace(metric, among=among) for metric in metrics])
        refuse_idle_options(vars(self))
        if self.label is not None and (self.truth is not None or self.truth_lists or self.truth_columns):
            raise said(InputError, "labels_and_truth", truth=Option("truth"))

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """The inputs that were given, by name."""
        extras = {name: getattr(self, name) for name in EXTRAS}
        inputs = {name: value for name, value in extras.items() if value is not None}
        if not isinstance(self.systems, tuple):
            inputs[SYSTEMS] = self.systems
        return {"recs": self.recs, **({} if self.truth is None else {"truth": self.truth}), **inputs}

    @property
    def names_baseline(self) -> bool:
        """True if the baseline is a system of the recommendations, as in `{"algorithm": "als"}`."""
        named = self.baseline
        return isinstance(named, Mapping) and {*map(type, named.values())} in ({str}, {int}, {str, int})

    @property
    def tables(self) -> dict[str, Any]:
        """The inputs that are tables of their own, by name."""
        return {name: value for name, value in self.inputs.items() if name != "baseline" or not self.names_baseline}

    @property
    def named_columns(self) -> dict[str, Columns]:
        """The columns of further inputs; of a baseline among the recommendations, by default those that rank these."""
        own = (self.columns or Columns()).only(RANKING_ROLES)
        shared = {"baseline": replace(own, lists={})} if self.names_baseline else {}
        return {**shared, **(self.extra_columns or {})}

    @property
    def extras(self) -> dict[str, Any]:
        """The inputs that were given besides recommendations and truth."""
        return {name: value for name, value in self.inputs.items() if name in EXTRAS}

    @property
    def extra_lists(self) -> dict[str, tuple[str, ...]]:
        """The list columns of the optional inputs, where the caller named them."""
        options = {name: option for option, (name, field) in OF_INPUT.items() if field == "lists" and name in EXTRAS}
        stated = {name: getattr(self, option) for name, option in options.items()}
        return {name: lists for name, lists in stated.items() if lists is not None}

    @property
    def of_layout(self) -> dict[str, Any]:
        """The options from which the layout of the inputs follows, as `inputs.layout.layout` calls them."""
        named = {name: getattr(self, name) for name in OF_LAYOUT}
        systems = self.systems if isinstance(self.systems, tuple) else ()  # else they are a table
        own = {"extra_lists": self.extra_lists, "systems": systems, "negatives": self.sample, "labels": self.label}
        return {**named, **own, "unnamed": [name for name in ("recs", "truth") if _is_of_lists(getattr(self, name))]}

    @property
    def changed(self) -> dict[str, str]:
        """The options that differ from their default, as texts, in the order of their declaration.

        No inputs, and no connection: its address may hold a password.
        """
        changed = {}
        for each in fields(self):
            check, value = declaration_of(each).check, getattr(self, each.name)
            default = check(each.name, each.default) if check else each.default
            if each.repr and value != default:
                changed[each.name] = in_words(value)
        return changed

    @property
    def policies(self) -> dict[str, Setting]:
        """The policies that hold for every metric that does not set its own.

        Without a truth, the lists are those of the log; without a log, those of the recommendations. A document counts
        at its first chunk.
        """
        from rankmetrics.metrics.metric import open_settings

        missing = self.missing
        if missing is None and self.truth is None and self.label is None:
            missing = "listed" if self.log is None else "log"
        weights = [] if self.weights is None else open_settings("", [("weights", self.weights)])
        has_chunks = self.columns is not None and self.columns.chunk is not None
        chosen = {
            "missing": missing,
            "ties": self.ties or ties_of_ranks(self.recs),
            "unjudged": self.unjudged,
            "duplicates": "first" if has_chunks or self.duplicates == "first" else None,
            **dict(weights),
        }
        return {name: value for name, value in chosen.items() if value is not None}


def _is_of_lists(value: Any) -> bool:
    """True if an input is a mapping from lists to items, so that its list column has no name of the caller's."""
    is_column = isinstance(value, Mapping) and any(isinstance(key, str) and plain(key) in ITEM for key in value)
    first = next(iter(value.values()), "") if isinstance(value, Mapping) and not is_column else ""
    return not isinstance(first, str) and not hasattr(type(first), "columns")


# --- comparisons ------------------------------------------------------------------------------------------------------

# The reason why a comparison has no flag for an option.
OF_EVALUATE: Mapping[Face, str] = {"flag": "the flag of evaluate is it, too"}

statistic, up_to_100_000 = partial(option, group=STATISTICS), partial(whole_number, most=100_000)


# The clusters for which `sequential=True` makes the interval narrowest.
TUNED_TO = 5_000


def margin_of(option: str, value: Any) -> Limit | None:
    """The difference that does not matter, which is above 0."""
    margin = value if value is None or isinstance(value, Limit) else read_limit(value, Option(option))
    if margin is not None and not margin.value:
        raise InputError(f"{Option(option, is_noun=True)} is the difference that does not matter, and is above 0.")
    return margin


def shares_of(option: str, value: Any) -> dict[str, float] | None:
    """The share of users of each arm."""
    return value and {arm: read_limit(share, Option(option)).value for arm, share in value.items()}


def clusters_tuned_to(option: str, value: Any) -> int | None:
    """The number of clusters for which intervals for every look are narrowest; None for intervals for one look."""
    if not value:
        return None
    if isinstance(value, float) or value < 0:
        sequential = Option(option, is_noun=True)
        raise said(InputError, "no_number_of_lists", option=sequential, value=value, set=Option(option, TUNED_TO))
    return TUNED_TO if value is True else value


@dataclass(frozen=True)
class ComparisonOptions:
    """The options of `compare_files` and `Result.compare`."""

    baseline: Any = statistic(
        "The name of the system to compare all others with (default: compare all pairs).",
        "text",
        type="Baseline | None",
    )
    metrics: Any = option("The metrics to compare.", "texts", check=None, is_positional=True, absent=OF_EVALUATE)
    tests: Any = statistic(
        "A test: t, wilcoxon, randomization, bootstrap, mcnemar or tukey (default: t).",
        "texts",
        ("t",),
        check=lambda option, value: tuple(dict.fromkeys(texts(option, value))),
        is_positional=True,
    )
    correction: Any = statistic(
        "Correction for several tests: holm, bonferroni, benjamini_hochberg or none.",
        "text",
        "holm",
        type="str | None",
        check=lambda option, value: value or "none",
        is_positional=True,
    )
    by: Any = option("The list columns whose values stay apart.", "names", check=None, absent=OF_EVALUATE)
    confidence: float = statistic("Level of the confidence intervals.", "share", 0.95)
    replicates: int = statistic(
        "Replicates of the tests randomization and bootstrap.", "number", 1000, check=up_to_100_000
    )
    seed: int = statistic("Seed of the random numbers.", "number", 0)
    cluster: Any = option("The list columns that name clusters.", "names", check=None, absent=OF_EVALUATE)
    margin: Any = statistic(  # a Limit, or None
        "The difference that does not matter, as in 1% of the baseline's mean, or 0.005: tests of equivalence.",
        "limit",
        check=margin_of,
    )
    paired: bool = statistic(
        "Whether systems have the same lists, or are the arms of an experiment.",
        "yes or no",
        True,
        flag="paired/--unpaired",
    )
    shares: Mapping[str, float] | None = statistic(
        "The share of users of an arm, as in control=0.3.", "limits", check=shares_of
    )
    sequential: Any = statistic(  # the clusters for which intervals are narrowest, or None
        "For growing data: intervals that hold at every look, narrowest for this number of lists, as in 5000.",
        "yes or number",
        check=clusters_tuned_to,
    )

    def __post_init__(self) -> None:
        check_options(self)
