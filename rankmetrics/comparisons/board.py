"""The tables of a comparison, means with a letter for each worse system, and pairs; and the notes below."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice, product
from string import ascii_lowercase
from typing import Any

from rankmetrics.comparisons.plan import ComparisonPlan
from rankmetrics.comparisons.statistics import CORRECTIONS, TESTS, Key, Pair, Statistics
from rankmetrics.errors import counted
from rankmetrics.inputs.columns import name_of_system
from rankmetrics.sqltree.names import free_heading
from rankmetrics.tables import BEST, LATEX, Cell, TextTable, shown_value


@dataclass(frozen=True)
class Board:
    """What is shown of a comparison.

    Attributes:
        plan: which lists are compared, and how.
        statistics: which statistics are computed.
        lower_is_better: the labels of the metrics whose lower value is the better one.
        pairs: the pairs of systems with their sums, in order.
        adjusted: for each test, the corrected p-value of each pair.
        n_unpaired: how many lists only one system of a pair has: the most of all pairs.
    """

    plan: ComparisonPlan
    statistics: Statistics
    lower_is_better: frozenset[str]
    pairs: Sequence[Pair]
    adjusted: Mapping[str, Mapping[Key, float | None]]
    n_unpaired: int


def outcomes(pair: Pair, lower_is_better: Container[str]) -> tuple[int, int, int]:
    """On how many lists the system is better, equal and worse."""
    if pair.metric in lower_is_better:
        return pair.n_lower, pair.n_equal, pair.n_higher
    return pair.n_higher, pair.n_equal, pair.n_lower


def letters(n: int) -> list[str]:
    """Letters for some systems: a to z, then aa, ab and so on.

    >>> letters(3)
    ['a', 'b', 'c']
    """
    every = ("".join(one) for length in count(1) for one in product(ascii_lowercase, repeat=length))
    return [*islice(every, n)]


def means_table(board: Board, key_headings: Sequence[str], *, are_numbers: bool = False) -> TextTable:
    """The leaderboard: a row per system, with the baseline first, and a column per metric, with the letters.

    Args:
        board: what is shown.
        key_headings: the headings of the columns with the letter and the name of a system.
        are_numbers: True to align the means as numbers.
    """
    pairs, metrics = board.pairs, board.plan.metrics
    systems = dict.fromkeys(system for pair in pairs for system in (pair.baseline, pair.system))
    letter_of = dict(zip(systems, letters(len(systems)), strict=True))
    means, better = _means(pairs), _better(board)
    rows = []
    for by in dict.fromkeys(pair.by for pair in pairs):
        best = {metric: _best(board, means, by, metric) for metric in metrics}
        for system, letter in letter_of.items():
            cells = [Cell(text) for text in (*map(str, by), letter, name_of_system(system))]
            for metric in metrics:
                mean = means.get((by, metric, system))
                worse = sorted(letter_of[other] for other in better.get((by, metric, system), ()))
                mark = BEST if mean is not None and mean == best[metric] else ""
                cells.append(Cell(shown_value(mean), are_numbers, mark, letters=tuple(worse)))
            rows.append(cells)
    return TextTable([*board.plan.by, *key_headings, *metrics], rows)


def _means(pairs: Sequence[Pair]) -> Mapping[tuple[Any, ...], float | None]:
    """The mean of each system, from the pair with the most lists."""
    found: dict[tuple[Any, ...], float | None] = {}
    for pair in sorted(pairs, key=lambda one: one.n_lists):
        found[pair.by, pair.metric, pair.baseline] = pair.baseline_mean
        found[pair.by, pair.metric, pair.system] = pair.system_mean
    return found


def _better(board: Board) -> Mapping[tuple[Any, ...], list[tuple[Any, ...]]]:
    """For each system and metric, the systems that it is significantly better than, by the first test."""
    found: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    adjusted = board.adjusted[board.statistics.tests[0]] if board.statistics.tests else {}
    for pair in board.pairs:
        p_value = adjusted.get(pair.key)
        if p_value is None or not pair.difference or p_value >= 1 - board.statistics.confidence:
            continue
        is_better = (pair.difference > 0) != (pair.metric in board.lower_is_better)
        winner, loser = (pair.system, pair.baseline) if is_better else (pair.baseline, pair.system)
        found.setdefault((pair.by, pair.metric, winner), []).append(loser)
    return found


def _best(board: Board, means: Mapping[Any, float | None], by: tuple[Any, ...], metric: str) -> float | None:
    known = [mean for key, mean in means.items() if key[:2] == (by, metric) and mean is not None]
    if not known:
        return None
    return min(known) if metric in board.lower_is_better else max(known)


# --- notes ------------------------------------------------------------------------------------------------------------


def notes_of(board: Board) -> Iterator[str]:
    """What the letters mean, what was corrected, what was left out, and how many lists are enough."""
    statistics, pairs = board.statistics, board.pairs
    if statistics.tests:
        test, level = TESTS[statistics.tests[0]], round(1 - statistics.confidence, 6)
        yield f"a letter: significantly better than the system of this letter ({test.name}, p < {level})"
        n_tests = len(pairs) // len(board.plan.metrics)
        if test.is_of_all_pairs:
            yield "the test corrects its p-values for all pairs of a metric itself"
        elif statistics.correction == "none" and n_tests > 1:
            yield "p-values are not corrected for several tests"
        elif n_tests > 1:
            correction = CORRECTIONS[statistics.correction].name
            yield f"p-values are corrected for the {n_tests} tests of a metric: {correction}"
    if board.plan.cluster:
        yield f"lists of the same {', '.join(board.plan.cluster)} are not independent, and are taken as a cluster"
    for metric in board.plan.metrics:
        if n := max(pair.n_undefined for pair in pairs if pair.metric == metric):
            yield f"lists of a pair for which {metric} is undefined, which are left out: {n:,}"
    if n := board.n_unpaired:
        yield f"lists that only one system of a pair has, which are left out: {n:,}"
    for metric in board.plan.metrics:
        n_needed = [pair.lists_for_1_percent(statistics.confidence) or 0 for pair in pairs if pair.metric == metric]
        if n := max(n_needed):
            yield (
                f"to see a difference of 1 % in {metric} with a power of 0.8, {counted(n, 'list is', 'lists are')} "
                f"needed"
            )


# --- tables -----------------------------------------------------------------------------------------------------------


def tables_of(board: Board) -> list[TextTable]:
    """The leaderboard with letters, and the pairs."""
    by = board.plan.by
    headings = (
        free_heading(name, by) for name in (*PAIR_HEADINGS, *(f"p ({test})" for test in board.statistics.tests))
    )
    return [means_table(board, ("", "system")), TextTable.of_texts([*by, *headings], _pair_rows(board))]


PAIR_HEADINGS = ("metric", "system", "baseline", "difference", "interval", "effect size", "wins/ties/losses")


def _pair_rows(board: Board) -> Iterator[list[str]]:
    """A row of text for each pair."""
    for pair in board.pairs:
        low, high = pair.interval(board.statistics.confidence)
        relative = "" if pair.relative_difference is None else f" ({pair.relative_difference:+.1%})"
        difference = "–" if pair.difference is None else f"{pair.difference:+.4f}{relative}"
        outcome = "/".join(map(str, outcomes(pair, board.lower_is_better)))
        ends = "–" if low is None or high is None else f"{low:+.4f} to {high:+.4f}"
        p_values = [_p_text(board.adjusted[test][pair.key]) for test in board.statistics.tests]
        names = [name_of_system(one) for one in (pair.system, pair.baseline)]
        shown = [
            *map(str, pair.by),
            pair.metric,
            *names,
            difference,
            ends,
            shown_value(pair.effect_size),
            outcome,
        ]
        yield [*shown, *p_values]


def _p_text(value: float | None) -> str:
    return "–" if value is None else "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def as_latex(board: Board) -> str:
    """The leaderboard with letters as a table of LaTeX; it needs the package booktabs."""
    notes = "; ".join(islice(notes_of(board), 2 if board.statistics.tests else 0))
    tabular = means_table(board, ("#", "System"), are_numbers=True).as_latex()
    caption = f"\\caption{{{(notes[0].upper() + notes[1:]).translate(LATEX)}.}}\n" if notes else ""
    return f"\\begin{{table}}\n\\centering\n{tabular}{caption}\\end{{table}}\n"
