"""A database as one frozen value, `Dialect`; and the functions that several dialects share.

Each database's value is a file of this folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import sqlglot
from sqlglot import Dialect as Grammar
from sqlglot import exp

from rankmetrics.dialects import rewrites
from rankmetrics.sqltree import tree

if TYPE_CHECKING:
    import polars as pl

# Changes a query in place.
Rewrite = Callable[[exp.Expr], None]

# The forms that a query can be written in, as `export/statements.py` makes them.
Form = Literal["query", "cte", "view", "table", "incremental", "ddl", "macro", "check", "script"]

# The clauses of CREATE TABLE, given the columns of the partitions, all key columns, and the column that is a date: the
# first of the partitions, or None.
Storage: TypeAlias = Callable[[Sequence[str], Sequence[str], str | None], list[exp.Expr]]


@dataclass(frozen=True)
class Lack:
    """A feature that a database lacks.

    Attributes:
        kind: the node of a query that says it.
        what: its name in rankmetrics, as in `the aggregate median`.
        why: what the database has instead.
        cure: a sentence that says what to do.
    """

    kind: type[exp.Expr]
    what: str
    why: str
    cure: str = "Leave it out, or take it from the query per list."


@dataclass(frozen=True)
class Names:
    """The names of columns and steps that a database takes.

    Attributes:
        longest: the length of the longest name; None where labels of metrics never reach it.
        in_bytes: whether the length counts bytes, and not characters.
        are_plain: whether names hold letters, digits and underscores only.
        folds_to: the case to which the database turns a name that is written without quotes; None where it keeps the
            case, or compares names in any case.
        keep_labels: whether a text for a job calls the columns by the labels of their metrics, such as `ndcg@10`.
            Other texts call them `ndcg_at_10`, which needs no quotes.
    """

    longest: int | None = None
    in_bytes: bool = False
    are_plain: bool = False
    folds_to: Literal["lower", "upper"] | None = None
    keep_labels: bool = False


@dataclass(frozen=True)
class NamesOfJob:
    """The spelling of the query's own columns and steps in the text of a job, which another system runs.

    Attributes:
        kept: the names of the user's list columns, which stay as they are.
        fold: whether names get the case to which the database turns names without quotes.
        drop_labels: whether `ndcg@10` becomes `ndcg_at_10` even in a dialect whose texts keep labels.
    """

    kept: frozenset[str] = frozenset()
    fold: bool = True
    drop_labels: bool = False


@dataclass(frozen=True)
class Driver:
    """A Python module that connects to a database.

    Attributes:
        module: the top-level module of its connections.
        install: what pip installs for it; nothing where Python has the module.
        execute: options of `cursor.execute` besides the query's text.
        read: returns a query's answer, for a module without cursors as PEP 249 has them.
        tables: returns the names of the tables, for a module that no query can ask.
    """

    module: str
    install: str = ""
    execute: Mapping[str, Any] = field(default_factory=dict)
    read: Callable[[Any, str], pl.DataFrame] | None = None
    tables: Callable[[Any], list[str]] | None = None


@dataclass(frozen=True)
class Address:
    """An address such as `postgresql://user@host/name`, and how to connect to it.

    Attributes:
        scheme: what comes before `://`.
        module: the module that opens it.
        open: returns a connection, given the module and the address, or, for `is_path`, the path in the address.
        extra: the extra of rankmetrics that installs the module; nothing where the module is always there.
        is_path: whether the address names a file or folder of this machine, which must exist.
    """

    scheme: str
    module: str
    open: Callable[[Any, str], Any]
    extra: str = ""
    is_path: bool = False


@dataclass(frozen=True)
class CatalogQueries:
    """The queries about the tables of a database.

    Attributes:
        columns: returns the query for the columns of a table; its answer begins with their names and their types.
        describes_queries: whether DESCRIBE takes a SELECT, too; otherwise the first rows of a SELECT tell its types.
        tables: the query for the names of tables, to suggest a name where a table was not found.
        keys: the query, as `about` fills it in, for the keys that the database enforces: the name of a key and one of
            its columns per row, and without a name the columns that are never NULL. Empty where nothing is enforced.
    """

    columns: Callable[[exp.Table], exp.Expr] = lambda table: exp.Describe(this=table.copy())
    describes_queries: bool = False
    tables: str = ""
    keys: str = ""


@dataclass(frozen=True)
class Writes:
    """The way that a job writes into a database so that it can run again with the same result.

    Attributes:
        partition: what replaces the rows of a partition. `delete`: DELETE, then INSERT. `replace where`: INSERT INTO
            ... REPLACE WHERE. `overwrite`: INSERT OVERWRITE of the partitions of a partitioned table. `insert`:
            nothing, an INSERT adds the rows a second time.
        table: what replaces a table. `or replace`: CREATE OR REPLACE TABLE. `drop`: CREATE TABLE of another table, then
            DROP of the old table and CREATE of the new one from the other. `drop in transaction`: DROP and CREATE in
            one transaction. `create`: nothing, CREATE TABLE fails.
        begin: the statements that come before the first; they open a transaction, where several statements can be one.
        commit: the statement that ends the transaction; empty where there is none.
        note: what is not safe when a job fails or runs again; a comment above the statements.
        has_temporary_tables: whether a script may put steps into temporary tables, and read them more than once.
    """

    partition: Literal["delete", "replace where", "overwrite", "insert"] = "delete"
    table: Literal["or replace", "drop", "drop in transaction", "create"] = "or replace"
    begin: tuple[str, ...] = ("BEGIN",)
    commit: str = "COMMIT"
    note: str = ""
    has_temporary_tables: bool = True


@dataclass(frozen=True)
class Ddl:
    """The way that CREATE TABLE describes a table.

    Attributes:
        comments: where a comment on a column stands. `column`: after the column's type. `options`: among its OPTIONS.
            `statement`: in a COMMENT ON COLUMN. `none`: nowhere.
        storage: returns the clauses that say how the rows are stored.
        if_not_exists: whether CREATE TABLE IF NOT EXISTS works.
    """

    comments: Literal["column", "options", "statement", "none"] = "none"
    storage: Storage = lambda partition, keys, day: []
    if_not_exists: bool = True


@dataclass(frozen=True)
class Dialect:
    """All that rankmetrics knows of a database; what only a reader should know is in docs/dialects.toml.

    Attributes:
        called: its name as a person writes it.
        grammar: the grammar of sqlglot that it is written in: a class, or the name of one; nothing where that is the
            dialect's own name.
        rewrites: what is written otherwise than sqlglot would; `functools.partial` gives a rewrite its options.
        lacks: what it cannot compute, and why.
        names: which names it takes.
        max_steps: how many steps one WITH may have.
        max_joined_tables: how many tables one SELECT may join, where a query can reach that; for the docs.
        forms: the forms that it takes a query in.
        replaces_views: whether CREATE OR REPLACE VIEW works; otherwise the user drops the old view.
        table_properties: what CREATE TABLE must say of how the rows are stored.
        writes: how a job writes into it so that it can run again.
        ddl: how CREATE TABLE describes a table.
        drivers: the modules whose connections lead to it.
        vendors: its names, in lower case, as ADBC and ODBC report them.
        addresses: the addresses that lead to it without SQLAlchemy.
        sqlalchemy: for the schemes of its addresses of SQLAlchemy, what pip installs besides SQLAlchemy.
        catalog: how to ask it about its tables; None where no connection leads to it.
        error_ends_transaction: whether an error makes it refuse everything until the transaction is rolled back.
        raise_error: makes an expression of a message that is 1 if the message is NULL, and otherwise an error with this
            message; None if the database cannot raise an error within a query.
        unnest: a query that makes a row of each element of the array `listed` of the table `source`, with its `place`
            and `element`; a row without elements stays. Nothing where that is not known.
        ibis_backend: what Ibis calls it, where that is not the dialect's name.
        dbt_adapters: the adapters of dbt that lead to it.
    """

    called: str
    grammar: str | type[Grammar] = ""
    rewrites: Sequence[Rewrite] = ()
    lacks: Sequence[Lack] = ()
    names: Names = field(default_factory=Names)
    max_steps: int | None = None
    max_joined_tables: int | None = None
    forms: frozenset[Form] = frozenset({"query", "cte", "view", "table", "incremental", "ddl", "check", "script"})
    replaces_views: bool = True
    table_properties: exp.Properties | None = None
    writes: Writes = field(default_factory=Writes)
    ddl: Ddl = field(default_factory=Ddl)
    drivers: Sequence[Driver] = ()
    vendors: Sequence[str] = ()
    addresses: Sequence[Address] = ()
    sqlalchemy: Mapping[str, str] = field(default_factory=dict)
    catalog: CatalogQueries | None = None
    error_ends_transaction: bool = False
    raise_error: Callable[[exp.Expr], exp.Expr] | None = None
    unnest: str = ""
    ibis_backend: str = ""
    dbt_adapters: Sequence[str] = ()

    def all_rewrites(self, job: NamesOfJob | None = None) -> list[Rewrite]:
        """The rewrites of a query in their order: those listed, those of names and limits, those of every database.

        Args:
            job: how the text of a job spells names; None for a query that rankmetrics itself runs.
        """
        changes, names = [*self.rewrites], self.names
        if names.are_plain:
            changes.append(rewrites.make_names_plain)
        elif job and (job.drop_labels or not names.keep_labels):
            changes.append(partial(rewrites.make_names_plain, reserved=job.kept))
        if job and job.fold and names.folds_to:
            changes.append(partial(rewrites.fold_names, to=names.folds_to, reserved=job.kept))
        if names.longest is not None:
            changes.append(partial(rewrites.shorten_names, longest=names.longest, in_bytes=names.in_bytes))
        if self.max_steps is not None:
            changes.append(partial(rewrites.nest_steps, most=self.max_steps))
        return [*changes, rewrites.mark_double_divisions]


# --- what it lacks ----------------------------------------------------------------------------------------------------


def median_lacks(why: str) -> tuple[Lack, ...]:
    """The lack of both medians, for one reason."""
    return (
        Lack(exp.Median, "the aggregate median", why),
        Lack(exp.PercentileDisc, "the aggregate median_low", why),
    )


# A split by time cannot subtract days from a time that the data decides.
NO_GAP = Lack(
    exp.Interval,
    "a gap in days before a cut at a share of the rows",
    "it has no intervals",
    "Give the time of the cut, at=, so that the gap is subtracted beforehand; or leave the gap out.",
)


# --- its catalogue ----------------------------------------------------------------------------------------------------

# The names of all tables, as the standard's catalogue has them.
TABLES = "SELECT table_name FROM information_schema.tables"


def about(text: str, dialect: str | type[Grammar], table: exp.Table) -> exp.Expr:
    """A query about a table.

    In the text, `:name` is the table as the dialect writes it, `:table` its name alone, and `:schema` its schema, or
    NULL if the table is named without a schema.
    """
    values = {
        "name": exp.Literal.string(table.sql(dialect)),
        "table": exp.Literal.string(table.name),
        "schema": exp.Literal.string(table.db) if table.db else exp.Null(),
    }
    query: exp.Expr = sqlglot.parse_one(text, read=dialect)
    for node in list(query.find_all(exp.Placeholder)):
        node.replace(values[node.name].copy())
    return query


def select_columns(table: exp.Table) -> exp.Expr:
    """The columns by the standard's catalogue: in the table's schema, or in any if the table is named without one."""
    where = exp.EQ(this=exp.column("table_name"), expression=exp.Literal.string(table.name))
    select = exp.select("column_name", "data_type").from_("information_schema.columns").where(where)
    if table.db:
        select = select.where(exp.EQ(this=exp.column("table_schema"), expression=exp.Literal.string(table.db)))
    return select.order_by("ordinal_position")


# --- how it stores a table --------------------------------------------------------------------------------------------


def cluster_by(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """CLUSTER BY the key columns."""
    return [exp.ClusterProperty(expressions=[tree.column(key) for key in keys])] if keys else []


# --- how it raises an error -------------------------------------------------------------------------------------------

# Each expression is 1 if the message is NULL, and otherwise an error with this message. The message must depend on the
# data: a database computes a constant before it runs the query, and would always fail.


def call_to_raise(function: str, message: exp.Expr) -> exp.Expr:
    """`message` → `CASE WHEN message IS NULL THEN 1 ELSE ERROR(message) END`, by a function that raises an error."""
    call = exp.Anonymous(this=function, expressions=[message.copy()])
    return exp.Case().when(message.is_(exp.Null()), tree.literal(1)).else_(call)


def cast_to_raise(message: exp.Expr) -> exp.Expr:
    """`message` → `CAST(COALESCE(message, '1') AS BIGINT)`: the error quotes a text that is not a number."""
    return exp.cast(message_or_1(message), exp.DType.BIGINT)


def message_or_1(message: exp.Expr) -> exp.Expr:
    """`COALESCE(message, '1')`."""
    return exp.Coalesce(this=message.copy(), expressions=[exp.Literal.string("1")])
