"""Chooses the file that a stage is built from: the variant whose `when:` holds, else the file of the stage itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import NEEDED
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conditions import Condition, Form
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.label import Settings
from rankmetrics.sqltree import tree


@dataclass(frozen=True)
class Situation:
    """What the conditions of variants are about.

    Attributes:
        layout: what the columns of the inputs are for.
        inputs: the names of the inputs that are given.
        settings: the settings of the stage.
        missing: the choices of `missing` that the metrics of the query have.
        is_diagnostics: whether the query counts what was left out.
        required: the stages that the query needs, whichever variants are chosen.
        columns: the columns that are read of the stage.
        max_k: the deepest rank that is read of the stage; None where whole lists are.
    """

    layout: Layout
    inputs: Collection[str]
    settings: Settings
    missing: Collection[str]
    is_diagnostics: bool
    required: Callable[[str], bool]
    columns: Collection[str]
    max_k: int | None

    def has_input(self, name: str, reader: Definition) -> bool:
        """Whether an input is given, with the columns that a file reads of it."""
        roles = tree.columns_read(reader.select) & NEEDED if name in tree.tables_read(reader.select) else ()
        return name in self.inputs and all(getattr(self.layout.side(name).roles, role, None) for role in roles)


HOLDS: Mapping[Form, Callable[[Situation, tuple[str, ...], Definition], bool]] = {
    "setting": lambda at, words, _: str(at.settings.get(words[0])) == words[1],
    "query": lambda at, words, _: {*at.missing} <= {*words[1:]},
    "input": lambda at, words, reader: at.has_input(words[0], reader),
    "no input": lambda at, words, _: words[0] not in at.inputs,
    "required": lambda at, words, _: at.required(words[0]),
    "sorted": lambda at, words, _: words[0] in at.layout.parts and at.layout.parts[words[0]] > 0,
    "columns": lambda at, _, reader: {*at.columns} <= {*tree.outputs(reader.select)},
    "max_k": lambda at, words, _: at.max_k is not None and at.max_k <= int(words[0]),
    "no diagnostics": lambda at, *_: not at.is_diagnostics,
}


def choose(stage: str, at: Situation) -> Definition:
    """The file that a stage is built from: at most one variant fits, and where none does it is the stage's own.

    Where the stage has no file of its own, and no variant fits, an input is missing: the first variant is returned, for
    whoever says which.
    """
    files = catalog().variants(stage)
    fitting = [one for one in files.values() if one.when and all(_holds(each, at, one) for each in one.when)]
    assert len(fitting) <= 1, f"{' and '.join(one.origin for one in fitting)} both fit"
    return fitting[0] if fitting else files.get("") or next(iter(files.values()))


def _holds(condition: Condition, at: Situation, reader: Definition) -> bool:
    return HOLDS[condition.form](at, condition.words, reader)
