"""Refuses lists in cells that do not go together."""

from __future__ import annotations

from rankmetrics.engines.base import Engine
from rankmetrics.errors import DataError, names
from rankmetrics.inputs.sources import called


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
            keys = [one for one in shape.kept(schema) if one not in (*shape.lists, shape.rank)]
            shown = "; ".join(
                f"{', '.join(f'{key}={value!r}' for key, value in zip(keys, row[:-n], strict=True))}: "
                f"{', '.join(f'{int(length)} in {one!r}' for one, length in zip(shape.lists, row[-n:], strict=True))}"
                for row in rows
            )
            raise DataError(
                f"The lists {names(shape.lists)} of the {called(name)} differ in length in some rows, so the values do "
                f"not go together ({shown}). Write one value for each item, or drop the column."
            )
