"""Which diagnostics a question asks for: counts over the rows of stages, as the files of sql/account define them."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from rankmetrics.inputs.sources import RANK_AS_FLOAT
from rankmetrics.metrics.catalog import METRICS, catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.planner.formulas import offers, shared_policies
from rankmetrics.planner.model import Question, Reading, StageKey, key_of
from rankmetrics.sqltree import aggregation, tree

Counted = Mapping[StageKey, Mapping[str, exp.Expr]]


def diagnostics_counted(question: Question) -> Counted:
    """The diagnostics over each stage, each by its name as an aggregate over the rows of the stage.

    Diagnostics that are computed from metrics are not among them: these are counts of the formulas.
    """
    if question.diagnostics is None:
        return {}
    policies = shared_policies(question)
    counted: dict[StageKey, dict[str, exp.Expr]] = {}
    for definition in catalog().all("account"):
        if definition.reads != METRICS and _is_counted(definition, question):
            key = key_of(definition.reads, policies)
            count = aggregation.filter_aggregates(definition.expression, tree.condition(definition.select))
            counted.setdefault(key, {})[definition.name] = count
    return counted


def readings_of(question: Question, counted: Counted) -> dict[StageKey, Reading]:
    """What the diagnostics read of the stages, as deep as the metrics look."""
    found: dict[StageKey, Reading] = {}
    for key, counts in counted.items():
        columns = frozenset[str]().union(*map(tree.columns_read, counts.values()))
        found[key] = Reading(columns, question.depth, within=None)
    for key in sample_keys(question):
        columns = frozenset(sample_columns(key.stage)) - {*tree.IDS}
        found[key] = found.get(key, Reading()) | Reading(columns, depth=None, within=None)
    return found


def sample_keys(question: Question) -> list[StageKey]:
    """The stages whose rows are returned as samples."""
    if question.diagnostics is None:
        return []
    policies = shared_policies(question)
    return [key_of(stage, policies) for stage in question.diagnostics.samples]


def sample_columns(stage: str) -> list[str]:
    """The columns of a stage that identify a row in a sample: ids, item and rank."""
    own = catalog().variants(stage).get("") or next(iter(catalog().variants(stage).values()))
    return [name for name in tree.outputs(own.select) if name in (*tree.IDS, "item", "rank", RANK_AS_FLOAT)]


def _is_counted(definition: Definition, question: Question) -> bool:
    """Whether there is what a count needs, and the count is worth its price."""
    wanted, need = question.diagnostics, definition.fields.get("needs")
    is_ranked = question.layout.recs.rank is not None
    assert wanted is not None
    if wanted.names is not None and definition.name not in wanted.names:
        return False
    if is_ranked and not wanted.is_thorough and "sample" in definition.fields:
        return False
    is_idle = is_ranked and need == "score"
    return offers(question.layout, need) and (wanted.counts_idle or not is_idle)
