"""`docs/dialects.md`, written from `rankmetrics/dialects/databases.py` and from `docs/dialects.toml`."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Literal, get_args

from rankmetrics.dialects.base import DIALECTS
from rankmetrics.dialects.model import Dialect, Form, NamesOfJob, Rewrite
from rankmetrics.errors import pip_install

# How the texts of a dialect were tried: by the database itself, by an imitation of it, or against its documentation.
Tried = Literal["run", "imitated", "read"]

# The constructs that a query uses.
CONSTRUCTS = (
    "WITH",
    "windows, ROWS",
    "NULLs in an order",
    "a name that is column and alias",
    "a name that is column and table",
    "whole / whole",
    "POWER, LN, EXP",
    "LEAST of a NULL",
    "NaN = NaN",
    "sample deviation",
    "median",
    "PERCENTILE_DISC",
    "rows of numbers",
    "double is",
    "aggregate FILTER",
    "names",
    "text compared",
    "INSERT of a WITH",
    "limits",
)


@dataclass(frozen=True)
class Documented:
    """What `docs/dialects.toml` says of a dialect."""

    documentation: str
    tried: Tried
    tried_with: str = ""
    notes: str = ""
    joined_tables: int | None = None
    facts: Mapping[str, str] = field(default_factory=dict)


@cache
def documented() -> Mapping[str, Documented]:
    """What `docs/dialects.toml` says of each dialect, by the dialect's name."""
    file = Path(__file__).parents[2] / "docs" / "dialects.toml"
    return {name: Documented(**values) for name, values in tomllib.loads(file.read_text(encoding="utf-8")).items()}


# How the tests check the texts of a dialect.
TRIED: dict[Tried, str] = {
    "run": "**Run.** The tests run the texts and compare the numbers with DuckDB's",
    "imitated": "**Run in an imitation.** The tests run the texts in a program that imitates the database",
    "read": "**Only read.** The texts were read beside the documentation of the database; nobody has run them here",
}

INTRODUCTION = """\
# Dialects

rankmetrics writes its query in the SQL of {n} databases. This page says what to know about each of them: how the
SQL was tested, which names the columns have, what is not available, and how to connect.

```python
rm.to_sql("db.recs", "db.truth", "ndcg@10", lists="user", dialect="snowflake")
```

The planner builds each query once, as a tree in DuckDB's SQL. sqlglot translates the syntax into the dialect. Where
this is not enough, [rewrites](../rankmetrics/dialects/rewrites.py) change the SQL and keep the result.

The page is made from `rankmetrics/dialects/databases.py`, which has a value per database.

## How the texts were tested

A database may refuse translated SQL, or may understand it differently. So we tested the texts that rankmetrics writes,
where a test was possible."""

IN_EVERY_DIALECT = """\
## In every dialect

- **The columns of the result.** A text that another system runs (`rankmetrics sql`, `to_sql`, dbt) has plain names
  (`ndcg_at_10`) in every dialect but {labels}; the tables that rankmetrics itself returns have the labels
  (`ndcg@10`). If two labels would get one name, a number keeps them apart.
- **The names of your tables and columns.** Every name in a text is in quotes, so a list column may be called `user` or
  `rank`. A name that you write without quotes gets the case that the database gives it: in Snowflake, `db.recs` is
  `"DB"."RECS"`, and the result has a column `"NDCG_AT_10"`, which `SELECT ndcg_at_10` finds. Quotes keep the case of a
  name (`--list '"userId"'`), and `--quote-names` (`quote_names=True`) keeps the case of all. Over a connection,
  rankmetrics reads the names that the columns have, and keeps them.
- **The database compares text by its own rules, unless the query says how.** Some databases ignore case, or blanks at
  the end of text: two ids may then count as the same id in joins and groups. Other databases order text by the rules
  of a language: items with equal scores are then in this order. Over a connection, or from files, rankmetrics knows
  the types, and the query sets the comparison of text in PostgreSQL, MySQL and SQL Server. For tables that rankmetrics
  cannot read, name the columns that hold text: `text=["item"]`, `--text item`.
- **Dates.** In Python, give the partition of an `incremental` as a `date` where the column is a date. `"2024-01-31"` is
  text, and Trino and Athena do not compare text with a date.
- **Many metrics make a long query.** Some databases compute a CTE again for each reader. If a query is too slow, split
  the metrics over several queries. Where the number of joined tables is limited, each `rel=` joins three: use at most
  twenty thresholds in a query.
- **Deep lists.** PostgreSQL and Redshift raise an error where a number is too small to hold; other databases return 0.
  Powers and EXP are bounded there: `0.85^(rank - 1)` stays at 3e-308 from rank 4,358 on."""

