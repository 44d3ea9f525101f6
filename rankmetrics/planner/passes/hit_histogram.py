"""Computes means from a histogram of hits instead of sums for each list: for many cutoffs, as in curves.

A mean over lists of what is summed over the hits of a list is a sum over all hits. What a hit adds depends on its rank,
its number among the hits of the list and how many items are relevant to the list. So hits are counted by these numbers,
and the formulas are computed once for each kind of hit, however many lists have such a hit. What does not add up over
hits is still computed from each list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp

from rankmetrics.metrics.catalog import LISTS
from rankmetrics.planner.formulas import Formulas, Sums, labels_of, stage_summed
from rankmetrics.planner.passes.base import Pass
from rankmetrics.planner.query import Plan
from rankmetrics.planner.question import Question
from rankmetrics.planner.stages import LISTS_KEY, N_RELEVANT, Cte, Stage, StageKey, definition_of, once
from rankmetrics.planner.ties import is_linear
from rankmetrics.sqltree import aggregation, tree
from rankmetrics.sqltree.relations import left_join

HIT_NUMBER = "hit_number"

# The columns of how many hits are of a kind, and of how many lists have their first hit of it, or, without a rank, no
# hit. No metric can be called so.
N_HITS, N_FIRST = "hits of this kind", "lists of this kind"

# The column that replaces a sum over the hits of a list; without a hit, it is 0.
HIT_SUM = "sum over hits"

# How many sums over hits must be spared for each list: those of four metrics at six cutoffs. With fewer there is little
# to gain, and DuckDB takes more memory.
LEAST_SUMS = 24

# The deepest cutoff: the best lists are a table down to this rank (`ideal.places`).
DEEPEST_CUTOFF = 200

# What hits of different lists may have in common: columns of few different numbers.
COMMON = frozenset({"rank", "hit_number", "times"})


def find_histogram(question: Question, formulas: Formulas) -> Histogram | None:
    """The columns of the summary that are worth computing from a histogram; None where there are none."""
    if formulas.flags or {*question.layout.lists} <= {*question.layout.by}:
        return None  # metrics have lists of their own, or each row of the summary is a list
    histograms = [Histogram(question, formulas, key) for key in formulas.lists.sums]
    worth = [histogram for histogram in histograms if histogram.has_numbered_hits and histogram.spares_enough]
    return max(worth, key=lambda histogram: len(histogram.columns), default=None)


@dataclass(frozen=True)
class Histogram:
    """The columns of the summary that can be computed from a histogram of the hits of a stage."""

    question: Question  # what the query is to answer
    formulas: Formulas  # the metrics as formulas
    key: StageKey  # the stage of the hits

    @property
    def hits(self) -> Mapping[str, exp.Expr]:
        """The sums over the hits of a list, by their names."""
        return self.formulas.lists.sums[self.key]

    @property
    def has_numbered_hits(self) -> bool:
        """True if the rows of the stage are numbered hits, few of each list."""
        stage = stage_summed(self.key, self.hits)
        if len(self.hits) < LEAST_SUMS or stage.depth is None or stage.depth > DEEPEST_CUTOFF:
            return False
        return HIT_NUMBER in tree.outputs(definition_of(stage, self.question).select)

    @cached_property
    def columns(self) -> Mapping[str, exp.Expr]:
        """The columns, each by its name as an aggregate over lists.

        Those of values that add up, where no other column needs the same values of each list anyway.
        """
        columns = self.formulas.over_lists(self.question)
        read = {name: labels_of([aggregate]) for name, aggregate in columns.items()}
        can = {name for name in columns if read[name] <= {*self._weights} and _is_of_all_lists(columns[name])}
        per_list = {label for name in columns if name not in can for label in read[name]}
        return {name: columns[name] for name in columns if name in can and not per_list & read[name]}

    @cached_property
    def adds(self) -> Mapping[str, str]:
        """The values of a list that the columns are computed from, each with the column that it is multiplied by."""
        labels = labels_of(self.columns.values())
        return {label: weight for label, weight in self._weights.items() if label in labels}

    @property
    def spares_enough(self) -> bool:
        """True if enough sums are read for these columns alone."""
        mine, values = labels_of(self.columns.values()), self.formulas.lists.values
        others = labels_of(self.formulas.over_lists(self.question).values()) - mine
        read = [{name for label in labels for name in self._hits_read(values[label])} for labels in (mine, others)]
        return len(read[0] - read[1]) >= LEAST_SUMS

    @property
    def stage(self) -> Stage:
        """The numbers of the hits, in addition to the columns that are summed."""
        return Stage(self.key, frozenset({HIT_NUMBER}))

    # --- values that add up -------------------------------------------------------------------------------------------

    @cached_property
    def _weights(self) -> Mapping[str, str]:
        """The values of a list that add up, each with the column of how often the value of a kind of hits counts."""
        weights, known = {}, {self._table, *self._sizes, *map(self._step, self.formulas.sizes)}
        for label, value in self.formulas.lists.values.items():
            sums = [self.hits[name] for name in self._hits_read(value)]
            is_common = all(tree.columns_read(aggregate) <= COMMON for aggregate in sums)
            if is_common and {column.table for column in self._read(value)} <= known:
                if all(map(_is_first_rank, sums)):
                    weights[label] = N_FIRST
                elif self._adds_up(value):
                    weights[label] = N_HITS
        return weights

    @cached_property
    def _sizes(self) -> set[str]:
        """The steps from which only the number of relevant items of a list is read."""
        sums_of = self.formulas.lists.sums.items()
        values_of = {key: {*map(aggregation.of_one_row, sums.values())} for key, sums in sums_of}
        return {self._step(key) for key, values in values_of.items() if values <= {exp.column(N_RELEVANT)}}

    @cached_property
    def _table(self) -> str:
        """The step of the sums over hits."""
        return self._step(self.key)

    def _step(self, key: StageKey) -> str:
        return self.question.cte(key.per_list)

    def _whole(self, node: exp.Expr) -> exp.Expr:
        """An expression of a list over the columns of sums."""
        whole = node.copy()
        for column in tree.find(whole, exp.Column):
            if not column.table:
                whole = tree.put(whole, column, self._whole(self.formulas.lists.parts[column.name]))
        return whole

    def _read(self, node: exp.Expr) -> list[exp.Column]:
        """The columns of sums that an expression is computed from."""
        parts = self.formulas.lists.parts
        columns = tree.find(node, exp.Column)
        return [read for column in columns for read in ([column] if column.table else self._read(parts[column.name]))]

    def _hits_read(self, node: exp.Expr) -> list[str]:
        return [column.name for column in self._read(node) if column.table == self._table]

    def _adds_up(self, node: exp.Expr) -> bool:
        """True if an expression of a list is the sum of that of each hit, and undefined for all hits or for none."""
        whole = self._whole(node)
        for sums in tree.find(whole, exp.Coalesce):  # a sum over hits, and 0 without a hit
            if (
                isinstance(sums.this, exp.Column)
                and sums.this.table == self._table
                and _is_sum(self.hits[sums.this.name])
            ):
                whole = tree.put(whole, sums, exp.Add(this=tree.column(HIT_SUM), expression=sums.expressions[0].copy()))
        is_of_sums = not any(column.table == self._table for column in tree.find(whole, exp.Column))
        return is_of_sums and is_linear(whole, {HIT_SUM}, through_zero=True)

    # --- the query ----------------------------------------------------------------------------------------------------

    def query(self, plan: Plan) -> tuple[list[Cte], exp.Select]:
        """The steps in reading order, and the SELECT that reads them: one row per system."""
        sums = dict(plan.sums_for(self.formulas.parts_of(self.adds)))
        read = {column for value in sums.pop(self.key).values() for column in tree.columns_read(value)}
        sizes = {key: aggregates for key, aggregates in sums.items() if self._step(key) in self._sizes}
        by_size = {key: aggregates for key, aggregates in sums.items() if key not in sizes}
        stages = [*plan.sums_ctes(sizes), *plan.ctes_of(LISTS_KEY), *plan.ctes_of(self.key)]
        steps = [self._kinds(plan, sizes, read), *plan.sums_ctes(by_size), self._values(by_size)]
        columns = {name: self._over_hits(value) for name, value in self.columns.items()}
        by = [tree.column(column) for column in self.question.inside("by_id")]
        return once([*stages, *steps]), tree.grouped(columns, by, steps[-1].name)

    @property
    def _kinds_name(self) -> str:
        return self.question.cte("hit_histogram")

    def _kinds(self, plan: Plan, sizes: Sums, read: Iterable[str]) -> Cte:
        """The kinds of hits, with how many hits are of each; a list without hits has one row, without a rank."""
        hits = plan.step_of(self.key)
        groups: list[exp.Expr] = [tree.column(column, LISTS) for column in self.question.inside("by_id")]
        for key, sums in sizes.items():
            groups += [tree.named(tree.column(size, self._step(key)), size) for size in sums]
        groups += [tree.column(name, hits) for name in sorted({*read, HIT_NUMBER})]
        n_hits = tree.named(exp.Count(this=exp.Star(), big_int=True), N_HITS)
        select = exp.select(*groups, n_hits).from_(plan.lists(), copy=False)
        select.group_by(*(group.unalias().copy() for group in groups), copy=False)
        pairs = [(tree.column(name, LISTS), tree.column(name, hits)) for name in plan.stages.list_groups(self.key)]
        select.set("joins", [*plan.sums_joins(sizes), left_join(hits, pairs)])
        comment = "one row per rank, hit number and number of relevant items, with the number of hits"
        return Cte(self._kinds_name, select, comment)

    def _values(self, by_size: Sums) -> Cte:
        """The values of a list that has one hit of a kind and no other hit."""
        # the row of a list without hits counts the list; the rows of later hits count none
        number = exp.Coalesce(this=tree.column(HIT_NUMBER), expressions=[tree.literal(1)])
        is_first = exp.EQ(this=number, expression=tree.literal(1))
        n_hits, values = tree.column(N_HITS), self.formulas.lists.values
        by = {column: tree.column(column, self._kinds_name) for column in self.question.inside("by_id")}
        counts = {N_HITS: n_hits, N_FIRST: exp.Case().when(is_first, n_hits.copy())}
        columns = {**by, **counts, **{label: self._of_hit(values[label]) for label in self.adds}}
        select = tree.returning(columns).from_(tree.table(self._kinds_name), copy=False)
        for name, size in ((self._step(key), self.formulas.sizes[key]) for key in by_size):
            select.append("joins", left_join(name, [(self._of_hit(size), tree.column(N_RELEVANT, name))]))
        comment = "one row per row of hit_histogram, with the value that each of its hits adds"
        return Cte(self.question.cte("per_hit"), select, comment)

    def _of_hit(self, value: exp.Expr) -> exp.Expr:
        """A value of a list, where the list has one hit of a kind and no other hit."""
        value = value.copy()
        for column in tree.find(value, exp.Column):
            if not column.table:
                new = self._of_hit(self.formulas.lists.parts[column.name])
            elif column.table == self._table:
                new = _of_one_hit(self.hits[column.name], self._kinds_name)
            else:
                new = tree.column(column.name, self._kinds_name if column.table in self._sizes else column.table)
            value = tree.put(value, column, exp.Paren(this=new) if isinstance(new, exp.Binary) else new)
        return value

    def _over_hits(self, aggregate: exp.Expr) -> exp.Expr:
        """An aggregate over lists as an aggregate over kinds of hits."""
        aggregate = aggregate.copy()
        for node in tree.find(aggregate, exp.Avg, exp.Sum, exp.Count):
            n_lists: exp.Expr = tree.column(N_FIRST)
            if not isinstance(node.this, exp.Star):  # the lists that have a value
                (label,) = labels_of([node.this])
                is_defined = exp.Is(this=tree.column(label), expression=exp.Not(this=exp.Null()))
                n_lists = exp.Case().when(is_defined, n_lists)
            if isinstance(node, exp.Count):
                count = exp.Coalesce(this=exp.Sum(this=n_lists), expressions=[tree.literal(0)])
                new: exp.Expr = exp.cast(count, exp.DType.BIGINT)
            else:
                new = exp.Sum(this=exp.Mul(this=node.this.copy(), expression=tree.column(self.adds[label])))
            if isinstance(node, exp.Avg):
                new = exp.Div(this=new, expression=exp.Sum(this=n_lists))
            aggregate = tree.put(aggregate, node, new)
        return aggregate


def _is_of_all_lists(column: exp.Expr) -> bool:
    """True if each aggregate is a mean, a sum or a count over all lists, of a single value as it is."""
    for aggregate in tree.find(column, exp.AggFunc):
        value = aggregate.this.this if isinstance(aggregate.this, exp.Cast) else aggregate.this
        is_known = type(aggregate) in (exp.Avg, exp.Sum, exp.Count) and isinstance(value, (exp.Column, exp.Star))
        if not is_known or isinstance(aggregate.parent, exp.Filter):
            return False
    return True


def _of_one_hit(aggregate: exp.Expr, table: str) -> exp.Expr:
    """The value of an aggregate over the hits of a list that has one hit: that of a row of a table."""
    counted, where = aggregation.unfiltered(aggregate), aggregation.filter_of(aggregate)
    value = tree.literal(1) if isinstance(counted, exp.Count) else counted.this.copy()
    value = value if where is None else exp.Case().when(where.copy(), value)
    return tree.replace_columns(value, lambda column: None if column.table else tree.column(column.name, table))


def _is_first_rank(aggregate: exp.Expr) -> bool:
    """True if an aggregate is the rank of the first hit."""
    least, where = aggregation.unfiltered(aggregate), aggregation.filter_of(aggregate)
    is_cut = where is None or (isinstance(where, exp.LTE) and aggregation.limit_of(where) is not None)
    return is_cut and isinstance(least, exp.Min) and least.this.name == "rank"


def _is_sum(aggregate: exp.Expr) -> bool:
    """True if an aggregate adds up numbers, or counts rows."""
    counted = aggregation.unfiltered(aggregate)
    counts = isinstance(counted, exp.Count) and isinstance(counted.this, exp.Star)
    return counts or (isinstance(counted, exp.Sum) and not isinstance(counted.this, exp.Distinct))


PASS = Pass(
    "hit_histogram",
    gain="nDCG, recall and AP over 6 million rows with ranks: DuckDB 0.87, 0.69 and 0.44 of the time for 8, 20 and 100 "
    "cutoffs, Polars 1.09, 0.88 and 0.48",
    dialects=frozenset({"duckdb", "polars"}),
)
