"""The files of sql/segments as steps of a query."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from sqlglot import exp

from rankmetrics._files import sql_folder
from rankmetrics.metrics.definition import Definition, read
from rankmetrics.planner import Cte
from rankmetrics.segments.segmentation import Segmentation
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.parameters import bind

# The step that the files read, and the columns that they return.
KNOWN_VALUES = "known_values"
VALUE, SEGMENT, POSITION = "value", "segment", "position"


@cache
def files() -> Mapping[str, Definition]:
    """The files of sql/segments by name."""
    paths = [one for one in (sql_folder() / "segments").iterdir() if one.name.endswith(".sql")]
    return {
        path.name.removesuffix(".sql"): read(path.read_text(encoding="utf-8"), f"segments/{path.name}", "segment")
        for path in sorted(paths, key=lambda one: one.name)
    }


def steps_of(segmentation: Segmentation, known_values: str, name: Callable[[str], str]) -> Iterator[Cte]:
    """The steps of a segmentation's file, in reading order; the last returns the segment of each value.

    Args:
        segmentation: the segmentation.
        known_values: the step that holds the values.
        name: a free name for a step.
    """
    file = files()[segmentation.file]
    last = bind(file.select, {"n_buckets": segmentation.n_buckets})
    assert isinstance(last, exp.Select)
    with_ = last.args.get("with_")
    last.set("with_", None)
    called = {KNOWN_VALUES: known_values}
    for cte in with_.expressions if with_ else ():
        called[cte.alias] = name(cte.alias)
        select = _reading(cte.this, called)
        yield Cte(called[cte.alias], select, comment=f"{called[cte.alias]}: a step of the segments {segmentation.name}")
    step = name("segments")
    yield Cte(step, _reading(last, called), comment=f"{step}: {file.summary}")


def _reading(select: exp.Select, called: Mapping[str, str]) -> exp.Select:
    """A SELECT of a file, itself, that reads its steps under their names in the query."""
    for table in tree.find(select, exp.Table):
        table.replace(tree.table(called[table.name]))
    for column in tree.find(select, exp.Column):
        if column.table:
            column.set("table", exp.to_identifier(called[column.table], quoted=True))
    return select
