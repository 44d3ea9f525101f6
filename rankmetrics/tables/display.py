"""How a summary prints: as tables of a terminal, none wider than it is, or as a table of a notebook."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from rankmetrics.errors import WARNING

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType

SHOWN_ROWS = 30
UNBOUNDED = 10_000

# A longer text is broken into lines, in a cell of HTML.
LONGEST_LINE = 48

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
    best = best_values(rows, best_of)
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


# A notebook's own colours, light or dark; numbers to the right; the best value of a column stands out.
# The class stands twice where Jupyter has a rule of its own, which would win otherwise.
STYLE = """
.rankmetrics {overflow-x: auto;}
.rankmetrics table {border-collapse: collapse; color: inherit; font: inherit; font-variant-numeric: tabular-nums;}
.rankmetrics.rankmetrics th, .rankmetrics.rankmetrics td {text-align: left;}
.rankmetrics th, .rankmetrics td {padding: 0.25em 0.8em; white-space: nowrap; background: none;}
.rankmetrics th {border-bottom: 1px solid; font-weight: 600;}
.rankmetrics.rankmetrics td.long {white-space: pre-line; min-width: 16em;}
.rankmetrics.rankmetrics .number {text-align: right;}
.rankmetrics .best {font-weight: 700; text-decoration: underline; text-underline-offset: 0.2em;}
.rankmetrics .interval {opacity: 0.65;}
.rankmetrics details, .rankmetrics p {opacity: 0.85; margin: 0.5em 0;}
"""


def html_table(
    columns: Sequence[str],
    rows: Rows,
    notes: Sequence[str] = (),
    best_of: Mapping[str, Callable[[Iterable[float]], float]] = MappingProxyType({}),
    intervals: Mapping[str, str] = MappingProxyType({}),
    heading: str = "Account",
) -> str:
    """One table of HTML for a notebook, with the notes folded below; warnings stay in sight.

    Args:
        columns: the columns, in order.
        rows: the rows; the first 30 are shown.
        notes: sentences; one that begins with "Warning: " is a warning.
        best_of: which value of a column is the best, for columns that have one.
        intervals: the column of the half width of its interval for columns that have one: both stand in one cell.
        heading: what the folded notes are called.
    """
    shown, best = rows[:SHOWN_ROWS], best_values(rows, best_of)
    columns = [name for name in columns if name not in intervals.values()]
    sides = {name: ' class="number"' if are_numbers(name, shown) else "" for name in columns}
    head = "".join(f"<th{sides[name]}>{html.escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{sides[name] or _long(row[name])}>{_html_cell(row, name, best.get(name), intervals)}</td>"
            for name in columns
        )
        + "</tr>"
        for row in shown
    )
    rest = [_rest(rows)] if len(rows) > SHOWN_ROWS else []
    in_sight = [*rest, *(note for note in notes if note.startswith(WARNING))]
    said = "".join(f"<p>{html.escape(one)}</p>" for one in in_sight)
    items = "".join(f"<li>{html.escape(one)}</li>" for one in notes if not one.startswith(WARNING))
    folded = f"<details><summary>{heading}</summary><ul>{items}</ul></details>" if items else ""
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="rankmetrics"><style>{STYLE}</style>{table}{said}{folded}</div>'


def _long(value: object) -> str:
    """The class of a cell whose text is broken into lines."""
    return ' class="long"' if isinstance(value, str) and ("\n" in value or len(value) > LONGEST_LINE) else ""


def _html_cell(row: Mapping[str, Any], name: str, best: float | None, intervals: Mapping[str, str]) -> str:
    """A cell of HTML: the value, marked if it is the best, and its interval."""
    value = html.escape(shown_value(row[name]))
    marked = f'<span class="best">{value}</span>' if best is not None and row[name] == best else value
    width = row[intervals[name]] if name in intervals else None
    return marked if width is None else f'{marked} <span class="interval">± {shown_value(width)}</span>'


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
    # In a notebook, Rich would write into the output of the cell, with colours.
    console = Console(file=text, width=UNBOUNDED, no_color=True, force_jupyter=False, force_terminal=False)
    console.print(shown)
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
        table.add_column(Text(name), justify="right" if are_numbers(name, rows) else "left", no_wrap=name not in keys)
    for row in rows:
        table.add_row(*(_cell(row[name], best.get(name)) for name in columns))
    return table


def _cell(value: object, best: float | None) -> Text:
    return Text(shown_value(value), style="bold green" if best is not None and value == best else "")


def are_numbers(name: str, rows: Rows) -> bool:
    """Whether every value of a column is a number or NULL."""
    return all(isinstance(row[name], (int, float)) for row in rows if row[name] is not None)


def best_values(rows: Rows, best_of: Mapping[str, Callable[[Iterable[float]], float]]) -> dict[str, float | None]:
    """The best value of each column that has one; of a single row, nothing is the best."""
    return {name: _best(rows, name, of) for name, of in best_of.items()} if len(rows) > 1 else {}


def _best(rows: Rows, name: str, of: Callable[[Iterable[float]], float]) -> float | None:
    values = [row[name] for row in rows if row[name] is not None]
    return of(values) if values else None


def _rest(rows: Rows) -> str:
    return f"and {len(rows) - SHOWN_ROWS:,} more rows"
