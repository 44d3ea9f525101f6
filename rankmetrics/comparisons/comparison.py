"""The Comparison of systems: paired statistics of each metric and pair, from sums that the engine computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankmetrics.comparisons.board import Computed, as_latex, notes_of, outcomes, tables_of
from rankmetrics.comparisons.corrections import corrected
from rankmetrics.comparisons.options import Statistics
from rankmetrics.comparisons.pairs import Key, Pair, interval, lists_for, pair_of
from rankmetrics.comparisons.plan import ComparisonPlan
from rankmetrics.comparisons.refusals import in_order, refuse_given, refuse_no_pairs, system_name
from rankmetrics.comparisons.significance import TESTS, Sums
from rankmetrics.engines.files import write_frame
from rankmetrics.errors import InputError, Option, did_you_mean, names
from rankmetrics.tables import Printed, TextTable

if TYPE_CHECKING:
    import polars as pl

# The steps whose rows are the sums of a statistic.
STEPS = ("moments", "cluster_moments", "signed_rank_sums", "randomized_sums", "bootstrap_means", "system_moments")

# The columns of the confidence interval, and of the outcomes of the lists.
ENDS, OUTCOMES = ("ci_low", "ci_high"), ("wins", "ties", "losses")


@dataclass(frozen=True, repr=False)
class Comparison(Printed):
    """Paired statistics of systems: each system against a baseline, or all pairs of systems.

    `collect` returns one row per metric and pair of systems. Printing shows the means, with a letter for each system
    that a system is significantly better than. Until then, nothing is computed.

    Attributes:
        plan: which lists are compared, and how.
        statistics: which statistics are computed.
        lower_is_better: the labels of the metrics whose lower value is the better one.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.LazyFrame({"algorithm": ["a"] * 3 + ["b"] * 3, "user": [1, 2, 3] * 2, "item": [7, 8, 9, 7, 7, 9]})
        >>> truth = pl.LazyFrame({"user": [1, 2, 3], "item": [7, 7, 9]})
        >>> found = rm.evaluate(recs.with_columns(rank=1), truth, ["hit@1"]).compare(baseline="a").collect()
        >>> found.select("metric", "system", "n_lists", "difference", "wins", "ties", "losses").rows()
        [('hit@1', 'b', 3, 0.3333333333333333, 1, 2, 0)]
    """

    _heading = "Notes"

    plan: ComparisonPlan
    statistics: Statistics
    lower_is_better: frozenset[str]

    def collect(self) -> pl.DataFrame:
        """One row per metric and pair of systems, computed and checked.

        Columns: those of `by`; `metric`; `baseline` and `system`; `n_lists`, the lists for which both have a value;
        `n_undefined`, the lists for which one of them is undefined; `baseline_mean` and `system_mean` over `n_lists`;
        `difference`, the system minus the baseline; `relative_difference`, as a share of the baseline's mean; `ci_low`
        and `ci_high`, the confidence interval of the difference; `effect_size`, Cohen's d of the paired differences;
        `wins`, `ties` and `losses`, the lists for which the system is better, equal and worse; `lists_for_1_percent`,
        how many lists a paired t-test needs to see a difference of 1 % with a power of 0.8; then for each test, as for
        `t`, `p_t` and `p_t_adjusted`. A statistic that cannot be computed, as from fewer than two lists, is NULL.

        Raises:
            InputError: the baseline is none of the systems, or there is only one system.
            DataError: the systems have no list in common; or as the collect of a result does.
            EngineError: the engine refused a query.
        """
        import polars as pl

        pairs, types = self.pairs, self._types
        by = dict(zip(self.plan.by, types, strict=False))
        system = types[-1] if len(self.plan.per_list.systems) == 1 else pl.String()
        columns: dict[str, tuple[Any, list[Any]]] = {
            name: (kind, [pair.by[place] for pair in pairs]) for place, (name, kind) in enumerate(by.items())
        }
        columns["metric"] = pl.String(), [pair.metric for pair in pairs]
        columns["baseline"] = system, [system_name(pair.baseline) for pair in pairs]
        columns["system"] = system, [system_name(pair.system) for pair in pairs]
        for name, kind, values in self._numbers:
            columns[name] = kind, values
        return pl.DataFrame([pl.Series(name, values, dtype=kind) for name, (kind, values) in columns.items()])

    def table(self) -> Any:
        """The rows of `collect` as a table of the same kind as the recommendations.

        A LazyFrame computes when it is collected. A relation of DuckDB, a frame of Spark and a table of Ibis are
        computed at once, and hold the rows.
        """
        return self.plan.per_list.engine.table_of(self.collect)

    def write(self, path: str | Path) -> None:
        """Compute the rows of `collect` and write them into a file; its ending sets the format, as in Result.write.

        Raises:
            InputError: the name does not say what to write, or nothing can be written there.
        """
        write_frame(self.collect(), path)

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
        if step not in STEPS:
            raise InputError(
                Option("step", is_noun=True), f" has no {step!r}: there are {names(STEPS)}.{did_you_mean(step, STEPS)}"
            )
        if per_list is None and dialect not in (None, own):
            raise InputError(
                f"The inputs are not in {dialect}: name the table of values per list there, ",
                Option("per_list", "db.per_list"),
                ".",
            )
        return self.plan.text(step, dialect or own, per_list, quote_names=quote_names)

    def notes(self) -> list[str]:
        """Notes in sentences: the tests and corrections, the lists left out, and how many lists would be enough."""
        return [*notes_of(self._computed)]

    def to_latex(self) -> str:
        """The means with a letter for each system that they are significantly better than, as a table of LaTeX.

        It needs the package booktabs. The best mean of each metric is bold.
        """
        return as_latex(self._computed)

    def _tables(self) -> list[TextTable]:
        return tables_of(self._computed)

    @cached_property
    def _numbers(self) -> list[tuple[str, Any, list[Any]]]:
        """The columns of numbers, each with its type."""
        import polars as pl

        pairs, statistics = self.pairs, self.statistics
        intervals = [interval(pair, statistics.confidence) for pair in pairs]
        wins = [outcomes(pair, self.lower_is_better) for pair in pairs]
        found: list[tuple[str, Any, list[Any]]] = [
            (name, pl.Int64(), [getattr(pair, name) for pair in pairs]) for name in ("n_lists", "n_undefined")
        ]
        means = ("baseline_mean", "system_mean", "difference", "relative_difference")
        found += [(name, pl.Float64(), [getattr(pair, name) for pair in pairs]) for name in means]
        found += [(name, pl.Float64(), [one[place] for one in intervals]) for place, name in enumerate(ENDS)]
        found.append(("effect_size", pl.Float64(), [pair.effect_size for pair in pairs]))
        found += [(name, pl.Int64(), [one[place] for one in wins]) for place, name in enumerate(OUTCOMES)]
        found.append(("lists_for_1_percent", pl.Int64(), [lists_for(pair, statistics.confidence) for pair in pairs]))
        for test in statistics.tests:
            p_values = self._p_values[test]
            adjusted = self.adjusted[test]
            found += [
                (f"p_{test}", pl.Float64(), [p_values[pair.key] for pair in pairs]),
                (f"p_{test}_adjusted", pl.Float64(), [adjusted[pair.key] for pair in pairs]),
            ]
            if (intervals_of := TESTS[test].intervals) is not None:
                own = intervals_of(self._sums)
                known = [_turned(own.get(pair.key, (None, None)), pair) for pair in pairs]
                found += [
                    (f"{name}_{test}", pl.Float64(), [one[place] for one in known]) for place, name in enumerate(ENDS)
                ]
        return found

    @property
    def _computed(self) -> Computed:
        """What is shown of the comparison."""
        return Computed(self.plan, self.statistics, self.lower_is_better, self.pairs, self.adjusted, self.n_unpaired)

    @cached_property
    def _p_values(self) -> Mapping[str, Mapping[Key, float | None]]:
        """The p-value of each pair, by test."""
        return {test: TESTS[test].p_values(self._given_pairs, self._sums) for test in self.statistics.tests}

    @cached_property
    def adjusted(self) -> Mapping[str, Mapping[Key, float | None]]:
        """The corrected p-value of each pair, by test: the tests of a metric are one family."""
        found: dict[str, dict[Key, float | None]] = {}
        for test, p_values in self._p_values.items():
            found[test] = {}
            correction = "none" if TESTS[test].is_of_all_pairs else self.statistics.correction
            for metric in self.plan.metrics:
                keys = [pair.key for pair in self.pairs if pair.metric == metric]
                adjusted = corrected([p_values[key] for key in keys], correction)
                found[test] |= dict(zip(keys, adjusted, strict=True))
        return found

    @cached_property
    def n_unpaired(self) -> int:
        """How many lists only one system of a pair has: the most of all pairs."""
        if self.plan.per_list.is_complete:
            return 0
        ids = self.plan.ids
        columns = [*ids["by_id"], *ids["system_id"], "n_lists"]
        n_of = {row[:-1]: int(row[-1]) for row in self._sums.compute("list_counts").select(columns).rows()}
        return max(
            n_of.get((*pair.by, *pair.baseline), 0)
            + n_of.get((*pair.by, *pair.system), 0)
            - 2 * (pair.n_lists + pair.n_undefined)
            for pair in self.pairs
        )

    # --- what the engine computes -----------------------------------------------------------------------------------

    @cached_property
    def _sums(self) -> Sums:
        """What computes the sums of the tests, each step once."""
        statistics = self.statistics
        return Sums(cache(self._compute), self.plan.ids, statistics.replicates, statistics.confidence)

    def _compute(self, step: str) -> pl.DataFrame:
        plan = self.plan.where_it_runs(step)
        return plan.per_list.engine.collect(plan.run(step))

    @cached_property
    def _moments(self) -> pl.DataFrame:
        self.plan.per_list.check()
        found = self._compute("moments")
        if self.plan.per_list.is_given:
            refuse_given(self.plan, found, self._compute)
        return found

    @property
    def _types(self) -> list[Any]:
        """The types of the columns of `by`, and of the column that names a system, which comes last."""
        ids = self.plan.ids
        return [self._moments.schema[name] for name in [*ids["by_id"], ids["system_id"][0]]]

    @cached_property
    def _given_pairs(self) -> list[Pair]:
        """The pairs as the engine pairs the systems."""
        ids, moments = self.plan.ids, self._moments
        clusters: dict[Key, tuple[int, float]] = {}
        if self.plan.cluster:
            rows = (
                self._compute("cluster_moments").select(*ids["pair_id"], "n_clusters", "sum_of_squares_between").rows()
            )
            clusters = {row[:-2]: (int(row[-2]), float(row[-1])) for row in rows}
        pairs = [pair_of(row, ids, clusters) for row in moments.to_dicts()]
        if not pairs:
            refuse_no_pairs(self.plan, self._compute)
        return pairs

    @cached_property
    def pairs(self) -> list[Pair]:
        """The pairs in the order of the metrics; without a baseline, the system that comes first is the baseline."""
        pairs = self._given_pairs
        if self.plan.baseline is None:  # databases do not order texts alike
            pairs = [pair.turned() if in_order(pair.baseline) > in_order(pair.system) else pair for pair in pairs]
        place = {metric: index for index, metric in enumerate(self.plan.metrics)}
        return sorted(pairs, key=lambda one: (place[one.metric], *map(in_order, (one.by, one.baseline, one.system))))


def _turned(ends: tuple[float | None, float | None], pair: Pair) -> tuple[float | None, float | None]:
    """The interval of a difference that the engine computed, for the pair as it is shown."""
    low, high = ends
    return (high and -high, low and -low) if pair.is_turned else ends
