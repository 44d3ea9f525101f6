"""A database as one frozen value, `Dialect`; and the functions that several dialects share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias

from sqlglot import Dialect as Grammar
from sqlglot import exp

from rankmetrics.dialects import rewrites
from rankmetrics.sqltree import tree

# Changes a query in place.
Rewrite = Callable[[exp.Expr], None]

# The forms that a query can be written in, as `export/statements.py` makes them.
Form = Literal["query", "cte", "view", "table", "incremental", "ddl", "macro", "function", "check", "script"]

# The forms that almost every database takes.
FORMS: frozenset[Form] = frozenset({"query", "cte", "view", "table", "incremental", "ddl", "check", "script"})

# The clauses of CREATE TABLE, given the columns of the partitions, all key columns, and the column that is a date: the
# first of the partitions, or None.
Storage: TypeAlias = Callable[[Sequence[str], Sequence[str], str | None], list[exp.Expr]]


@dataclass(frozen=True)
class Lack:
    """A feature that a database lacks."""

    kind: type[exp.Expr]  # the node of a query that says it
    what: str  # its name in rankmetrics, as in `the aggregate median`
    why: str  # what the database has instead
    cure: str = "Leave it out, or take it from the query per list."  # a sentence that says what to do


@dataclass(frozen=True)
class Names:
    """The names of columns and steps that a database takes."""

    longest: int | None = None  # the length of the longest name; None where labels of metrics never reach it
    in_bytes: bool = False  # True if the length counts bytes, and not characters
    are_plain: bool = False  # True if names hold letters, digits and underscores only
    # the case to which the database turns a name that is written without quotes; None where it keeps the case, or
    # compares names in any case
    folds_to: Literal["lower", "upper"] | None = None
    # True if a text for a job calls the columns by the labels of their metrics, such as `ndcg@10`. Other texts call
    # them `ndcg_at_10`, which needs no quotes.
    keep_labels: bool = False


@dataclass(frozen=True)
class NamesOfJob:
    """The spelling of the query's own columns and steps in the text of a job, which another system runs."""

    kept: frozenset[str] = frozenset()  # the names of the user's list columns, which stay as they are
    fold: bool = True  # True if names get the case to which the database turns names without quotes
    drop_labels: bool = False  # True if `ndcg@10` becomes `ndcg_at_10` even in a dialect whose texts keep labels


@dataclass(frozen=True)
class Driver:
    """A Python module that connects to a database."""

    module: str  # the top-level module of its connections
    install: str = ""  # the packages that pip installs for it
    extra: str = ""  # the extra of rankmetrics that installs it; neither where Python has the module
    execute: Mapping[str, Any] = field(default_factory=dict)  # options of `cursor.execute` besides the query's text
    # returns a query's answer as an Arrow table, for a module without cursors as PEP 249 has them
    read: Callable[[Any, str], Any] | None = None
    # returns the names of the tables, for a module that no query can ask
    tables: Callable[[Any], list[str]] | None = None
    schemes: Sequence[str] = ()  # what comes before `://` in the addresses that it opens without SQLAlchemy
    # returns a connection, given the module and the address, or, for `is_path`, the path in the address
    open: Callable[[Any, str], Any] = lambda module, address: module.connect(address)
    is_path: bool = False  # True if its addresses name a file or folder of this machine, which must exist
    open_to_write: Callable[[Any, str], Any] | None = None  # where `open` returns a connection that only reads


@dataclass(frozen=True)
class CatalogQueries:
    """The queries about the tables of a database; the texts about one table are templates of `base.about`."""

    # for the columns of a table; its answer begins with their names and their types
    columns: str = "DESCRIBE {table}"
    # True if DESCRIBE takes a SELECT, too; otherwise the first rows of a SELECT tell its types
    describes_queries: bool = False
    values_have_types: bool = False  # True if a column may hold values of several types
    tables: str = ""  # the query for the names of tables, to suggest a name where a table was not found
    # for the columns of a table with their types, and for the keys that the database enforces: the name of a key, a
    # column of it, and NULL per row; the name is NULL for a column that is never NULL. A row with a type says only that
    # the column has this type. Empty where nothing is enforced.
    definition: str = ""


# What the note of a database says that can neither lock a table nor refuse the second of two jobs.
ONE_JOB = "Of two jobs at once, both may write their rows: run one at a time."


@dataclass(frozen=True)
class Writes:
    """The way that a job writes into a database so that it can run again with the same result."""

    # what replaces the rows of a partition. `delete`: DELETE, then INSERT. `replace where`: INSERT INTO ... REPLACE
    # WHERE. `overwrite`: INSERT OVERWRITE of the partitions of a partitioned table. `insert`: nothing, an INSERT adds
    # the rows a second time.
    partition: Literal["delete", "replace where", "overwrite", "insert"] = "delete"
    # what replaces a table. `or replace`: CREATE OR REPLACE TABLE. `drop`: CREATE TABLE of another table, then DROP of
    # the old table and CREATE of the new one from the other. `drop in transaction`: DROP and CREATE in one transaction.
    # `create`: nothing, CREATE TABLE fails.
    table: Literal["or replace", "drop", "drop in transaction", "create"] = "or replace"
    # the statements that come before the first; they open a transaction, where several statements can be one
    begin: tuple[str, ...] = ("BEGIN",)
    commit: str = "COMMIT"  # the statement that ends the transaction; empty where there is none
    # for databases in which two transactions at once could both write the rows of a partition: the statements to run
    # before and after in place of `begin` and `commit`, so that the second job waits for the first, or fails. They are
    # templates of `base.about`.
    lock: tuple[str, ...] = ()
    unlock: tuple[str, ...] = ("COMMIT",)
    # what is not safe when a job fails, runs again or runs twice at once; a comment above the statements
    note: str = ""
    # True if a script may put steps into temporary tables, and read them more than once
    has_temporary_tables: bool = True


