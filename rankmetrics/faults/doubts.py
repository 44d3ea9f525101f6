"""Warnings from the counts of the account: the inputs are probably not the ones that the user meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from typing import TypeAlias

from rankmetrics.errors import Option, RankMetricsWarning, counted, names, plain
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
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import CALLED, FOLDS
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.metric import Metric

# The values of the columns of `by` in one row of the summary.
System: TypeAlias = tuple[Hashable, ...]

# The least shares for a warning: lists that one system lacks and another has; truth lists without recommendations;
# recommendations that repeat an item; relevant or recommended items that are in the history; the difference in list
# length; lists whose ranks have gaps. A history of fewer lists than the last share is too small.
UNEQUAL, MISSING, REPEATED, KNOWN, SHORTER, GAPS, COVERED = 0.01, 0.05, 0.01, 0.01, 0.2, 0.01, 0.1
# A warning names at most one row of the summary more than these.
NAMED = 3
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
    alike: tuple[RankMetricsWarning, ...] = ()  # the warnings of ids that are alike
    scored: dict[System, Counter[str]] = field(default_factory=dict)  # of each row of the summary

    @cached_property
    def fits(self) -> dict[System, Fit]:
        """The fit of each row of the summary to the truth."""
        return {row: Fit(n, self.totals) for row, n in self.rows.items()}

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


def doubts(
    counts: Counts, layout: Layout, depth: int | None, metrics: Sequence[Metric] = ()
) -> Iterator[RankMetricsWarning]:
    """The warnings for some counts; each names the reason and the remedy.

    `depth` is the highest cutoff of the metrics; None where a metric reads whole lists.
    """
    yield from _mixed_folds(layout)
    if {metric.values.get("duplicates") for metric in metrics} - {None} != {"first"}:  # as chunks are counted, too
        yield from _repeats(counts.totals, layout)
    is_whole = layout.recs.pool is None  # with a pool column, lists may hold the hits and few other rows
    yield from counts.alike
    if _compares_with_chance(layout):
        yield from _hits_by_chance(counts, layout)
        yield from _gaps(counts, layout)
        yield from _known_recommendations(counts, layout)
    yield from _small_history(counts, layout)
    if counts.totals["log_actions"] and any(catalog().weighs_log(metric.name) for metric in metrics):
        yield from _importance(counts, layout)
        yield from _equal_importance(counts)
    if is_whole:
        yield from _low_hits(counts, layout)
    yield from _missing_lists(counts, layout)
    if is_whole:
        yield from _short_lists(counts, layout, depth)
    yield from _known_truth(counts.totals)
    yield from _pooled_lists(counts.totals, layout)
    yield from _scores_without_order(counts, layout, metrics)
    yield from _scores_against_ranks(counts, layout)
    yield from _relevance(counts.totals, layout, metrics)
    if _compares_with_chance(layout):
        yield from _cutoffs_beyond_lists(counts, metrics)
    yield from _popularities(counts.totals)


def are_settled(counts: Counts, layout: Layout, metrics: Sequence[Metric]) -> bool:
    """True if the first look at the data rules out all faults and doubts that only the whole account shows.

    `counts` are those of the account that are not `counted: in doubt`, with those of the metrics.
    """
    totals, rows = counts.totals, counts.rows.values()
    matched = max((row["lists_recommended"] - row["lists_without_truth"] for row in rows), default=0)
    has_common_lists = matched * 100 >= min(totals["truth_lists"], totals["lists_recommended"])
    is_tested = _compares_with_chance(layout) and not are_too_few(counts.fits.values(), totals)
    return (
        (not layout.has_truth or (has_common_lists and totals["sampled_hits"] > 0))
        and not totals["lists_misranked"]
        and not _pooled_columns(layout)
        and not _labels_beyond_lists(counts, metrics)
        and (not is_tested or all(fit.is_settled for fit in counts.fits.values()))
        and (not is_tested or are_far_from_chance(counts.fits) or not layout.offers("whole item"))
    )


def _compares_with_chance(layout: Layout) -> bool:
    """True if lists are cut: a list that ranks all items fits every truth."""
    return layout.recs.pool is None and not layout.has_candidates


def _mixed_folds(layout: Layout) -> Iterator[RankMetricsWarning]:
    for name in layout.systems:
        if plain(name) in FOLDS:
            text = f"The truth has no column {name!r}: the same truth serves every {name}."
            yield RankMetricsWarning(text, page="warnings/#one-truth-for-all-folds")
    for name, columns in layout.unused.items():
        for unused in (column for column in columns if plain(column) in FOLDS):
            why = f"the recommendations have no column {unused!r}. Rows of different folds are mixed."
            if unused in layout.lists:
                why = f"the {CALLED[name]} input is the same for every fold."
            text = f"Column {unused!r} of the {CALLED[name]} is not used: {why}"
            yield RankMetricsWarning(text, page="warnings/#fold-columns-that-are-not-used")


def _repeats(totals: Counter[str], layout: Layout) -> Iterator[RankMetricsWarning]:
    has_more = totals["truth_lists"] > totals["sampled_lists"]
    of_sample = f" of the first {totals['sampled_lists']:,} lists of the truth" if has_more else ""
    for start, rows in (("recs", ""), ("sampled", of_sample)):
        repeated, n_rows = totals[f"{start}_repeated"], totals[f"{start}_counted"]
        if repeated >= max(FEW, REPEATED * n_rows):
            yield RankMetricsWarning(
                f"{repeated:,} of {n_rows:,} recommendations{rows} repeat an item of their list. A relevant item "
                "is credited once, unless a metric says otherwise. Is a column missing that tells systems apart? A "
                f"list is identified by {', '.join(layout.lists)}.",
                page="warnings/#repeated-items",
            )
            return


def _hits_by_chance(counts: Counts, layout: Layout) -> Iterator[RankMetricsWarning]:
    fits, lists = counts.fits, _sampled(counts.totals)
    if doubtful := by_chance(fits):
        hits, chance = sum(fit.hits for fit in doubtful.values()), sum(fit.by_chance for fit in doubtful.values())
        yield RankMetricsWarning(
            f"The recommendations{_of_some(doubtful, counts, layout)} fit their own truth no better than the truth of "
            f"other lists: they have {counted(hits, 'relevant item', 'relevant items')} in {lists}, and {chance:,.0f} "
            "are expected by chance. "
            "Possible causes: the ids of users or items differ between the two inputs, as after numbering each table "
            "by itself; the truth is the training data; the model is untrained; the items are random.",
            page="warnings/#hits-by-chance",
        )
    elif unpopular := significant({row: fit.p_unpopular for row, fit in fits.items()}):
        hits, random = (sum(getattr(fits[row], name) for row in unpopular) for name in ("hits", "of_random_items"))
        yield RankMetricsWarning(
            f"The lists{_of_some(unpopular, counts, layout)} are alike, and their items are relevant no more often "
            f"than other items: they have {hits:,} relevant items in {lists}, and {random:,.0f} are expected of random "
            "items. Either the ids of items differ between the two inputs, as after numbering each table by itself, or "
            "the items are not chosen by their popularity.",
            page="warnings/#alike-lists-of-items-that-are-not-popular",
        )
    elif numbered_apart(fits, counts.totals):
        yield RankMetricsWarning(
            f"The ids of the items have no gaps in either input: {counts.totals['items_recommended']:,} numbers in the "
            f"recommendations, {counts.totals['items_judged']:,} in the truth. If each table was numbered by itself, "
            "as by factorize() or category codes, a number means different items. Number the items of both together, "
            "or keep their own ids.",
            page="warnings/#items-that-each-table-numbers",
        )


def _sampled(totals: Counter[str]) -> str:
    """The lists of the sample in words."""
    sampled = totals["sampled_lists"]
    return f"{'the first' if sampled < totals['truth_lists'] else 'all'} {sampled:,} lists of the truth"


def needs_all_lists(counts: Counts, layout: Layout) -> bool:
    """True if the sample of lists does not tell whether hits are more than by chance, and there are more lists."""
    is_tested = _compares_with_chance(layout)
    has_more = counts.totals["truth_lists"] > counts.totals["sampled_lists"]
    return is_tested and has_more and is_undecided(counts.fits)


def _gaps(counts: Counts, layout: Layout) -> Iterator[RankMetricsWarning]:
    n, lists = counts.totals["lists_with_gaps"], counts.totals["lists_recommended"]
    if n >= max(FEW, GAPS * lists):
        cause = "recommendations were left out after they were ranked"
        if "recs" in layout.filtered:
            cause = f"{Option('where')} leaves out recommendations"
        rows = {row: of for row, of in counts.rows.items() if of["lists_with_gaps"]}
        yield RankMetricsWarning(
            f"The ranks of {n:,} of {lists:,} lists{_of_some(rows, counts, layout)} have gaps: {cause}, and "
            f"the others count at the ranks of column {layout.recs.rank!r}. {Option('ranks', 'again')} ranks them "
            f"again; {Option('ranks', 'given')} keeps these ranks without a warning.",
            page="warnings/#ranks-with-gaps",
        )


def _known_recommendations(counts: Counts, layout: Layout) -> Iterator[RankMetricsWarning]:
    if counts.totals["sampled_known"] >= KNOWN * counts.totals["sampled_relevant"]:
        return  # known items may be relevant again
    numbers = {row: (of["sampled_recs_known"], of["sampled_counted"]) for row, of in counts.rows.items()}
    if doubtful := {row: pair for row, pair in numbers.items() if pair[0] >= max(FEW, KNOWN * pair[1])}:
        known, rows = map(sum, zip(*doubtful.values(), strict=True))
        yield RankMetricsWarning(
            f"{known:,} of {rows:,} recommendations{_of_some(doubtful, counts, layout)} are items of the history of "
            f"their list, in {_sampled(counts.totals)}, and hardly any relevant item is. They take ranks and cannot be "
            "hits. Leave the items of the history out of the recommendations. If they were left out, the ids of users "
            "or items differ between the inputs.",
            page="warnings/#recommended-items-of-the-history",
        )


def _small_history(counts: Counts, layout: Layout) -> Iterator[RankMetricsWarning]:
    def lacks(of: Counter[str]) -> bool:
        without, lists = of["lists_without_history"], of["lists_recommended"]
        return without >= FEW and lists - without < COVERED * lists

    if doubtful := {row: of for row, of in counts.rows.items() if lacks(of)}:
        lists = sum(of["lists_recommended"] for of in doubtful.values())
        covered = lists - sum(of["lists_without_history"] for of in doubtful.values())
        yield RankMetricsWarning(
            f"The history has rows of only {covered:,} of the {lists:,} lists{_of_some(doubtful, counts, layout)}. Is "
            "it a part of the history, or that of other users? Metrics of the history take the other lists as those "
            "of new users.",
            page="warnings/#a-history-of-few-lists",
        )


def _importance(counts: Counts, layout: Layout) -> Iterator[RankMetricsWarning]:
    if doubtful := significant({row: p_importance(n) for row, n in counts.rows.items()}):
        weights, n = (sum(counts.rows[row][f"log_{name}"] for row in doubtful) for name in ("importance", "actions"))
        yield RankMetricsWarning(
            f"The mean of the importance weights{_of_some(doubtful, counts, layout)} is {weights / n:.2f}, and 1 is "
            "expected. Are the propensities those of the items that were shown, at their positions? Does the log lack "
            "items that the policy shows, or the policy lists of the log? Estimates by weights are biased then.",
            page="warnings/#importance-weights-far-from-1",
        )


def _equal_importance(counts: Counts) -> Iterator[RankMetricsWarning]:
    """Doubt propensities that are the probabilities of the policy. The sums are rounded: few actions say nothing."""
    n, total, squared = (counts.totals[f"log_{name}"] for name in ("actions", "importance", "squared_importance"))
    if n >= FEW**2 and n == total == squared:
        yield RankMetricsWarning(
            f"The importance weights of {n:,} logged actions are all nearly 1: the propensities are those of the "
            "policy. Give the probabilities with which the old policy, which made the log, showed its items.",
            page="warnings/#policies-that-do-not-fit-the-metric",
        )


def _low_hits(counts: Counts, layout: Layout) -> Iterator[RankMetricsWarning]:
    remedy = "Rank 1 must be the best."
    if layout.recs.rank is None:
        remedy = f"If a lower score is better, set {Option('lower_is_better', True)}."
    if low := significant({row: p_low(n) for row, n in counts.rows.items()}):
        yield RankMetricsWarning(
            f"Relevant items rank below chance{_halves('hits', low, counts, layout)} {remedy}",
            page="warnings/#hits-low-in-their-lists",
        )
    if some := significant({row: p_low_in_bunched(n) for row, n in counts.rows.items() if row not in low}):
        yield RankMetricsWarning(
            "Relevant items rank low in lists whose scores bunch at the high end"
            f"{_halves('bunched', some, counts, layout)} Some lists may be reversed: a higher score must be better in "
            "every list.",
            page="warnings/#hits-low-in-some-lists",
        )


def _halves(of: str, rows: Sequence[System], counts: Counts, layout: Layout) -> str:
    """The halves of lists in which the hits of some rows are, in words."""
    high, low = (sum(counts.rows[row][f"sampled_{of}_{half}"] for row in rows) for half in ("high", "low"))
    expected = f"{(high + low) / 2:,.1f}".removesuffix(".0")
    numbers = f"{high:,} of {high + low:,} are in the upper half of their lists, and {expected} are expected by chance."
    return f"{_of_some(rows, counts, layout, 'for')}: {numbers}"


def _scores_without_order(counts: Counts, layout: Layout, metrics: Sequence[Metric]) -> Iterator[RankMetricsWarning]:
    if metrics and all(metric.values.get("ties") == "expected" for metric in metrics):
        return  # the mean over all orders of equal scores
    if doubtful := _of_many_lists(counts, "sampled_level"):
        yield RankMetricsWarning(
            f"All scores of a list are equal, or none is a number, in {sum(doubtful.values()):,} of the first "
            f"lists{_of_some(doubtful, counts, layout)}. Such lists are in the order of their item ids, which says "
            "nothing of the system. Give the scores that the system ranked by, or a rank column. If the items of a "
            f"list have no order, take the mean over all orders: {Option('ties', 'expected')}.",
            page="warnings/#scores-without-an-order",
        )


def _scores_against_ranks(counts: Counts, layout: Layout) -> Iterator[RankMetricsWarning]:
    if doubtful := _of_many_lists(counts, "sampled_rising"):
        role = "distance" if layout.recs.distance else "score"
        name = layout.recs.roles[role]
        text = (
            f"Ranks and scores contradict each other{_of_some(doubtful, counts, layout)}: in "
            f"{sum(doubtful.values()):,} of the first lists, the lower half has a better {role} than the upper half. "
            f"The ranks in column {layout.recs.rank!r} decide. If the {role} should decide, drop this column; if the "
            f"ranks are right, drop the column {name!r}."
        )
        yield RankMetricsWarning(text, page="warnings/#ranks-that-contradict-scores")


def _of_many_lists(counts: Counts, count: str) -> dict[System, int]:
    """The rows of the summary for which a count of sampled lists is a large share of these lists, with the count."""
    lists = {row: min(n["lists_recommended"], counts.totals["sampled_lists"]) for row, n in counts.rows.items()}
    return {row: n for row in lists if (n := counts.rows[row][count]) >= max(FEW, MISSING * lists[row])}


def _relevance(totals: Counter[str], layout: Layout, metrics: Sequence[Metric]) -> Iterator[RankMetricsWarning]:
    """Warnings of ratings that make too many rows of the truth relevant, or none."""
    rating, unrated = layout.truth.rating, totals["truth_unrated"]
    thresholds = {metric.label: float(rel) for metric in metrics if (rel := metric.values.get("rel")) is not None}
    if unrated:
        yield RankMetricsWarning(
            f"{counted(unrated, 'row of the truth has', 'rows of the truth have')} no rating in column {rating!r} "
            "(NULL or NaN). Such a row is read as rated 1, which is relevant. Leave out rows without a rating, or "
            "rate them.",
            page="warnings/#rows-without-a-rating",
        )
    if thresholds and "relevant_at_highest" in totals and not totals["relevant_at_highest"]:
        highest = max(thresholds.values())
        labels = names(label for label, rel in thresholds.items() if rel == highest)
        yield RankMetricsWarning(
            f"No rating of the truth reaches {highest:g}, the least relevant rating of {labels}: no item is relevant. "
            "Give a threshold on the scale of the ratings.",
            page="warnings/#no-relevant-rating",
        )
    elif rating is not None and not thresholds and totals["sampled_lists"] and not totals["sampled_relevant"]:
        yield RankMetricsWarning(
            f"No rating of the truth in column {rating!r} is above 0 in the first {totals['sampled_lists']:,} lists, "
            "so no item is relevant. Name the column of the ratings, or set the least relevant rating with rel.",
            page="warnings/#no-relevant-rating",
        )


def _cutoffs_beyond_lists(counts: Counts, metrics: Sequence[Metric]) -> Iterator[RankMetricsWarning]:
    longest, labels = counts.totals["lists_longest"], _labels_beyond_lists(counts, metrics)
    if labels and counts.totals["items_recommended"] > 2 * longest:
        reads = "reads" if len(labels) == 1 else "read"
        yield RankMetricsWarning(
            f"No list has more than {counted(longest, 'item', 'items')}, and {names(labels)} {reads} further: the "
            f"number is that of the first {longest:,}. Give longer lists, or a smaller cutoff.",
            page="warnings/#cutoffs-beyond-the-lists",
        )


def _labels_beyond_lists(counts: Counts, metrics: Sequence[Metric]) -> list[str]:
    """The metrics that read further than any list, where nearly all lists have the same length."""
    n_rows, n_lists = counts.totals["recs_counted"], counts.totals["lists_recommended"]
    if n_lists < FEW or n_rows < CUT * counts.totals["lists_longest"] * n_lists:
        return []
    return [metric.label for metric in metrics if metric.k is not None and metric.k > counts.totals["lists_longest"]]


def _popularities(totals: Counter[str]) -> Iterator[RankMetricsWarning]:
    if n := totals["items_with_popularities"]:
        yield RankMetricsWarning(
            f"{counted(n, 'item has', 'items have')} several popularities in the items input; the highest counts. Give "
            "one row for each item, or a popularity that all rows of an item share.",
            page="warnings/#items-with-several-popularities",
        )


def _missing_lists(counts: Counts, layout: Layout) -> Iterator[RankMetricsWarning]:
    scored, missing, empty = (counts.totals[f"lists_{name}"] for name in ("scored", "missing", "empty"))
    rows_to_leave_out = f"{empty:,} of them have rows without an item: leave these rows out. " if empty else ""
    if missing >= max(FEW, MISSING * scored):
        yield RankMetricsWarning(
            f"{missing:,} of {scored:,} lists of the truth have no recommendations. They score 0 where the metric is "
            "defined.",
            page="warnings/#missing-lists",
        )
    for (few, least), (many, greatest) in _widest(counts, layout, lambda n: n["lists_scored"] - n["lists_missing"]):
        if greatest - least >= max(FEW, UNEQUAL * greatest):
            advice = f"To compare each pair of systems over the lists that both have: {Option('missing', 'skip')}."
            if greatest + least <= counts.rows[few]["lists_scored"]:  # they may have no list in common
                advice = f"If each list was shown to one system only, compare them as arms: {Option('paired', False)}."
            yield RankMetricsWarning(
                f"Lists are missing unequally: there are {greatest:,.0f}{_of(many, layout)} and "
                f"{least:,.0f}{_of(few, layout)}. {rows_to_leave_out}{advice}",
                page="warnings/#unequal-numbers-of-lists",
            )


def _short_lists(counts: Counts, layout: Layout, depth: int | None) -> Iterator[RankMetricsWarning]:
    def length(n: Counter[str]) -> float:
        mean = n["recs_counted"] / max(n["lists_recommended"], 1)
        return mean if depth is None else min(mean, depth)

    for (short, least), (long, greatest) in _widest(counts, layout, length):
        if counts.rows[short]["lists_recommended"] >= FEW and greatest - least >= SHORTER * greatest > 0:
            first = "" if depth is None else f"; the metrics read the first {depth}"
            yield RankMetricsWarning(
                f"Lists differ in length: they have {least:.3g} items on average{_of(short, layout)} and "
                f"{greatest:.3g}{_of(long, layout)}{first}.",
                page="warnings/#lists-of-different-lengths",
            )


def _known_truth(totals: Counter[str]) -> Iterator[RankMetricsWarning]:
    known, relevant = totals["sampled_known"], totals["sampled_relevant"]
    if known >= max(FEW, KNOWN * relevant):
        yield RankMetricsWarning(
            f"The truth has rows that are also in the history: {known:,} of the {relevant:,} relevant items of the "
            f"first {totals['sampled_lists']:,} lists. Does the truth contain training data?",
            page="warnings/#training-rows-in-the-truth",
        )


def _pooled_lists(totals: Counter[str], layout: Layout) -> Iterator[RankMetricsWarning]:
    pooled = _pooled_columns(layout)
    lists, of_truth = totals["lists_recommended"], totals["truth_lists_asked"]
    if pooled and lists >= max(FEW, of_truth + 1):
        columns, them = ("this column", "it") if len(pooled) == 1 else ("these columns", "them")
        yield RankMetricsWarning(
            f"{lists / of_truth:.3g} lists are averaged for each list of the truth. They differ in "
            f"{', '.join(pooled)}: the truth does not have {columns}, and {Option('by')} does not name {them}.",
            page="warnings/#several-lists-for-one-list-of-the-truth",
        )


def _pooled_columns(layout: Layout) -> list[str]:
    return [name for name in layout.systems if name not in layout.by]


def _widest(
    counts: Counts, layout: Layout, value: Callable[[Counter[str]], float]
) -> list[tuple[tuple[System, float], tuple[System, float]]]:
    """The two rows of the summary whose values differ most, among rows for the same lists of the truth, if any."""
    shared = [place for place, name in enumerate(layout.by) if name in layout.truth_lists]
    groups: dict[System, list[tuple[System, float]]] = {}
    for row, n in counts.rows.items():
        groups.setdefault(tuple(row[place] for place in shared), []).append((row, value(n)))
    pairs = [(min(rows, key=itemgetter(1)), max(rows, key=itemgetter(1))) for rows in groups.values()]
    return sorted(pairs, key=lambda pair: pair[0][1] - pair[1][1])[:1]


def _of_some(some: Iterable[System], counts: Counts, layout: Layout, word: str = "of") -> str:
    """The rows of the summary that a warning is about, as ` of algorithm=knn`; empty if it is about all rows."""
    named = [_of(row, layout).removeprefix(" of ") for row in some]
    more = [f"{len(named) - NAMED:,} more rows"] if len(named) > NAMED + 1 else named[NAMED:]
    *first, last = [*named[:NAMED], *more]
    return "" if len(named) == len(counts.rows) else f" {word} {'; '.join(first)}{' and ' if first else ''}{last}"


def _of(row: System, layout: Layout) -> str:
    """A row of the summary, as ` of algorithm=knn`; empty if the summary has one row."""
    pairs = [f"{name}={value}" for name, value in zip(layout.by, row, strict=True)]
    return f" of {', '.join(pairs)}" if pairs else ""
