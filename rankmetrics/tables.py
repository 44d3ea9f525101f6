"""Tables as values: written for a terminal, a notebook, Markdown, LaTeX and the page of a report."""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from string import ascii_lowercase
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rankmetrics._rounding import same
from rankmetrics.errors import WARNING, visible

if TYPE_CHECKING:  # Rich is imported to print: a result that is not printed is there earlier
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.table import Table
    from rich.text import Text

SHOWN_ROWS = 30
UNBOUNDED = 10_000

# A longer text is broken into lines, in a cell of HTML.
LONGEST_LINE = 48

BEST = "best"

# Behind the heading of a mean over fewer lists than other means of its row.
FEWER_LISTS = " †"

SUPERSCRIPTS = str.maketrans(ascii_lowercase, "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ𐞥ʳˢᵗᵘᵛʷˣʸᶻ")
MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\|*_`<>[]"} | {"\n": " "})
LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "<": "$<$",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "†": r"$^\dagger$",
        "\n": " ",
    }
)

Rows = Sequence[Mapping[str, Any]]
BestOf = Mapping[str, Callable[[Iterable[float]], float]]


def shown_value(value: object) -> str:
    """A value as a table shows it: four places of a number, a dash for NULL."""
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Cell:
    """A cell of a table."""

    text: str
    is_number: bool = False  # True to put it at the right
    mark: str = ""  # a word on the value, such as "best"; the value then stands out
    note: str = ""  # a smaller addition, such as a confidence interval
    letters: tuple[str, ...] = ()  # of the systems than which the value is significantly better
    sign: str = ""  # next to the value, such as ▼
    meaning: str = ""  # the sign in words

    @classmethod
    def of(cls, value: object, *, is_best: bool = False, note: str = "") -> Cell:
        """The cell of a value; NULL may be a number."""
        return cls(shown_value(value), value is None or isinstance(value, (int, float)), BEST if is_best else "", note)


@dataclass(frozen=True)
class TextTable:
    """A table of cells, one for each column.

    The first `n_keys` columns identify a row: each part of a table that is too wide has them. None writes all columns
    in one part, whose lines are broken, with all rows.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    n_keys: int | None = None

    @classmethod
    def of_rows(
        cls,
        columns: Sequence[str],
        rows: Rows,
        n_keys: int = 0,
        best_of: BestOf = MappingProxyType({}),
        intervals: Mapping[str, str] = MappingProxyType({}),
    ) -> TextTable:
        """A table of values, the best of each column marked; of a single row, no value is the best.

        Args:
            columns: the columns, in order.
            rows: the rows.
            n_keys: how many columns identify a row.
            best_of: `max` or `min`, for columns that have a best value.
            intervals: for a column, the column with half the width of its interval, which is then written in its cell.
        """
        best = {}
        for name, best_value in best_of.items() if len(rows) > 1 else ():
            values = [row[name] for row in rows if row[name] is not None]
            best[name] = best_value(values) if values else None

        def cell(row: Mapping[str, Any], name: str) -> Cell:
            value, width = row[name], row[intervals[name]] if name in intervals else None
            top = best.get(name)
            is_best = value is not None and top is not None and same(value, top)
            return Cell.of(value, is_best=is_best, note="" if width is None else f"± {shown_value(width)}")

        columns = [name for name in columns if name not in intervals.values()]
        return cls(columns, [[cell(row, name) for name in columns] for row in rows], n_keys)

    @classmethod
    def of_texts(cls, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> TextTable:
        """A table of texts, as they are."""
        return cls(columns, [[Cell(text) for text in row] for row in rows])

    @property
    def are_numbers(self) -> list[bool]:
        """For each column, True if all its cells are numbers."""
        return [all(row[place].is_number for row in self.rows) for place in range(len(self.columns))]

    def _first_rows(self) -> tuple[TextTable, list[str]]:
        """The table with its first rows, and a sentence that counts the others."""
        n_left = len(self.rows) - SHOWN_ROWS
        return replace(self, rows=self.rows[:SHOWN_ROWS]), [f"and {n_left:,} more rows"] if n_left > 0 else []

    # --- a terminal -------------------------------------------------------------------------------------------------

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Tables of the key columns and as many others as the width holds, each with an empty line below."""
        from rich.measure import Measurement

        if self.n_keys is None:
            yield self.as_rich()
            yield rich_text("")
            return
        table, rest = self._first_rows()
        keys, left = [*range(self.n_keys)], [*range(self.n_keys, len(self.columns))]
        wide = options.update(max_width=UNBOUNDED)
        while left:
            n = 1
            while n < len(left):
                wider = table.as_rich([*keys, *left[: n + 1]])
                if Measurement.get(console, wide, wider).maximum > options.max_width:
                    break
                n += 1
            yield table.as_rich([*keys, *left[:n]])
            left = left[n:]
            if not left:
                yield from (rich_text(sentence, "dim") for sentence in rest)
            yield rich_text("")

    def as_rich(self, places: Sequence[int] | None = None) -> Table:
        """Some columns, by their places, as one table of Rich; all columns by default."""
        from rich.table import Table

        rich_table, are_numbers = Table(show_edge=False, pad_edge=False, header_style="bold"), self.are_numbers
        places = range(len(self.columns)) if places is None else places
        for place in places:
            heading = rich_text(self.columns[place])
            if self.n_keys is None:
                rich_table.add_column(heading, overflow="fold")
            else:
                side = "right" if are_numbers[place] else "left"
                rich_table.add_column(heading, justify=side, no_wrap=place >= self.n_keys)  # type: ignore[arg-type]
        for row in self.rows:
            rich_table.add_row(*(_rich_cell(row[place], has_style=self.n_keys is not None) for place in places))
        return rich_table

    # --- HTML, Markdown, LaTeX --------------------------------------------------------------------------------------

    def as_html(self, notes: Sequence[str] = (), heading: str = "Account") -> str:
        """The first rows for a notebook, with the notes folded below under a heading; warnings stay in sight."""
        table, rest = self._first_rows()
        sides = [' class="number"' if is_number else "" for is_number in table.are_numbers]
        head = "".join(f"<th{side}>{_escaped(name)}</th>" for name, side in zip(self.columns, sides, strict=True))
        rows = [
            "".join(f"<td{side or _long(cell)}>{_html_cell(cell)}</td>" for cell, side in zip(row, sides, strict=True))
            for row in table.rows
        ]
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        in_sight = [*rest, *(note for note in notes if note.startswith(WARNING))]
        sentences = "".join(f"<p>{_escaped(sentence)}</p>" for sentence in in_sight)
        items = "".join(f"<li>{_escaped(note)}</li>" for note in notes if not note.startswith(WARNING))
        folded = f"<details><summary>{heading}</summary><ul>{items}</ul></details>" if items else ""
        text = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f'<div class="rankmetrics"><style>{STYLE}</style>{text}{sentences}{folded}</div>'

    def as_markdown(self) -> str:
        """The table as GitHub reads it: numbers to the right, the best value of a column bold.

        Example:
            >>> rows = [{"system": "als", "rr": 0.5}, {"system": "pop", "rr": 0.25}]
            >>> print(TextTable.of_rows(["system", "rr"], rows, best_of={"rr": max}).as_markdown())
            | system | rr |
            |:---|---:|
            | als | **0.5000** |
            | pop | 0.2500 |
            <BLANKLINE>
        """
        rule = ["---:" if is_number else ":---" for is_number in self.are_numbers]
        lines = [f"| {' | '.join(self._headings(MARKDOWN))} |", f"|{'|'.join(rule)}|"]
        for row in self.rows:
            texts = [visible(cell.text).translate(MARKDOWN) for cell in row]
            marked = (f"**{text}**" if cell.mark else text for text, cell in zip(texts, row, strict=True))
            lines.append(f"| {' | '.join(marked)} |")
        return "\n".join(lines) + "\n"

    def as_latex(self) -> str:
        r"""The table with the rules of the LaTeX package booktabs: numbers to the right, the best of a column bold.

        Example:
            >>> print(TextTable.of_rows(["system", "n_hits"], [{"system": "als", "n_hits": 2.0}]).as_latex())
            \begin{tabular}{lr}
            \toprule
            system & n\_hits \\
            \midrule
            als & 2.0000 \\
            \bottomrule
            \end{tabular}
            <BLANKLINE>
        """
        lines = [
            f"\\begin{{tabular}}{{{''.join('r' if is_number else 'l' for is_number in self.are_numbers)}}}",
            "\\toprule",
            f"{' & '.join(self._headings(LATEX))} \\\\",
            "\\midrule",
            *(f"{' & '.join(map(_latex_cell, row))} \\\\" for row in self.rows),
            "\\bottomrule",
            "\\end{tabular}",
        ]
        return "\n".join(lines) + "\n"

    def _headings(self, escapes: Mapping[int, str]) -> list[str]:
        return [visible(name).translate(escapes) for name in self.columns]


def _rich_cell(cell: Cell, *, has_style: bool) -> Text:
    letters = "".join(cell.letters).translate(SUPERSCRIPTS)
    return rich_text(cell.text + letters, "bold green" if cell.mark and has_style else "")


def _escaped(text: str) -> str:
    """A text as HTML."""
    return html.escape(visible(text))


def _html_cell(cell: Cell) -> str:
    text = _escaped(cell.text)
    marked = f'<span class="best">{text}</span>' if cell.mark else text
    letters = f"<sup>{' '.join(cell.letters)}</sup>" if cell.letters else ""
    return f'{marked}{letters} <span class="interval">{cell.note}</span>' if cell.note else f"{marked}{letters}"


def _long(cell: Cell) -> str:
    """The class of a cell whose text is broken into lines."""
    return ' class="long"' if "\n" in cell.text or len(cell.text) > LONGEST_LINE else ""


def _latex_cell(cell: Cell) -> str:
    text = visible(cell.text).translate(LATEX)
    marked = f"\\textbf{{{text}}}" if cell.mark else text
    return f"{marked}$^{{{' '.join(cell.letters)}}}$" if cell.letters else marked


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


# --- objects that print as tables -------------------------------------------------------------------------------------


class Printed(ABC):
    """An object that prints as tables with notes below: on a terminal, as text, in a notebook."""

    # The heading of the notes, which are folded in a notebook.
    _heading = "Account"

    @abstractmethod
    def _tables(self) -> Sequence[TextTable]:
        """The tables, in their order."""

    @abstractmethod
    def notes(self) -> list[str]:
        """The notes, in sentences."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._tables()
        yield from map(note_text, self.notes())

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        *others, last = self._tables()
        return "".join([*(table.as_html() for table in others), last.as_html(self.notes(), self._heading)])


def note_text(note: str) -> Text:
    """A note as it is printed: a warning stands out."""
    return rich_text(note, "yellow" if note.startswith(WARNING) else "dim")


def rich_text(text: str, style: str = "") -> Text:
    """A text for Rich to print, whose control characters are seen and do not act."""
    from rich.text import Text

    return Text(visible(text), style)


def as_text(printed: RenderableType) -> str:
    """The plain text that a console would print."""
    from rich.console import Console

    text = StringIO()
    # In a notebook, Rich would write into the output of the cell, with colours.
    console = Console(file=text, width=UNBOUNDED, no_color=True, force_jupyter=False, force_terminal=False)
    console.print(printed)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())
