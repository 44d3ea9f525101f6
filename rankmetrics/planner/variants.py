"""Chooses the file that a stage is built from: the variant whose `when:` holds, else the file of the stage itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from rankmetrics.inputs.sources import NEEDED
from rankmetrics.metrics.catalog import LISTS, catalog
from rankmetrics.metrics.definition import Condition, Definition, Form
from rankmetrics.planner.model import Question, Reading, StageKey
from rankmetrics.sqltree import tree


@dataclass(frozen=True)
class Situation:
    """What the conditions of variants are about.

    Attributes:
        question: what the query is to answer.
        settings: the settings of the stage.
        reading: what is read of the stage.
        required: the stages that the query needs, whichever variants are chosen.
    """

    question: Question
    settings: Mapping[str, object]
    reading: Reading
    required: Collection[str] = ()

    def has_input(self, name: str, reader: Definition) -> bool:
        """Whether an input is given, with the columns that a file reads of it."""
        roles = tree.columns_read(reader.select) & NEEDED if name in tree.tables_read(reader.select) else ()
        side = self.question.layout.side
        return name in self.question.tables and all(getattr(side(name).roles, role, None) for role in roles)


HOLDS: Mapping[Form, Callable[[Situation, tuple[str, ...], Definition], bool]] = {
    "setting": lambda at, words, _: str(at.settings.get(words[0])) == words[1],
    "query": lambda at, words, _: {*at.question.missing} <= {*words[1:]},
    "input": lambda at, words, reader: at.has_input(words[0], reader),
    "no input": lambda at, words, _: words[0] not in at.question.tables,
    "required": lambda at, words, _: words[0] in at.required,
    "sorted": lambda at, words, _: at.question.layout.parts.get(words[0], 0) > 0,
    "columns": lambda at, _, reader: at.reading.columns <= {*tree.outputs(reader.select)},
    "max_k": lambda at, words, _: at.reading.depth is not None and at.reading.depth <= int(words[0]),
    "no diagnostics": lambda at, *_: at.question.diagnostics is None,
    "candidates": lambda at, *_: at.question.layout.has_candidates,
    "sample": lambda at, words, _: (negatives := at.question.layout.negatives) is not None and negatives.by == words[0],
}


def definition_of(key: StageKey, question: Question, reading: Reading, required: Collection[str] = ()) -> Definition:
    """The file that a stage is built from.

    Where the stage has no file of its own, and no variant holds, an input is missing: the first variant is returned,
    for whoever says which.
    """
    stage, _, named = key.stage.partition(".")
    files = catalog().variants(stage)
    if named:
        return files[named]
    settings = {"missing": question.missing[0]} if stage == LISTS else dict(key.settings)
    at = Situation(question, settings, reading, required)
    holding = [file for file in files.values() if file.when and all(_holds(each, at, file) for each in file.when)]
    assert len(holding) <= 1, f"{' and '.join(variant.origin for variant in holding)} both hold"
    return holding[0] if holding else files.get("") or next(iter(files.values()))


def _holds(condition: Condition, at: Situation, reader: Definition) -> bool:
    return HOLDS[condition.form](at, condition.words, reader)
