"""From the caller's inputs to an engine, in whose inputs each item has a row of its own."""

from __future__ import annotations

import importlib
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from sqlglot import exp

from rankmetrics._logger import timed
from rankmetrics.dialects.base import grammar
from rankmetrics.engines.base import Engine, module_of
from rankmetrics.engines.connections import opened
from rankmetrics.engines.files import STORED, source_of
from rankmetrics.engines.text_files import BRACKETS, look_of_lists
from rankmetrics.errors import ColumnError, Option, plain
from rankmetrics.inputs.columns import NUMBERS, Columns, Layout, Side
from rankmetrics.inputs.roles import USUAL
from rankmetrics.inputs.shapes import SHAPED, Shape, find_shape
from rankmetrics.inputs.sources import DIMENSION, EMBEDDINGS, called
from rankmetrics.messages import said
from rankmetrics.request import Request
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name

# The engine for recommendations of each library; DuckDB takes all others.
ENGINES = {
    "ibis": "rankmetrics.engines.ibis",
    "polars": "rankmetrics.engines.polars",
    "pyspark": "rankmetrics.engines.spark",
}
DEFAULT = "rankmetrics.engines.duckdb"

# The engine for connections of each library. Over a connection of DuckDB, the recommendations decide; any other leads
# to a database.
CONNECTED = {library: ENGINES[library] for library in ("ibis", "pyspark")}
DATABASE = "rankmetrics.engines.database"


def open_engine(
    inputs: Mapping[str, object],
    first: object,
    connection: object | None,
    dialect: str | None,
    *,
    memory_limit: str | None = None,
    needs_md5: bool = False,
    keeps_types: bool = False,
    accept: Callable[[type[Engine]], None] | None = None,
) -> Engine:
    """The engine of a connection (or its address), or of the kind of the `first` input, holding the inputs.

    DuckDB runs a query with hashes (`needs_md5`) over frames of Polars, whose SQL has no MD5; with `keeps_types`, its
    columns have the frame's own types again. `accept` raises an error for an engine that cannot read the inputs.
    """
    own = opened(connection)
    # the engine of a connection; without a connection, or over DuckDB's, that of the first input
    connected = module_of(own) if own is not None else "duckdb"
    of_first = ENGINES.get(module_of(first), DEFAULT)
    module = importlib.import_module(of_first if connected == "duckdb" else CONNECTED.get(connected, DATABASE))
    kind: type[Engine] = module.ENGINE
    if accept is not None:
        accept(kind)
    if memory_limit is not None:
        from rankmetrics.engines.out_of_core import opened_within_limit

        own = opened_within_limit(memory_limit, kind, first, own)
    if kind.__module__ == ENGINES["polars"] and (memory_limit is not None or needs_md5):
        from rankmetrics.engines.out_of_core import Spilling, Streaming, opened_with_spill

        kind = Streaming if keeps_types else Spilling
        own = opened_with_spill(None) if memory_limit is None else own
    label = getattr(kind, "name", kind.__name__)  # a database has its name once it is open
    texts = [
        f"{name} ({table if isinstance(table, (str, Path)) else type(table).__name__})"
        for name, table in inputs.items()
    ]
    with timed(logging.INFO, "%s looked at %s", label, ", ".join(texts)):
        engine = kind(inputs, own, dialect)
    if own is not connection:
        engine.owns(own)
    return engine


def unnest_inputs(engine: Engine, request: Request) -> dict[str, Mapping[str, str]]:
    """Give each item of every input a row of its own; returns the columns of the roles that the shapes tell."""
    truth = request.truth_columns or request.columns
    named = {"recs": request.columns, "truth": truth, **(request.extra_columns or {})}
    roles = {}
    for name in [name for name in SHAPED if name in engine.inputs]:
        columns = named.get(name) or Columns()
        schema, labels = engine.inputs[name].schema, (request.label or ()) if name == "recs" else ()
        if shape := find_shape(name, schema, columns, rank_from=request.rank_from, labels=labels):
            engine.unnest(name, shape)
            roles[name] = shape.roles
    for name in [name for name in SHAPED if name in engine.inputs and name not in engine.shapes]:
        pair = name, "recs" if name != "recs" else "truth"
        _refuse_texts_of_lists(
            engine, request.tables.get(name), *pair, *(_item_of(engine, each, named) for each in pair)
        )
    return roles


