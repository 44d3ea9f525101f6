"""How a comparison of conventions prints: conventions by their values, then what each choice changes alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from rankmetrics.conventions.choices import TOLERANCE, Choice, Group, Moves
from rankmetrics.tables.display import Rows, html_table, leaderboard

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

PER_LINE = 3


@dataclass(frozen=True)
class ConventionsShown:
    """What is printed of a comparison.

    Attributes:
        label: the label of our metric.
        systems: the heading of each system.
        moves: the values, and the choices that move them.
        meaning: what a choice means, in words.
        idle: the choices that change nothing on this data when they are made alone.
        left_out: for each convention that is not compared, the reason.
    """

    label: str
    systems: Sequence[str]
    moves: Moves
    meaning: Callable[[Choice], str]
    idle: Sequence[str]
    left_out: Mapping[str, str]

    def rendered(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """A table with a row per value, a table with a row per choice, then the notes."""
        for keys, rows in self._tables():
            yield from leaderboard(console, options, keys, self.systems, rows, {})
        for note in self._notes():
            yield Text(note, style="dim")

    def as_html(self) -> str:
        """The same tables for a notebook, with the notes folded below the last."""
        tables = self._tables()
        notes = [[], self._notes()] if len(tables) > 1 else [self._notes()]
        return "".join(
            html_table([*keys, *self.systems], rows, of, heading="Meanings")
            for (keys, rows), of in zip(tables, notes, strict=True)
        )

    def _tables(self) -> list[tuple[list[str], Rows]]:
        """The tables, each as its first columns and its rows: conventions by their values, then choices, if any."""
        equal, why, alone = f"conventions with the same {self.label}", "because of", "change by one choice alone"
        groups = [
            {equal: _in_lines(one.conventions), why: _reasons(one), **dict(zip(self.systems, one.values, strict=True))}
            for one in self.moves.groups
        ]
        changes = [(mover, map(_signed, self.moves.changes(mover))) for mover in self.moves.moving]
        choices = [{alone: str(one), **dict(zip(self.systems, of, strict=True))} for one, of in changes]
        return [([equal, why], groups), *([([alone], choices)] if choices else [])]

    def _notes(self) -> list[str]:
        notes = [f"{mover}: {self.meaning(mover)}" for mover in self.moves.moving]
        if self.idle:
            n = f"{len(self.idle)} choices" if len(self.idle) > 1 else "1 choice"
            notes.append(f"no effect alone on this data ({n}): {'; '.join(self.idle)}")
        reasons = dict.fromkeys(self.left_out.values())
        out = {reason: [one for one, why in self.left_out.items() if why == reason] for reason in reasons}
        return [*notes, *(f"{', '.join(conventions)}: {reason}" for reason, conventions in out.items())]


def _in_lines(conventions: Sequence[str]) -> str:
    """Names in lines of a few each."""
    lines = [", ".join(conventions[at : at + PER_LINE]) for at in range(0, len(conventions), PER_LINE)]
    return ",\n".join(lines)


def _reasons(group: Group) -> str:
    """The choices that lead to the value of a group, a line for each set of them; empty for our own value."""
    return "\n".join(dict.fromkeys(" and ".join(map(str, choice)) for choice in group.choices.values()))


def _signed(change: float | None) -> str:
    """A change as it is printed: with its sign, a dash where a value is undefined, blank where there is none."""
    if change is None:
        return "–"
    return f"{change:+.4f}" if abs(change) > TOLERANCE else ""
