"""Every generated file of docs/, and the pages that no other module writes."""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl

import rankmetrics as rm
from docs.tooling import DOCS, ROOT
from docs.tooling.dialects_page import dialects_page
from docs.tooling.library_pages import conventions_of_the_sample, conventions_page, one_list_page, reproduction_page
from docs.tooling.markdown import between, table
from docs.tooling.metric_pages import metric_pages
from docs.tooling.notebooks import files_of_notebooks
from docs.tooling.pictures import demo_picture, pictures
from docs.tooling.reference import files_of_reference
from docs.tooling.speed_tables import large_table, numbers_table, peers_table, speed_sentences, speed_table
from docs.tooling.sql_pages import adapters_of_dbt, faults_sections, faults_table, raising_table, sql_readme
from docs.tooling.task_pages import agents_page, tasks_page
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.engines.files import LAYOUTS
from rankmetrics.metrics.catalog import catalog
from rankmetrics.planner import PASSES, Plan, write
from tests.support.engines import LOCAL, OTHERS
from tests.support.layers import LAYERS
from tests.support.mistakes import every


def files_of_docs() -> dict[Path, Callable[[], str]]:
    """Every generated file of the documentation, and the function that returns its contents."""
    return {
        **files_of_notebooks(),
        DOCS / "architecture.md": _architecture_page,
        ROOT / "sql" / "README.md": sql_readme,
        DOCS / "dialects.md": dialects_page,
        **metric_pages(DOCS / "metrics"),
        DOCS / "conventions.md": conventions_page,
        DOCS / "reproduction.md": reproduction_page,
        DOCS / "one-list.md": one_list_page,
        DOCS / "engines.md": _engines_page,
        DOCS / "mistakes.md": _mistakes_page,
        DOCS / "tasks.md": tasks_page,
        DOCS / "agents.md": agents_page,
        **files_of_reference(DOCS),
        DOCS / "demo.svg": demo_picture,
        **_guides(),
        **pictures(DOCS / "pictures"),
    }


# --- guides that are written by hand, except for the parts between marks ----------------------------------------------


def _guides() -> dict[Path, Callable[[], str]]:
    tables: dict[Path, dict[str, Callable[[], str]]] = {
        ROOT / "README.md": {"speed": speed_sentences, "conventions": conventions_of_the_sample},
        DOCS / "performance.md": {
            "peers": peers_table,
            "speed": speed_table,
            "users": partial(numbers_table, "collected", "first", "warm", "rank_factors"),
            "many": partial(numbers_table, "many"),
        },
        DOCS / "larger-than-memory.md": {"large": large_table},
        DOCS / "warehouse-sql.md": {"dialects": _dialects},
        DOCS / "shapes.md": {"formats": _formats_table},
        DOCS / "messages.md": {"faults": faults_sections},
        DOCS / "warehouse-checks.md": {"raising": raising_table, "faults": faults_table},
        DOCS / "dbt.md": {"adapters": adapters_of_dbt},
    }
    return {path: partial(_page, path, marks) for path, marks in tables.items()}


def _page(path: Path, marks: dict[str, Callable[[], str]]) -> str:
    text = path.read_text(encoding="utf-8")
    for mark, write_part in marks.items():
        text = between(text, mark, write_part())
    return text


def _dialects() -> str:
    """The names of the dialects, as `--dialect` takes them."""
    return textwrap.fill(f"{len(DIALECTS)} dialects: {', '.join(sorted(DIALECTS))}.", 125)


def _formats_table() -> str:
    """The layouts of sql/formats.toml."""
    inputs = {"ranked": "recommendations", "other": "truth and others", "any": "any"}
    rows = [
        [
            layout.about,
            ", ".join(f"`{name}`" for name in (layout.name, *layout.aliases)),
            ", ".join([*(f"`.{ending}`" for ending in layout.endings), *(["its first line"] if layout.start else [])]),
            inputs[layout.inputs],
            layout.note,
        ]
        for layout in LAYOUTS.values()
        if layout.reader != "none"
    ]
    return table(["files", "`format`", "known by", "read as", "notes"], rows)


# --- the planner: an example and its steps ------------------------------------------------


def _architecture_page() -> str:
    """The page about the planner, with the values that it makes of one example."""
    recs = pl.LazyFrame(schema={"algorithm": pl.String, "user": pl.Int64, "item": pl.Int64, "rank": pl.Int64})
    truth = pl.LazyFrame(schema={"user": pl.Int64, "item": pl.Int64})
    result = rm.evaluate(recs, truth, ["ndcg@10", "recall@10"])
    plan = result._queries.plan()
    passes = [f"| `{one.name}` | {', '.join(sorted(one.dialects or ())) or 'all'} | {one.gain} |" for one in PASSES]
    examples = {
        "formulas": _code(str(plan.formulas)),
        "stages": _code(str(plan.stages)),
        "query": _code(_excerpt(write(Plan.summary_query(plan), "polars", NamesOfJob())), "sql"),
        "layers": textwrap.fill(" → ".join(f"`{layer}`" for layer in LAYERS), 120, break_long_words=False),
        "passes": "\n".join(["| pass | engines | what it gained |", "|---|---|---|", *passes]),
    }
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for mark, example in examples.items():
        text = between(text, mark, example)
    return text


# The steps of the example that the page shows; the others are files of sql/, too.
SHOWN = ("matches", "unnumbered_hits", "hits_per_list")


