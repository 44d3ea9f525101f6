"""The Comparison of systems: its options, the values per list that it reads, and the statistics of each pair."""

from __future__ import annotations

import importlib.util
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, count, islice, pairwise, product
from math import inf, isfinite, sqrt
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import polars as pl
from sqlglot import exp

from rankmetrics._rounding import exceeds, same
from rankmetrics.arms import check_arms
from rankmetrics.comparisons.plan import ComparisonPlan, Key, PerList, in_order
from rankmetrics.comparisons.statistics import (
    CORRECTIONS,
    EQUIVALENT,
    LEAST_DRAWN,
    MANY_LISTS_OF_RANKS,
    NOT_WORSE,
    POWER,
    TESTS,
    Intervals,
    Pair,
    Sample,
    corrected,
    is_significant,
    lists_for_verdict,
)
from rankmetrics.dialects import base as dialects
from rankmetrics.engines.base import Engine, Warehouse
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
from rankmetrics.inputs.roles import default_cluster
from rankmetrics.messages import said
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.metric import Metric, parse
from rankmetrics.metrics.summaries import interval_of
from rankmetrics.options import Limit, arguments_of, texts, with_options
from rankmetrics.planner import number_label
from rankmetrics.queries import Queries, tree_of
from rankmetrics.request import ComparisonOptions
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_heading
from rankmetrics.tables import BEST, LATEX, Answer, Cell, TextTable, shown_value, signed

# What names the baseline: the value of its column, or of each of its columns.
Baseline = str | int | Sequence[str | int] | Mapping[str, str | int]

# The steps whose rows are the sums of a statistic.
STEPS = (
    *("moments", "cluster_moments", "signed_rank_sums", "randomized_sums", "bootstrap_means", "system_moments"),
    *("system_cluster_moments", "system_bootstrap_means", "shared_clusters"),
)

# The columns of the step `moments` that hold counts of lists, and means and sums.
COUNT_COLUMNS = (
    *("n_lists", "n_undefined", "n_baseline_lists", "n_system_lists", "n_common_lists"),
    *("n_lower", "n_equal", "n_higher"),
)
MEAN_COLUMNS = ("baseline_mean", "system_mean", "difference", "sum_of_squares", "common_difference")

# The columns of `collect` that are counts; those of other statistics are DOUBLE.
COUNTS = (*COUNT_COLUMNS[:5], "wins", "ties", "losses")

# The part of sql/parts that counts the recommendations of a list.
N_RECOMMENDED = "n_list_items"

# Systems with fewer common lists, as a share of the lists of the smaller one, are the arms of an experiment.
FEWEST_COMMON = 0.1

# From this number of lists on, and this share of the lists of the larger system, a warning says that one lacks them.
LISTS_OF_ONE, SHARE_OF_ONE = 10, 0.01

# The pairs of which notes have a sentence.
MOST_SENTENCES = 10

# The mark of a p-value that shows a difference.
SIGNIFICANT = "significant"

PAIR_HEADINGS = ("metric", "system", "baseline", "difference", "interval", "effect size", "wins/ties/losses")


