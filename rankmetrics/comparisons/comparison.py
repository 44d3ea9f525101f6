"""The Comparison of systems: paired statistics of each metric and pair, from sums that the engine computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rankmetrics.comparisons.corrections import corrected
from rankmetrics.comparisons.options import Statistics
from rankmetrics.comparisons.pairs import Key, Pair, interval, lists_for, pair_of
from rankmetrics.comparisons.plan import ComparisonPlan
from rankmetrics.comparisons.significance import TESTS
from rankmetrics.errors import DataError, InputError, Option, did_you_mean, names

if TYPE_CHECKING:
    import polars as pl

# The columns of the confidence interval, and of the outcomes of the lists.
ENDS, OUTCOMES = ("ci_low", "ci_high"), ("wins", "ties", "losses")


@dataclass(frozen=True)
class Comparison:
    """Paired statistics of systems: of each against a baseline, or of all pairs.

    `collect` returns one row per metric and pair of systems. Printing shows the means, with a letter for each system
    that a system is significantly better than. Nothing is computed before.

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
        `t`, `p_t` and `p_t_adjusted`. What cannot be computed, as from fewer than two lists, is NULL.

        Raises:
            InputError: the baseline is none of the systems, or there is only one system.
            DataError: the systems have no list in common; or as the collect of a result does.
            EngineError: the engine refused a query.
        """
        import polars as pl

        pairs, types = self._pairs, self._types
        by = dict(zip(self.plan.by, types, strict=False))
        system = types[-1] if len(self.plan.per_list.systems) == 1 else pl.String()
        columns: dict[str, tuple[Any, list[Any]]] = {
            name: (kind, [one.by[place] for one in pairs]) for place, (name, kind) in enumerate(by.items())
        }
        columns["metric"] = pl.String(), [one.metric for one in pairs]
        columns["baseline"] = system, [system_name(one.baseline) for one in pairs]
        columns["system"] = system, [system_name(one.system) for one in pairs]
        for name, kind, values in self._numbers:
            columns[name] = kind, values
        return pl.DataFrame([pl.Series(name, values, dtype=kind) for name, (kind, values) in columns.items()])

    @cached_property
    def _numbers(self) -> list[tuple[str, Any, list[Any]]]:
        """The columns of numbers, each with its type."""
        import polars as pl

        pairs, statistics = self._pairs, self.statistics
        intervals = [interval(one, statistics.confidence) for one in pairs]
        wins = [self._wins(one) for one in pairs]
        found: list[tuple[str, Any, list[Any]]] = [
            (name, pl.Int64(), [getattr(one, name) for one in pairs]) for name in ("n_lists", "n_undefined")
        ]
        means = ("baseline_mean", "system_mean", "difference", "relative_difference")
        found += [(name, pl.Float64(), [getattr(one, name) for one in pairs]) for name in means]
        found += [(name, pl.Float64(), [one[place] for one in intervals]) for place, name in enumerate(ENDS)]
        found.append(("effect_size", pl.Float64(), [one.effect_size for one in pairs]))
        found += [(name, pl.Int64(), [one[place] for one in wins]) for place, name in enumerate(OUTCOMES)]
        found.append(("lists_for_1_percent", pl.Int64(), [lists_for(one, statistics.confidence) for one in pairs]))
        for test in statistics.tests:
            p_values = self._p_values[test]
            adjusted = self._adjusted[test]
            found += [
                (f"p_{test}", pl.Float64(), [p_values[one.key] for one in pairs]),
                (f"p_{test}_adjusted", pl.Float64(), [adjusted[one.key] for one in pairs]),
            ]
        return found

    def _wins(self, pair: Pair) -> tuple[int, int, int]:
        """On how many lists the system is better, equal and worse."""
        if pair.metric in self.lower_is_better:
            return pair.n_lower, pair.n_equal, pair.n_higher
        return pair.n_higher, pair.n_equal, pair.n_lower

    @cached_property
    def _p_values(self) -> Mapping[str, Mapping[Key, float | None]]:
        """The p-value of each pair, by test."""
        return {one: TESTS[one].p_values(self._pairs, self._compute) for one in self.statistics.tests}

    @cached_property
    def _adjusted(self) -> Mapping[str, Mapping[Key, float | None]]:
        """The corrected p-value of each pair, by test: the tests of a metric are one family."""
        found: dict[str, dict[Key, float | None]] = {}
        for test, p_values in self._p_values.items():
            found[test] = {}
            for metric in self.plan.metrics:
                keys = [one.key for one in self._pairs if one.metric == metric]
                adjusted = corrected([p_values[key] for key in keys], self.statistics.correction)
                found[test] |= dict(zip(keys, adjusted, strict=True))
        return found

    # --- what the engine computes -----------------------------------------------------------------------------------

    def _compute(self, step: str) -> pl.DataFrame:
        return self.plan.per_list.engine.collect(self.plan.run(step))

    @cached_property
    def _moments(self) -> pl.DataFrame:
        self.plan.per_list.check()
        return self._compute("moments")

    @property
    def _types(self) -> list[Any]:
        """The types of the columns of `by`, and of the column that names a system, which comes last."""
        ids = self.plan.ids
        return [self._moments.schema[name] for name in [*ids["by_id"], ids["system_id"][0]]]

    @cached_property
    def _pairs(self) -> list[Pair]:
        """The pairs, in the order of the metrics."""
        ids, moments = self.plan.ids, self._moments
        clusters: dict[Key, tuple[int, float]] = {}
        if self.plan.cluster:
            rows = (
                self._compute("cluster_moments").select(*ids["pair_id"], "n_clusters", "sum_of_squares_between").rows()
            )
            clusters = {row[:-2]: (int(row[-2]), float(row[-1])) for row in rows}
        pairs = [pair_of(row, ids, clusters) for row in moments.to_dicts()]
        if not pairs:
            self._refuse_no_pairs()
        if self.plan.baseline is None:  # databases do not order texts alike
            pairs = [one.turned() if _in_order(one.baseline) > _in_order(one.system) else one for one in pairs]
        place = {metric: index for index, metric in enumerate(self.plan.metrics)}
        return sorted(pairs, key=lambda one: (place[one.metric], *map(_in_order, (one.by, one.baseline, one.system))))

    def _refuse_no_pairs(self) -> None:
        """Say why no list is paired.

        Raises:
            InputError: the baseline is none of the systems, or there is only one system.
            DataError: the systems have no list in common.
        """
        ids, baseline = self.plan.ids, self.plan.baseline
        counted = self._compute("list_counts").select(ids["system_id"]).unique()
        systems = [system_name(row) for row in sorted(counted.rows(), key=_in_order)]
        if baseline is not None and system_name(baseline) not in systems:
            raise InputError(
                Option("baseline", is_noun=True),
                f" is {system_name(baseline)!r}, and the systems are {names(systems)}."
                f"{did_you_mean(str(system_name(baseline)), map(str, systems))}",
            )
        if len(systems) < 2:
            raise InputError(f"There is nothing to compare: the only system is {names(systems)}.")
        raise DataError(
            f"No list was scored for two systems, so none can be paired: a list is identified by "
            f"{names(self.plan.per_list.shared)}."
        )


def system_name(values: Sequence[Any]) -> Any:
    """A system by the values of its columns: the value itself where there is one, or else all as a text.

    >>> system_name((3,)), system_name(("als", 64))
    (3, 'als, 64')
    """
    return values[0] if len(values) == 1 else ", ".join(map(str, values))


def _in_order(values: Sequence[Any]) -> list[tuple[bool, Any]]:
    """What puts rows of values into an order; NULLs come last."""
    return [(value is None, "" if value is None else value) for value in values]
