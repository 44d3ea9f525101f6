"""Where results are written: files, folders with a folder for each partition, tables of DuckDB and of databases."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from sqlglot import exp
from sqlglot.errors import SqlglotError

from rankmetrics._files import new_file
from rankmetrics.dialects import base as dialects
from rankmetrics.engines.connections import dialect_of, opened, unwrapped, without_password
from rankmetrics.engines.files import form_to_write, sink
from rankmetrics.errors import InputError, RankMetricsError

if TYPE_CHECKING:
    import polars as pl

# A table of a DuckDB file, as in `ml.duckdb::board` or `ml.db::main.board`.
DUCKDB_TABLE = re.compile(r"(?P<file>.+\.(?:duckdb|ddb|db))::(?P<table>[^:]+)", re.IGNORECASE)

# How many rows an INSERT has.
ROWS_AT_ONCE = 500


def is_table(path: str | Path) -> bool:
    """True if a destination is a table: `ml.duckdb::board`, or an address of a database."""
    return bool(DUCKDB_TABLE.fullmatch(str(path))) or "://" in str(path)


@contextmanager
def destination(path: str | Path, partition_by: Sequence[str] = ()) -> Iterator[tuple[Path, str]]:
    """A temporary file and its format: rows that the block writes into it are at the destination afterwards.

    Args:
        path: a file, a folder for `partition_by`, `ml.duckdb::table`, or the address of a database with `table=`.
        partition_by: the columns whose values each have a folder of Parquet files: `day=2024-01-31/`. A folder of the
            same values is replaced, other folders stay.

    Raises:
        InputError: the destination cannot be understood or written.
    """
    text = str(path)
    if partition_by:
        if is_table(text) or Path(text).suffix or Path(text).is_file():
            raise InputError(
                f"Partitions are written into a folder: {text!r} is not one. Name a folder, such as 'out'."
            )
        put: Callable[[Path], None] = lambda rows: _put_partitions(rows, Path(text), partition_by)  # noqa: E731
    elif match := DUCKDB_TABLE.fullmatch(text):
        table = _table(match["table"], "duckdb")
        put = lambda rows: _put_into_duckdb(rows, match["file"], table)  # noqa: E731
    elif "://" in text:
        address, name = _split_address(text)
        connection = opened(address, to_write=True)
        dialect = dialect_of(connection, None)
        table = _table(name, dialect)
        put = lambda rows: _put_into_database(rows, connection, dialect, table)  # noqa: E731
    else:
        form = form_to_write(path)
        with new_file(path) as temporary:
            yield temporary, form
        return
    with TemporaryDirectory(prefix="rankmetrics-") as folder:
        rows = Path(folder) / "rows.parquet"
        yield rows, "parquet"
        try:
            put(rows)
        except RankMetricsError:
            raise
        except Exception as error:  # each driver raises errors of its own
            raise InputError(f"Cannot write {without_password(text)!r}: {error}") from error


def write_frame(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a frame to a destination, whole or not at all."""
    with destination(path) as (temporary, form):
        sink(frame.lazy(), temporary, form)


def _table(name: str, dialect: str) -> exp.Table:
    try:
        table = exp.to_table(name, dialect=dialects.grammar(dialect))
    except SqlglotError as error:
        raise InputError(f"{name!r} cannot be the name of a table: {error}") from error
    if not table.name:
        raise InputError(f"{name!r} cannot be the name of a table.")
    return table


def _split_address(text: str) -> tuple[str, str]:
    parts = urlsplit(text)
    settings = dict(parse_qsl(parts.query, keep_blank_values=True))
    name = settings.pop("table", "")
    if not name:
        raise InputError(f"The address names no table: write it as in {text.partition('?')[0]}?table=board.")
    rest = urlunsplit(parts._replace(query=urlencode(settings)))
    return (text.partition("?")[0] if not settings else rest), name


# --- partitions and DuckDB --------------------------------------------------------------------------------------------


def _put_partitions(rows: Path, folder: Path, partition_by: Sequence[str]) -> None:
    import duckdb

    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".rankmetrics-", dir=folder) as beside:  # on the same disk, so that it can be moved
        duckdb.read_parquet(str(rows)).write_parquet(str(Path(beside) / "new"), partition_by=[*partition_by])
        for new in sorted({path.parent for path in (Path(beside) / "new").rglob("*.parquet")}):
            target = folder / new.relative_to(Path(beside) / "new")
            shutil.rmtree(target, ignore_errors=True)
            target.parent.mkdir(parents=True, exist_ok=True)
            new.rename(target)


def _put_into_duckdb(rows: Path, file: str, table: exp.Table) -> None:
    import duckdb

    select = exp.select(exp.Star()).from_(exp.func("read_parquet", exp.Literal.string(str(rows))))
    create = exp.Create(this=table, kind="TABLE", replace=True, expression=select)
    with duckdb.connect(file) as connection:
        connection.execute(create.sql("duckdb"))


# --- databases --------------------------------------------------------------------------------------------------------


def _put_into_database(rows: Path, connection: Any, dialect: str, table: exp.Table) -> None:
    """Replace a table of a database, by statements that every database has; in one transaction where it has one."""
    import polars as pl

    frame = pl.read_parquet(rows)
    columns = [exp.to_identifier(name, quoted=True) for name in frame.columns]
    schema = exp.Schema(
        this=table.copy(),
        expressions=[
            exp.ColumnDef(this=column.copy(), kind=exp.DataType.build(_type_of(kind)))
            for column, kind in zip(columns, frame.dtypes, strict=True)
        ],
    )
    statements = [
        exp.Drop(tables=[table.copy()], kind="TABLE", exists=True),
        exp.Create(this=schema, kind="TABLE"),
        *(
            exp.Insert(
                this=exp.Schema(this=table.copy(), expressions=[column.copy() for column in columns]),
                expression=exp.Values(expressions=[exp.Tuple(expressions=[*map(_value, row)]) for row in batch.rows()]),
            )
            for batch in frame.iter_slices(ROWS_AT_ONCE)
            if batch.height
        ),
    ]
    with unwrapped(connection) as own:
        if not hasattr(own, "cursor"):
            raise InputError(f"Nothing can be written through a connection of {type(own).__module__}.")
        cursor = own.cursor()
        for statement in statements:
            cursor.execute(statement.sql(dialects.grammar(dialect)))
        own.commit()
        cursor.close()
    (connection.dispose if hasattr(connection, "dispose") else connection.close)()


def _value(value: object) -> exp.Expr:
    """A value as SQL; a NaN, which many databases lack, is NULL."""
    is_nan = isinstance(value, float) and value != value
    return exp.Null() if value is None or is_nan else exp.convert(value)


def _type_of(kind: pl.DataType) -> str:
    """The type of a column; text for a type that databases do not share."""
    name = kind.base_type().__name__
    known = {"Float64": "DOUBLE", "Float32": "DOUBLE", "Boolean": "BOOLEAN", "Date": "DATE", "Datetime": "TIMESTAMP"}
    return "BIGINT" if kind.is_integer() else known.get(name, "TEXT")