@dataclass(frozen=True)
class Ddl:
    """The way that CREATE TABLE describes a table."""

    # where a comment on a column stands. `column`: after the column's type. `options`: among its OPTIONS. `statement`:
    # in a COMMENT ON COLUMN. `none`: nowhere.
    comments: Literal["column", "options", "statement", "none"] = "none"
    storage: Storage = lambda partition, keys, day: []  # returns the clauses that say how the rows are stored
    if_not_exists: bool = True  # True if CREATE TABLE IF NOT EXISTS works


@dataclass(frozen=True)
class TableFunction:
    """The way that CREATE FUNCTION makes a table function."""

    kind: str = "FUNCTION"
    body: type[exp.Expr] | None = None  # the node around its query; None for a text between $$
    properties: Sequence[exp.Expr] | None = ()  # what comes after RETURNS TABLE; None for a kind without it


@dataclass(frozen=True)
class Dialect:
    """All that rankmetrics knows of a database; what only a reader should know is in docs/dialects.toml."""

    called: str  # its name as a person writes it
    grammar: str | type[Grammar] = ""  # sqlglot's class, or the name of one where it is not the dialect's own
    rewrites: Sequence[Rewrite] = ()  # changes to what sqlglot would write; `partial` gives them options
    # changes for the last digits of numbers; only queries that rankmetrics itself runs get them
    digits: Sequence[Rewrite] = ()
    lacks: Sequence[Lack] = ()  # what it cannot compute, and why
    names: Names = field(default_factory=Names)  # which names it takes
    max_steps: int | None = None  # how many steps one WITH may have
    at_once: bool = False  # True if the summary and a look at the data take less time as one query than as two
    keeps_materialized: bool = False  # True if WITH ... AS MATERIALIZED works, so that a step is computed once
    ranks_by_sorting: bool = False  # True if it sorts and numbers all rows faster than it computes a window of ranks
    # the forms that it takes a query in
    forms: frozenset[Form] = FORMS
    function: TableFunction = field(default_factory=TableFunction)  # how CREATE FUNCTION makes one
    replaces_views: bool = True  # True if CREATE OR REPLACE VIEW works; otherwise the user drops the old view
    table_properties: exp.Properties | None = None  # what CREATE TABLE must say of how the rows are stored
    writes: Writes = field(default_factory=Writes)  # how a job writes into it so that it can run again
    ddl: Ddl = field(default_factory=Ddl)  # how CREATE TABLE describes a table
    drivers: Sequence[Driver] = ()  # the modules whose connections lead to it
    vendors: Sequence[str] = ()  # its names, in lower case, as ADBC and ODBC report them
    sqlalchemy: Mapping[str, str] = field(default_factory=dict)  # packages for SQLAlchemy, by the scheme of addresses
    catalog: CatalogQueries = field(default_factory=CatalogQueries)  # how to ask it about its tables
    error_ends_transaction: bool = False  # True if it refuses everything after an error until a rollback
    # an expression that is 1 if `:message` is NULL, and otherwise an error with this message; empty if the database
    # cannot raise an error within a query
    raise_error: str = ""
    # a query that makes a row of each element of the array `listed` of the table `source`, with its `place` and
    # `element`; a row without elements stays. Nothing where that is not known.
    unnest: str = ""
    ibis_backend: str = ""  # what Ibis calls it, where that is not the dialect's name
    dbt_adapters: Sequence[str] = ()  # the adapters of dbt that lead to it

    def all_rewrites(self, job: NamesOfJob | None = None) -> list[Rewrite]:
        """The rewrites of a query in their order: those listed, those of names and limits, those of every database.

        `job` says how the text of a job spells names; it is None for a query that rankmetrics itself runs.
        """
        changes: list[Rewrite] = [] if self.keeps_materialized else [rewrites.drop_materialized]
        changes += [*self.rewrites, *(self.digits if job is None else ())]
        names = self.names
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


def median_lacks(why: str) -> tuple[Lack, ...]:
    """The lack of both medians, for one reason."""
    return (Lack(exp.Median, "the aggregate median", why), Lack(exp.PercentileDisc, "the aggregate median_low", why))


# A split by time cannot subtract days from a time that the data decides.
NO_GAP = Lack(
    exp.Interval,
    "a gap in days before a cut at a share of the rows",
    "it has no intervals",
    "Give the time of the cut, at=, so that the gap is subtracted beforehand; or leave the gap out.",
)


# The names of all tables, as the standard's catalogue has them.
TABLES = "SELECT table_name FROM information_schema.tables"

# The columns by the standard's catalogue: in the table's schema, or in any if the table is named without one.
COLUMNS = """
SELECT column_name, data_type FROM information_schema.columns
WHERE table_name = {name} AND table_schema = COALESCE({schema}, table_schema) ORDER BY ordinal_position
"""


def cluster_by(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """CLUSTER BY the key columns."""
    return [exp.ClusterProperty(expressions=[tree.column(key) for key in keys])] if keys else []


# Expressions that raise an error: they call a function that fails, or cast the message to a number, which fails with
# an error that quotes it. The message must depend on the data: a database computes a constant before it runs the
# query, and would always fail.
CALL_TO_RAISE = "CASE WHEN :message IS NULL THEN 1 ELSE {}(:message) END"
CAST_TO_RAISE = "CAST(COALESCE(:message, '1') AS BIGINT)"