@dataclass(frozen=True, repr=False)
class Comparison(Answer):
    """Statistics of pairs of systems: each system against a baseline, or all pairs of systems.

    `collect` returns one row per metric and pair of systems. Printing shows the means, with a letter for each system
    that a system is significantly better than. Until then, nothing is computed.

    Attributes:
        plan: which lists are compared, and how.
        measured: the metrics by their labels; a column of a file may have any other name.
        left_out: the labels of the metrics that are measured and not compared, since they have no value per list.
        is_clustered_by_default: whether the caller did not choose the clusters.

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
    measured: Mapping[str, Metric]
    left_out: tuple[str, ...] = ()
    is_clustered_by_default: bool = False

    @property
    def options(self) -> ComparisonOptions:
        """The options of the caller."""
        return self.plan.options

    def collect(self) -> pl.DataFrame:
        """One row per metric and pair of systems, computed and checked.

        Columns: those of `by`; `metric`; `baseline` and `system`; `n_lists`, the lists for which both have a value;
        `n_undefined`, the lists for which one of them is undefined; `n_baseline_lists`, `n_system_lists` and
        `n_common_lists`, the lists for which the baseline, the system and both have recommendations; `baseline_mean`
        and `system_mean` over `n_lists`; `difference`, the system minus the baseline; `relative_difference`, as a share
        of the baseline's mean; `common_difference`, the difference over the common lists, NULL if no others are
        compared; `ci_low` and `ci_high`, the confidence interval of the difference; `effect_size`, Cohen's d of the
        paired differences; `wins`, `ties` and `losses`, the lists for which the system is better, equal and worse;
        `detectable_difference`, the smallest difference that these lists would show with a power of 0.8; then for each
        test, as for `t`, `p_t` and `p_t_adjusted`. With a margin: `margin`, as a difference, and the p-values of the
        tests that the system is not worse, and does not differ, by the margin or more: `p_not_worse`, `p_equivalent`,
        each with `_adjusted`. A statistic that cannot be computed, as from fewer than two lists, is NULL.

        With `paired=False`, each system is measured over its own lists: `n_lists` are the lists of both together, the
        interval is Welch's (of metrics whose values are 0 or 1, Newcombe's), and what only pairs have is NULL.

        Raises:
            InputError: the baseline is none of the systems, or there is only one system.
            DataError: the systems have hardly a list in common; or as the collect of a result does.
            EngineError: the engine refused a query.
        """
        for doubt in self.doubts():
            warnings.warn(doubt, stacklevel=2)
        return self.frame_of(self.pairs)

    def frame_of(self, pairs: Sequence[Pair]) -> pl.DataFrame:
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
        yield from zip(COUNTS[:5], (pair.n_lists, pair.n_undefined, *pair.n_of, pair.n_common), strict=True)
        for name in ("baseline_mean", "system_mean", "difference", "relative_difference", "common_difference"):
            yield name, getattr(pair, name)
        yield from zip(("ci_low", "ci_high"), pair.interval(self.options.confidence) or (None, None), strict=True)
        yield "effect_size", pair.effect_size
        yield from zip(("wins", "ties", "losses"), self.outcomes(pair), strict=True)
        yield "detectable_difference", pair.detectable_difference(self.options.confidence)
        for test, p_values in self._p_values.items():
            if test == NOT_WORSE:
                yield "margin", self._margin(pair)
            yield f"p_{test}", p_values[pair.key]
            yield f"p_{test}_adjusted", self.adjusted[test][pair.key]
            if test in self._results and (intervals := self._results[test][1]) is not None:
                low, high = intervals.get(pair.key, (None, None))
                if pair.is_turned and low is not None and high is not None:
                    low, high = -high, -low
                yield from zip((f"ci_low_{test}", f"ci_high_{test}"), (low, high), strict=True)

    def outcomes(self, pair: Pair) -> tuple[int | None, ...]:
        """The numbers of lists for which the system is better, equal and worse."""
        return pair.outcomes if self._better(pair.metric) == "lower" else pair.outcomes[::-1]

    def _better(self, label: str) -> str:
        return self.measured[label].better if label in self.measured else "higher"

    def is_significant(self, pair: Pair, test: str = "") -> bool:
        """True if a test, by default the first, shows its claim: all letters, signs and sentences follow from this.

        Fewer independent lists than a sign test needs for the level show nothing, whatever the p-value.
        """
        test, level = test or next(iter(self.options.tests), ""), 1 - self.options.confidence
        has_lists = pair.n_independent >= lists_for_verdict(test, level)
        return has_lists and bool(test) and is_significant(self.adjusted[test][pair.key], level)

    def is_better(self, pair: Pair) -> bool | None:
        """True if the mean of the system is better, None if both are equal but for rounding."""
        means = [mean for mean in (pair.baseline_mean, pair.system_mean) if mean is not None]
        if pair.difference is None or same(pair.difference, 0, scale=max(map(abs, means), default=0)):
            return None
        return (pair.difference < 0) == (self._better(pair.metric) == "lower")

    def _margin(self, pair: Pair) -> float | None:
        """The margin as a difference of means."""
        margin = self.options.margin
        if margin is None or not margin.is_percentage:
            return None if margin is None else margin.value
        return None if pair.baseline_mean is None else margin.value * abs(pair.baseline_mean)

    def sentences(self) -> list[str]:
        """A sentence for each metric and pair: which system is better, by how much, and what the margin says of it.

        Before them, of three systems or more, the best one by the first metric is compared with the second.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> before = pl.LazyFrame({"user": range(100), "ndcg@10": [0.5, 0.52] * 50})
            >>> after = pl.LazyFrame({"user": range(100), "ndcg@10": [0.51, 0.523] * 50})
            >>> print(rm.compare_files(before, after, margin="2%").sentences()[0])
            b is better than a in ndcg@10 by 1.3 %, which your margin of 2 % calls no difference
        """
        return [*self._winners, *map(self._sentence, self.pairs)]

    @cached_property
    def _winners(self) -> list[str]:
        """For each value of `by`, the best of three systems or more by the first metric, compared with the second."""
        label, sentences = self.plan.metrics[0], []
        for by in dict.fromkeys(pair.by for pair in self.pairs):
            means = {system: mean for system, mean in self._means[by, label].items() if mean is not None}
            if len(means) < 3 or self._better(label) == "neither":
                continue
            best, second = sorted(means, key=means.__getitem__, reverse=self._better(label) != "lower")[:2]
            comparison, pair = self.of_two(by, label, best, second)
            if pair is None:
                continue
            first, other = map(name_of_system, (best, second))
            which = f"by {label}{self._by(pair.by)}"
            if comparison.is_better(pair) is None:
                sentences.append(f"{first} and {other} are best {which}: their means are equal")
                continue
            pair = pair if pair.system == best else pair.turned()
            is_shown = comparison.is_significant(pair) and comparison.is_better(pair)
            p_values = [f", {p_in_words(comparison.adjusted[test][pair.key])}" for test in self.options.tests[:1]]
            verdict = f"is best {which}; it is {'' if is_shown else 'not '}significantly better than"
            if not comparison.is_better(pair):  # their means are over other lists than the difference
                verdict = f"has the best mean {which}, but over the {pair.n_lists:,} lists of both it is behind"
            numbers = f"difference {signed(pair.difference)}{''.join(p_values)}"
            sentences.append(f"{first} {verdict} the second, {other}: {numbers}")
        return sentences

    def of_two(
        self, by: tuple[Any, ...], label: str, system: tuple[Any, ...], other: tuple[Any, ...]
    ) -> tuple[Comparison, Pair | None]:
        """The pair of two systems in any order, and its comparison: a new one if they are not compared here."""
        if pair := self._find(by, label, system, other):
            return self, pair
        options = replace(self.options, shares=None)
        comparison = replace(self, plan=replace(self.plan, options=options, baseline=other, metrics=(label,)))
        with suppress(DataError):  # another system may have no list in common with it
            pair = comparison._find(by, label, system, other)
        return comparison, pair

    def _find(self, by: tuple[Any, ...], label: str, *systems: tuple[Any, ...]) -> Pair | None:
        """The pair of two systems in any order."""
        pairs = (pair for pair in self._pairs_of[label] if pair.by == by)
        return next((pair for pair in pairs if {pair.baseline, pair.system} == {*systems}), None)

    @cached_property
    def _means(self) -> Mapping[tuple[tuple[Any, ...], str], Mapping[Any, float | None]]:
        """By `by` and metric, the mean of each system: of several means, that over the most lists."""
        means: dict[tuple[tuple[Any, ...], str], dict[Any, float | None]] = {}
        for pair in sorted(self.pairs, key=lambda pair: pair.n_lists):
            of_metric = means.setdefault((pair.by, pair.metric), {})
            of_metric |= {pair.baseline: pair.baseline_mean, pair.system: pair.system_mean}
        return means

    def _by(self, by: Key) -> str:
        return "".join(f" ({name} = {value})" for name, value in zip(self.plan.by, by, strict=True))

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
        means: dict[str, dict[Key, float | None]] = {}
        for (by, metric), arms in self.plan.by_arm(self.plan.computed("system_moments"), "mean_value").items():
            for system, (mean,) in arms.items() if metric == label else ():
                means.setdefault(name_of_system(system), {})[by] = mean
        sets = list(dict.fromkeys(name for of_system in means.values() for name in of_system))
        if len(means) < 3 or len(sets) < 2:
            n_systems, n_sets = counted(len(means), "system", "systems"), counted(len(sets), "data set", "data sets")
            naming = Option("by", ["data_set"])
            raise said(InputError, "few_systems_or_sets", systems=n_systems, sets=n_sets, naming=naming)
        for system_name, of_system in means.items():
            if lacking := [name for name in sets if of_system.get(name) is None]:
                unknown = [*map(name_of_system, lacking)]
                raise said(InputError, "no_mean_on_sets", system=system_name, metric=label, lacking=unknown)
        values = {system: [float(of_system[name] or 0) for name in sets] for system, of_system in means.items()}
        return Ranks(label, values, self._better(label) == "lower", self.options.confidence)

    def _sentence(self, pair: Pair) -> str:
        system, baseline = name_of_system(pair.system), name_of_system(pair.baseline)
        is_better, relative, by = self.is_better(pair), pair.relative_difference, self._by(pair.by)
        if pair.difference is None:
            reason = "no list has a value for both" if self.options.paired else "one has no list with a value"
            return f"{system} and {baseline} cannot be compared in {pair.metric}{by}: {reason}"
        size = f"{abs(pair.difference):.4f}"
        if relative is not None:
            percent = abs(relative) * 100
            size = f"{percent:.2g} %" if percent < 99.5 else f"{percent:,.0f} %"
        text = f"{system} is {'better' if is_better else 'worse'} than {baseline} in {pair.metric}{by} by {size}"
        if is_better is None:
            text = f"{system} and {baseline} are equal in {pair.metric}{by}"
        margin, chance = self.options.margin, ""
        if self.options.tests and not self.is_significant(pair):
            chance = f"{'' if is_better is None else ', which chance may explain'}{self.unseen(pair)}"
        if margin is None:
            return text + chance
        shown = f"your margin of {str(margin).replace('%', ' %')}"
        if self.is_significant(pair, EQUIVALENT):
            return f"{text}, which {shown} calls no difference" if is_better is not None else f"{text}, as {shown} asks"
        if self.is_significant(pair, NOT_WORSE):
            return f"{text}{chance}; it is not worse by {shown}"
        few = self.too_few(pair, NOT_WORSE, f"rule out a loss larger than {shown}")
        return f"{text}{chance}; {few or f'a loss larger than {shown} cannot be ruled out'}"

    def too_few(self, pair: Pair, test: str, verb: str) -> str:
        """The words that a pair has too few lists or clusters for what a test could show; empty if it has enough."""
        needed = lists_for_verdict(test, 1 - self.options.confidence)
        unit = "cluster" if self.plan.cluster else "list"
        n = counted(pair.n_independent, unit, f"{unit}s")
        return f"{n} cannot {verb}: {needed} are needed" if pair.n_independent < needed else ""

    def unseen(self, pair: Pair) -> str:
        """The end of a sentence: the difference that the lists of a pair would show, or that they are too few."""
        level = 1 - self.options.confidence
        if few := self.too_few(pair, self.options.tests[0], f"show a difference at p < {round(level, 6)}"):
            return f"; {few}"
        detectable = pair.detectable_difference(self.options.confidence)
        if detectable is None:
            return ""
        return f"; these {pair.n_lists:,} lists would show a difference of {detectable:.4f} with a power of {POWER}"

    def table(self) -> Any:
        """The rows of `collect` as a table of the same kind as the recommendations.

        A LazyFrame computes when it is collected. A relation of DuckDB, a frame of Spark and a table of Ibis are
        computed at once, and hold the rows.
        """
        return self.plan.per_list.engine.table_of(self.collect)

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
            step: the sums: moments, cluster_moments, signed_rank_sums, randomized_sums, bootstrap_means; of each system
                system_moments, system_cluster_moments, system_bootstrap_means; of two arms shared_clusters.
            per_list: the table of values per list there, such as rm.to_sql makes with per_list=True and form="table".
                It must be named in a dialect that is not the engine's own.
            quote_names: as in rm.to_sql.

        Raises:
            InputError: there are no such sums, or the table is not named.
            DialectError: the dialect is unknown, or cannot express the query, as MD5 in SQLite.
        """
        warehouse = Warehouse.of(self.plan.per_list.engine, dialect, quote_names=quote_names)
        _refuse_unknown("step", step, STEPS)
        if per_list is None and warehouse.is_elsewhere:
            raise said(InputError, "per_list_elsewhere", name=dialect, naming=Option("per_list", "db.per_list"))
        if per_list is None:
            return dialects.text(self.plan.query(step, warehouse.dialect), warehouse.dialect, copy=False)
        table = dialects.table(per_list, warehouse.dialect, is_folded=warehouse.fold)
        without_counts = replace(self.plan.per_list, counted="")
        return warehouse.text(replace(self.plan, per_list=without_counts.over(table)).query(step, warehouse.dialect))

    # --- printing -----------------------------------------------------------------------------------------------------

    def _notes(self) -> list[str]:
        """The winner, differences that are not significant, the tests, the lists, doubts."""
        doubts = [doubt.note for doubt in self.doubts()]
        tests, lists = self._notes_on_tests(), self.notes_on_lists()
        return [*self._winners[:MOST_SENTENCES], *self.doubtful_sentences(), *tests, *lists, *doubts]

    def doubtful_sentences(self) -> list[str]:
        """Sentences on the first pairs whose difference is not significant; with a margin, on the first of all."""
        some = [pair for pair in self.pairs if self.options.margin or not self.is_significant(pair)]
        sentences = [self._sentence(pair) for pair in some[:MOST_SENTENCES] if self.options.tests]
        more = [f"and {len(some) - MOST_SENTENCES:,} more pairs"] if len(some) > MOST_SENTENCES and sentences else []
        return [*sentences, *more]

    def doubts(self) -> Iterator[RankMetricsWarning]:
        """Warnings: a test finds too much over so many lists, a system lacks lists, arms do not have their shares."""
        n = max((pair.n_lists for pair in self.pairs), default=0)
        if "wilcoxon" in self.options.tests and n > MANY_LISTS_OF_RANKS:
            others = {test: Option("tests", [test]) for test in ("t", "randomization")}
            yield said(RankMetricsWarning, "wilcoxon_of_many", n=n, **others)
        lacking = [pair for pair in self.pairs if pair.n_only >= max(LISTS_OF_ONE, SHARE_OF_ONE * max(pair.n_of))]
        if lacking:
            pair = max(lacking, key=lambda pair: pair.n_only)
            over, where = "all lists, which count missing lists as 0", f"the {pair.n_common:,} lists of both"
            value = pair.common_difference
            if not self.plan.per_list.is_complete:
                over, where = "the lists of both", "the own lists of each"
                means = [self._own_lists[pair.by, pair.metric][name][1] for name in (pair.system, pair.baseline)]
                value = None if None in means else (means[0] or 0) - (means[1] or 0)
            lists = _lists_of(pair.baseline, pair.system, *pair.n_of, pair.n_common or 0)
            numbers = {"metric": pair.metric, "difference": signed(pair.difference), "other": signed(value)}
            yield said(RankMetricsWarning, "lists_of_one", lists=lists, over=over, where=where, **numbers)
        yield from (warning for _, warning in self._shares_of_arms if warning is not None)

    def _notes_on_tests(self) -> Iterator[str]:
        options, n_tests = self.options, len(self.pairs) // len(self.plan.metrics)
        if not options.tests:
            return
        test, level = TESTS[options.tests[0]], round(1 - options.confidence, 6)
        name = test.name if self.options.paired else test.of_arms
        yield f"a letter: significantly better than the system of this letter ({name}, p < {level})"
        if options.sequential:
            yield f"intervals and p-values hold at every look at the data (tuned to {options.sequential:,} lists)"
        if test.is_of_all_pairs:
            yield "the test corrects its p-values for all pairs of a metric itself"
        elif options.correction == "none" and n_tests > 1:
            yield "p-values are not corrected for several tests"
        elif n_tests > 1:
            _, correction = CORRECTIONS[options.correction]
            yield f"p-values are corrected for the {n_tests} tests of a metric: {correction}"
        if (n := min(pair.n_independent for pair in self.pairs)) < LEAST_DRAWN and "bootstrap" in options.tests:
            units = ("cluster", "clusters") if self.plan.cluster else ("list", "lists")
            yield f"no p-value of the bootstrap test from {counted(n, *units)}: {LEAST_DRAWN} are needed"

    def notes_on_clusters(self) -> Iterator[str]:
        """Notes on clusters, and on those in both arms; options stand between marks."""
        if self.plan.over:
            kinds = " and of the same ".join([", ".join(self.plan.cluster), self.plan.over])
            yield f"lists of the same {kinds} are not independent, and are taken as clusters in two ways"
        elif self.plan.cluster:
            kinds = ", ".join(self.plan.cluster)
            off = f" ({Option('cluster', [])} turns it off)" if self.is_clustered_by_default else ""
            yield f"lists of the same {kinds} are a cluster{off}"
            if alone := [TESTS[test].name for test in self.options.tests if not TESTS[test].takes_clusters]:
                yield f"lists are taken as independent by {', '.join(alone)}"

        for pair in islice((pair for pair in self._pairs_of[self.plan.metrics[0]] if pair.n_shared), MOST_SENTENCES):
            users = (
                f"{counted(pair.n_shared, 'value', 'values')} of {', '.join(self.plan.cluster or self.plan.paired_by)}"
            )
            arms = f"{name_of_system(pair.baseline)} and {name_of_system(pair.system)}{self._by(pair.by)}"
            tests = ": the bootstrap test has no p-value" if "bootstrap" in self.options.tests else ""
            yield f"{users} are in both arms, {arms}, so standard errors have their covariance{tests}"

    def notes_on_lists(self) -> Iterator[str]:
        """Notes on lists that are compared, left out or of one system only; options stand between marks."""
        yield from self.notes_on_clusters()
        preferences = {label for label, metric in self.measured.items() if "preference" in metric.definition.fields}
        of_others = [pair for pair in self.pairs if pair.metric in preferences]
        if of_others := [pair for pair in of_others if pair.baseline_mean and pair.system_mean]:
            labels = ", ".join(dict.fromkeys(pair.metric for pair in of_others))
            yield f"{labels}: if neither system is the baseline of the evaluation, the difference is of two preferences"
        if self.left_out:
            yield f"not compared, because a paired test needs values per list: {', '.join(self.left_out)}"
        for metric, pairs in self._pairs_of.items():
            if n := max(pair.n_undefined for pair in pairs):
                up_to = "up to " if min(pair.n_undefined for pair in pairs) < n else ""
                lists = counted(n, "list", "lists")
                yield f"{up_to}{lists} of a pair skipped: {metric} is undefined for one of the two systems"
        apart = {(pair.by, pair.baseline, pair.system): pair for pair in self.pairs if pair.n_only}
        for pair in islice(apart.values(), MOST_SENTENCES):
            yield _lists_of(pair.baseline, pair.system, *pair.n_of, pair.n_common or 0)
        yield from (note for note, warning in self._shares_of_arms if warning is None)

    def to_latex(self) -> str:
        """The means with a letter for each system that they are significantly better than, as a table of LaTeX.

        It needs the package booktabs. The best mean of each metric is bold.
        """
        notes = "; ".join(islice(self._notes_on_tests(), 2))
        tabular = self._means_table(("#", "System"), are_numbers=True).as_latex()
        caption = f"\\caption{{{(notes[0].upper() + notes[1:]).translate(LATEX)}.}}\n" if notes else ""
        return f"\\begin{{table}}\n\\centering\n{tabular}{caption}\\end{{table}}\n"

    def _tables(self) -> list[TextTable]:
        return [self._means_table(("", "system")), self.pairs_table(self.pairs)]

    def pairs_table(self, pairs: Sequence[Pair], *, are_numbers: bool = False) -> TextTable:
        """A row per pair, whose significant p-values are marked; `are_numbers` puts numbers to the right."""
        by, tests = self.plan.by, self.options.tests
        headings = [*PAIR_HEADINGS, *(f"p ({test})" for test in tests)]
        columns, n_keys = [*by, *(free_heading(name, by) for name in headings)], len(by) + 3
        rows = []
        for pair in pairs:
            interval = pair.interval(self.options.confidence)
            relative = "" if pair.relative_difference is None else f" ({pair.relative_difference:+.1%})"
            texts = [
                *map(str, pair.by),
                pair.metric,
                name_of_system(pair.system),
                name_of_system(pair.baseline),
                f"{signed(pair.difference)}{relative}",
                " to ".join(map(signed, interval)) if interval else shown_value(None),
                shown_value(pair.effect_size),
                "/".join(map(shown_value, self.outcomes(pair))),
            ]
            cells = [Cell(text, are_numbers and place >= n_keys) for place, text in enumerate(texts)]
            for test in tests:
                mark = SIGNIFICANT if self.is_significant(pair, test) else ""
                cells.append(Cell(shown_p_value(self.adjusted[test][pair.key]), are_numbers, mark))
            rows.append(cells)
        return TextTable(columns, rows, n_keys, shows_all=True)

    def _means_table(self, key_headings: Sequence[str], *, are_numbers: bool = False) -> TextTable:
        """The leaderboard: a row per system, with the baseline first, and a column per metric, with the letters."""
        systems = dict.fromkeys(system for pair in self.pairs for system in (pair.baseline, pair.system))
        letter_of = dict(zip(systems, letters(len(systems)), strict=True))
        rows = []
        for by in dict.fromkeys(pair.by for pair in self.pairs):
            for system, letter in letter_of.items():
                cells = [Cell(text) for text in (*map(str, by), letter, name_of_system(system))]
                for metric in self.plan.metrics:
                    of_metric = self._means.get((by, metric), {})
                    best = min if self._better(metric) == "lower" else max
                    mean = of_metric.get(system)
                    is_best = mean is not None and same(mean, best(m for m in of_metric.values() if m is not None))
                    worse = sorted(letter_of[other] for other in self.worse[by, metric, system])
                    mark = BEST if is_best else ""
                    cells.append(Cell(shown_value(mean), are_numbers, mark, letters=tuple(worse)))
                rows.append(cells)
        return TextTable([*self.plan.by, *key_headings, *self.plan.metrics], rows)

    @cached_property
    def worse(self) -> Mapping[tuple[Key, str, Key], list[Key]]:
        """For each `by`, metric and system, the systems that are significantly worse, by the first test."""
        worse = defaultdict[tuple[Key, str, Key], list[Key]](list)
        for pair in self.pairs:
            is_better = self.is_better(pair)
            if is_better is not None and self.is_significant(pair):
                winner, loser = (pair.system, pair.baseline) if is_better else (pair.baseline, pair.system)
                worse[pair.by, pair.metric, winner].append(loser)
        return worse

    # --- computed -----------------------------------------------------------------------------------------------------

    @cached_property
    def _results(self) -> Mapping[str, tuple[Mapping[Key, float | None], Intervals | None]]:
        """By test, the p-value of each pair and its confidence interval; None for that of the t distribution."""
        return {test: TESTS[test].compute(self._given_pairs, self.plan) for test in self.options.tests}

    @cached_property
    def _p_values(self) -> Mapping[str, Mapping[Key, float | None]]:
        """The p-value of each pair, by test; with a margin, also of the tests that it is not exceeded."""
        p_values = {test: p_values for test, (p_values, _) in self._results.items()}
        if not self.options.margin:
            return p_values
        not_worse, equivalent = dict[Key, float | None](), dict[Key, float | None]()
        for pair in self.pairs:
            above, below = pair.p_within(self._margin(pair))
            not_worse[pair.key] = below if self._better(pair.metric) == "lower" else above
            equivalent[pair.key] = None if above is None or below is None else max(above, below)
        return {**p_values, NOT_WORSE: not_worse, EQUIVALENT: equivalent}

    @cached_property
    def adjusted(self) -> Mapping[str, Mapping[Key, float | None]]:
        """The corrected p-value of each pair, by test: the tests of a metric are one family."""
        adjusted: dict[str, dict[Key, float | None]] = {test: {} for test in self._p_values}
        for test, p_values in self._p_values.items():
            is_of_all_pairs = test in TESTS and TESTS[test].is_of_all_pairs
            correction = "none" if is_of_all_pairs else self.options.correction
            for pairs in self._pairs_of.values():
                keys = [pair.key for pair in pairs]
                of_metric = corrected([p_values[key] for key in keys], correction)
                adjusted[test] |= dict(zip(keys, of_metric, strict=True))
        return adjusted

    @cached_property
    def _pairs_of(self) -> Mapping[str, list[Pair]]:
        return {metric: [pair for pair in self.pairs if pair.metric == metric] for metric in self.plan.metrics}

    @cached_property
    def _moments(self) -> pl.DataFrame:
        self.plan.per_list.check()
        moments = self.plan.collect("moments" if self.options.paired else "system_moments")
        if self.plan.per_list.is_given:
            _refuse_given(self.plan, moments)
        return moments

    @cached_property
    def _own_lists(self) -> Mapping[tuple[Key, str], Mapping[Key, tuple[Any, ...]]]:
        """For each arm, the number of lists with recommendations, and the mean over all lists."""
        return self.plan.by_arm(self.plan.computed("system_means"), "n_recommended", "mean_value")

    @cached_property
    def _clusters(self) -> list[dict[Key, tuple[Any, ...]]]:
        """For each kind of clusters, their number and sums by the key of a pair, or of an arm."""
        plan, step = self.plan, "cluster_moments" if self.options.paired else "system_cluster_moments"
        kinds = [cluster for cluster in (plan.cluster, (plan.over,) if plan.over else ()) if cluster]
        frames = [replace(plan, cluster=cluster).collect(step) for cluster in kinds]
        return [plan.keyed(frame, "pair_id" if plan.options.paired else "arm_id") for frame in frames]

    @cached_property
    def _given_pairs(self) -> list[Pair]:
        pairs = self._pairs_of_lists() if self.options.paired else self._pairs_of_arms()
        for lists in self.lists_apart(pairs).values() if self.options.paired else ():
            raise said(DataError, "hardly_a_common_list", lists=lists, hint=self._hint)
        if not pairs:
            raise said(DataError, "no_common_list", columns=self.plan.per_list.shared, hint=self._hint)
        return [self._with_limits(pair) for pair in pairs]

    @property
    def _hint(self) -> str:
        """Advice for tables of the caller that have no list in common."""
        advice = f" If a column other than {SYSTEM!r} names the system, say so with {Option('system')}."
        return advice if self.plan.per_list.is_given and self.plan.per_list.systems == (SYSTEM,) else ""

    def _with_limits(self, pair: Pair) -> Pair:
        """The pair with what is known of the values of its metric: their limits, and whether they are 0 or 1."""
        metric, tuned_to = self.measured.get(pair.metric), self.options.sequential
        interval = interval_of(metric) if metric else None
        means = [mean for mean in (pair.baseline_mean, pair.system_mean) if mean is not None]
        if metric is None or interval is None or not all(map(isfinite, (interval.lower, interval.upper))):
            return replace(pair, tuned_to=tuned_to)
        if any(exceeds(mean, interval.upper) or exceeds(interval.lower, mean) for mean in means):
            return replace(pair, tuned_to=tuned_to)
        is_binary = metric.is_binary and (pair.is_paired or all(sample.is_binary for sample in pair.samples))
        return replace(pair, tuned_to=tuned_to, limits=(interval.lower, interval.upper), is_binary=is_binary)

    def _pairs_of_lists(self) -> list[Pair]:
        """The pairs of systems that were scored on the same lists."""
        kinds, pairs = ("by", "baseline", "system"), []
        for row in self._moments.to_dicts():
            by, baseline, system = (tuple(row[name] for name in self.plan.ids[f"{kind}_id"]) for kind in kinds)
            metric = row["metric"]
            key = (*by, metric, *baseline, *system)
            n_lists, n_undefined, *n_of, n_common, n_lower, n_equal, n_higher = (
                int(row[name]) for name in COUNT_COLUMNS
            )
            if not self.plan.per_list.is_complete:
                n_of = [int(self._own_lists[by, metric][name][0]) for name in (baseline, system)]
            means = (None if row[name] is None else float(row[name]) for name in MEAN_COLUMNS)
            first, second, difference, squares, common = means
            clusters = [of_kind[key] for of_kind in self._clusters if key in of_kind]
            sample = Sample.of(n_lists, difference, squares, max(abs(first or 0), abs(second or 0)), clusters)
            common = common if n_common < n_lists + n_undefined else None
            counts, outcomes = (n_lists, n_undefined, (n_of[0], n_of[1]), n_common), (n_lower, n_equal, n_higher)
            pairs.append(Pair(key, by, metric, baseline, system, *counts, first, second, (sample,), common, outcomes))
        return pairs

    def lists_apart(self, pairs: Sequence[Pair]) -> dict[Key, str]:
        """The lists, in words, of pairs of systems that have hardly a list in common, by `by`, baseline and system."""
        sizes = {(pair.by, pair.baseline, pair.system): (*pair.n_of, pair.n_common or 0) for pair in pairs}
        if not self.plan.per_list.is_complete or not pairs:
            label, baseline, compared = self.plan.metrics[0], self.plan.baseline, set(sizes)
            groups = {by: arms for (by, metric), arms in self._own_lists.items() if metric == label}
            refuse_systems([*dict.fromkeys(system for arms in groups.values() for system in arms)], baseline)
            for by, arms in groups.items():
                for both in combinations(arms, 2):
                    is_asked = baseline is None or baseline in both
                    if is_asked and not {(by, *both), (by, *both[::-1])} & compared:
                        sizes[by, *both] = (int(arms[both[0]][0]), int(arms[both[1]][0]), 0)
        return {
            (*key, baseline, system): _lists_of(baseline, system, *counts)
            for (*key, baseline, system), counts in sizes.items()
            if counts[2] < FEWEST_COMMON * min(counts[:2])
        }

    @cached_property
    def arms(self) -> Mapping[tuple[Key, str], Mapping[Key, tuple[Sample, int]]]:
        """By `by` and metric, the values of each system over its own lists, and the number of these lists."""
        arms = dict[tuple[Key, str], dict[Key, tuple[Sample, int]]]()
        moments = self.plan.by_arm(self._moments, "n_units", "n_lists", "mean_value", "sum_of_squares")
        for (by, metric), of_systems in moments.items():
            arms[by, metric] = {}
            for system, (n_units, n, mean, squares) in of_systems.items():
                key = (*by, metric, *system)
                kinds = [of_kind[key][1:] for of_kind in self._clusters if key in of_kind]
                sample = Sample.of(int(n), mean, squares if n else None, abs(mean or 0), kinds)
                arms[by, metric][system] = sample, int(n_units)
        return arms

    def _pairs_of_arms(self) -> list[Pair]:
        """The pairs of systems that were each measured over lists of their own."""
        plan, arms = self.plan, self.arms
        refuse_systems([*dict.fromkeys(system for group in arms.values() for system in group)], plan.baseline)
        pairs = []
        for (by, metric), group in arms.items():
            for baseline, system in combinations(sorted(group, key=lambda system: system != plan.baseline), 2):
                if plan.baseline is not None and baseline != plan.baseline:
                    continue
                (first, n_first), (second, n_second) = group[baseline], group[system]
                n_lists, names_of = first.n_lists + second.n_lists, (by, metric, baseline, system)
                counts = (n_lists, n_first + n_second - n_lists, (n_first, n_second), None)
                key, turned = (*by, metric, *baseline, *system), (*by, metric, *system, *baseline)
                n_shared, products = self._shared.get(key) or self._shared.get(turned) or (0, 0.0)
                pair = Pair(key, *names_of, *counts, first.mean, second.mean, (first, second))
                pairs.append(replace(pair, n_shared=int(n_shared), products=products or 0.0))
        return pairs

    @cached_property
    def _shared(self) -> Mapping[Key, tuple[Any, ...]]:
        """By pair of arms, the number of clusters (or lists) that are in both, and the sum of their products."""
        return self.plan.keyed(self.plan.collect("shared_clusters"), "pair_id")

    @cached_property
    def _shares_of_arms(self) -> list[tuple[str, RankMetricsWarning | None]]:
        """For each value of `by`, the numbers of users of the arms in words, and a warning if they are wrong."""
        if self.options.paired:
            return []
        label, arms, clusters = self.plan.metrics[0], [], self._clusters
        counts: dict[Key, dict[str, int]] = {}
        for pair in self._pairs_of[label]:
            for system, n in zip((pair.baseline, pair.system), pair.n_of, strict=True):
                units = clusters[0][*pair.by, label, *system][0] if clusters else n
                counts.setdefault(pair.by, {})[name_of_system(system)] = int(units)
        kind = f"values of {', '.join(self.plan.cluster)}" if self.plan.cluster else "lists"
        for by, of_arms in counts.items():
            sizes = [f"{arm} {n:,} ({n / sum(of_arms.values()):.1%})" for arm, n in of_arms.items()]
            note, raised = f"{kind} of the arms{self._by(by)}: {', '.join(sizes)}", list[Any]()
            if self.options.shares is None:
                shares = {arm: round(1 / len(of_arms), 3) for arm in of_arms}
                note += f"; check them against the shares of the experiment, as in {Option('shares', shares)}"
            else:
                with warnings.catch_warnings(record=True) as raised:
                    warnings.simplefilter("always")
                    p_value = check_arms(of_arms, self.options.shares)
                note += f"; these are their shares, but for chance (p = {p_value:.2g})"
            arms.append((note, raised[0].message if raised else None))
        return arms

    @cached_property
    def pairs(self) -> list[Pair]:
        """The pairs in the order of the metrics; without a baseline, the system that comes first is the baseline."""
        pairs = self._given_pairs
        if self.plan.baseline is None:  # databases do not order texts alike
            pairs = [pair.turned() if in_order(pair.baseline) > in_order(pair.system) else pair for pair in pairs]
        place = {metric: index for index, metric in enumerate(self.plan.metrics)}
        return sorted(
            pairs, key=lambda pair: (place[pair.metric], *map(in_order, (pair.by, pair.baseline, pair.system)))
        )


