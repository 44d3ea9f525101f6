"""Refuses lists in cells that do not go together, and doubts lists whose scores contradict their order."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from rankmetrics.engines.base import Engine
from rankmetrics.errors import DataError, Option, RankMetricsWarning, names
from rankmetrics.faults.columns import SAMPLE, Inputs
from rankmetrics.inputs.sources import called
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import after_from


def refuse_uneven_lists(engine: Engine) -> None:
    """Refuse rows whose lists, read side by side, differ in length.

    Raises:
        DataError: there is such a row; the error names the first three.
    """
    for name, shape in engine.shapes.items():
        rows = engine.uneven(name)
        if rows:
            n = len(shape.lists)
            schema = engine.inputs[name].schema
            keys = [column for column in shape.kept(schema) if column not in (*shape.lists, shape.rank)]
            shown = "; ".join(
                f"{', '.join(f'{key}={value!r}' for key, value in zip(keys, row[:-n], strict=True))}: "
                f"{', '.join(f'{int(length)} in {one!r}' for one, length in zip(shape.lists, row[-n:], strict=True))}"
                for row in rows
            )
            raise DataError(
                f"The lists {names(shape.lists)} of the {called(name)} differ in length in some rows, so the values do "
                f"not go together ({shown}). Write one value for each item, or drop the column.",
                page="messages/#lists-that-differ-in-length",
            )


def doubt_order(engine: Engine, inputs: Inputs) -> Iterator[RankMetricsWarning]:
    """A warning if the position in a list is taken as the rank, and scores in the first rows contradict it."""
    roles, shape = inputs.layout.recs, engine.shapes.get("recs")
    if shape is None or shape.rank is None or roles.rank != shape.rank or roles.score is None:
        return
    lists, rank, score = map(tree.given, inputs.layout.lists), tree.given(roles.rank), tree.given(roles.score)
    keys = [tree.named(column, f"key_{n}") for n, column in enumerate(lists)]
    rows = exp.select(*keys, tree.named(rank, "place"), tree.named(score, "score")).from_(
        after_from(inputs.tables["recs"], "recs")
    )
    rows = rows.where(score.copy().is_(exp.Null()).not_()).limit(SAMPLE)
    order = exp.Order(expressions=[exp.Ordered(this=tree.column("place"), nulls_first=True)])
    by_list = [tree.column(key.alias) for key in keys]
    before = exp.Window(this=exp.Lag(this=tree.column("score")), partition_by=by_list, order=order)
    pairs = exp.select("score", tree.named(before, "score_before")).from_(rows.subquery("listed"))
    is_worse = exp.LT if roles.distance else exp.GT
    differs = is_worse(this=tree.column("score"), expression=tree.column("score_before"))
    counted = exp.Count(this=exp.Case().when(differs, tree.literal(1)))
    (n,) = inputs.ask(exp.select(tree.named(counted, "n")).from_(pairs.subquery("pairs")))
    if n:
        role = "distance" if roles.distance else "score"
        yield RankMetricsWarning(
            f"The position in a list is taken as the rank, and {n:,} recommendations have a better {role} "
            f"{roles.score!r} than the recommendation before them in their list. If the lists are not in order, name "
            "the column to rank by it: ",
            Option("columns", {role: roles.score}),
            ".",
            page="warnings/#positions-that-contradict-scores",
        )
