"""The planner: from metrics and a layout to one query.

`plan` answers a `Question`; the queries of a `Plan` are its methods, and `write` writes a query as text. Modules
outside this folder import from here. docs/architecture.md shows each step on an example.

`question`, `formulas`, `stages`, `query`, `planning`: the values and the steps, in this order; `inputs`: the tables
and columns of the inputs; `refusals`: what these inputs cannot answer; `ties`, `weights`: the numbers for means over
all orders of equal scores, and for weighted hits; `passes`: optimizations.
"""

from rankmetrics.planner.formulas import number_label as number_label
from rankmetrics.planner.formulas import sample_keys as sample_keys
from rankmetrics.planner.formulas import settled as settled
from rankmetrics.planner.formulas import stage_summed as stage_summed
from rankmetrics.planner.formulas import write_formulas as write_formulas
from rankmetrics.planner.inputs import LISTS_OF as LISTS_OF
from rankmetrics.planner.inputs import Value as Value
from rankmetrics.planner.inputs import date_of as date_of
from rankmetrics.planner.inputs import input_table as input_table
from rankmetrics.planner.inputs import literal as literal
from rankmetrics.planner.inputs import no_truth as no_truth
from rankmetrics.planner.inputs import typed as typed
from rankmetrics.planner.inputs import with_derived as with_derived
from rankmetrics.planner.inputs import with_named_systems as with_named_systems
from rankmetrics.planner.inputs import with_tied_lists as with_tied_lists
from rankmetrics.planner.passes import PASSES as PASSES
from rankmetrics.planner.passes.base import passes_off as passes_off
from rankmetrics.planner.passes.base import switched_off as switched_off
from rankmetrics.planner.planning import optimized as optimized
from rankmetrics.planner.planning import plan as plan
from rankmetrics.planner.planning import rewritten as rewritten
from rankmetrics.planner.planning import text_of as text_of
from rankmetrics.planner.planning import write as write
from rankmetrics.planner.query import Plan as Plan
from rankmetrics.planner.query import Query as Query
from rankmetrics.planner.query import with_ctes as with_ctes
from rankmetrics.planner.query import with_intervals as with_intervals
from rankmetrics.planner.question import Diagnostics as Diagnostics
from rankmetrics.planner.question import Question as Question
from rankmetrics.planner.stages import LISTS_KEY as LISTS_KEY
from rankmetrics.planner.stages import Cte as Cte
from rankmetrics.planner.stages import Stage as Stage
from rankmetrics.planner.stages import StageKey as StageKey
from rankmetrics.planner.stages import find_stages as find_stages
from rankmetrics.planner.stages import key_of as key_of
from rankmetrics.planner.ties import covers_all_orders as covers_all_orders