# The number of cells in which texts of lists are looked for.
LOOKED_AT = 1_000


def _item_of(engine: Engine, name: str, named: Mapping[str, Columns | None]) -> str | None:
    """The item column of an input: the named one, or the first with a usual name; None if there is none."""
    schema, columns = engine.inputs[name].schema if name in engine.inputs else {}, named.get(name)
    usual = (column for column in schema if plain(column) in USUAL[called(name)]["item"])
    return columns.item if columns and columns.item in schema else next(usual, None)


def _refuse_texts_of_lists(
    engine: Engine, value: object, name: str, other: str, item: str | None, other_item: str | None
) -> None:
    """Refuse a file or a frame whose cells hold lists of items as text: each would be one id, and match nothing.

    A cell in brackets is a list. A cell with separators is one if the other input has a part of it as an id, and
    no ids with separators. Nothing is read of lazy frames and tables.
    """
    files = next((files for of, files in engine.files.items() if source_of(of) == name), None)
    is_frame = module_of(value) in ("polars", "pandas") and type(value).__name__ == "DataFrame"
    if (files is None and not is_frame) or (files and (files.is_table or "cells" in files.reading)):
        return
    for column, kind in engine.inputs[name].schema.items():
        if kind.family != "string" or item not in (None, column):
            continue
        cells = _looked_at(engine, name, column, tree.fill(":cell IS NOT NULL", cell=tree.column(column)))
        how = look_of_lists(cells)
        if how not in BRACKETS:
            parts = {part.strip() for cell in cells if how and how in cell for part in cell.split(how)}
            text = exp.cast(tree.column(other_item or ""), "TEXT")
            tests = [text.isin(*sorted(parts)[:LOOKED_AT]), text.like(f"%{how}%")] if parts and other_item else []
            if [bool(_looked_at(engine, other, str(other_item), test)) for test in tests] != [True, False]:
                continue
        if how:
            reads = "ast.literal_eval(cell)" if how in BRACKETS else f".str.split({how!r}) of the column"
            if files and files.form not in STORED:
                reads = format(Option("format", f"{name}: cells={json.dumps({column: how})}"))
            cell = max(cells, key=len)[:60]
            raise said(ColumnError, "texts_of_lists", column=column, table=called(name), cell=cell, reads=reads)


def _looked_at(engine: Engine, name: str, column: str, condition: exp.Expr) -> list[str]:
    """Some cells of a column that meet a condition."""
    select = exp.select(tree.column(column)).from_(engine.inputs[name].table.copy()).where(condition).limit(LOOKED_AT)
    return [
        str(cell) for (cell,) in engine.rows(engine.run(select.sql(grammar(engine.dialect), identify=True), [column]))
    ]


def unnest_items(engine: Engine, inputs_layout: Layout) -> Layout:
    """The layout once lists in cells of the items are rows: their categories, and their embeddings as an input."""
    side = inputs_layout.extras.get("items")
    if side is None:
        return inputs_layout
    extras = dict(inputs_layout.extras)
    embedding, category = side.roles.embedding, side.roles.category
    if embedding:
        engine.copy("items", EMBEDDINGS)
        dimension = free_name(DIMENSION, side.types)
        engine.unnest(EMBEDDINGS, Shape(lists=(embedding,), rank=dimension))
        inputs_layout = inputs_layout.adding(EMBEDDINGS, DIMENSION, dimension)
        of_numbers = engine.inputs[EMBEDDINGS].schema[embedding]
        if of_numbers.family not in NUMBERS:
            raise said(ColumnError, "no_vectors", column=embedding, kind=of_numbers)
        roles = Columns(item=side.roles.item, embedding=embedding)
        extras[EMBEDDINGS] = Side(roles, (), engine.inputs[EMBEDDINGS].schema)
    if category and side.types[category].family == "nested":
        engine.unnest("items", Shape(lists=(category,)))
        extras["items"] = replace(side, types=engine.inputs["items"].schema)
    return replace(inputs_layout, extras=extras)