DOCUMENTED = """\
## Where it is documented

The texts for some databases were only read beside the documentation. This table has the page of the documentation (or
of the source) for each construct. A dash means that the text does not use the construct. A cell without a link means
that no page was found. Databases that the tests run are not listed, except MySQL, for which the tests run MariaDB."""


def dialects_page() -> str:
    """The whole page."""
    ordered = sorted(DIALECTS.items(), key=lambda one: one[1].called.lower())
    parts = [
        INTRODUCTION.format(n=len(DIALECTS)),
        "\n".join(_tried(kind, ordered) for kind in get_args(Tried)),
        IN_EVERY_DIALECT.format(labels=_listed(one.called for _, one in ordered if one.names.keep_labels)),
        "## Dialect by dialect",
        *("\n\n".join(_section(name, one)) for name, one in ordered),
        "## The rewrites\n\nThe changes to sqlglot's SQL, the reasons, and the dialects.",
        _rewrites_table([one for _, one in ordered]),
        DOCUMENTED,
        _facts_table(ordered),
    ]
    return "\n\n".join(parts) + "\n"


def _listed(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}"


def _tried(kind: Tried, dialects: list[tuple[str, Dialect]]) -> str:
    of_kind = [
        (dialect.called, documented()[name].tried_with)
        for name, dialect in dialects
        if documented()[name].tried == kind
    ]
    shown = [f"{called} ({release})" if release else called for called, release in of_kind]
    return f"- {TRIED[kind]}: {'; '.join(shown)}."


# --- one dialect ------------------------------------------------------------------------------------------------------


def _section(name: str, dialect: Dialect) -> Iterator[str]:
    yield f"### {dialect.called}"
    yield f'`dialect="{name}"`. [The database\'s SQL reference]({documented()[name].documentation}).'
    if notes := documented()[name].notes:
        yield notes
    bullets = [
        *_connecting(dialect),
        *_naming(dialect),
        *_lacking(dialect),
        *_limits(name, dialect),
        *_forms(dialect),
    ]
    if dialect.dbt_adapters:
        bullets.append(f"- Adapters of dbt: {_code(dialect.dbt_adapters)}.")
    bullets.append("- Rewrites:")
    bullets += [f"  - {example(one)}{_options(one)}" for one in dialect.rewrites]
    yield "\n".join(bullets)


def _connecting(dialect: Dialect) -> Iterator[str]:
    """What opens a connection, and what pip installs for it."""
    drivers = [f"`{one.module}`{_installing(one.extra, one.install)}" for one in dialect.drivers]
    if drivers:
        yield f"- Connections of {', '.join(drivers)}."
    if dialect.vendors:
        yield f"- Connections of ADBC, pyodbc and turbodbc, where these say that they lead to {_code(dialect.vendors)}."
    for driver in dialect.drivers:
        yield from (f"- Addresses `{scheme}://…`{_installing(driver.extra)}." for scheme in driver.schemes)
    for scheme, packages in dialect.sqlalchemy.items():
        yield f"- Addresses `{scheme}://…` of SQLAlchemy{_installing('sqlalchemy', packages)}."


def _installing(extra: str, packages: str = "") -> str:
    return f" (`{pip_install(extra, *packages.split())}`)" if extra or packages else ""


def _naming(dialect: Dialect) -> Iterator[str]:
    """How names are written, shortened and folded."""
    if dialect.names.are_plain:
        yield "- Names hold letters, digits and underscores only, list columns too."
    if dialect.names.keep_labels:
        yield "- A text calls the columns of the result by the labels of the metrics: `ndcg@10`."
    if dialect.names.longest is not None:
        unit = "bytes" if dialect.names.in_bytes else "characters"
        yield f"- Names have at most {dialect.names.longest} {unit}; longer labels end in a hash."
    if dialect.names.folds_to:
        yield f"- Names that you write without quotes are in {dialect.names.folds_to} case in a text."