def _excerpt(query: str) -> str:
    """A query with the steps that the page shows; dots stand for the others."""
    *steps, final = re.split(r"(?:^WITH |\n\), |\n\)\n(?=SELECT))", query)[1:]
    shown = [f"{step}\n)" if step.split('"')[1] in SHOWN else "..." for step in steps]
    return f"WITH {', '.join(step for step, _ in itertools.groupby(shown))}\n{final}"


def _code(text: str, language: str = "text") -> str:
    return f"```{language}\n{text}\n```"


# --- engines and mistakes ---------------------------------------------------------------------------------------------


PROCESSES = """\
## Several processes

`multiprocessing` forks on Linux up to Python 3.13, and so do some web servers. The threads of Polars do not exist in a
process that is forked, and a query would wait for them for ever. So an evaluation in such a process raises an
`EngineError` if Polars ran in the first process after rankmetrics was imported. Start processes with
`multiprocessing.get_context("spawn")` or `"forkserver"`. One process uses all cores already."""


LAST_DIGITS = """\
## The last digits

The same inputs give the same metrics to at least 12 digits, on every engine and in every run. This section is about
the 15th digit and those after it.

Threads add numbers in an order that differs from run to run, and a sum of doubles depends on this order. In Polars and
DuckDB, rankmetrics adds the whole parts of scaled numbers, which is exact in any order, and the small rests: means over
lists are the same in every run. With a million lists this takes up to 5 % more time. A count divided by a constant,
such as precision, is divided once: 3 hits of 5 are 0.6. These differ from run to run:

- `std`, `ci`, `ci_low` and `ci_high`;
- in DuckDB, values of a list or system that are sums over items in no order, such as `surprisal` and `percentile_rank`;
- on other engines with several threads or machines (Spark, PostgreSQL, ClickHouse, DataFusion, warehouses), every sum
  and mean of doubles. SQLite and MariaDB compute a query in one thread.

The text of `to_sql` has the plain `AVG` and `SUM` of the database.

The rows per list that `collect(per_list=True)` returns and `write(path, per_list=True)` writes are in the order of the
list columns. So is the LazyFrame of `per_list()`, since Polars drops an order that nobody reads. A DuckDB relation, a
Spark DataFrame and an Ibis table from `per_list()` are in no order: with a million lists, an order would take up to
30 % more time in DuckDB, and Spark would move all rows between its machines."""


def _engines_page() -> str:
    """The metrics that each engine runs, from the tests' declarations of those that it cannot run."""
    rows = [(f"[`{one.name}`](metrics/{one.name}.md)", one.name) for one in catalog().metrics()]
    aggregates = [one.name.replace(".", " ") for one in catalog().all("aggregate")]
    beside = [*((f"`{name}`", name) for name in aggregates), ("the account", "account")]
    reasons = list(dict.fromkeys(reason for one in OTHERS for reason in one.lacks.values()))
    parts = [
        "# Engines and metrics",
        (
            "`tests/engines/test_every_metric.py` runs every metric with every choice "
            "of its parameters, every policy and every aggregate, on tables with ties, repeated items, gaps in the "
            "ranks, and upper and lower case. `=`: each value per list and per system equals DuckDB's to 1e-12; on "
            "generated problems it also equals a second implementation in plain Python. A number: the engine refuses "
            "the metric, for the reason with this number below; the tests fail if it would run. "
            "[Dialects](dialects.md) describes the dialects of databases that the tests cannot run."
        ),
        _matrix("metric", rows, reasons),
        _matrix("aggregate", beside, reasons),
        "\n".join(f"{number}. {reason}." for number, reason in enumerate(reasons, start=1)),
        PROCESSES,
        LAST_DIGITS,
    ]
    return "\n\n".join(parts) + "\n"


def _matrix(what: str, rows: list[tuple[str, str]], reasons: list[str]) -> str:
    engines = (*LOCAL, *OTHERS)
    lines = [f"| {what} | {' | '.join(one.called for one in engines)} |", f"|---|{'---|' * len(engines)}"]
    for shown, name in rows:
        cells = [f"({reasons.index(one.lacks[name]) + 1})" if name in one.lacks else "=" for one in engines]
        lines.append(f"| {shown} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _mistakes_page() -> str:
    """The text of the page. Tests make each mistake, on the sample and on MovieLens, on DuckDB and on Polars."""
    happens = {"refused": "an error", "warned": "a warning and a note", "unharmed": "the right numbers"}
    mistakes = every()
    rows = [
        [mistake.what, happens[mistake.outcome], f"`… {mistake.says} …`" if mistake.says else ""]
        for mistake in mistakes
    ]
    counts = ", ".join(
        f"{sum(mistake.outcome == outcome for mistake in mistakes)} end in {what}" for outcome, what in happens.items()
    )
    parts = [
        "# Mistakes and their outcomes",
        (
            f"{len(mistakes)} mistakes that users make. `tests/faults/test_mistakes.py` makes each of them on correct "
            f"data. No wrong number comes without a message: {counts}."
        ),
        (
            "The command line, printing, `collect()`, `check()` and `write()` give these errors and warnings. A lazy "
            "frame from `summary()` or `per_list()` is not checked."
        ),
        (
            "[Messages](messages.md) says for each error what causes it and what to do; [Warnings](warnings.md) says "
            "the same for each warning."
        ),
        table(["the user …", "outcome", "message"], rows),
    ]
    return "\n\n".join(parts) + "\n"
