"""Inputs with several items in a row: each item gets a row of its own, before any query is planned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rankmetrics.engines.base import Engine
from rankmetrics.errors import ColumnError
from rankmetrics.inputs.columns import NUMBERS, Columns, Layout, Side
from rankmetrics.inputs.shapes import SHAPED, Shape, find_shape
from rankmetrics.inputs.sources import DIMENSION, EMBEDDINGS
from rankmetrics.request import Request
from rankmetrics.sqltree.names import free_name


def unnest_inputs(engine: Engine, request: Request) -> dict[str, Mapping[str, str]]:
    """Give each item of every input a row of its own.

    Returns:
        The columns of the roles that the shapes tell, by the name of the input.

    Raises:
        ColumnError: several columns could hold the items, or the engine cannot unnest lists.
    """
    named = {
        "recs": request.columns,
        "truth": request.truth_columns or request.columns,
        **(request.extra_columns or {}),
    }
    found = {}
    for name in SHAPED:
        if name not in engine.inputs:
            continue
        given = named.get(name) or Columns()
        if shape := find_shape(name, engine.inputs[name].schema, given, rank_from=request.rank_from):
            engine.unnest(name, shape)
            found[name] = shape.roles
    return found


def unnest_items(engine: Engine, found: Layout) -> Layout:
    """The layout once lists in cells of the items are rows: their categories, and their embeddings as an input.

    Raises:
        ColumnError: embeddings are no lists of numbers.
    """
    side = found.extras.get("items")
    if side is None:
        return found
    extras = dict(found.extras)
    embedding, category = side.roles.embedding, side.roles.category
    if embedding:
        engine.copy("items", EMBEDDINGS)
        dimension = free_name(DIMENSION, side.types)
        engine.unnest(EMBEDDINGS, Shape(lists=(embedding,), rank=dimension))
        found = found.adding(EMBEDDINGS, DIMENSION, dimension)
        of_numbers = engine.inputs[EMBEDDINGS].schema[embedding]
        if of_numbers.family not in NUMBERS:
            raise ColumnError(
                f"The embedding column {embedding!r} of the items is no list of numbers: they are {of_numbers}."
            )
        roles = Columns(item=side.roles.item, embedding=embedding)
        extras[EMBEDDINGS] = Side(roles, (), engine.inputs[EMBEDDINGS].schema)
    if category and side.types[category].family == "nested":
        engine.unnest("items", Shape(lists=(category,)))
        extras["items"] = replace(side, types=engine.inputs["items"].schema)
    return replace(found, extras=extras)
