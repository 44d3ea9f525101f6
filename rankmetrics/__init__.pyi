# Written by `make golden` from the declarations of options.
from collections.abc import Mapping, Sequence
from typing import Literal

from rankmetrics import metrics as metrics
from rankmetrics.metrics import *  # rm.ndcg is rm.metrics.ndcg
from rankmetrics.arms import check_arms as check_arms
from rankmetrics.audits import Audit as Audit
from rankmetrics.audits import audit as audit
from rankmetrics.comparisons.comparison import Baseline
from rankmetrics.comparisons.comparison import Comparison as Comparison
from rankmetrics.comparisons.power import power as power
from rankmetrics.conventions import ConventionTable as ConventionTable
from rankmetrics.conventions import compare_conventions as compare_conventions
from rankmetrics.conventions import list_conventions as list_conventions
from rankmetrics.dialects.model import Form
from rankmetrics.errors import ColumnError as ColumnError
from rankmetrics.errors import DataError as DataError
from rankmetrics.errors import DialectError as DialectError
from rankmetrics.errors import EngineError as EngineError
from rankmetrics.errors import InputError as InputError
from rankmetrics.errors import MetricError as MetricError
from rankmetrics.errors import RankMetricsError as RankMetricsError
from rankmetrics.errors import RankMetricsWarning as RankMetricsWarning
from rankmetrics.explanations import explain as explain
from rankmetrics.export.statements import Where
from rankmetrics.gates.gate import GateReport as GateReport
from rankmetrics.gates.options import Limits
from rankmetrics.identification.conformance import check_answers as check_answers
from rankmetrics.identification.conformance import conformance as conformance
from rankmetrics.identification.identify import Identified as Identified
from rankmetrics.identification.identify import identify as identify
from rankmetrics.identification.problems import Problem as Problem
from rankmetrics.inputs.columns import Columns as Columns
from rankmetrics.inputs.columns import Ties
from rankmetrics.inputs.input import Input as Input
from rankmetrics.inputs.negatives import Negatives as Negatives
from rankmetrics.judges import Corrected as Corrected
from rankmetrics.manual import help as help
from rankmetrics.metrics.intervals import exact_interval as exact_interval
from rankmetrics.metrics.metric import Metric as Metric
from rankmetrics.metrics.metric import MetricSpec
from rankmetrics.metrics.metric import column_names as column_names
from rankmetrics.metrics.metric import define as define
from rankmetrics.metrics.metric import define_folder as define_folder
from rankmetrics.metrics.metric import list_metrics as list_metrics
from rankmetrics.metrics.metric import parse as parse
from rankmetrics.rankings.rank import rank_factors as rank_factors
from rankmetrics.rankings.rank import rank_scores as rank_scores
from rankmetrics.rankings.rankings import Rankings as Rankings
from rankmetrics.reports.report import report as report
from rankmetrics.request import Duplicates
from rankmetrics.request import Missing
from rankmetrics.request import Ranks
from rankmetrics.request import Systems
from rankmetrics.request import Unjudged
from rankmetrics.results.result import Result as Result
from rankmetrics.scorers import sklearn_scorer as sklearn_scorer
from rankmetrics.segments.segmentation import buckets as buckets
from rankmetrics.segments.segments import Segments as Segments
from rankmetrics.splits.split import Split as Split
from rankmetrics.splits.split import split as split
from rankmetrics.traces.trace import Trace as Trace
from rankmetrics.traces.worst_lists import WorstLists as WorstLists
from rankmetrics.trackers import log as log

__version__: str
__all__ = [
    "Audit",
    "ColumnError",
    "Columns",
    "Comparison",
    "ConventionTable",
    "Corrected",
    "DataError",
    "DialectError",
    "EngineError",
    "GateReport",
    "Identified",
    "Input",
    "InputError",
    "Metric",
    "MetricError",
    "Negatives",
    "Problem",
    "RankMetricsError",
    "RankMetricsWarning",
    "Rankings",
    "Result",
    "Segments",
    "Split",
    "Trace",
    "WorstLists",
    "audit",
    "buckets",
    "check_answers",
    "check_arms",
    "column_names",
    "compare_conventions",
    "compare_files",
    "conformance",
    "define",
    "define_folder",
    "evaluate",
    "exact_interval",
    "explain",
    "gate",
    "help",
    "identify",
    "list_conventions",
    "list_metrics",
    "log",
    "parse",
    "power",
    "rank_factors",
    "rank_scores",
    "report",
    "sklearn_scorer",
    "split",
    "to_sql",
]

