"""The Comparison of systems: its options, the values per list that it reads, and the paired statistics of each pair."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, count, islice, pairwise, product
from math import inf, sqrt
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import polars as pl
from sqlglot import exp

from rankmetrics._rounding import same
from rankmetrics.comparisons.plan import ComparisonPlan, PerList
from rankmetrics.comparisons.statistics import (
    CORRECTIONS,
    MANY_LISTS_OF_RANKS,
    TESTS,
    Interval,
    Key,
    Pair,
    Statistics,
    TestSums,
    corrected,
    is_significant,
    pair_of,
)
from rankmetrics.engines.base import Engine
from rankmetrics.engines.files import SYSTEM, names_of, refuse_hidden
from rankmetrics.engines.opening import open_engine
from rankmetrics.errors import (
    ColumnError,
    DataError,
    InputError,
    MetricError,
    Option,
    RankMetricsWarning,
    choices_for,
    counted,
    did_you_mean,
    names,
    pip_install,
)
from rankmetrics.inputs.columns import NUMBERS, SEPARATOR, ColumnType, Layout, Schema, name_of_system
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.metric import Metric, parse
from rankmetrics.options import read_limit, texts
from rankmetrics.planner import optimized
from rankmetrics.queries import Queries
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_heading
from rankmetrics.tables import BEST, LATEX, Cell, Printed, TextTable, shown_value

# What names the baseline: the value of its column, or of each of its columns.
Baseline = str | int | Sequence[str | int] | Mapping[str, str | int]

# The steps whose rows are the sums of a statistic.
STEPS = ("moments", "cluster_moments", "signed_rank_sums", "randomized_sums", "bootstrap_means", "system_moments")

# The tests of a margin: the system is not worse by it, and does not differ by it.
NOT_WORSE, EQUIVALENT = "not_worse", "equivalent"

# The columns of `collect` that are counts; those of other statistics are DOUBLE.
COUNTS = ("n_lists", "n_undefined", "wins", "ties", "losses", "lists_for_1_percent")

# The pairs of which notes have a sentence.
MOST_SENTENCES = 10

PAIR_HEADINGS = ("metric", "system", "baseline", "difference", "interval", "effect size", "wins/ties/losses")


@dataclass(frozen=True, repr=False)
class Comparison(Printed):
    """Paired statistics of systems: each system against a baseline, or all pairs of systems.

    `collect` returns one row per metric and pair of systems. Printing shows the means, with a letter for each system
    that a system is significantly better than. Until then, nothing is computed.

    Attributes:
        plan: which lists are compared, and how.
        statistics: which statistics are computed.
        lower_is_better: the labels of the metrics whose lower value is the better one.
        left_out: the labels of the metrics that are measured and not compared, since they have no value per list.
        preferences: the labels of the metrics that are preferences over the baseline of the evaluation, such as `rpp`.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.LazyFrame({"algorithm": ["a"] * 3 + ["b"] * 3, "user": [1, 2, 3] * 2, "item": [7, 8, 9, 7, 7, 9]})
        >>> truth = pl.LazyFrame({"user": [1, 2, 3], "item": [7, 7, 9]})
        >>> frame = rm.evaluate(recs.with_columns(rank=1), truth, ["hit@1"]).compare(baseline="a").collect()
        >>> frame.select("metric", "system", "n_lists", "difference", "wins", "ties", "losses").rows()
        [('hit@1', 'b', 3, 0.3333333333333333, 1, 2, 0)]
    """

    _heading = "Notes"

    plan: ComparisonPlan
    statistics: Statistics
    lower_is_better: frozenset[str]
    left_out: tuple[str, ...] = ()
    preferences: frozenset[str] = frozenset()

    def collect(self) -> pl.DataFrame:
        """One row per metric and pair of systems, computed and checked.

        Columns: those of `by`; `metric`; `baseline` and `system`; `n_lists`, the lists for which both have a value;
        `n_undefined`, the lists for which one of them is undefined; `baseline_mean` and `system_mean` over `n_lists`;
        `difference`, the system minus the baseline; `relative_difference`, as a share of the baseline's mean; `ci_low`
        and `ci_high`, the confidence interval of the difference; `effect_size`, Cohen's d of the paired differences;
        `wins`, `ties` and `losses`, the lists for which the system is better, equal and worse; `lists_for_1_percent`,
        how many lists a paired t-test needs to see a difference of 1 % with a power of 0.8; then for each test, as for
        `t`, `p_t` and `p_t_adjusted`. With a margin: `margin`, as a difference, and the p-values of the tests that the
        system is not worse, and does not differ, by the margin or more: `p_not_worse`, `p_equivalent`, each with
        `_adjusted`. A statistic that cannot be computed, as from fewer than two lists, is NULL.

        Raises:
            InputError: the baseline is none of the systems, or there is only one system.
            DataError: the systems have no list in common; or as the collect of a result does.
            EngineError: the engine refused a query.
        """
        for doubt in self._doubts():
            warnings.warn(doubt, stacklevel=2)
        return self._frame_of(self.pairs)

    def _frame_of(self, pairs: Sequence[Pair]) -> pl.DataFrame:
        """The rows of `collect` for some pairs, which may be turned."""
        known, ids = self._moments.schema, self.plan.ids
        system = known[ids["system_id"][0]] if len(ids["system_id"]) == 1 else pl.String()
        types = {"metric": pl.String(), "baseline": system, "system": system, **dict.fromkeys(COUNTS, pl.Int64())}
        rows = [[*self._statistics_of(pair)] for pair in pairs]
        schema = [(name, types.get(name, pl.Float64())) for name, _ in rows[0]]
        schema[: len(self.plan.by)] = zip(self.plan.by, (known[name] for name in ids["by_id"]), strict=True)
        return pl.DataFrame([[value for _, value in row] for row in rows], schema=schema, orient="row")

    def _statistics_of(self, pair: Pair) -> Iterator[tuple[str, Any]]:
        yield from zip(self.plan.by, pair.by, strict=True)
        yield "metric", pair.metric
        yield "baseline", _value_or_name(pair.baseline)
        yield "system", _value_or_name(pair.system)
        for name in ("n_lists", "n_undefined", "baseline_mean", "system_mean", "difference", "relative_difference"):
            yield name, getattr(pair, name)
        yield from zip(("ci_low", "ci_high"), pair.interval(self.statistics.confidence), strict=True)
        yield "effect_size", pair.effect_size
        yield from zip(("wins", "ties", "losses"), self._outcomes(pair), strict=True)
        yield "lists_for_1_percent", pair.lists_for_1_percent(self.statistics.confidence)
        for test, p_values in self._p_values.items():
            if test == NOT_WORSE:
                yield "margin", self._margin(pair)
            yield f"p_{test}", p_values[pair.key]
            yield f"p_{test}_adjusted", self.adjusted[test][pair.key]
            if test in self._intervals:
                low, high = self._intervals[test].get(pair.key, (None, None))
                yield f"ci_low_{test}", high and -high if pair.is_turned else low
                yield f"ci_high_{test}", low and -low if pair.is_turned else high

    def _outcomes(self, pair: Pair) -> tuple[int, int, int]:
        """The numbers of lists for which the system is better, equal and worse."""
        counts = (pair.n_higher, pair.n_equal, pair.n_lower)
        return counts[::-1] if pair.metric in self.lower_is_better else counts

    def _is_better(self, pair: Pair) -> bool | None:
        """True if the mean of the system is better, None if both are equal but for rounding."""
        means = [mean for mean in (pair.baseline_mean, pair.system_mean) if mean is not None]
        if pair.difference is None or same(pair.difference, 0, scale=max(map(abs, means), default=0)):
            return None
        return (pair.difference < 0) == (pair.metric in self.lower_is_better)

    def _margin(self, pair: Pair) -> float | None:
        """The margin as a difference of means."""
        margin = self.statistics.margin
        if margin is None or not margin.is_percentage:
            return None if margin is None else margin.value
        return None if pair.baseline_mean is None else margin.value * abs(pair.baseline_mean)

    def sentences(self) -> list[str]:
        """A sentence for each metric and pair: which system is better, by how much, and what the margin says of it.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> before = pl.LazyFrame({"user": range(100), "ndcg@10": [0.5, 0.52] * 50})
            >>> after = pl.LazyFrame({"user": range(100), "ndcg@10": [0.51, 0.523] * 50})
            >>> print(rm.compare_files(before, after, margin="2%").sentences()[0])
            b is better than a in ndcg@10 by 1.3 %, which your margin of 2 % calls no difference
        """
        return [self._sentence(pair) for pair in self.pairs]

    def ranks(self, metric: str | None = None) -> Ranks:
        """The average ranks of the systems over data sets, with Friedman's and Nemenyi's tests.

        The data sets are the values of the columns that the comparison keeps apart (`by`).

        Args:
            metric: a metric of the comparison; by default, the first.

        Raises:
            InputError: there are fewer than three systems or two data sets, or a system lacks a data set.
            MetricError: the metric is not in the comparison.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> keys = [(day, name, user) for day in (1, 2, 3) for name in "abc" for user in (1, 2)]
            >>> values = pl.DataFrame(keys, schema=["day", "system", "user"], orient="row")
            >>> means = {"a": 0.1, "b": 0.3, "c": 0.2}
            >>> values = values.with_columns(pl.col("system").replace_strict(means).alias("rr"))
            >>> rm.compare_files(values, values.clear(), by="day").ranks().average_ranks
            {'b': 1.0, 'c': 2.0, 'a': 3.0}
        """
        label = metric or self.plan.metrics[0]
        if label not in self.plan.metrics:
            raise MetricError(f"{label!r} is not compared: there are {choices_for(label, self.plan.metrics)}")
        self.plan.per_list.check()
        ids = self.plan.ids
        rows = self._sums.compute("system_moments").filter(metric=label)
        means: dict[str, dict[tuple[object, ...], float | None]] = {}
        for row in sorted(rows.select(*ids["by_id"], *ids["system_id"], "mean_value").rows(), key=_order):
            n_by = len(self.plan.by)
            means.setdefault(name_of_system(row[n_by:-1]), {})[row[:n_by]] = row[-1]
        sets = list(dict.fromkeys(name for of_system in means.values() for name in of_system))
        if len(means) < 3 or len(sets) < 2:
            raise InputError(
                "Average ranks need three systems or more, and two data sets or more: the comparison has "
                f"{counted(len(means), 'system', 'systems')} and {counted(len(sets), 'data set', 'data sets')}. Name "
                f"the column of the data sets: {Option('by', ['data_set'])}."
            )
        for system, of_system in means.items():
            if lacking := [name for name in sets if of_system.get(name) is None]:
                raise InputError(
                    f"{system} has no mean of {label} on {names(map(name_of_system, lacking))}: ranks compare systems "
                    "on the same data sets."
                )
        values = {system: [float(of_system[name] or 0) for name in sets] for system, of_system in means.items()}
        return Ranks(label, values, label in self.lower_is_better, self.statistics.confidence)

    def _sentence(self, pair: Pair) -> str:
        level, first = 1 - self.statistics.confidence, next(iter(self.statistics.tests), "")
        system, baseline = name_of_system(pair.system), name_of_system(pair.baseline)
        is_better, relative = self._is_better(pair), pair.relative_difference
        by = "".join(f" ({name} = {value})" for name, value in zip(self.plan.by, pair.by, strict=True))
        size = f"{abs(pair.difference or 0):.4f}"
        if relative is not None:
            percent = abs(relative) * 100
            size = f"{percent:.2g} %" if percent < 99.5 else f"{percent:,.0f} %"
        text = f"{system} is {'better' if is_better else 'worse'} than {baseline} in {pair.metric}{by} by {size}"
        if is_better is None:
            text = f"{system} and {baseline} are equal in {pair.metric}{by}"
        margin, chance = self.statistics.margin, ""
        if is_better is not None and first and not is_significant(self.adjusted[first][pair.key], level):
            chance = ", which chance may explain"
        if margin is None:
            return text + chance
        not_worse, equivalent = (self.adjusted[test][pair.key] for test in (NOT_WORSE, EQUIVALENT))
        shown = f"your margin of {str(margin).replace('%', ' %')}"
        if is_significant(equivalent, level):
            return f"{text}, which {shown} calls no difference" if is_better is not None else f"{text}, as {shown} asks"
        if is_significant(not_worse, level):
            return f"{text}{chance}; it is not worse by {shown}"
        return f"{text}{chance}; the lists do not prove that it is not worse by {shown}"

    def table(self) -> Any:
        """The rows of `collect` as a table of the same kind as the recommendations.

        A LazyFrame computes when it is collected. A relation of DuckDB, a frame of Spark and a table of Ibis are
        computed at once, and hold the rows.
        """
        return self.plan.per_list.engine.table_of(self.collect)

    def to_text(self, form: str = "markdown") -> str:
        """The tables as text; in `latex`, that of `to_latex`. Printed.to_text has the other forms."""
        return self.to_latex() if form == "latex" else super().to_text(form)

    def to_sql(
        self,
        dialect: str | None = None,
        *,
        step: str = "moments",
        per_list: str | None = None,
        quote_names: bool = False,
    ) -> str:
        """The query for the sums of a statistic, as text; docs/comparing.md says how statistics follow from them.

        Args:
            dialect: any that rm.to_sql has; by default the engine's own.
            step: the sums: moments, cluster_moments, signed_rank_sums, randomized_sums, bootstrap_means or
                system_moments.
            per_list: the table of values per list there, such as rm.to_sql makes with per_list=True and form="table".
                It must be named in a dialect that is not the engine's own.
            quote_names: as in rm.to_sql.

        Raises:
            InputError: there are no such sums, or the table is not named.
            DialectError: the dialect is unknown, or cannot express the query, as MD5 in SQLite.
        """
        own = self.plan.per_list.engine.dialect
        _refuse_unknown("step", step, STEPS)
        if per_list is None and dialect not in (None, own):
            raise InputError(
                f"The inputs are not in {dialect}: name the table of values per list there, "
                f"{Option('per_list', 'db.per_list')}."
            )
        return self.plan.text(step, dialect or own, per_list, quote_names=quote_names)

    # --- printing -----------------------------------------------------------------------------------------------------

    def notes(self) -> list[str]:
        """Notes in sentences: the tests and corrections, the lists left out, and how many lists would be enough."""
        sentences = self.sentences() if self.statistics.margin else []
        more = [f"and {len(sentences) - MOST_SENTENCES:,} more pairs"] if len(sentences) > MOST_SENTENCES else []
        doubts = [doubt.note(str) for doubt in self._doubts()]
        return [*sentences[:MOST_SENTENCES], *more, *self._notes_on_tests(), *self._notes_on_lists(), *doubts]

    def _doubts(self) -> Iterator[RankMetricsWarning]:
        """A warning where a test finds too much over so many lists."""
        n = max((pair.n_lists for pair in self.pairs), default=0)
        if "wilcoxon" in self.statistics.tests and n > MANY_LISTS_OF_RANKS:
            yield RankMetricsWarning(
                f"Wilcoxon's test over {n:,} lists calls too many differences significant (arXiv 2305.02461): above "
                f"some thousand lists, take {Option('tests', ['t'])} or {Option('tests', ['randomization'])}.",
                page="comparing/#tests-and-p-values",
            )

    def _notes_on_tests(self) -> Iterator[str]:
        statistics, n_tests = self.statistics, len(self.pairs) // len(self.plan.metrics)
        if not statistics.tests:
            return
        test, level = TESTS[statistics.tests[0]], round(1 - statistics.confidence, 6)
        yield f"a letter: significantly better than the system of this letter ({test.name}, p < {level})"
        if test.is_of_all_pairs:
            yield "the test corrects its p-values for all pairs of a metric itself"
        elif statistics.correction == "none" and n_tests > 1:
            yield "p-values are not corrected for several tests"
        elif n_tests > 1:
            _, correction = CORRECTIONS[statistics.correction]
            yield f"p-values are corrected for the {n_tests} tests of a metric: {correction}"

    def _notes_on_lists(self) -> Iterator[str]:
        if self.plan.over:
            kinds = " and of the same ".join([", ".join(self.plan.cluster), self.plan.over])
            yield f"lists of the same {kinds} are not independent, and are taken as clusters in two ways"
        elif self.plan.cluster:
            yield f"lists of the same {', '.join(self.plan.cluster)} are not independent, and are taken as a cluster"
        of_others = [pair for pair in self.pairs if pair.metric in self.preferences]
        if of_others := [pair for pair in of_others if pair.baseline_mean and pair.system_mean]:
            labels = ", ".join(dict.fromkeys(pair.metric for pair in of_others))
            yield f"{labels}: if neither system is the baseline of the evaluation, the difference is of two preferences"
        if self.left_out:
            yield f"not compared, because a paired test needs values per list: {', '.join(self.left_out)}"
        for metric, pairs in self._pairs_of.items():
            if n := max(pair.n_undefined for pair in pairs):
                yield f"lists of a pair for which {metric} is undefined, which are left out: {n:,}"
        if n := self.n_unpaired:
            yield f"lists that only one system of a pair has, which are left out: {n:,}"
        for metric, pairs in self._pairs_of.items():
            if n := max(pair.lists_for_1_percent(self.statistics.confidence) or 0 for pair in pairs):
                lists = counted(n, "list is", "lists are")
                yield f"to see a difference of 1 % in {metric} with a power of 0.8, {lists} needed"

    def to_latex(self) -> str:
        """The means with a letter for each system that they are significantly better than, as a table of LaTeX.

        It needs the package booktabs. The best mean of each metric is bold.
        """
        notes = "; ".join(islice(self.notes(), 2 if self.statistics.tests else 0))
        tabular = self._means_table(("#", "System"), are_numbers=True).as_latex()
        caption = f"\\caption{{{(notes[0].upper() + notes[1:]).translate(LATEX)}.}}\n" if notes else ""
        return f"\\begin{{table}}\n\\centering\n{tabular}{caption}\\end{{table}}\n"

    def _tables(self) -> list[TextTable]:
        by = self.plan.by
        headings = [*PAIR_HEADINGS, *(f"p ({test})" for test in self.statistics.tests)]
        columns = [*by, *(free_heading(name, by) for name in headings)]
        pairs = TextTable.of_texts(columns, map(self._texts, self.pairs), n_keys=len(by) + 3)
        return [self._means_table(("", "system")), pairs]

    def _texts(self, pair: Pair) -> list[str]:
        low, high = pair.interval(self.statistics.confidence)
        relative = "" if pair.relative_difference is None else f" ({pair.relative_difference:+.1%})"
        p_values = (self.adjusted[test][pair.key] for test in self.statistics.tests)
        return [
            *map(str, pair.by),
            pair.metric,
            name_of_system(pair.system),
            name_of_system(pair.baseline),
            "–" if pair.difference is None else f"{pair.difference:+.4f}{relative}",
            "–" if low is None or high is None else f"{low:+.4f} to {high:+.4f}",
            shown_value(pair.effect_size),
            "/".join(map(str, self._outcomes(pair))),
            *map(shown_p_value, p_values),
        ]

    def _means_table(self, key_headings: Sequence[str], *, are_numbers: bool = False) -> TextTable:
        """The leaderboard: a row per system, with the baseline first, and a column per metric, with the letters."""
        systems = dict.fromkeys(system for pair in self.pairs for system in (pair.baseline, pair.system))
        letter_of = dict(zip(systems, letters(len(systems)), strict=True))
        means: dict[tuple[Any, str], dict[Any, float | None]] = {}
        for pair in sorted(self.pairs, key=lambda pair: pair.n_lists):  # a mean is that over the most lists
            of_metric = means.setdefault((pair.by, pair.metric), {})
            of_metric |= {pair.baseline: pair.baseline_mean, pair.system: pair.system_mean}
        rows = []
        for by in dict.fromkeys(pair.by for pair in self.pairs):
            for system, letter in letter_of.items():
                cells = [Cell(text) for text in (*map(str, by), letter, name_of_system(system))]
                for metric in self.plan.metrics:
                    of_metric = means.get((by, metric), {})
                    best = min if metric in self.lower_is_better else max
                    mean = of_metric.get(system)
                    is_best = mean is not None and same(mean, best(m for m in of_metric.values() if m is not None))
                    worse = sorted(letter_of[other] for other in self._worse.get((by, metric, system), ()))
                    mark = BEST if is_best else ""
                    cells.append(Cell(shown_value(mean), are_numbers, mark, letters=tuple(worse)))
                rows.append(cells)
        return TextTable([*self.plan.by, *key_headings, *self.plan.metrics], rows)

    @cached_property
    def _worse(self) -> Mapping[tuple[Any, ...], list[tuple[Any, ...]]]:
        """For each `by`, metric and system, the systems that are significantly worse, by the first test."""
        worse: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        adjusted = self.adjusted[self.statistics.tests[0]] if self.statistics.tests else {}
        for pair in self.pairs:
            p_value, is_better = adjusted.get(pair.key), self._is_better(pair)
            if is_better is not None and is_significant(p_value, 1 - self.statistics.confidence):
                winner, loser = (pair.system, pair.baseline) if is_better else (pair.baseline, pair.system)
                worse.setdefault((pair.by, pair.metric, winner), []).append(loser)
        return worse

    # --- computed -----------------------------------------------------------------------------------------------------

    @cached_property
    def _p_values(self) -> Mapping[str, Mapping[Key, float | None]]:
        """The p-value of each pair, by test; with a margin, also of the tests that it is not exceeded."""
        p_values = {test: TESTS[test].p_values(self._given_pairs, self._sums) for test in self.statistics.tests}
        if not self.statistics.margin:
            return p_values
        not_worse, equivalent = dict[Key, float | None](), dict[Key, float | None]()
        for pair in self.pairs:
            above, below = pair.p_within(self._margin(pair))
            not_worse[pair.key] = below if pair.metric in self.lower_is_better else above
            equivalent[pair.key] = None if above is None or below is None else max(above, below)
        return {**p_values, NOT_WORSE: not_worse, EQUIVALENT: equivalent}

    @cached_property
    def _intervals(self) -> Mapping[str, Mapping[Key, Interval]]:
        """The confidence interval of each pair, by test; not for tests whose interval is that of the t distribution."""
        intervals_of = {test: TESTS[test].intervals for test in self.statistics.tests}
        return {test: intervals(self._sums) for test, intervals in intervals_of.items() if intervals is not None}

    @cached_property
    def adjusted(self) -> Mapping[str, Mapping[Key, float | None]]:
        """The corrected p-value of each pair, by test: the tests of a metric are one family."""
        adjusted: dict[str, dict[Key, float | None]] = {test: {} for test in self._p_values}
        for test, p_values in self._p_values.items():
            is_of_all_pairs = test in TESTS and TESTS[test].is_of_all_pairs
            correction = "none" if is_of_all_pairs else self.statistics.correction
            for pairs in self._pairs_of.values():
                keys = [pair.key for pair in pairs]
                of_metric = corrected([p_values[key] for key in keys], correction)
                adjusted[test] |= dict(zip(keys, of_metric, strict=True))
        return adjusted

    @cached_property
    def _pairs_of(self) -> Mapping[str, list[Pair]]:
        return {metric: [pair for pair in self.pairs if pair.metric == metric] for metric in self.plan.metrics}

    @cached_property
    def n_unpaired(self) -> int:
        """The number of lists that only one system of a pair has: the most of all pairs."""
        if self.plan.per_list.is_complete:
            return 0
        ids = self.plan.ids
        columns = [*ids["by_id"], *ids["system_id"], "n_lists"]
        n_lists = {row[:-1]: int(row[-1]) for row in self._sums.compute("list_counts").select(columns).rows()}
        return max(
            n_lists.get((*pair.by, *pair.baseline), 0)
            + n_lists.get((*pair.by, *pair.system), 0)
            - 2 * (pair.n_lists + pair.n_undefined)
            for pair in self.pairs
        )

    @cached_property
    def _sums(self) -> TestSums:
        return TestSums(cache(self.plan.collect), self.plan.ids, self.statistics)

    @cached_property
    def _moments(self) -> pl.DataFrame:
        self.plan.per_list.check()
        moments = self.plan.collect("moments", few=True)
        if self.plan.per_list.is_given:
            _refuse_given(self.plan, moments)
        return moments

    @cached_property
    def _given_pairs(self) -> list[Pair]:
        plan = self.plan
        pairs = [pair_of(row, plan.ids) for row in self._moments.to_dicts()]
        if not pairs:
            refuse_systems(plan.collect("list_counts").select(plan.ids["system_id"]).unique().rows(), plan.baseline)
            hint = f" If one of these columns names the system, say so with {Option('system')}."
            raise DataError(
                "No list was scored for two systems, so none can be paired: a list is identified by "
                f"{names(plan.per_list.shared)}.{hint if plan.per_list.is_given else ''}"
            )
        kinds = [cluster for cluster in (plan.cluster, (plan.over,) if plan.over else ()) if cluster]
        moments = [replace(plan, cluster=cluster).collect("cluster_moments", few=True) for cluster in kinds]
        clusters = [self._sums.by_pair(rows) for rows in moments]
        return [pair.clustered([of_kind[pair.key] for of_kind in clusters if pair.key in of_kind]) for pair in pairs]

    @cached_property
    def pairs(self) -> list[Pair]:
        """The pairs in the order of the metrics; without a baseline, the system that comes first is the baseline."""
        pairs = self._given_pairs
        if self.plan.baseline is None:  # databases do not order texts alike
            pairs = [pair.turned() if _order(pair.baseline) > _order(pair.system) else pair for pair in pairs]
        place = {metric: index for index, metric in enumerate(self.plan.metrics)}
        return sorted(pairs, key=lambda pair: (place[pair.metric], *map(_order, (pair.by, pair.baseline, pair.system))))


def letters(n: int) -> list[str]:
    """Letters for some systems: a to z, then aa, ab and so on."""
    every = ("".join(word) for length in count(1) for word in product(ascii_lowercase, repeat=length))
    return [*islice(every, n)]


# A smaller p-value is shown as smaller than this.
SMALLEST_P = 0.0001


def shown_p_value(p_value: float | None) -> str:
    """A p-value as a table shows it: `0.0123`, or `< 0.0001`."""
    return f"< {SMALLEST_P}" if p_value is not None and p_value < SMALLEST_P else shown_value(p_value)


def _value_or_name(values: Sequence[Any]) -> Any:
    """The value of the only column that names a system, in its type; the name of a system of several columns."""
    return values[0] if len(values) == 1 else name_of_system(values)


def _order(values: Sequence[Any]) -> list[tuple[bool, Any]]:
    """The key by which rows of values are sorted: NULLs come last."""
    return [(value is None, "" if value is None else value) for value in values]


def _refuse_given(plan: ComparisonPlan, moments: pl.DataFrame) -> None:
    repeated = plan.collect("repeated_lists")
    if repeated.height:
        row = sorted(repeated.rows(), key=_order)[0]
        columns = [*plan.by, *plan.paired_by, *plan.per_list.systems]
        which = ", ".join(f"{name} = {value!r}" for name, value in zip(columns, row[:-1], strict=True))
        raise DataError(
            f"A list must have one row for each system, and {repeated.height:,} have more: {which} has {row[-1]}. Keep "
            "one row, or add the column that tells them apart."
        )
    for name in ("baseline_mean", "system_mean"):
        for metric, mean in moments.select("metric", name).rows():
            if mean is not None and not float("-inf") < mean < float("inf"):
                raise DataError(f"{metric} has values that are not finite numbers. Where it is undefined, put NULL.")


def refuse_systems(rows: Sequence[tuple[Any, ...]], baseline: tuple[str | int, ...] | None) -> None:
    """Refuse systems, by the values that name each, if the baseline is none of them, or if there is only one."""
    systems = [_value_or_name(row) for row in sorted(rows, key=_order)]
    name = baseline and _value_or_name(baseline)
    if baseline is not None and name not in systems:
        raise InputError(
            f"{Option('baseline', is_noun=True)} is {name!r}, and the systems are "
            f"{names(systems)}.{did_you_mean(str(name), map(str, systems))}"
        )
    if len(systems) < 2:
        raise InputError(f"There is nothing to compare: the only system is {names(systems)}.")


# --- the options ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choices:
    """The caller's options of a comparison; the fields are the parameters of Result.compare."""

    baseline: Baseline | None = None
    metrics: str | Sequence[str] | None = None
    tests: str | Sequence[str] = ("t",)
    correction: str | None = "holm"
    by: str | Sequence[str] | None = None
    confidence: float = 0.95
    replicates: int = 1000
    seed: int = 0
    cluster: str | Sequence[str] | None = None
    margin: float | str | None = None

    def compare(
        self, per_list: PerList, by: Sequence[str], others: Sequence[str] = (), over: str | None = None
    ) -> Comparison:
        """The comparison of the systems of some values per list; raises what Result.compare does.

        `by` are the columns that stay apart unless the caller names others, `others` the labels of metrics without a
        value per list; `over` is a list column whose values are clusters across those of other columns, as of seeds.
        """
        statistics = self._statistics()
        metrics = self._labels(per_list.metrics, others)
        apart = _columns("by", self.by, per_list.shared) if self.by is not None else tuple(by)
        cluster = _columns("cluster", self.cluster, [name for name in per_list.shared if name not in apart])
        baseline = self.baseline
        if baseline is not None:
            baseline = baseline_values(baseline, per_list.systems, per_list.lists)
        over = None if over in apart else over
        if over:
            if strange := [name for name in statistics.tests if name != "t"]:
                raise InputError(
                    f"{TESTS[strange[0]].name} has no form for lists and values of {over!r} that vary both: take the "
                    f"test 't', or keep them apart with {Option('by', [over])}."
                )
            cluster = cluster or tuple(name for name in per_list.shared if name not in (*apart, over))
        for test in (TESTS[name] for name in statistics.tests):
            if test.is_of_all_pairs and baseline is not None:
                option = Option("baseline", is_noun=True)
                raise InputError(f"{test.name} is for all pairs of systems: leave out {option}.")
            if cluster and not test.takes_clusters:
                able = names(name for name in TESTS if TESTS[name].takes_clusters)
                option = Option("cluster", is_noun=True)
                raise InputError(f"{test.name} takes every list as independent: with {option}, take {able}.")
        plan = ComparisonPlan(per_list, metrics, apart, baseline, cluster, self.replicates, self.seed, over)
        fields = {label: metric.definition.fields for label in metrics if (metric := _metric(label))}
        lower = frozenset(label for label in fields if fields[label].get("better") == "lower")
        preferences = frozenset(label for label in fields if "preference" in fields[label])
        return Comparison(plan, statistics, lower, tuple(others) if self.metrics is None else (), preferences)

    def _statistics(self) -> Statistics:
        tests = tuple(dict.fromkeys(texts("tests", self.tests)))
        for name in tests:
            _refuse_unknown("tests", name, TESTS)
        _refuse_unknown("correction", self.correction or "none", CORRECTIONS)
        refuse_confidence(self.confidence)
        n = self.replicates
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= 100_000:
            raise InputError(
                f"{Option('replicates', is_noun=True)} must be a whole number from 1 to 100000, and is {n!r}."
            )
        if importlib.util.find_spec("scipy") is None:
            raise InputError(f"A comparison is computed with SciPy: {pip_install('statistics')}.")
        margin = None if self.margin is None else read_limit(self.margin, Option("margin"))
        if margin is not None and not margin.value:
            raise InputError(
                f"{Option('margin', is_noun=True)} is the difference that does not matter, and is above 0."
            )
        return Statistics(tests, self.correction or "none", self.confidence, n, margin)

    def _labels(self, known: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
        """The labels of the metrics that are compared; by default all that have a value per list."""
        if self.metrics is None and known:
            return tuple(known)
        labels = []
        for name in texts("metrics", self.metrics) or others:
            metric = None if name in known else _metric(str(name))
            label = metric.label if metric else str(name)
            if label in others:
                raise MetricError(
                    f"{label} is one number for each system, and no number of a list: a paired comparison needs values "
                    "per list."
                )
            if label not in known:
                raise MetricError(f"{str(name)!r} was not measured: there are {choices_for(name, known)}")
            labels.append(label)
        return tuple(dict.fromkeys(labels))


def _metric(label: str) -> Metric | None:
    """The metric of a label; None where the text is not a metric."""
    try:
        return parse(label)
    except MetricError:
        return None


def baseline_values(
    baseline: Baseline, systems: Sequence[str], types: Mapping[str, ColumnType | None]
) -> tuple[str | int, ...]:
    """The values of the columns that name the baseline, in the types of the columns."""
    if isinstance(baseline, Mapping):
        if {*baseline} != {*systems}:
            raise InputError(
                f"{Option('baseline', is_noun=True)} names {names(baseline)}, and a system is named by "
                f"{names(systems)}."
            )
        values = [baseline[name] for name in systems]
    elif isinstance(baseline, (str, int)):
        values = [*baseline.split(SEPARATOR)] if isinstance(baseline, str) and len(systems) > 1 else [baseline]
    else:
        values = [*baseline]
    if len(values) != len(systems):
        raise InputError(
            f"{Option('baseline', is_noun=True)} must have a value for each column that names a system: "
            f"{names(systems)}."
        )
    return tuple(_typed(value, name, types.get(name)) for value, name in zip(values, systems, strict=True))


def _typed(value: str | int, column: str, kind: ColumnType | None) -> str | int:
    if kind is None or kind.family != "integer":
        return str(value) if kind is None or kind.family == "string" else value
    try:
        return int(value)
    except ValueError as error:
        raise InputError(
            f"{Option('baseline', value)} is not a value of {column!r}, which has whole numbers ({kind.name})."
        ) from error


def _columns(option: str, value: str | Sequence[str] | None, known: Sequence[str]) -> tuple[str, ...]:
    """The list columns that an option names; refuses others than those that all systems share."""
    columns = tuple(dict.fromkeys(texts(option, value)))
    for column in columns:
        if column not in known:
            raise ColumnError(
                f"{Option(option, is_noun=True)} names {column!r}, which is none of the columns that all systems "
                f"share: {choices_for(column, known)}"
            )
    return columns


def refuse_confidence(confidence: float) -> None:
    """Refuse a probability of intervals that is not between 0 and 1."""
    if not 0 < confidence < 1:
        raise InputError(f"{Option('confidence', is_noun=True)} must be between 0 and 1, and is {confidence!r}.")


def _refuse_unknown(option: str, value: str, known: Sequence[str] | Mapping[str, object]) -> None:
    if value not in known:
        raise InputError(f"{Option(option, is_noun=True)} has no {value!r}: there are {choices_for(value, known)}")


def systems_of(layout: Layout) -> tuple[str, ...]:
    """The columns of `by` that name a system; refuses an evaluation that has none."""
    systems = tuple(name for name in layout.by if name not in layout.truth_lists)
    if not systems:
        raise InputError(
            "There is nothing to compare: no column names a system. The systems are named by the columns of "
            f"{Option('by')} that the truth does not have, and these lists are identified by {names(layout.lists)}."
        )
    return systems


def compare_systems(
    queries: Queries, check: Callable[[], None], choices: Choices, over: str | None = None
) -> Comparison:
    """The comparison of the systems of an evaluation, whose `check` refuses data; raises what Result.compare does."""
    layout, question = queries.layout, queries.question
    systems = systems_of(layout)

    def query(dialect: str) -> exp.Query:
        per_list = optimized(queries.planned().plan.per_list_query(), dialect)
        assert isinstance(per_list, exp.Query)
        return per_list

    per_list = PerList(
        queries.engine,
        query,
        {name: layout.recs_types.get(name) for name in layout.lists},
        systems,
        tuple(metric.label for metric in question.of_lists),
        check,
        is_complete=all(metric.values.get("missing") == "zero" for metric in question.of_lists),
    )
    others = [metric.label for metric in question.of_systems]
    return choices.compare(per_list, [name for name in layout.by if name in layout.truth_lists], others, over)


# --- comparing files --------------------------------------------------------------------------------------------------


def compare_files(
    a: object,
    b: object,
    metrics: str | Sequence[str] | None = None,
    tests: str | Sequence[str] = ("t",),
    correction: str | None = "holm",
    *,
    baseline: Baseline | None = None,
    system: str | None = None,
    by: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    cluster: str | Sequence[str] | None = None,
    margin: float | str | None = None,
    connection: object | None = None,
    dialect: str | None = None,
) -> Comparison:
    """Compare two tables of values per list, such as `write(path, per_list=True)` saves.

    A table has the list columns and a column for each metric, under its label (`ndcg@10`). The lists of both are paired
    by all list columns. Each table is a system, called after its file (frames are called a and b), and the first is the
    baseline. If both tables have a column `system`, or the column that `system` names, the systems are its values.

    Args:
        a: the first table: a path (Parquet, CSV), a frame, a DuckDB relation, or a table of `connection`.
        b: the second table.
        metrics: the columns of the metrics; by default all columns of numbers whose names are metrics, in both tables.
        tests: t (the paired t-test), wilcoxon (signed ranks), randomization (random signs), bootstrap; for all
            pairs also tukey.
        correction: the correction for several tests of a metric: holm, bonferroni, benjamini_hochberg or none.
        baseline: the system with which all others are compared; None compares all pairs if the tables name systems.
        system: the column that names the system, if the tables have one.
        by: the list columns whose values stay apart, such as folds.
        confidence: the probability of the confidence intervals; 1 - confidence is the level of significance.
        replicates: how many replicates randomization and bootstrap draw.
        seed: what their random numbers follow from.
        cluster: the list columns that name what is independent, such as the user, if a user has several lists.
        margin: the difference that does not matter, for tests of non-inferiority and equivalence: a share of the
            baseline's mean, as in "1%", or a difference, as in 0.005.
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
    engine = open_engine({"a": a, "b": b}, a, connection, dialect)
    schemas = {name: engine.inputs[name].schema for name in ("a", "b")}
    for table, schema in schemas.items():
        if count := next((name for name in schema if name.lower() == N_LISTS), None):
            raise InputError(
                f"The table {table} is a summary, with a row for each system: it has a column {count!r}. Values per "
                "list are compared: `result.write(path, per_list=True)` and `rankmetrics evaluate --per-list -o` write "
                "them."
            )
    labels = _metric_columns(schemas, metrics)
    column = system or (SYSTEM if all(SYSTEM in schema for schema in schemas.values()) else None)
    types: dict[str, ColumnType | None] = {name: schemas["a"][name] for name in _list_columns(schemas, labels, column)}
    systems: Mapping[str, str] = {}  # the name of each table, if no column of theirs names systems
    if column is None:
        refuse_hidden(SYSTEM, [*types])
        are_files = isinstance(a, (str, Path)) and isinstance(b, (str, Path)) and str(a) != str(b)
        systems = dict(zip("ab", names_of([str(a), str(b)]).values() if are_files else "ab", strict=True))
        baseline = systems["a"] if baseline is None else baseline
    per_list = PerList(
        engine,
        lambda _: _both_tables(engine, [*types, *labels], systems),
        types if column else {**types, SYSTEM: None},
        (column or SYSTEM,),
        tuple(labels),
        lambda: None,
        is_complete=False,
        is_given=True,
    )
    choices = Choices(baseline, metrics, tests, correction, by, confidence, replicates, seed, cluster, margin)
    return choices.compare(per_list, ())


def _metric_columns(schemas: Mapping[str, Schema], metrics: str | Sequence[str] | None) -> list[str]:
    named = [*texts("metrics", metrics)]
    for table, schema in schemas.items():
        for column in named:
            if column not in schema:
                raise MetricError(f"The table {table} has no column {column!r}: it has {names(schema)}.")
            if schema[column].family not in NUMBERS:
                raise MetricError(f"The column {column!r} of the table {table} has no numbers: it is {schema[column]}.")
    if named:
        return named
    first, second = schemas.values()
    shared = [name for name, kind in first.items() if kind.family in NUMBERS and name in second and _is_label(name)]
    if not shared:
        raise MetricError(
            f"The tables have no metric in common: a has {names(first)}, b has {names(second)}. A column of a metric "
            f"is called as its label, such as 'ndcg@10'; name others with {Option('metrics')}."
        )
    return shared


def _list_columns(schemas: Mapping[str, Schema], labels: Sequence[str], system: str | None) -> list[str]:
    """The columns that identify a list: all of a table but those of metrics."""
    columns, others = (
        [column for column in schema if column not in labels and not _is_label(column)] for schema in schemas.values()
    )
    if {*columns} != {*others}:
        raise ColumnError(
            f"The tables do not have the same list columns: a has {names(columns)}, b has {names(others)}. "
            "Drop what identifies no list, and give the others the same names."
        )
    if system is not None and system not in columns:
        raise ColumnError(
            f"{Option('system', is_noun=True)} names {system!r}, and the list columns are {names(columns)}."
        )
    if not {*columns} - {system}:
        raise ColumnError("The tables have no column that identifies a list, such as user: a row cannot be paired.")
    return columns


def _is_label(name: str) -> bool:
    metric = _metric(name)
    return metric is not None and metric.label == name


def _both_tables(engine: Engine, columns: Sequence[str], systems: Mapping[str, str]) -> exp.Query:
    selects = []
    for table in ("a", "b"):
        returned: list[exp.Expr] = [tree.given(column) for column in columns]
        if systems:
            returned.append(tree.named(exp.cast(exp.Literal.string(systems[table]), exp.DType.TEXT), SYSTEM))
        selects.append(exp.select(*returned).from_(engine.inputs[table].table.copy()))
    return tree.union_all(selects)


# Means that are equal to this number of decimals have the same rank: engines add in different orders.
DECIMALS = 12


@dataclass(frozen=True, repr=False)
class Ranks(Printed):
    """The average ranks of systems over data sets; `result.compare(by="data_set").ranks()` returns it.

    On each data set, the system with the best mean has rank 1; equal means share their average rank. Friedman's test
    says whether the systems differ at all. Two systems differ if their average ranks are further apart than Nemenyi's
    critical difference (Demšar 2006, Statistical comparisons of classifiers over multiple data sets).

    Attributes:
        metric: the label of the metric.
        means: the mean of each system on each data set.
        lower_is_better: whether rank 1 is the lowest mean.
        confidence: 1 less the level of significance.
    """

    metric: str
    means: Mapping[str, Sequence[float]]
    lower_is_better: bool
    confidence: float

    @property
    def n_sets(self) -> int:
        """The number of data sets."""
        return len(next(iter(self.means.values())))

    @cached_property
    def average_ranks(self) -> dict[str, float]:
        """The average rank of each system, the best first."""
        from scipy.stats import rankdata

        sign = 1 if self.lower_is_better else -1
        rows = [[sign * round(mean, DECIMALS) for mean in means] for means in zip(*self.means.values(), strict=True)]
        averages = rankdata(rows, axis=1).mean(axis=0).tolist()
        return dict(sorted(zip(self.means, averages, strict=True), key=lambda pair: (pair[1], pair[0])))

    @cached_property
    def p_value(self) -> float | None:
        """The p-value of Friedman's test that all systems have the same rank; None if all means are equal."""
        from scipy.stats import friedmanchisquare

        columns = [[round(mean, DECIMALS) for mean in means] for means in self.means.values()]
        if all(len({*means}) == 1 for means in zip(*columns, strict=True)):
            return None
        return float(friedmanchisquare(*columns).pvalue)

    @property
    def _error(self) -> float:
        n_systems = len(self.means)
        return sqrt(n_systems * (n_systems + 1) / (6 * self.n_sets))

    @cached_property
    def critical_difference(self) -> float:
        """The difference of average ranks from which on two systems differ."""
        from scipy.stats import studentized_range

        return float(studentized_range.ppf(self.confidence, len(self.means), inf)) / sqrt(2) * self._error

    def p_between(self, system: str, other: str) -> float:
        """The p-value of Nemenyi's test of two systems, which corrects for all pairs."""
        from scipy.stats import studentized_range

        distance = abs(self.average_ranks[system] - self.average_ranks[other])
        return float(studentized_range.sf(distance / self._error * sqrt(2), len(self.means), inf))

    @cached_property
    def groups(self) -> list[list[str]]:
        """The largest groups of systems, by rank, of which no two differ."""
        systems, ranks = [*self.average_ranks], [*self.average_ranks.values()]
        ends = [max(n for n, rank in enumerate(ranks) if rank - first < self.critical_difference) for first in ranks]
        starts = [0, *(place for place, (before, end) in enumerate(pairwise(ends), start=1) if end > before)]
        return [systems[start : ends[start] + 1] for start in starts if ends[start] > start]

    def collect(self) -> pl.DataFrame:
        """A row per pair of systems: `system`, `other`, their average ranks, the difference, and `p_nemenyi`."""
        rows = [
            (system, other, rank, other_rank, other_rank - rank, self.p_between(system, other))
            for (system, rank), (other, other_rank) in combinations(self.average_ranks.items(), 2)
        ]
        columns = ["system", "other", "average_rank", "other_average_rank", "difference", "p_nemenyi"]
        return pl.DataFrame(rows, schema=columns, orient="row")

    def notes(self) -> list[str]:
        """Friedman's test, the critical difference and the groups, in sentences."""
        level, p_value = round(1 - self.confidence, 6), self.p_value
        differ = "differ" if is_significant(p_value, 1 - self.confidence) else "do not differ significantly"
        sets, distance = counted(self.n_sets, "data set", "data sets"), f"{self.critical_difference:.2f}"
        friedman = f"over {sets}, the systems {differ} (Friedman's test, p = {shown_value(p_value)})"
        nemenyi = f"two systems differ if their average ranks are {distance} apart (Nemenyi, p < {level})"
        return [friedman, nemenyi, *(f"no difference: {', '.join(group)}" for group in self.groups)]

    def _tables(self) -> list[TextTable]:
        means = {system: sum(values) / len(values) for system, values in self.means.items()}
        rows = [
            [Cell(system), Cell(f"{rank:.2f}", is_number=True), Cell.of(means[system])]
            for system, rank in self.average_ranks.items()
        ]
        return [TextTable(["system", "average rank", f"mean {self.metric}"], rows, 1)]
