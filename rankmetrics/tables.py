"""Tables as values: written for a terminal, a notebook, Markdown, LaTeX and the page of a report."""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from string import ascii_lowercase
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rankmetrics._rounding import same
from rankmetrics.errors import WARNING, ColumnError, InputError, choices_for, importing, visible
from rankmetrics.options import texts

if TYPE_CHECKING:
    # Rich is imported to print: a result that is not printed is there earlier
    from pathlib import Path

    import pandas as pd
    import polars as pl
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.table import Table
    from rich.text import Text

SHOWN_ROWS = 30
UNBOUNDED = 10_000

# A shorter text is not broken into lines on a terminal.
SHORT = 20

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


def signed(value: float | None) -> str:
    """A difference as a table shows it, with its sign."""
    return shown_value(None) if value is None else f"{value:+.4f}"


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
    in one part, whose lines are broken, with all rows. Where not even the keys and one column fit, each row is a block
    of lines. Of many rows, the first are shown, unless the table `shows_all`.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    n_keys: int | None = None
    shows_all: bool = False

    @classmethod
    def of_rows(
        cls,
        columns: Sequence[str],
        rows: Rows,
        n_keys: int = 0,
        best_of: BestOf = MappingProxyType({}),
        note_of: Callable[[Mapping[str, Any], str], str] = lambda row, name: "",
        totals: Rows = (),
    ) -> TextTable:
        """A table of values, the best of each column of `best_of` marked, but not of a single row or of totals.

        `note_of` returns the note of a cell, such as its interval, by its row and its column.
        """
        best = {}
        for name, best_value in best_of.items() if len(rows) > 1 else ():
            values = [row[name] for row in rows if row[name] is not None]
            best[name] = best_value(values) if values else None

        def cell(row: Mapping[str, Any], name: str, *, is_total: bool = False) -> Cell:
            value, top = row[name], None if is_total else best.get(name)
            is_best = value is not None and top is not None and same(value, top)
            return Cell.of(value, is_best=is_best, note=note_of(row, name))

        cells = [[cell(row, name) for name in columns] for row in rows]
        return cls(columns, [*cells, *([cell(row, name, is_total=True) for name in columns] for row in totals)], n_keys)

    @classmethod
    def of_texts(cls, columns: Sequence[str], rows: Iterable[Sequence[str]], n_keys: int | None = None) -> TextTable:
        """A table of texts, as they are."""
        return cls(columns, [[Cell(text) for text in row] for row in rows], n_keys, shows_all=True)

    @property
    def are_numbers(self) -> list[bool]:
        """For each column, True if all its cells are numbers."""
        return [all(row[place].is_number for row in self.rows) for place in range(len(self.columns))]

    def _first_rows(self) -> tuple[TextTable, list[str]]:
        """The table with its first rows, and a sentence that counts the others."""
        if self.shows_all or len(self.rows) <= SHOWN_ROWS:
            return self, []
        return replace(self, rows=self.rows[:SHOWN_ROWS]), [f"and {len(self.rows) - SHOWN_ROWS:,} more rows"]

    # --- a terminal -------------------------------------------------------------------------------------------------

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Tables of the key columns and as many others as the width holds, each with an empty line below."""
        from rich.measure import Measurement

        wide, (table, rest) = options.update(max_width=UNBOUNDED), self._first_rows()

        def fits(places: Sequence[int]) -> bool:
            width = Measurement.get(console, wide, table.as_rich(places))
            return (width.minimum if self.n_keys is None else width.maximum) <= options.max_width

        places = [*range(len(self.columns))]
        n_keys = len(places) if self.n_keys is None else self.n_keys
        parts = [places[: n_keys + 1]]
        for place in places[n_keys + 1 :]:
            if fits([*parts[-1], place]):
                parts[-1].append(place)
            else:
                parts.append([*places[:n_keys], place])
        if all(map(fits, parts)):
            *others, last = map(table.as_rich, parts)
            for part in others:
                yield from (part, "")
            yield last
        else:  # not even the keys and one column fit: each row is a block of lines
            yield from map(self._lines_of_row, table.rows)
        yield from (rich_text(sentence, "dim") for sentence in rest)
        yield ""

    def _lines_of_row(self, row: Sequence[Cell]) -> Table:
        """A row as lines, each with the name of a column and its cell."""
        from rich.table import Table

        lines = Table(show_header=False, show_edge=False, pad_edge=False, box=None, padding=(0, 2, 0, 0))
        lines.add_column(style="bold", no_wrap=True)
        lines.add_column(overflow="fold")
        for name, cell in zip(self.columns, row, strict=True):
            lines.add_row(name or "#", _rich_cell(cell))
        lines.add_row("", "")
        return lines

    def as_rich(self, places: Sequence[int] | None = None) -> Table:
        """Some columns, by their places, as one table of Rich; all columns by default."""
        from rich.table import Table

        rich_table, are_numbers = Table(show_edge=False, pad_edge=False, header_style="bold"), self.are_numbers
        places = range(len(self.columns)) if places is None else places
        for place in places:
            texts = [self.columns[place], *(row[place].text for row in self.rows)]
            longest = max(map(len, texts))
            if longest > SHORT:  # the words of a long text are kept together, and so are short texts
                longest = max((len(word) for text in texts for word in text.split()), default=0)
            rich_table.add_column(
                rich_text(self.columns[place]),
                justify="right" if are_numbers[place] and self.n_keys is not None else "left",
                overflow="fold",
                min_width=longest,
            )
        for row in self.rows:
            rich_table.add_row(*(_rich_cell(row[place]) for place in places))
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
        """The table as GitHub reads it: numbers to the right, the best value of a column bold."""
        rule = ["---:" if is_number else ":---" for is_number in self.are_numbers]
        lines = [f"| {' | '.join(self._headings(MARKDOWN))} |", f"|{'|'.join(rule)}|"]
        for row in self.rows:
            texts = [visible(cell.text).translate(MARKDOWN) for cell in row]
            marked = (f"**{text}**" if cell.mark else text for text, cell in zip(texts, row, strict=True))
            lines.append(f"| {' | '.join(marked)} |")
        return "\n".join(lines) + "\n"

    def as_latex(self) -> str:
        r"""The table with the rules of the LaTeX package booktabs: numbers to the right, the best of a column bold."""
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


def _rich_cell(cell: Cell) -> Text:
    letters = "".join(cell.letters).translate(SUPERSCRIPTS)
    return rich_text(cell.text + letters, "bold green" if cell.mark else "")


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


# --- answers ----------------------------------------------------------------------------------------------------------

# The forms of text, and those that write the rows of a frame.
TEXTS = ("table", "markdown", "latex", "csv", "json", "jsonl")
ROWS = ("csv", "json", "jsonl")


def refuse_form(form: str, *, per_list: bool = False) -> None:
    """Refuse a form of text that there is not, or that does not show a row per list."""
    if form not in TEXTS:
        raise InputError(f"There is no form {form!r} of a result: there are {choices_for(form, TEXTS)}")
    if per_list and form not in ROWS:
        raise InputError(f"A row per list is written as csv, json or jsonl, and not as {form}.")


def refuse_partitions(partition_by: Sequence[str], columns: Iterable[str]) -> None:
    """Refuse to write partitions by columns that the rows do not have."""
    for name in partition_by:
        if name not in (known := [*columns]):
            raise ColumnError(f"partition_by names {name!r}: the columns of the rows are {choices_for(name, known)}")


class Answer(ABC):
    """What an analysis returns: rows as a frame, text, a file or a table; it prints as tables with notes below.

    Methods of rows take the options of `collect` that say which rows, such as `per_list` of a Result.
    """

    # The heading of the notes, which are folded in a notebook.
    _heading = "Account"

    @abstractmethod
    def collect(self) -> pl.DataFrame:
        """The rows, computed, as a Polars frame."""

    @abstractmethod
    def _tables(self) -> Sequence[TextTable]:
        """The tables, in their order."""

    def _notes(self) -> Iterable[str]:
        """The notes, in sentences, without the verdict."""
        return ()

    @property
    def verdict(self) -> str:
        """The last note of an answer that passes or fails, which stands out; empty for other answers."""
        return ""

    def notes(self) -> list[str]:
        """The notes, in sentences."""
        return [visible(note) for note in (*self._notes(), self.verdict) if note]

    def notes_beside(self, **rows: bool) -> list[str]:
        """The notes beside rows that were written; `rows` says which, as for `write`."""
        del rows
        return self.notes()

    # --- rows ---

    def to_pandas(self, **rows: Any) -> pd.DataFrame:
        """The rows of `collect` as a pandas frame.

        Raises:
            InputError: pandas is not installed.
            DataError, EngineError: as collect does.
        """
        from rankmetrics.engines.base import not_imported  # engines are not needed to print

        with importing("A pandas frame needs pandas", "pandas"):
            import pandas as pd
        frame = self.collect(**rows)
        try:
            return pd.DataFrame(frame.to_pandas())
        except ImportError as error:
            raise not_imported(error) from error

    def write(self, path: str | Path, *, partition_by: str | Sequence[str] = (), **rows: Any) -> None:
        """Compute the rows of `collect` and write them into a file or a table.

        Args:
            path: a file, whose ending sets the format: .parquet, .csv, .csv.gz, .tsv, .json or .ndjson; a table of a
                DuckDB file, `ml.duckdb::board`; or of a database, `postgresql://me@host/shop?table=board`. A table is
                replaced. If writing fails, no incomplete file is left behind.
            partition_by: columns whose values each have a folder of Parquet files in the folder `path`, as in
                `day=2024-01-31/`. A folder of the same values is replaced, other folders stay.
            rows: which rows, as in `collect`: `per_list=True` of a Result.

        Raises:
            InputError: the name does not say what to write, or nothing can be written there.
            ColumnError: `partition_by` names a column that the rows do not have.
            DataError, EngineError: as collect does.
        """
        from rankmetrics.engines.connections import destination

        partitions = texts("partition_by", partition_by)
        with destination(path, partitions) as (temporary, form):
            self._write(temporary, form, partitions, **rows)

    def _write(self, path: Path, form: str, partition_by: Sequence[str], **rows: Any) -> None:
        """Write the rows into a new file of a format; refuses columns of partitions that they do not have."""
        from rankmetrics.engines.files import sink

        frame = self.collect(**rows)
        refuse_partitions(partition_by, frame.columns)
        sink(frame.lazy(), path, form)

    # --- text ---

    def to_text(self, form: str = "markdown", **rows: Any) -> str:
        """The tables as text, or the rows of `collect`.

        Args:
            form: `table` as on a terminal, `markdown` for GitHub, `latex` (needs the package booktabs), or the rows of
                `collect` as `csv`, `json` (an array; of a Result, a document with summary, account, versions and
                request) or `jsonl` (a row per line).
            rows: which rows, as in `collect`.

        Raises:
            InputError: there is no such form, or it does not show these rows.
            DataError, EngineError: as collect does.

        Example:
            >>> import polars as pl
            >>> import rankmetrics as rm
            >>> recs = pl.LazyFrame({"user": [1], "item": [7], "rank": [1]})
            >>> truth = pl.LazyFrame({"user": [1], "item": [7]})
            >>> print(rm.evaluate(recs, truth, "rr").to_text("csv"), end="")
            n_lists,n_missing,rr
            1,0,1.0
        """
        refuse_form(form, per_list=rows.get("per_list", False))
        if form == "json":
            return self._json(self.collect(**rows), **rows)
        if form in ROWS:
            frame = self.collect(**rows)
            return frame.write_csv() if form == "csv" else frame.write_ndjson()
        if form == "latex":
            return self.to_latex()
        return f"{self!r}\n" if form == "table" else "\n".join(table.as_markdown() for table in self._tables())

    def to_latex(self) -> str:
        """The tables in LaTeX, which need the package booktabs."""
        return "\n".join(table.as_latex() for table in self._tables())

    def _json(self, frame: pl.DataFrame, **rows: Any) -> str:
        """Some rows of `collect` in JSON."""
        del rows
        return f"{frame.write_json()}\n"

    def rendered(self) -> Iterator[RenderableType]:
        """The tables, then the notes, for Rich to print."""
        yield from self._tables()
        yield from map(note_text, self.notes())

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.rendered()

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        *others, last = self._tables()
        return "".join([*(table.as_html() for table in others), last.as_html(self.notes(), self._heading)])


class Verdict(Answer):
    """An answer that passes or fails, and is true if it passes: `assert rm.gate(...)`."""

    @property
    @abstractmethod
    def passed(self) -> bool:
        """True if it passes."""

    def __bool__(self) -> bool:
        return self.passed

    def rendered(self) -> Iterator[RenderableType]:
        """The tables, then the notes, the last of which is the verdict."""
        *before, _ = super().rendered()
        yield from before
        yield rich_text(self.verdict, "green" if self.passed else "bold red")


class PrintedFrame(Answer):
    """A frame that prints as a table, with all digits of a number or as many as are given."""

    def __init__(self, frame: pl.DataFrame, digits: int | None = None) -> None:
        self._frame, self._digits = frame, digits

    def collect(self) -> pl.DataFrame:
        """The frame."""
        return self._frame

    def _tables(self) -> list[TextTable]:
        def shown(value: object) -> str:
            if value is None:
                return "–"
            return f"{value:.{self._digits}g}" if self._digits and isinstance(value, float) else str(value)

        return [TextTable.of_texts(self._frame.columns, [[*map(shown, row)] for row in self._frame.iter_rows()])]


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