def letters(n: int) -> list[str]:
    """Letters for some systems: a to z, then aa, ab and so on."""
    every = ("".join(word) for length in count(1) for word in product(ascii_lowercase, repeat=length))
    return [*islice(every, n)]


def _lists_of(baseline: Sequence[Any], system: Sequence[Any], n_baseline: int, n_system: int, n_common: int) -> str:
    """The lists of two systems in words."""
    lists = f"{name_of_system(baseline)} has {counted(n_baseline, 'list', 'lists')}"
    return f"{lists}, {name_of_system(system)} {n_system:,}, and {counted(n_common, 'is', 'are')} of both"


# A smaller p-value is shown as smaller than this.
SMALLEST_P = 0.0001


def shown_p_value(p_value: float | None) -> str:
    """A p-value as a table shows it: `0.0123`, or `< 0.0001`."""
    return f"< {SMALLEST_P}" if p_value is not None and p_value < SMALLEST_P else shown_value(p_value)


def p_in_words(p_value: float | None) -> str:
    """A p-value in a sentence: `p = 0.0123`, `p < 0.0001`, or `no p-value`."""
    equals = "" if p_value is None or p_value < SMALLEST_P else "= "
    return "no p-value" if p_value is None else f"p {equals}{shown_p_value(p_value)}"


