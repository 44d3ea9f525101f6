"""Checks of the headers of sql/ that a query does not make: it reads the files that it names, and no others."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rankmetrics.errors import MetricError, did_you_mean
from rankmetrics.inputs.sources import SOURCES
from rankmetrics.metrics.definition import Condition, Definition, Kind

DefinitionsByName = Mapping[tuple[Kind, str], Definition]


def check_headers(definitions: DefinitionsByName) -> None:
    """Refuse an unknown key, and a variant of a stage that does not say when it holds."""
    for (kind, _), definition in definitions.items():
        definition.check_header()
        if kind == "stage":
            _check_variant(definition)
            for condition in definition.when:
                _check_condition(condition, definition.origin, definitions)


def _check_variant(stage: Definition) -> None:
    """Refuse a variant, called `stage.variant.sql`, without a `when:`, and a `when:` in any other file."""
    _, _, variant = stage.name.partition(".")
    if bool(variant) != bool(stage.when):
        said = "does not say `when:` it is taken" if variant else "has no variant in its name, and says `when:`"
        raise MetricError(
            f"{stage.origin} {said}. A variant is called `stage.variant.sql`, and its header has `when: …`."
        )


def _check_condition(condition: Condition, origin: str, known: DefinitionsByName) -> None:
    """Refuse a condition that names a setting, a choice, an input or a stage that does not exist."""
    first, *choices = condition.words or ("",)
    if condition.form in ("setting", "query"):
        setting = known.get(("policy", first)) or known.get(("parameter", first)) or _find_own(first, known)
        if setting is None:
            settings = [name.rpartition(".")[2] for kind, name in known if kind in ("policy", "parameter")]
            raise MetricError(f"{origin}: there is no setting {first!r}.{did_you_mean(first, settings)}")
        for choice in choices:
            if not re.search(rf"\b{choice}\b", setting.text):
                raise MetricError(f"{origin}: {first} has no choice {choice!r}.")
    elif condition.form in ("input", "no input", "sorted", "required"):
        what = "stage" if condition.form == "required" else "input"
        there = [name for kind, name in known if kind == "stage"] if what == "stage" else SOURCES
        if first not in there:
            raise MetricError(f"{origin}: there is no {what} {first!r}.{did_you_mean(first, there)}")


def _find_own(setting: str, known: DefinitionsByName) -> Definition | None:
    """The file of a parameter that belongs to one metric: `metric.setting.sql`."""
    files = (file for (kind, name), file in known.items() if kind == "parameter" and name.endswith(f".{setting}"))
    return next(files, None)