def compare_files(
    a: object,
    b: object,
    metrics: str | Sequence[str] | None = None,
    tests: str | Sequence[str] = ("t",),
    correction: str | None = "holm",
    *,
    system: str | None = None,
    connection: object | None = None,
    dialect: str | None = None,
    baseline: Baseline | None = None,
    by: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    cluster: str | Sequence[str] | None = None,
    margin: float | str | None = None,
    paired: bool = True,
    shares: Limits | None = None,
    sequential: bool | int = False,
) -> Comparison:
    """Compare two tables of values per list, such as `write(path, per_list=True)` saves.

    A table has the list columns and a column for each metric, under its label (`ndcg@10`). The lists of both are paired
    by all list columns. Each table is a system, called after its file (frames are called a and b), and the first is the
    baseline. If both tables have a column `system`, or the column that `system` names, the systems are its values.

    Args:
        a: the first table: a path (Parquet, CSV), a frame, a DuckDB relation, or a table of `connection`.
        b: the second table.
        metrics: the columns of the metrics; by default all columns of numbers whose names are metrics, in both tables.
        tests: t (the paired t-test), wilcoxon (signed ranks), randomization (random signs), bootstrap; mcnemar for
            metrics whose values are 0 or 1; for all pairs also tukey.
        correction: the correction for several tests of a metric: holm, bonferroni, benjamini_hochberg or none.
        baseline: the system with which all others are compared; None compares all pairs if the tables name systems.
        system: the column that names the system, if the tables have one.
        by: the list columns whose values stay apart, such as folds.
        confidence: the probability of the confidence intervals; 1 - confidence is the level of significance.
        replicates: how many replicates randomization and bootstrap draw.
        seed: what their random numbers follow from.
        cluster: the list columns that name what is independent. By default, this is the user where other columns
            split the lists of a user; [] takes every list as independent.
        margin: the difference that does not matter, for tests of non-inferiority and equivalence: a share of the
            baseline's mean, as in "1%", or a difference, as in 0.005.
        paired: False compares the arms of an experiment: each system over its own lists, by Welch's t-test, and
            metrics whose values are 0 or 1 with Newcombe's interval.
        shares: the share of users that each arm should have, as in `{"control": 0.3, "treatment": 0.7}`.
        sequential: True for an interval and a p-value of the t-test that hold at every look at growing data, narrowest
            for 5,000 lists (or clusters), or for another number.
        connection: where tables are named, as in evaluate.
        dialect: the SQL dialect of the connection, if its module does not tell.

    Raises:
        InputError: a table cannot be read or is a summary, or an option is out of its range.
        ColumnError: the tables do not have the same list columns.
        MetricError: the tables have no metric in common, or lack one of `metrics`.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> before = pl.LazyFrame({"user": [1, 2, 3], "ndcg@10": [0.5, 0.25, 0.0]})
        >>> after = pl.LazyFrame({"user": [1, 2, 3], "ndcg@10": [0.5, 0.5, 0.5]})
        >>> rm.compare_files(before, after).collect().select("system", "difference", "wins").rows()
        [('b', 0.25, 2)]
    """

def evaluate(
    recs: object,
    truth: object | None = None,
    metrics: MetricSpec = (),
    *,
    label: str | Mapping[str, float] | bool | None = None,
    by: str | Sequence[str] | Sequence[Sequence[str]] | None = None,
    rollup: bool = False,
    over: str | None = None,
    cluster: str | Sequence[str] | None = None,
    convention: str | None = None,
    missing: Missing | None = None,
    ties: Ties | None = None,
    weights: str | None = None,
    unjudged: Unjudged | None = None,
    aggregates: str | Sequence[str] = "mean",
    duplicates: Duplicates = "count",
    lists: str | Sequence[str] | None = None,
    lower_is_better: bool = False,
    ranks: Ranks = "checked",
    systems: object | None = None,
    history: object | None = None,
    baseline: object | None = None,
    items: object | None = None,
    similarity: object | None = None,
    catalog: object | None = None,
    candidates: object | None = None,
    sample: Negatives | int | str | None = None,
    log: object | None = None,
    where: str | Sequence[str] | None = None,
    connection: object | None = None,
    dialect: str | None = None,
    memory_limit: str | None = None,
) -> Result:
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