def _value_or_name(values: Sequence[Any]) -> Any:
    """The value of the only column that names a system, in its type; the name of a system of several columns."""
    return values[0] if len(values) == 1 else name_of_system(values)


def _refuse_given(plan: ComparisonPlan, moments: pl.DataFrame) -> None:
    repeated = plan.collect("repeated_lists")
    if repeated.height:
        row = sorted(repeated.rows(), key=in_order)[0]
        columns = [*plan.by, *plan.paired_by, *plan.per_list.systems]
        which = ", ".join(f"{name} = {value!r}" for name, value in zip(columns, row[:-1], strict=True))
        raise said(DataError, "repeated_list", n=repeated.height, which=which, n_rows=row[-1])
    for name in {"baseline_mean", "system_mean", "mean_value"} & {*moments.columns}:
        for metric, mean in moments.select("metric", name).rows():
            if mean is not None and not float("-inf") < mean < float("inf"):
                raise DataError(f"{metric} has values that are not finite numbers. Where it is undefined, put NULL.")


def refuse_systems(rows: Sequence[tuple[Any, ...]], baseline: tuple[str | int, ...] | None) -> None:
    """Refuse systems, by the values that name each, if the baseline is none of them, or if there is only one."""
    systems = [_value_or_name(row) for row in sorted(rows, key=in_order)]
    name = baseline and _value_or_name(baseline)
    if baseline is not None and name not in systems:
        near = did_you_mean(str(name), map(str, systems))
        raise said(InputError, "unknown_baseline", name=name, systems=systems, near=near)
    if len(systems) < 2:
        raise InputError(f"There is nothing to compare: the only system is {names(systems)}.")