def _lacking(dialect: Dialect) -> Iterator[str]:
    """What is not available, grouped by the reason."""
    by_reason: dict[str, list[str]] = {}
    for lack in dialect.lacks:
        by_reason.setdefault(lack.why, []).append(lack.what)
    for why, lacks in by_reason.items():
        yield f"- Not available: {' and '.join(lacks)}, because {why}."


def _limits(name: str, dialect: Dialect) -> Iterator[str]:
    if dialect.max_steps is not None:
        yield (
            f"- One WITH has at most {dialect.max_steps} CTEs: in a longer query, some stand in a WITH within the only "
            "other CTE that reads them."
        )
    if documented()[name].joined_tables is not None:
        yield f"- One SELECT joins at most {documented()[name].joined_tables} tables."


# What a job that runs again does with the rows of its partition, by how a dialect replaces them.
REPLACES: Mapping[str, str] = {
    "delete": "deletes the rows of its partition, then inserts them",
    "replace where": "replaces the rows of its partition: `INSERT INTO ... REPLACE WHERE`",
    "overwrite": "replaces the partitions that get rows: `INSERT OVERWRITE`",
    "insert": "adds its rows again",
}


def _forms(dialect: Dialect) -> Iterator[str]:
    lacking = [one for one in get_args(Form) if one not in dialect.forms and one not in ("macro", "function")]
    if lacking:
        yield f"- Not available as a statement: {_code(lacking)}."
    if "macro" in dialect.forms:
        yield '- Available as a table macro: `form="macro"`.'
    if "function" in dialect.forms:
        yield '- Available as a table function: `form="function"`.'
    if {"incremental", "table"} <= {*dialect.forms}:
        again = REPLACES[dialect.writes.partition]
        yield f"- A job that runs again {again}{', in one transaction' if dialect.writes.commit else ''}."
    if dialect.writes.table == "drop":
        yield (
            "- The rows of a table are computed in another table. Then the old table is dropped and made again: in "
            "between, there is none."
        )
    if not dialect.replaces_views:
        yield "- A view is not replaced: drop the old view first."


def _code(names: Sequence[str]) -> str:
    return ", ".join(f"`{one}`" for one in names)


# --- tables -----------------------------------------------------------------------------------------------------------


def example(rewrite: Rewrite) -> str:
    """The first paragraph of a rewrite's docstring, before → after, without its full stop."""
    return _paragraphs(rewrite)[0].rstrip(".")


def reason(rewrite: Rewrite) -> str:
    """Why a database needs a rewrite: what its docstring says below the example."""
    return " ".join(_paragraphs(rewrite)[1:])


def _paragraphs(rewrite: Rewrite) -> list[str]:
    function = rewrite.func if isinstance(rewrite, partial) else rewrite
    return [" ".join(one.split()) for one in (inspect.getdoc(function) or "").split("\n\n")]


def _options(rewrite: Rewrite) -> str:
    """The options that a dialect gives a rewrite."""
    if not isinstance(rewrite, partial):
        return ""
    shown = ", ".join(
        f"{name} = {', '.join(value) if isinstance(value, tuple) else value}"
        for name, value in rewrite.keywords.items()
        if value != ""
    )
    return f" ({shown})"


def _rewrites_table(dialects: list[Dialect]) -> str:
    used: dict[tuple[str, str], list[str]] = {}
    for one in dialects:
        for rewrite in (*one.all_rewrites(NamesOfJob()), *one.digits):
            used.setdefault((example(rewrite), reason(rewrite)), []).append(one.called)
    rows = [
        f"| {shown} | {why} | {'all' if len(of) == len(dialects) else ', '.join(of)} |"
        for (shown, why), of in sorted(used.items(), key=lambda one: (len(one[1]) == len(dialects), one[0]))
    ]
    return "\n".join(["| rewrite | why | dialects |", "|---|---|---|", *rows])


def _facts_table(dialects: list[tuple[str, Dialect]]) -> str:
    columns = [(dialect.called, documented()[name].facts) for name, dialect in dialects if documented()[name].facts]
    rows = [
        f"| {construct} | {' | '.join(facts.get(construct, '-') for _, facts in columns)} |" for construct in CONSTRUCTS
    ]
    head = [f"| | {' | '.join(called for called, _ in columns)} |", f"|---|{'---|' * len(columns)}"]
    return "\n".join([*head, *rows])
