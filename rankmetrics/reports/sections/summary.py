"""The first section: in words, which system is best, by how much, over how many lists, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankmetrics.errors import WARNING, counted
from rankmetrics.reports.blocks import (
    Block,
    Bullets,
    Heading,
    Paragraph,
    Section,
    Sentence,
    sentence,
    strong,
    with_quotes,
)
from rankmetrics.reports.facts import Facts
from rankmetrics.reports.leaderboard import Leaderboard, Standing
from rankmetrics.reports.pairs import IN_WORDS, Difference, Pairs
from rankmetrics.tables import shown_value

# Of more partitions than these, only the number of partitions in which each system is best is told.
FEW = 4


def summary(facts: Facts) -> Section:
    """The answer in sentences, the warnings, and the notes of the account."""
    blocks: list[Block] = [*_answers(facts)]
    notes = facts.notes
    warnings = [note.removeprefix(WARNING) for note in notes if note.startswith(WARNING)]
    blocks += [Paragraph(sentence(strong("Warning: "), text), "warning") for text in warnings]
    if counted := [note for note in notes if not note.startswith(WARNING)]:
        blocks += [Heading("What the means are taken over, and what was left out")]
        blocks += [Bullets([sentence(with_quotes(note)) for note in counted])]
    return Section("summary", "Summary", blocks)


def _answers(facts: Facts) -> Iterator[Paragraph]:
    board = facts.leaderboard
    partitions = [*board.by_partition()]
    if not partitions:
        yield Paragraph(sentence("There is nothing to report: no list was scored."), "lead")
    elif not board.systems or not board.compares:
        yield from (_alone(board, where, rows) for where, rows in partitions[:FEW])
    elif len(partitions) > FEW:
        yield _wins(board, partitions)
    else:
        for where, rows in partitions:
            yield _best(board, facts.pairs, where, rows)
            if others := _best_by_others(board, rows):
                yield Paragraph(others)


def _alone(board: Leaderboard, where: str, rows: Sequence[Standing]) -> Paragraph:
    """The means where there is nothing to compare."""
    first, row = board.metrics[0], rows[0]
    mean = row.means[first]
    name = f" of {row.name}" if row.name else ""
    of = f" for {where}" if where else ""
    return Paragraph(
        sentence(
            f"The {board.named(first)}",
            name,
            of,
            " is ",
            strong(shown_value(mean.value)),
            *_interval(mean.interval),
            ", ",
        )
        + sentence(f"over {_lists([row])}."),
        "lead",
    )


def _best(board: Leaderboard, pairs: Pairs, where: str, rows: Sequence[Standing]) -> Paragraph:
    """The best system of a partition by the first metric, and its distance to the second."""
    first = board.metrics[0]
    ranked, tied = board.ranked(first, rows), board.best(first, rows)
    begin = f"For {where}: " if where else ""
    if not ranked:
        return Paragraph(sentence(f"{begin}{first} is undefined for every list of every system."), "lead")
    if not tied:
        values = ", ".join(f"{row.name} {shown_value(row.means[first].value)}" for row in ranked)
        return Paragraph(sentence(f"{begin}no value of {first} is the best. The means are: {values}."), "lead")
    best = ranked[0]
    mean = best.means[first]
    highest = "highest" if board.best_of[first] is max else "lowest, which is the best,"
    parts = sentence(
        begin, strong(best.name), f" has the {highest} {board.named(first)}: ", strong(shown_value(mean.value))
    )
    parts += sentence(*_interval(mean.interval), f", over {_lists(rows)}. ")
    if len(tied) > 1:
        return Paragraph(parts + sentence(f"{_names(tied[1:])} has exactly the same mean."), "lead")
    return Paragraph(parts + _distance(pairs, first, ranked), "lead")


def _distance(pairs: Pairs, label: str, ranked: Sequence[Standing]) -> Sentence:
    """How far the best is from the baseline, or else from the second, and whether that is significant."""
    best, others = ranked[0], ranked[1:]
    if not others:
        return ()
    other = next((row for row in others if row.name == pairs.baseline), others[0])
    low, high = sorted(row.means[label].value or 0.0 for row in (best, other))
    base = abs(other.means[label].value or 0.0)
    share = f" ({(high - low) / base:.1%})" if base else ""
    than = "more" if best.means[label].value == high else "less"
    role = ", the baseline" if other.name == pairs.baseline else ""
    parts = sentence(
        "That is ", strong(f"{shown_value(high - low)}{share} {than}"), " than ", strong(other.name), f"{role}. "
    )
    return parts + _significance(pairs.find(label, best, other))


def _significance(found: Difference | None) -> Sentence:
    """Whether a difference is significant, in a sentence."""
    if found is None or found.p is None:
        return sentence("Whether the difference is significant was not tested.")
    verdict = "is significant" if found.is_significant else "is not significant"
    tested = f" ({IN_WORDS}, {found.row['n_lists']:,} lists: {found.p_in_words})."
    return sentence("The difference ", strong(verdict), tested)


def _best_by_others(board: Leaderboard, rows: Sequence[Standing]) -> Sentence:
    """Which system is best by each of the other metrics."""
    by_system: dict[str, list[str]] = {}
    for label in board.metrics[1:]:
        if best := board.best(label, rows):
            by_system.setdefault(_names(best), []).append(label)
    if not by_system:
        return ()
    told = "; ".join(f"{name} by {', '.join(labels)}" for name, labels in by_system.items())
    return sentence(f"Best by the other metrics: {told}.")


def _wins(board: Leaderboard, partitions: Sequence[tuple[str, Sequence[Standing]]]) -> Paragraph:
    """In how many partitions each system is best."""
    first = board.metrics[0]
    wins: dict[str, int] = {}
    for _, rows in partitions:
        for row in board.best(first, rows):
            wins[row.name] = wins.get(row.name, 0) + 1
    ordered = sorted(wins.items(), key=lambda pair: -pair[1])
    told = ", ".join(f"{name} in {n:,}" for name, n in ordered)
    begin = f"Of {len(partitions):,} partitions ({', '.join(board.partitions)}), best by {first}: "
    return Paragraph(sentence(begin, strong(told), "."), "lead")


def _interval(interval: str) -> list[str]:
    return [f" (95% confidence interval {interval})"] if interval else []


def _lists(rows: Sequence[Standing]) -> str:
    """How many lists the means are taken over."""
    counts = sorted({row.n_lists for row in rows})
    each = " of each system" if len(rows) > 1 else ""
    if len(counts) > 1:
        return f"{counts[0]:,} to {counts[-1]:,} lists{each}"
    return f"{counted(counts[0], 'list', 'lists')}{each}"


def _names(rows: Sequence[Standing]) -> str:
    return " and ".join(row.name for row in rows)
