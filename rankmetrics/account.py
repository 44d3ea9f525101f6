"""What stands beside the numbers: how many lists were scored, missing, tied; which rows were left out.

The account is a query of its own, run when somebody asks, made of the files of sql/account.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from rankmetrics import tree
from rankmetrics.catalog import METRICS, catalog
from rankmetrics.keys import Built, Key
from rankmetrics.measures import offers
from rankmetrics.plan import Plan, with_ctes


class Account(Plan):
    """The query that counts what went into the summary and what was left out.

    Its rows are the columns of `by`, the name of a count (`account`) and the count (`n`). Counts that belong to no
    system, such as those of the truth, have NULL in the columns of `by`. `counts` asks for all of them, for which the
    whole query of the metrics is run; without it, what is counted of the metrics is left out, and so is what is counted
    of scores that order nothing, because a rank column does.
    """

    whole = True

    @property
    def headings(self) -> tuple[str, str]:
        """What the name of a count and the count are called: `account` and `n`, unless `by` has such a column."""
        taken = {name.lower() for name in self.layout.by}
        return ("account_" if "account" in taken else "account", "n_" if "n" in taken else "n")

    def _want_more(self) -> None:
        if not self.counts:
            self.stages.want_nothing()  # the metrics say how deep to look, and are not measured here
            self.stages.want(self._lists, set(), None)
        self._counted: dict[Key, dict[str, exp.Expr]] = {}
        for definition in catalog().all("account"):
            if definition.reads == METRICS or not self._has(definition.fields.get("needs")):
                continue
            key = self.stages.key(definition.reads, {})
            counted = tree.filter_aggregates(definition.expression, tree.condition(definition.select))
            self._counted.setdefault(key, {})[definition.name] = counted
            self.stages.want(key, tree.columns_read(counted), self.depth)

    def _has(self, need: str | None) -> bool:
        """Whether there is what a count needs, and it is worth its price."""
        idle = need == "score" and self.layout.recs.rank is not None and not self.counts
        return offers(self.layout, need) and not idle

    def account(self) -> exp.Select:
        """The query for the account."""
        ctes: dict[str, Built] = {}
        by = [self.stages.internal(name) for name in self.layout.by]
        counted: list[tuple[str, list[str], Sequence[str]]] = []
        for key, of_stage in self._counted.items():
            stage = self.stages.cte(key.name)
            for built in self.stages.ctes([stage]):
                ctes.setdefault(built.name, built)
            groups = by if self.stages.is_per_list(key) else []
            cte = self._counts_cte(self.stages.cte(f"{key.name}_counts"), self.stages.resolve(stage), groups, of_stage)
            ctes[cte.name] = cte
            counted.append((cte.name, groups, list(of_stage)))
        if self.counts:
            per_list, name = self.per_list_cte(), self.stages.cte("per_list_counts")
            for built in [*self.ctes(), per_list, self._counts_cte(name, per_list.name, self.layout.by, self.counts)]:
                ctes.setdefault(built.name, built)
            counted.append((name, list(self.layout.by), list(self.counts)))
        # those that have the columns of `by` come first: they give the columns their types
        arms = [self._arm(*one) for one in sorted(counted, key=lambda one: not one[1])]
        counts = Built(
            self.stages.cte("counts"), exp.union(*arms, distinct=False, copy=False), [], "counts: one row per count"
        )
        columns = [tree.column(one) for one in (*self.layout.by, *self.headings)]
        order = [exp.Ordered(this=one.copy(), nulls_first=False) for one in columns[:-1]]
        return with_ctes([*ctes.values(), counts], exp.select(*columns).from_(tree.table(counts.name)).order_by(*order))

    def _counts_cte(self, name: str, stage: str, groups: Sequence[str], counts: Mapping[str, exp.Expr]) -> Built:
        columns = [tree.column(one) for one in groups]
        values = [tree.named(one.copy(), label) for label, one in counts.items()]
        select = exp.select(*columns, *values).from_(tree.table(stage))
        return Built(name, select.group_by(*columns) if columns else select, [], f"{name}: what is counted of {stage}")

    def _arm(self, cte: str, groups: Sequence[str], counts: Sequence[str]) -> exp.Select:
        """What a CTE has counted, a row for each count: the CTE is read once, however many there are."""
        heading, n = self.headings
        found: list[exp.Expr] = [tree.column(one) for one in groups] or [exp.Null() for _ in self.layout.by]
        ids = [tree.named(one, name) for one, name in zip(found, self.layout.by, strict=True)]
        names, named = tree.column_of_values([exp.Literal.string(one) for one in counts], "counted", heading)
        cases = exp.Case()
        for one in counts:
            cases = cases.when(exp.EQ(this=named.copy(), expression=exp.Literal.string(one)), tree.column(one, cte))
        whole = tree.named(exp.cast(cases, exp.DType.BIGINT), n)
        select = exp.select(*ids, tree.named(named, heading), whole).from_(tree.table(cte))
        select.append("joins", exp.Join(this=names, kind="CROSS"))
        return select
