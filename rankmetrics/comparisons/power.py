"""`rm.power`: how many lists would show a difference, from the values per list of a pilot."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import polars as pl

from rankmetrics.comparisons.comparison import Comparison, compare_files, refuse_margin
from rankmetrics.comparisons.statistics import MANY_LISTS, POWER, shift_seen
from rankmetrics.engines.files import SYSTEM
from rankmetrics.engines.polars import Polars
from rankmetrics.errors import InputError, Option
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.messages import said
from rankmetrics.options import probability, read_limit

# For a smaller effect, in standard deviations, no number of lists is advised.
SMALLEST_EFFECT = 1e-6


def power(
    pilot: object,
    difference: float | str,
    *,
    power: float = POWER,
    confidence: float = 0.95,
    paired: bool = True,
    system: str | None = None,
) -> pl.DataFrame:
    """The number of lists with which a t-test sees a difference, by the variance of a pilot.

    Args:
        pilot: what `evaluate` or `compare` returned, or values per list: a Polars frame, or a file that
            `result.write(path, per_list=True)` wrote. If a user has several lists, their variance is that between
            users.
        difference: the difference of means to see, as in 0.005, or its share of the baseline's mean, as in "1%".
        power: the probability that the test is significant if the difference is there.
        confidence: 1 less the level of the two-sided test.
        paired: whether both systems recommend for the same lists. False plans an experiment with arms; so does a pilot
            of one system, which has no paired differences.
        system: the column of a frame or a file that names its systems; by default `system`, if there is one.

    Returns:
        A frame with a row per metric and pair of systems (of a pilot of one system, per metric): the columns of `by`,
        `metric`, `baseline` and `system`, `n_lists` of the pilot, the `difference`, and `lists_needed`: lists that both
        systems have, or of experiments lists of each arm; NULL if the values of the pilot do not vary.

    Raises:
        InputError: the difference is not above 0, a probability is not between 0 and 1, or the pilot cannot be read.

    Source:
        The power of the t-test is that of `statsmodels.stats.power`, TTestPower and TTestIndPower.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> pilot = pl.DataFrame({"user": range(100), "ndcg@10": [0.0, 0.5, 0.2, 0.3] * 25})
        >>> rm.power(pilot, "5%")["lists_needed"].to_list()
        [3300]
    """
    probability("confidence", confidence)
    size = read_limit(difference, Option("difference"))
    if not 0 < power < 1 or not size.value:
        raise said(InputError, "power_out_of_range", p=power, shift=difference)
    comparison, is_single = _comparison_of(pilot, system or SYSTEM, paired=paired)
    rows: list[tuple[Any, ...]] = []
    if is_single:
        for (by, metric), arms in comparison.arms.items():
            for arm, (sample, _) in arms.items():
                rows.append((by, metric, None, name_of_system(arm), (sample, sample), sample.mean))
    else:
        for pair in comparison.pairs:
            systems = [name_of_system(pair.baseline), name_of_system(pair.system)]
            rows.append((pair.by, pair.metric, *systems, pair.samples, pair.baseline_mean))
    values = []
    for by, metric, baseline, system, samples, mean in rows:
        if metric in comparison.measured:
            refuse_margin(size, metric, comparison.measured[metric], "difference")
        shift = size.value * abs(mean or 0) if size.is_percentage else size.value
        deviation = sqrt(sum((sample.variance or 0) * sample.n_lists for sample in samples) / len(samples))
        can_vary = deviation and shift / deviation > SMALLEST_EFFECT
        needed = lists_for(shift / deviation, 1 - confidence, power, len(samples)) if can_vary else None
        n_lists = sum(sample.n_lists for sample in samples) // (2 if is_single else 1)
        values.append((*by, metric, baseline, system, n_lists, shift, needed))
    columns = [*comparison.plan.by, "metric", "baseline", "system", "n_lists", "difference", "lists_needed"]
    types = {"baseline": pl.String, "lists_needed": pl.Int64}  # of columns that may hold NULLs alone
    return pl.DataFrame(values, schema=columns, orient="row", schema_overrides=types, infer_schema_length=None)


def lists_for(effect: float, level: float, power: float, n_samples: int) -> int:
    """The fewest lists (of each sample) with which a two-sided t-test sees an effect, in standard deviations."""
    n = max(2, ceil(n_samples * (shift_seen(float("inf"), level, power) / effect) ** 2))

    def has_power(n: int) -> bool:
        return shift_seen(n_samples * (n - 1), level, power) <= effect * sqrt(n / n_samples)

    while n < 100 * MANY_LISTS and not has_power(n):  # a few lists off at most
        n += 1
    return n


def _comparison_of(pilot: Any, system: str, *, paired: bool) -> tuple[Comparison, bool]:
    """The comparison of the systems of a pilot, and whether there is only one system."""
    if hasattr(pilot, "compare"):  # a Result
        if not pilot.layout.systems:
            return _comparison_of(pilot.collect(per_list=True), system, paired=paired)
        pilot = pilot.compare()
    elif isinstance(pilot, (str, Path)):
        what = f"pilot {str(pilot)!r}"
        engine = Polars({what: Path(pilot)}, None)
        pilot = engine.collect(engine.frame(what))
    if not isinstance(pilot, Comparison):
        if not isinstance(pilot, (pl.DataFrame, pl.LazyFrame)):
            raise said(InputError, "no_pilot", type=type(pilot).__name__)
        frame = pilot.lazy().collect()
        if system == SYSTEM and SYSTEM not in frame.columns:
            frame = frame.with_columns(pl.lit("pilot").alias(SYSTEM))
        pilot = compare_files(frame, frame.clear(), system=system)
    arms = replace(pilot, plan=replace(pilot.plan, options=replace(pilot.options, paired=False, shares=None)))
    is_single = len({system for group in arms.arms.values() for system in group}) == 1
    return (pilot if paired and not is_single else arms), is_single
