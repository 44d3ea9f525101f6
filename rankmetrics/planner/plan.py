"""Plans a query: from the metrics that are asked for to the stages that it is made of, value by value.

| step                    | from                      | to                                                          |
|-------------------------|---------------------------|-------------------------------------------------------------|
| `write_formulas`        | the metrics               | sums over stages, and what each metric computes from them   |
| `diagnostics_counted`   | the diagnostics asked for | the counts over each stage                                  |
| `require`               | both                      | of each stage: columns, depth, variant; readers first       |
| `build_stages`          | that, and the SQL files   | one SELECT for each stage                                   |
| passes over stages      | the stages                | the same, fewer                                             |
| `assemble`              | the plan                  | one query: the summary, one row per list, the diagnostics   |
| passes over the query   | the query                 | an equal query that a database runs sooner                  |
| the dialect             | the query                 | text                                                        |

Each value is frozen and prints; no step changes what another has made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from rankmetrics.planner.diagnostics import diagnostics_counted, readings_of
from rankmetrics.planner.formulas import Formulas
from rankmetrics.planner.lists import Joins
from rankmetrics.planner.model import Question, StageKey, Steps
from rankmetrics.planner.named_systems import add_named_systems
from rankmetrics.planner.passes.hit_histogram import Histogram, find_histogram
from rankmetrics.planner.passes.registry import STAGES_PASSES
from rankmetrics.planner.refusals import refuse_equal_headings, refuse_unknown_lists
from rankmetrics.planner.requirements import Requirements, require
from rankmetrics.planner.stages import build_stages
from rankmetrics.planner.write_formulas import write_formulas


@dataclass(frozen=True)
class Plan:
    """What a query is assembled from.

    Attributes:
        question: what the query is to answer.
        formulas: the metrics as formulas over sums.
        counted: the diagnostics that are counted over each stage.
        histogram: the metrics that are computed from a histogram of hits, and how; None where there are none.
        requirements: what the query needs of each stage.
        steps: the stages as steps of the query.
    """

    question: Question
    formulas: Formulas
    counted: Mapping[StageKey, Mapping[str, exp.Expr]]
    histogram: Histogram | None
    requirements: Requirements
    steps: Steps

    @property
    def joins(self) -> Joins:
        """How the sums over stages join the lists."""
        return Joins(self.question, self.formulas, self.requirements, self.steps)


def plan(question: Question) -> Plan:
    """The plan of a query.

    Raises:
        ColumnError: a metric needs a column that is missing, or a list column has a metric's label.
        InputError: a metric needs an input that was not given.
        MetricError: a metric needs a cutoff and has none.
    """
    refuse_equal_headings(question)
    refuse_unknown_lists(question)
    formulas = write_formulas(question)
    counted = diagnostics_counted(question)
    histogram = find_histogram(question, formulas)
    of_passes = histogram.reading if histogram else {}
    requirements = require(question, formulas, readings_of(question, counted), of_passes)
    steps = add_named_systems(question, build_stages(question, requirements))
    for stages_pass in STAGES_PASSES:
        steps = stages_pass.change(steps) if stages_pass.is_on(question) else steps
    return Plan(question, formulas, counted, histogram, requirements, steps)