def gate(
    result: Result,
    *,
    minimum: Limits | None = None,
    maximum: Limits | None = None,
    max_drop: Limits | None = None,
    against: object | None = None,
    max_missing: float | str | None = None,
    strict: bool = False,
    prove: Literal["not_worse", "same"] | None = None,
    confidence: float = 0.95,
    test: str = "t",
    paired: bool = True,
    sequential: bool | int = False,
    system: str | Sequence[str] | None = None,
) -> GateReport:
    """Check the numbers of a result against limits, which every row of the summary (every system) must keep.

    A check fails if the value is undefined.

    Args:
        result: what `evaluate` returned.
        minimum: the lowest value of each metric, as in `{"ndcg@10": 0.25}`. A metric is written in any spelling; the
            name of a column of the summary, such as `"ndcg@10 median"`, works, too.
        maximum: the highest value of each metric.
        max_drop: how much worse each metric may be than in an earlier run: a share of the earlier mean, as in
            `{"ndcg@10": "1%"}`, or a difference, as in `{"ndcg@10": 0.005}`. Where lower values are better, a rise is
            a drop. A drop beyond the limit fails if it is significant, or if the lists are too few to tell.
        against: the earlier run: a file that `result.write(path, per_list=True)` wrote, a Polars frame with one row per
            list, or a Result. Lists are paired, and both means are over the lists that have a value in both runs. A
            summary, as `result.write(path)` writes it, has no interval: every drop beyond the limit fails.
        max_missing: how many lists may have no recommendations: a number, or a share of the lists, as in `"1%"`.
        strict: whether each drop beyond the limit fails, significant or not.
        prove: `not_worse` to pass only if the lists rule out a drop of the limit or more (non-inferiority), `same` if
            they rule out a rise of it, too (equivalence).
        confidence: the confidence of the interval. A drop is significant, and a proof holds, at the level
            1 - confidence.
        test: the test of a drop: `t` or `bootstrap`.
        paired: False if the runs are over different users, as the arms of an experiment: each over its own lists.
        sequential: True for an interval that holds however often the gate is run, as in a daily job, narrowest for
            5,000 lists, or for another number.
        system: the systems to check; by default all of them.

    Returns:
        A GateReport: `passed`, and `collect` returns the checks as a frame. It prints as a table.

    Raises:
        InputError: there is no limit, a limit is not a number, or the earlier run cannot be compared with.
        MetricError: a metric that has a limit was not measured.
        DataError: the runs have hardly a list in common; or as Result.collect does.

    Source:
        The statistics are those of Result.compare, with the clusters of the evaluation.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.DataFrame({"user": [1, 2, 3], "item": [7, 8, 9], "rank": [1, 1, 1]})
        >>> truth = pl.DataFrame({"user": [1, 2, 3], "item": [7, 8, 8]})
        >>> report = rm.gate(rm.evaluate(recs, truth, "hit@1"), minimum={"hit@1": 0.5}, max_missing="1%")
        >>> report.passed, report.collect()["value"].to_list()
        (True, [0.6666666666666666, 0.0])
    """

def to_sql(
    recs: str | Input,
    truth: str | Input | None = None,
    metrics: MetricSpec = (),
    *,
    label: str | Mapping[str, float] | bool | None = None,
    by: str | Sequence[str] | Sequence[Sequence[str]] | None = None,
    rollup: bool = False,
    over: str | None = None,
    cluster: str | Sequence[str] | None = None,
    convention: str | None = None,
    missing: Missing | None = None,
    ties: Ties | None = None,
    weights: str | None = None,
    unjudged: Unjudged | None = None,
    aggregates: str | Sequence[str] = "mean",
    duplicates: Duplicates = "count",
    lists: str | Sequence[str],
    lower_is_better: bool = False,
    ranks: Ranks = "checked",
    text: str | Sequence[str] | None = None,
    dates: str | Sequence[str] | None = None,
    systems: Systems | None = None,
    history: str | Input | None = None,
    baseline: str | Input | None = None,
    items: str | Input | None = None,
    similarity: str | Input | None = None,
    catalog: str | Input | None = None,
    candidates: str | Input | None = None,
    sample: Negatives | int | str | None = None,
    log: str | Input | None = None,
    dialect: str,
    per_list: bool = False,
    form: Form = "query",
    guarded: bool = False,
    quote_names: bool = False,
    counts: str | Sequence[str] = (),
    name: str | None = None,
    where: Where | None = None,
    lookback: int = 0,
    existing: str | Sequence[str] = (),
    assume: str | Sequence[str] = (),
) -> str:
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
        metrics: as in evaluate.
        by: as in evaluate.
        rollup: as in evaluate.
        over: as in evaluate.
        cluster: as in evaluate.
        convention: as in evaluate.
        missing: as in evaluate.
        weights: as in evaluate.
        unjudged: as in evaluate.
        aggregates: as in evaluate.
        sample: as in evaluate.

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
