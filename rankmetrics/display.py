"""How a summary prints: as tables of a terminal, none wider than it is, or as a table of a notebook."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from rankmetrics.errors import WARNING

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType

SHOWN_ROWS = 30
UNBOUNDED = 10_000

Rows = Sequence[Mapping[str, Any]]


def note_text(note: str) -> Text:
    """A note as it is printed: a warning stands out."""
    return Text(note, style="yellow" if note.startswith(WARNING) else "dim")


def leaderboard(
    console: Console,
    options: ConsoleOptions,
    keys: Sequence[str],
    values: Sequence[str],
    rows: Rows,
    best_of: Mapping[str, Callable[[Iterable[float]], float]],
) -> Iterator[RenderableType]:
    """Tables of the key columns and as many of the value columns as the width holds, until all are shown.

    The best of each value column is marked, where `best_of` says what that is; what is beyond the first rows is said to
    be there.
    """
    shown = rows[:SHOWN_ROWS]
    best = {name: _best(rows, name, of) for name, of in best_of.items()} if len(rows) > 1 else {}
    left = list(values)
    while left:
        taken = left[:1]
        for name in left[1:]:
            wider = _table([*keys, *taken, name], keys, shown, best)
            if Measurement.get(console, options.update(max_width=UNBOUNDED), wider).maximum > options.max_width:
                break
            taken.append(name)
        yield _table([*keys, *taken], keys, shown, best)
        left = left[len(taken) :]
        if not left and len(rows) > SHOWN_ROWS:
            yield Text(_rest(rows), style="dim")
        yield Text("")


def html_table(columns: Sequence[str], rows: Rows, notes: Sequence[str]) -> str:
    """One table of HTML, with the notes as a list below."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    cells = (
        "".join(f"<td>{html.escape(shown_value(row[name]))}</td>" for name in columns) for row in rows[:SHOWN_ROWS]
    )
    body = "".join(f"<tr>{one}</tr>" for one in cells)
    said = [*([_rest(rows)] if len(rows) > SHOWN_ROWS else []), *notes]
    items = "".join(f"<li>{html.escape(one)}</li>" for one in said)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><ul>{items}</ul>"


def plain_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table of texts, as they are."""
    table = _empty_table()
    for heading in headings:
        table.add_column(Text(heading), overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def as_text(shown: RenderableType) -> str:
    """What a console would print, as plain text."""
    from io import StringIO

    from rich.console import Console

    text = StringIO()
    Console(file=text, width=UNBOUNDED, no_color=True).print(shown)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def shown_value(value: object) -> str:
    """A value as a table shows it: four places of a number, a dash for NULL."""
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _empty_table() -> Table:
    return Table(show_edge=False, pad_edge=False, header_style="bold")


def _table(columns: Sequence[str], keys: Sequence[str], rows: Rows, best: Mapping[str, float | None]) -> Table:
    table = _empty_table()
    for name in columns:
        numbers = all(isinstance(row[name], (int, float)) for row in rows if row[name] is not None)
        table.add_column(Text(name), justify="right" if numbers else "left", no_wrap=name not in keys)
    for row in rows:
        table.add_row(*(_cell(row[name], best.get(name)) for name in columns))
    return table


def _cell(value: object, best: float | None) -> Text:
    return Text(shown_value(value), style="bold green" if best is not None and value == best else "")


def _best(rows: Rows, name: str, of: Callable[[Iterable[float]], float]) -> float | None:
    values = [row[name] for row in rows if row[name] is not None]
    return of(values) if values else None


def _rest(rows: Rows) -> str:
    return f"and {len(rows) - SHOWN_ROWS:,} more rows"
