"""What stands beside the numbers: how many lists were scored, missing, tied; which rows were left out.

The account is a query of its own, run when somebody asks, made of the files of sql/account.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from rankmetrics.inputs.columns import unused_in_words
from rankmetrics.metrics.catalog import METRICS, catalog
from rankmetrics.planner.formulas import offers
from rankmetrics.planner.model import Built, Key
from rankmetrics.planner.plan import Plan, with_ctes
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_heading, free_name, headed


class Diagnostics(Plan):
    """The query that counts what went into the summary and what was left out.

    Its rows are the columns of `by`, the name of a count (`account`) and the count (`n`). Counts that belong to no
    system, such as those of the truth, have NULL in the columns of `by`. `counts` asks for all of them, for which the
    whole query of the metrics is run; without it, what is counted of the metrics is left out, and so is what is counted
    of scores that order nothing, because a rank column does.
    """

    whole = True

    # Whether to count of all rows what a sample tells, too, where that is much of the work: ranked rows are not sorted.
    thorough = True

    @property
    def _idle(self) -> bool:
        """Whether to count what changes nothing, too: scores that are equal where a rank column orders."""
        return bool(self.counts)

    @property
    def _heads(self) -> list[str]:
        """What the name of a count and the count are called: with a `_` more where `by` has such a column."""
        return [free_heading(one, self.layout.by) for one in ("account", "n")]

    def _want_more(self) -> None:
        if not self.counts:
            self.stages.want_nothing()  # the metrics say how deep to look, and are not measured here
            self.stages.want(self._lists, set(), None)
        self._counted: dict[Key, dict[str, exp.Expr]] = {}
        for definition in catalog().all("account"):
            if definition.reads == METRICS or not self._has(definition.fields.get("needs")):
                continue
            if self.layout.recs.rank is not None and not self.thorough and "sample" in definition.fields:
                continue
            key = self.stages.key(definition.reads, self.policies)
            counted = tree.filter_aggregates(definition.expression, tree.condition(definition.select))
            self._counted.setdefault(key, {})[definition.name] = counted
            self.stages.want(key, tree.columns_read(counted), self.depth)

    def _has(self, need: str | None) -> bool:
        """Whether there is what a count needs, and it is worth its price."""
        idle = need == "score" and self.layout.recs.rank is not None
        return offers(self.layout, need) and (self._idle or not idle)

    def account(self) -> exp.Select:
        """The query for the account."""
        ctes = self._counts_ctes(self.counts, [*self._unused()])
        by = self.stages.inside("by_id")
        columns = [tree.column(one) for one in (*by, *self._heads)]
        order = [exp.Ordered(this=one.copy(), nulls_first=False) for one in columns[:-1]]
        select = exp.select(*columns).from_(tree.table(ctes[-1].name)).order_by(*order)
        return with_ctes(ctes, headed(select, [*self.layout.by, *self._heads]))

    def _unused(self) -> Iterator[exp.Select]:
        """A row for each input that has columns that are not used: which they are, and how many."""
        for name, columns in self.layout.unused.items():
            by = [tree.named(exp.Null(), one) for one in self.stages.inside("by_id")]
            n = exp.cast(tree.literal(len(columns)), exp.DType.BIGINT)
            heads = map(tree.named, (exp.Literal.string(unused_in_words(name, columns)), n), self._heads)
            yield exp.select(*by, *heads)

    def _counts_ctes(self, of_metrics: Mapping[str, exp.Expr], unused: Sequence[exp.Select] = ()) -> list[Built]:
        """Every CTE of the account in reading order, with what is counted of metrics; the last has a row per count."""
        ctes: dict[str, Built] = {}
        by = self.stages.inside("by_id")
        counted: list[tuple[str, list[str], Sequence[str]]] = []
        for key, of_stage in self._counted.items():
            stage = self.stages.cte(key.name)
            for built in self.stages.ctes([stage]):
                ctes.setdefault(built.name, built)
            groups = by if self.stages.is_per_list(key) else []
            cte = self._counts_cte(
                self.stages.cte(f"{key.name}_diagnostics"), self.stages.resolve(stage), groups, of_stage
            )
            ctes[cte.name] = cte
            counted.append((cte.name, groups, list(of_stage)))
        if of_metrics:
            per_list, name = self.per_list_cte(), self.stages.cte("per_list_diagnostics")
            for built in [*self.ctes(), per_list, self._counts_cte(name, per_list.name, by, of_metrics)]:
                ctes.setdefault(built.name, built)
            counted.append((name, by, list(of_metrics)))
        # those that have the columns of `by` come first: they give the columns their types
        arms = [self._arm(*one) for one in sorted(counted, key=lambda one: not one[1])]
        counts = exp.union(*arms, *unused, distinct=False, copy=False)
        return [*ctes.values(), Built(self.stages.cte("counts"), counts, [], "counts: one row per count")]

    def _counts_cte(self, name: str, stage: str, groups: Sequence[str], counts: Mapping[str, exp.Expr]) -> Built:
        columns = [tree.column(one) for one in groups]
        values = [tree.named(one.copy(), label) for label, one in counts.items()]
        select = exp.select(*columns, *values).from_(tree.table(stage))
        return Built(
            name, select.group_by(*columns) if columns else select, [], f"{name}: diagnostic counts of {stage}"
        )

    def _arm(self, cte: str, groups: Sequence[str], counts: Sequence[str]) -> exp.Select:
        """What a CTE has counted, a row for each count: the CTE is read once, however many there are."""
        found: list[exp.Expr] = [tree.column(one) for one in groups] or [exp.Null() for _ in self.layout.by]
        ids = [tree.named(one, name) for one, name in zip(found, self.stages.inside("by_id"), strict=True)]
        heading, n = self._heads
        names, named = tree.column_of_values([exp.Literal.string(one) for one in counts], "counted", heading)
        cases = exp.Case()
        for one in counts:
            cases = cases.when(exp.EQ(this=named.copy(), expression=exp.Literal.string(one)), tree.column(one, cte))
        whole = tree.named(exp.cast(cases, exp.DType.BIGINT), n)
        select = exp.select(*ids, tree.named(named, heading), whole).from_(tree.table(cte))
        select.append("joins", exp.Join(this=names, kind="CROSS"))
        return select


class SummaryWithDiagnostics(Diagnostics):
    """The query for the summary and the account together: what both are made of is computed once.

    Its rows are those of the summary, with what is counted of metrics behind it, then those of the account. The last
    two columns are the name of a count and the count. In the rows of the summary the name of the count is empty; in
    the others, all that the summary has is NULL.
    """

    thorough = False
    _idle = False

    def summary_with_diagnostics(self) -> exp.Select:
        """The query for both."""
        ctes, summary = self.summary_parts()
        found = {one.name: one for one in [*ctes, *self._counts_ctes({})]}
        *_, last_of_account = found
        by, summed = self.stages.inside("by_id"), tree.outputs(summary)[len(self.layout.by) :]
        heads = [free_name(one, [*self.layout.by, *summed]) for one in self._heads]
        empty = map(tree.named, (exp.Literal.string(""), exp.Literal.number(0)), heads)
        first = exp.select(*map(tree.column, [*by, *summed]), *empty).from_(tree.table(self.stages.cte("summary")))
        nothing = [tree.named(exp.Null(), one) for one in summed]
        counts = map(tree.named, map(tree.column, self._heads), heads)
        second = exp.select(*map(tree.column, by), *nothing, *counts)
        both = exp.union(first, second.from_(tree.table(last_of_account)), distinct=False, copy=False)
        last = [
            Built(self.stages.cte("summary"), summary, [], "summary: one row per system"),
            Built(self.stages.cte("summary_with_diagnostics"), both, [], "the summary, then the diagnostics"),
        ]
        columns = [tree.column(one) for one in (*by, *summed, *heads)]
        select = self.in_order(exp.select(*columns).from_(tree.table(last[-1].name)))
        return with_ctes([*found.values(), *last], headed(select, [*self.layout.by, *self.headings, *heads]))


class SummaryWithAllDiagnostics(SummaryWithDiagnostics):
    """The same, which counts of all rows what a sample tells else."""

    thorough = True
