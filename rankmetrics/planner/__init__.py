"""The planner: from metrics and a layout to one query.

`plan` answers a `Question`; `summary_query`, `per_list_query` and `stage_query` are the queries of a plan, and `write`
writes a query as text. Modules outside this folder import from here.
"""

from rankmetrics.planner.formulas import Formulas as Formulas
from rankmetrics.planner.formulas import aggregates_of_lists as aggregates_of_lists
from rankmetrics.planner.formulas import count_names as count_names
from rankmetrics.planner.formulas import number_label as number_label
from rankmetrics.planner.formulas import offers as offers
from rankmetrics.planner.formulas import sample_columns as sample_columns
from rankmetrics.planner.formulas import sample_keys as sample_keys
from rankmetrics.planner.formulas import settled as settled
from rankmetrics.planner.formulas import shared_policies as shared_policies
from rankmetrics.planner.formulas import stage_summed as stage_summed
from rankmetrics.planner.formulas import sums_name as sums_name
from rankmetrics.planner.formulas import write_formulas as write_formulas
from rankmetrics.planner.inputs import LISTS_OF as LISTS_OF
from rankmetrics.planner.inputs import Value as Value
from rankmetrics.planner.inputs import date_of as date_of
from rankmetrics.planner.inputs import input_table as input_table
from rankmetrics.planner.inputs import literal as literal
from rankmetrics.planner.inputs import typed as typed
from rankmetrics.planner.inputs import with_named_systems as with_named_systems
from rankmetrics.planner.inputs import with_past as with_past
from rankmetrics.planner.passes import PASSES as PASSES
from rankmetrics.planner.passes.base import passes_off as passes_off
from rankmetrics.planner.passes.base import switched_off as switched_off
from rankmetrics.planner.planning import Planned as Planned
from rankmetrics.planner.planning import optimized as optimized
from rankmetrics.planner.planning import plan as plan
from rankmetrics.planner.planning import planned as planned
from rankmetrics.planner.planning import rewritten as rewritten
from rankmetrics.planner.planning import write as write
from rankmetrics.planner.query import Plan as Plan
from rankmetrics.planner.query import Query as Query
from rankmetrics.planner.query import assembled as assembled
from rankmetrics.planner.query import in_order as in_order
from rankmetrics.planner.query import per_list_query as per_list_query
from rankmetrics.planner.query import refuse_no_lists as refuse_no_lists
from rankmetrics.planner.query import stage_query as stage_query
from rankmetrics.planner.query import summary_parts as summary_parts
from rankmetrics.planner.query import summary_query as summary_query
from rankmetrics.planner.query import with_ctes as with_ctes
from rankmetrics.planner.query import without_semicolons as without_semicolons
from rankmetrics.planner.question import MISSING as MISSING
from rankmetrics.planner.question import TIED as TIED
from rankmetrics.planner.question import UNDEFINED as UNDEFINED
from rankmetrics.planner.question import Diagnostics as Diagnostics
from rankmetrics.planner.question import Question as Question
from rankmetrics.planner.stages import LISTS_KEY as LISTS_KEY
from rankmetrics.planner.stages import Cte as Cte
from rankmetrics.planner.stages import Stage as Stage
from rankmetrics.planner.stages import StageKey as StageKey
from rankmetrics.planner.stages import find_stages as find_stages
from rankmetrics.planner.stages import key_of as key_of
from rankmetrics.planner.stages import once as once
from rankmetrics.planner.ties import covers_all_orders as covers_all_orders