# --- the options ------------------------------------------------------------------------------------------------------


class Choices(ComparisonOptions):
    """The caller's options of a comparison, read against the values per list that are there."""

    def compare(
        self,
        per_list: PerList,
        by: Sequence[str],
        measured: Mapping[str, Metric],
        others: Sequence[str] = (),
        over: str | None = None,
    ) -> Comparison:
        """The comparison of the systems of some values per list; raises what Result.compare does.

        `by` are the columns that stay apart unless the caller names others, `measured` the metrics by their labels,
        `others` the labels of metrics without a value per list; `over` is a list column whose values are clusters
        across those of other columns, as of seeds.
        """
        for name in self.tests:
            _refuse_unknown("tests", name, TESTS)
        _refuse_unknown("correction", self.correction, CORRECTIONS)
        if importlib.util.find_spec("scipy") is None:
            raise InputError(f"A comparison is computed with SciPy: {pip_install('statistics')}.")
        metrics = self._labels(per_list.metrics, others)
        apart = _columns("by", self.by, per_list.shared) if self.by is not None else tuple(by)
        together = [name for name in per_list.shared if name not in apart]
        cluster, is_default = default_cluster(together), self.cluster is None
        if self.cluster is not None:
            cluster = _columns("cluster", [name for name in texts("cluster", self.cluster) if name], together)
        baseline = None
        if self.baseline is not None:
            baseline = baseline_values(self.baseline, per_list.systems, per_list.lists)
        over = None if over in apart else over
        if over:
            if strange := [name for name in self.tests if name != "t"]:
                test, apart_by = TESTS[strange[0]].name, Option("by", [over])
                raise said(InputError, "no_two_way_form", test=test, over=over, apart=apart_by)
            cluster = cluster or tuple(name for name in per_list.shared if name not in (*apart, over))
        measured = {label: measured[label] for label in metrics if label in measured}
        self._refuse_tests(metrics, measured, () if is_default else cluster)
        for label, metric in measured.items():
            refuse_margin(self.margin, label, metric)
        if self.shares is not None and self.paired:
            raise said(InputError, "shares_of_pairs")
        plan = ComparisonPlan(per_list, self, metrics, apart, baseline, cluster, over)
        left_out = tuple(others) if self.metrics is None else ()
        return Comparison(plan, measured, left_out, is_default and bool(cluster) and not over)

    def _refuse_tests(self, metrics: Sequence[str], measured: Mapping[str, Metric], cluster: Sequence[str]) -> None:
        """Refuse tests that do not fit the baseline, the clusters that the caller named, arms, looks, or the values."""
        able = {kind: [name for name in TESTS if getattr(TESTS[name], kind)] for kind in ("takes_clusters", "of_arms")}
        for name, test in ((name, TESTS[name]) for name in self.tests):
            refusals = {
                "test_of_one_look": self.sequential and name != "t",
                "test_of_all_pairs": test.is_of_all_pairs and self.baseline is not None,
                "test_of_independent_lists": cluster and not test.takes_clusters,
                "test_of_two_values": not self.paired and not test.of_arms,
            }
            if unfit := [message for message, is_unfit in refusals.items() if is_unfit]:
                raise said(InputError, unfit[0], test=test.name, t_test=Option("tests", ["t"]), **able)
            strange = [label for label in metrics if not (label in measured and measured[label].is_binary)]
            if name == "mcnemar" and strange:
                binary = [label for label in metrics if label not in strange] or ["hit@10"]
                others = Option("metrics", binary)
                raise said(MetricError, "no_proportion", test=test.name, metric=strange[0], binary=others)

    def _labels(self, known: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
        """The labels of the metrics that are compared; by default all that have a value per list."""
        if self.metrics is None and known:
            return tuple(known)
        labels = []
        for name in texts("metrics", self.metrics) or others:
            metric = None if name in known else _metric(str(name))
            label = metric.label if metric else str(name)
            if label in others:
                raise said(MetricError, "number_of_system", metric=label)
            if label not in known:
                raise MetricError(f"{str(name)!r} was not measured: there are {choices_for(name, known)}")
            labels.append(label)
        return tuple(dict.fromkeys(labels))


def refuse_margin(margin: Limit | None, label: str, metric: Metric, option: str = "margin") -> None:
    """Refuse a margin that no difference of a metric can exceed, such as 5 for 5 %."""
    interval = interval_of(metric)
    width = interval.upper - interval.lower
    if margin is not None and not margin.is_percentage and margin.value >= width:
        options = {"margin": Option(option, margin.value), "percentage": Option(option, f"{margin.value:g}%")}
        raise said(InputError, "wide_margin", metric=label, range=interval.text, **options)


def _metric(label: str) -> Metric | None:
    """The metric of a label; None where the text is not a metric."""
    try:
        return parse(label)
    except MetricError:
        return None


def baseline_values(
    system: Baseline, columns: Sequence[str], types: Mapping[str, ColumnType | None], option: str = "baseline"
) -> tuple[str | int, ...]:
    """The values of the columns that name a system, such as the baseline, in the types of the columns."""
    if isinstance(system, Mapping):
        if {*system} != {*columns}:
            noun = Option(option, is_noun=True)
            raise said(InputError, "system_of_other_columns", option=noun, found=[*system], columns=[*columns])
        values = [system[name] for name in columns]
    elif isinstance(system, (str, int)):
        values = [*system.split(SEPARATOR)] if isinstance(system, str) and len(columns) > 1 else [system]
    else:
        values = [*system]
    if len(values) != len(columns):
        noun = Option(option, is_noun=True)
        raise said(InputError, "system_of_fewer_columns", option=noun, columns=[*columns])
    typed = list[str | int]()
    for name, value in zip(columns, values, strict=True):
        kind = types.get(name)
        is_text = kind is None or kind.family == "string"
        try:
            typed.append(int(value) if kind and kind.family == "integer" else str(value) if is_text else value)
        except ValueError as error:
            raise said(InputError, "no_whole_number", option=Option(option, value), name=name, type=kind) from error
    return tuple(typed)


def _columns(option: str, value: str | Sequence[str] | None, known: Sequence[str]) -> tuple[str, ...]:
    """The list columns that an option names; refuses others than those that all systems share."""
    columns = tuple(dict.fromkeys(texts(option, value)))
    for column in columns:
        if column not in known:
            choices, noun = choices_for(column, known), Option(option, is_noun=True)
            raise said(ColumnError, "not_shared_by_systems", option=noun, name=column, choices=choices)
    return columns


def _refuse_unknown(option: str, value: str, known: Sequence[str] | Mapping[str, object]) -> None:
    if value not in known:
        raise InputError(f"{Option(option, is_noun=True)} has no {value!r}: there are {choices_for(value, known)}")


def systems_of(layout: Layout) -> tuple[str, ...]:
    """The columns of `by` that name a system; of what was shown, all but dates. Refuses an evaluation without any."""
    systems = tuple(name for name in layout.by if name not in layout.truth_lists)
    if layout.labels is not None:
        systems = tuple(name for name in layout.by if layout.recs_types[name].family != "date") or layout.by
    if not systems:
        raise said(InputError, "no_systems", lists=[*layout.lists])
    return systems


def compare_systems(
    queries: Queries, check: Callable[[], None], choices: Choices, over: str | None = None
) -> Comparison:
    """The comparison of the systems of an evaluation, whose `check` refuses data; raises what Result.compare does."""
    layout, question = queries.layout, queries.question
    systems = systems_of(layout)
    planned = queries.plan(numbers=[N_RECOMMENDED])
    per_list = PerList(
        queries.engine,
        lambda dialect: tree_of(planned.per_list_query(), dialect),
        {name: layout.recs_types.get(name) for name in layout.lists},
        systems,
        tuple(metric.label for metric in question.of_lists),
        check,
        is_complete=layout.labels is None and all(m.values.get("missing") == "zero" for m in question.of_lists),
        counted=number_label(N_RECOMMENDED),
    )
    if choices.cluster is None:
        choices = replace(choices, cluster=layout.cluster)
    others = [metric.label for metric in question.of_systems]
    by, measured = [name for name in layout.by if name not in systems], {m.label: m for m in question.of_lists}
    return choices.compare(per_list, by, measured, others, over)


# --- comparing files --------------------------------------------------------------------------------------------------


@with_options(ComparisonOptions, "compare_files", "Comparison")
def compare_files(  # noqa: D417  # with_options says how the options are called
    a: object,
    b: object,
    *arguments: Any,
    system: str | None = None,
    connection: object | None = None,
    dialect: str | None = None,
    **options: Any,
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
    own = {"system": system, "connection": connection, "dialect": dialect}
    called = arguments_of(compare_files, a, b, *arguments, **own, **options)
    choices = Choices(**{name: value for name, value in called.items() if name not in ("a", "b", *own)})
    engine = open_engine({"a": a, "b": b}, a, connection, dialect)
    schemas = {name: engine.inputs[name].schema for name in ("a", "b")}
    for table, schema in schemas.items():
        if count := next((name for name in schema if name.lower() == N_LISTS), None):
            raise said(InputError, "is_a_summary", table=table, name=count)
    labels = _metric_columns(schemas, choices.metrics)
    column = system or (SYSTEM if all(SYSTEM in schema for schema in schemas.values()) else None)
    types: dict[str, ColumnType | None] = {name: schemas["a"][name] for name in _list_columns(schemas, labels, column)}
    systems: Mapping[str, str] = {}  # the name of each table, if no column of theirs names systems
    if column is None:
        refuse_hidden(SYSTEM, [*types])
        are_files = isinstance(a, (str, Path)) and isinstance(b, (str, Path)) and str(a) != str(b)
        systems = dict(zip("ab", names_of([str(a), str(b)]).values() if are_files else "ab", strict=True))
        choices = choices if choices.baseline is not None else replace(choices, baseline=systems["a"])
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
    return choices.compare(per_list, (), {label: metric for label in labels if (metric := _metric(label))})


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
    shared = [name for name, kind in first.items() if kind.family in NUMBERS and name in second and is_label(name)]
    if not shared:
        raise said(MetricError, "no_common_metric", first=[*first], second=[*second])
    return shared


def _list_columns(schemas: Mapping[str, Schema], labels: Sequence[str], system: str | None) -> list[str]:
    """The columns that identify a list: all of a table but those of metrics."""
    columns, others = (
        [column for column in schema if column not in labels and not is_label(column)] for schema in schemas.values()
    )
    if {*columns} != {*others}:
        raise said(ColumnError, "other_list_columns", first=columns, second=others)
    if system is not None and system not in columns:
        raise said(ColumnError, "no_system_column", name=system, columns=columns)
    if not {*columns} - {system}:
        raise ColumnError("The tables have no column that identifies a list, such as user: a row cannot be paired.")
    return columns


def is_label(name: str) -> bool:
    """True if a column of values per list is a metric."""
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
class Ranks(Answer):
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

    def _notes(self) -> list[str]:
        level, p_value = round(1 - self.confidence, 6), self.p_value
        differ = "differ" if is_significant(p_value, 1 - self.confidence) else "do not differ significantly"
        sets, distance = counted(self.n_sets, "data set", "data sets"), f"{self.critical_difference:.2f}"
        friedman = f"over {sets}, the systems {differ} (Friedman's test, p = {shown_value(p_value)})"
        nemenyi = f"two systems differ if their average ranks are {distance} apart (Nemenyi, p < {level})"
        groups = (f"no difference: {', '.join(group)}" for group in self.groups)
        return [f"ranks are by {self.metric}", friedman, nemenyi, *groups]

    def _tables(self) -> list[TextTable]:
        means = {system: sum(values) / len(values) for system, values in self.means.items()}
        rows = [
            [Cell(system), Cell(f"{rank:.2f}", is_number=True), Cell.of(means[system])]
            for system, rank in self.average_ranks.items()
        ]
        return [TextTable(["system", "average rank", f"mean {self.metric}"], rows, 1)]
