"""The text of a result's query: in the engine's own dialect over its own tables, or in another over tables there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.errors import DialectError, Option
from rankmetrics.export.statements import Statement
from rankmetrics.inputs.assumptions import read_assumptions
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import EMBEDDINGS, NO_EMBEDDINGS, RANKED
from rankmetrics.option_checks import count_columns
from rankmetrics.queries import Queries

if TYPE_CHECKING:
    from rankmetrics.dialects.model import Form
    from rankmetrics.planner.where import Where


@dataclass(frozen=True)
class Asked:
    """What is asked of a text; the fields are the options of Result.to_sql."""

    dialect: str | None
    form: Form
    name: str | None
    where: Where | None
    lookback: int
    assume: str | Sequence[str]
    counts: Sequence[str]
    guarded: bool
    quote_names: bool


def text_of(
    asked: Asked,
    queries: Queries,
    layout: Layout,
    duplicates: str,
    called: Mapping[str, str | None],
    *,
    per_list: bool,
) -> str:
    """The text of the queries of a result.

    Args:
        asked: the options.
        queries: the queries over the inputs of an engine.
        layout: what the columns of the inputs are for.
        duplicates: "error" if a guarded text is to refuse repeats.
        called: what the table of each input is called where the text runs; None for what it is called here.
        per_list: whether the query returns one row per list.

    Raises:
        InputError, ColumnError, DialectError: as Result.to_sql says.
    """
    engine = queries.engine
    dialect = asked.dialect or engine.dialect
    is_elsewhere, fold, is_macro = dialect != engine.dialect, not asked.quote_names, asked.form == "macro"
    rename: Callable[[str], str] = str
    if is_elsewhere and fold:  # the columns are called there as they would be if nobody had quoted them
        rename = partial(dialects.column_name, dialect=dialect)
        layout = layout.renamed(rename)
    tables_stay = not is_elsewhere and called["recs"] is None and called["truth"] is None and not is_macro
    declared = queries.assumed if tables_stay and not asked.guarded and asked.form != "check" else frozenset()
    statement = Statement(
        dialect,
        asked.form,
        asked.name,
        asked.where,
        asked.lookback,
        assumed=read_assumptions("assume", asked.assume) | declared,
        duplicates=duplicates if asked.guarded or asked.form == "check" else "count",
        guarded=asked.guarded,
        counts=count_columns("counts", asked.counts),
        job=NamesOfJob(fold=fold),
        rename=rename,
    )
    tables: dict[str, exp.Expr] = {}
    by_order = any(metric.values.get("ties") == "input" for metric in queries.metrics)
    for key, known in engine.inputs.items():
        given = called.get(key)
        keeps = given is None and not is_elsewhere and known.travels
        if key == EMBEDDINGS and not keeps:
            raise DialectError(NO_EMBEDDINGS)
        ordered = keeps and not is_macro
        if not ordered and by_order and key in RANKED and layout.side(key).roles.rank is None:
            raise DialectError(
                Option("ties", "input"),
                " goes by the order of the rows, and those of a table have none: rank them into a rank column, or "
                "break ties with ",
                Option("ties", "item"),
                ".",
            )
        tables[key] = known.table if keeps else known.elsewhere(given, dialect, fold=fold)
    return statement.text(queries.metrics, layout, tables, queries.aggregates, per_list=per_list)
