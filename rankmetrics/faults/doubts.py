"""Warnings from the counts of the account: the inputs are probably not the ones that the user meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

from rankmetrics.errors import RankMetricsWarning, names, plain
from rankmetrics.faults.chance import (
    FEW,
    Fit,
    are_far_from_chance,
    are_too_few,
    by_chance,
    is_undecided,
    numbered_apart,
    p_importance,
    p_low,
    p_low_in_bunched,
    significant,
)
from rankmetrics.faults.checks import DOUBT, Check, Message, checks_of, compute, required_of, systems_in_words
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.roles import FOLDS
from rankmetrics.inputs.sources import CALLED
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.metric import Metric

# The values of the columns of `by` in one row of the summary.
System: TypeAlias = tuple[Hashable, ...]

# The least shares for a warning: lists that one system lacks and another has, and the difference in list length.
UNEQUAL, SHORTER = 0.01, 0.2
# Lists are cut at one length if they are this share of the longest on average.
CUT = 0.9
# How the counts of several rows of an account become one count, by the `combined:` of the count's file.
COMBINE: Mapping[str, Callable[[Iterable[int]], int]] = {"sum": sum, "maximum": max, "minimum": min}
# Counts that each row of the summary has, unless it has no lists: the account, and that of all lists.
IN_EACH_ROW = frozenset({"lists_recommended", "sampled_counted"})


@dataclass(frozen=True)
class Counts:
    """The counts of the account; a count that the account lacks is 0."""

    totals: Counter[str]  # over all rows of the summary
    rows: dict[System, Counter[str]]  # of each row of the summary that has recommendations
    scored: dict[System, Counter[str]] = field(default_factory=dict)  # of each row of the summary

    @cached_property
    def fits(self) -> dict[System, Fit]:
        """The fit of each row of the summary to the truth."""
        return {row: Fit(n, self.totals) for row, n in self.rows.items()}

    @cached_property
    def of_no_row(self) -> dict[str, int]:
        """The counts that belong to no row of the summary, such as those of the truth."""
        of_rows = {*chain(*self.rows.values())}
        return {name: n for name, n in self.totals.items() if name not in of_rows}

    @property
    def at_least(self) -> Counter[str]:
        """The totals of a first look, which counts the items of the sample alone: there are as many, or more."""
        sampled = max((row["sampled_items"] for row in self.rows.values()), default=0)
        return Counter({**self.totals, "items_recommended": max(sampled, 1)})

    def with_sampled(self, counted: Iterable[Sequence[object]]) -> Counts:
        """The counts with others in place of those of the sample: the rows of an account of all lists."""
        others = counts_of(counted)

        def replaced(counts: Counter[str], by: Counter[str]) -> Counter[str]:
            return Counter({name: (by if name.startswith("sampled_") else counts)[name] for name in {*counts, *by}})

        rows = {row: replaced(of, others.rows.get(row, Counter())) for row, of in self.rows.items()}
        return replace(self, totals=replaced(self.totals, others.totals), rows=rows)


def combinations() -> dict[str, str]:
    """Map each count of the account to a key of `COMBINE`."""
    return {count.name: count.fields.get("combined", "sum") for count in catalog().all("account")}


def counts_of(account: Iterable[Sequence[object]]) -> Counts:
    """Combine the rows of an account: each holds the values of `by`, the name of a count, and the count.

    Counts are summed over rows, unless their file says `combined: maximum` or `minimum`.

    Counts that belong to no row of the summary, such as the rows of the truth, are in the totals only.
    """
    combined = combinations()
    numbers: dict[str, list[int]] = {name: [] for name in combined}
    rows: dict[System, Counter[str]] = {}
    for *values, name, n in account:
        count = int(n or 0)  # type: ignore[call-overload]
        numbers.setdefault(str(name), []).append(count)
        rows.setdefault(tuple(values), Counter())[str(name)] = count
    totals = Counter({name: COMBINE[combined.get(name, "sum")](of or [0]) for name, of in numbers.items()})
    in_rows = {row: counts for row, counts in rows.items() if {*counts} & IN_EACH_ROW}
    return Counts(totals, in_rows, scored={row: counts for row, counts in rows.items() if "lists_scored" in counts})


@dataclass(frozen=True)
class Found:
    """What a test found: the check, the rows of the summary in doubt, and what its message says of them."""

    check: str
    rows: Sequence[System] = ()
    more: Mapping[str, object] = field(default_factory=dict)


def doubts(
    counts: Counts, layout: Layout, depth: int | None, metrics: Sequence[Metric] = ()
) -> Iterator[RankMetricsWarning]:
    """The warnings for some counts, in the order of their files; each names the reason and the remedy.

    `depth` is the highest cutoff of the metrics; None where a metric reads whole lists.
    """
    tested: dict[str, list[Found]] = {}
    for found in Tests(counts, layout, depth, metrics).found():
        tested.setdefault(found.check, []).append(found)
    for check in checks_of(layout, required_of(metrics, "count", layout), DOUBT):
        in_doubt = tested.get(check.name, []) if check.is_tested else _found_by_counts(check, counts)
        for found in in_doubt:
            of_rows = [counts.rows[row] for row in found.rows]
            is_of_rows = of_rows and (check.per_system or check.is_tested)
            summed = {name: sum(of[name] for of in of_rows) for name in {*chain(*of_rows)}}
            systems = systems_in_words(found.rows, counts.rows, layout.by) if of_rows else ""
            of = {**counts.of_no_row, **summed} if is_of_rows else counts.totals
            message = Message(check, layout, of, systems=systems, more=found.more)
            yield RankMetricsWarning(message.text(), page=check.page)


def _found_by_counts(check: Check, counts: Counts) -> Iterator[Found]:
    """What the condition of a check finds: in rows of the summary, or in all of them together."""
    if check.per_system:
        of_row = {row: Counter({**counts.of_no_row, **of}) for row, of in counts.rows.items()}
        if rows := [row for row, of in of_row.items() if check.is_in(of)]:
            yield Found(check.name, rows)
    elif check.is_in(counts.totals):
        yield Found(check.name, [row for row, of in counts.rows.items() if compute(check.n, of)])


def are_settled(counts: Counts, layout: Layout, metrics: Sequence[Metric]) -> bool:
    """True if the first look at the data rules out all faults and doubts that only the whole account shows.

    `counts` are those of the account that are not `counted: in doubt`, with those of the metrics.
    """
    totals, rows = counts.totals, counts.rows.values()
    matched = max((row["lists_recommended"] - row["lists_without_truth"] for row in rows), default=0)
    has_common_lists = matched * 100 >= min(totals["truth_lists"], totals["lists_recommended"])
    is_tested = layout.offers("cut lists") and not are_too_few(counts.fits.values(), totals)
    return (
        (not layout.has_truth or (has_common_lists and totals["sampled_hits"] > 0))
        and not totals["lists_misranked"]
        and not layout.pooled
        and not _labels_beyond_lists(counts, metrics)
        and (not is_tested or all(fit.is_settled for fit in counts.fits.values()))
        and (not is_tested or are_far_from_chance(counts.fits) or not layout.offers("whole item"))
    )


def needs_all_lists(counts: Counts, layout: Layout) -> bool:
    """True if the sample of lists does not tell whether hits are more than by chance, and there are more lists."""
    is_tested = layout.offers("cut lists")
    has_more = counts.totals["truth_lists"] > counts.totals["sampled_lists"]
    return is_tested and has_more and is_undecided(counts.fits)


def _labels_beyond_lists(counts: Counts, metrics: Sequence[Metric]) -> list[str]:
    """The metrics that read further than any list, where nearly all lists have the same length."""
    n_rows, n_lists = counts.totals["recs_counted"], counts.totals["lists_recommended"]
    if n_lists < FEW or n_rows < CUT * counts.totals["lists_longest"] * n_lists:
        return []
    return [metric.label for metric in metrics if metric.k is not None and metric.k > counts.totals["lists_longest"]]


# --- tests ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tests:
    """The tests of the checks that no condition over counts decides."""

    counts: Counts
    layout: Layout
    depth: int | None
    metrics: Sequence[Metric]

    def found(self) -> Iterator[Found]:
        """What the tests find."""
        yield from (*self._folds(), *self._chance(), *self._importance(), *self._low_hits())
        yield from (*self._unequal_lists(), *self._short_lists(), *self._relevance(), *self._cutoffs())

    def _folds(self) -> Iterator[Found]:
        for name in self.layout.systems:
            if plain(name) in FOLDS:
                yield Found("one_truth_for_all_folds", more={"fold": repr(name), "name": name})
        for name, columns in self.layout.unused.items():
            for unused in (column for column in columns if plain(column) in FOLDS):
                why = f"the recommendations have no column {unused!r}. Rows of different folds are mixed."
                if unused in self.layout.lists:
                    why = f"the {CALLED[name]} input is the same for every fold."
                more = {"fold": repr(unused), "input": CALLED[name], "why": why}
                yield Found("fold_columns_that_are_not_used", more=more)

    def _chance(self) -> Iterator[Found]:
        """Hits that are no more than by chance; else alike lists of unpopular items; else items that tables number."""
        fits = self.counts.fits
        if doubtful := by_chance(fits):
            hits, chance = sum(fit.hits for fit in doubtful.values()), sum(fit.by_chance for fit in doubtful.values())
            yield Found("hits_by_chance", [*doubtful], {"hits": hits, "chance": chance})
        elif unpopular := significant({row: fit.p_unpopular for row, fit in fits.items()}):
            hits, random = (sum(getattr(fits[row], name) for row in unpopular) for name in ("hits", "of_random_items"))
            yield Found("alike_lists_of_items_that_are_not_popular", unpopular, {"hits": hits, "random": random})
        elif numbered_apart(fits, self.counts.totals):
            yield Found("items_that_each_table_numbers")

    def _importance(self) -> Iterator[Found]:
        if doubtful := significant({row: p_importance(n) for row, n in self.counts.rows.items()}):
            yield Found("importance_weights_far_from_1", doubtful)

    def _low_hits(self) -> Iterator[Found]:
        low = significant({row: p_low(n) for row, n in self.counts.rows.items()})
        some = significant({row: p_low_in_bunched(n) for row, n in self.counts.rows.items() if row not in low})
        for check, rows in (("hits_low_in_their_lists", low), ("hits_low_in_some_lists", some)):
            if rows:
                yield Found(check, rows)

    def _unequal_lists(self) -> Iterator[Found]:
        for (few, least), (many, greatest) in self._widest(lambda n: n["lists_scored"] - n["lists_missing"]):
            if greatest - least >= max(FEW, UNEQUAL * greatest):
                are_apart = greatest + least <= self.counts.rows[few]["lists_scored"]  # may have no list in common
                more = {"of many": self._of(many), "of few": self._of(few), "are_apart": are_apart}
                yield Found("unequal_numbers_of_lists", more={"greatest": greatest, "least": least, **more})

    def _short_lists(self) -> Iterator[Found]:
        def length(n: Counter[str]) -> float:
            mean = n["recs_counted"] / max(n["lists_recommended"], 1)
            return mean if self.depth is None else min(mean, self.depth)

        for (short, least), (long, greatest) in self._widest(length):
            if self.counts.rows[short]["lists_recommended"] >= FEW and greatest - least >= SHORTER * greatest > 0:
                first = "" if self.depth is None else f"; the metrics read the first {self.depth}"
                more = {"of short": self._of(short), "of long": self._of(long), "first": first}
                yield Found("lists_of_different_lengths", more={"least": least, "greatest": greatest, **more})

    def _relevance(self) -> Iterator[Found]:
        """Ratings that make no row of the truth relevant."""
        totals = self.counts.totals
        thresholds = {
            metric.label: float(rel) for metric in self.metrics if (rel := metric.values.get("rel")) is not None
        }
        if thresholds and "relevant_at_highest" in totals and not totals["relevant_at_highest"]:
            highest = max(thresholds.values())
            labels = names(label for label, rel in thresholds.items() if rel == highest)
            yield Found("no_relevant_rating", more={"highest": f"{highest:g}", "labels": labels})
        elif (
            self.layout.truth.rating is not None
            and not thresholds
            and totals["sampled_lists"]
            and not totals["sampled_relevant"]
        ):
            yield Found("no_rating_above_0")

    def _cutoffs(self) -> Iterator[Found]:
        labels = _labels_beyond_lists(self.counts, self.metrics)
        if labels and self.counts.totals["items_recommended"] > 2 * self.counts.totals["lists_longest"]:
            reads = "reads" if len(labels) == 1 else "read"
            yield Found("cutoffs_beyond_the_lists", more={"labels": names(labels), "read": reads})

    def _widest(
        self, value: Callable[[Counter[str]], float]
    ) -> list[tuple[tuple[System, float], tuple[System, float]]]:
        """The two rows of the summary whose values differ most, among rows for the same lists of the truth, if any."""
        shared = [place for place, name in enumerate(self.layout.by) if name in self.layout.truth_lists]
        groups: dict[System, list[tuple[System, float]]] = {}
        for row, n in self.counts.rows.items():
            groups.setdefault(tuple(row[place] for place in shared), []).append((row, value(n)))
        pairs = [(min(rows, key=itemgetter(1)), max(rows, key=itemgetter(1))) for rows in groups.values()]
        return sorted(pairs, key=lambda pair: pair[0][1] - pair[1][1])[:1]

    def _of(self, row: System) -> str:
        """A row of the summary, as ` of algorithm=knn`; empty if the summary has one row."""
        pairs = [f"{name}={value}" for name, value in zip(self.layout.by, row, strict=True)]
        return f" of {', '.join(pairs)}" if pairs else ""
