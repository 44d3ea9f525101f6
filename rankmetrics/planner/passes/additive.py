"""Which values of a list add up over the hits of the list: read off their formulas, whatever metrics they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from rankmetrics.planner.formulas import Formulas
from rankmetrics.sqltree import aggregation, tree

# What hits of different lists may have in common: columns of few different numbers.
COMMON = frozenset({"rank", "hit_number", "times"})

# At which hits of a list its value adds up: the reciprocal rank is all there at the first hit, while each hit adds to
# the recall. What depends on no hit is taken at the first hit, or at the only row of a list without hits.
At = Literal["first", "every"]


@dataclass(frozen=True)
class Additive:
    """Tells which values of a list add up over its hits.

    Attributes:
        formulas: the metrics as formulas.
        hits: the sums over the hits of a list, by their names.
        table: the step that holds these sums.
        sizes: the steps that hold how many items are relevant to a list, and what follows from that number.
    """

    formulas: Formulas
    hits: Mapping[str, exp.Expr]
    table: str
    sizes: Collection[str]

    def at(self) -> dict[str, At]:
        """At which hits each value adds up; a value that does not add up is left out."""
        found = {label: self._at(value) for label, value in self.formulas.values.items()}
        return {label: at for label, at in found.items() if at is not None}

    def sums_of(self, labels: Iterable[str]) -> set[str]:
        """The sums over hits that values of a list are computed from."""
        return {name for label in labels for name in self._hits_read(self.formulas.values[label])}

    def _at(self, value: exp.Expr) -> At | None:
        if not {column.table for column in self._read(value)} <= {self.table, *self.sizes}:
            return None
        sums = [self.hits[name] for name in self._hits_read(value)]
        if not all(tree.columns_read(aggregate) <= COMMON for aggregate in sums):
            return None
        return "first" if all(map(_is_first_rank, sums)) else "every" if self._adds_up(value) else None

    def _read(self, node: exp.Expr) -> list[exp.Column]:
        """The columns of sums that an expression is computed from."""
        columns = tree.find(node, exp.Column)
        below = [
            read for column in columns if not column.table for read in self._read(self.formulas.measured[column.name])
        ]
        return [*(column for column in columns if column.table), *below]

    def _hits_read(self, node: exp.Expr) -> list[str]:
        return [column.name for column in self._read(node) if column.table == self.table]

    def _adds_up(self, node: exp.Expr) -> bool:
        """Whether an expression of a list is the sum of that of each hit, and undefined for all hits or for none."""
        if isinstance(node, exp.Column) and not node.table:
            return self._adds_up(self.formulas.measured[node.name])
        if isinstance(node, (exp.Paren, exp.Neg)):
            return self._adds_up(node.this)
        if isinstance(node, (exp.Add, exp.Sub)):
            return self._adds_up(node.this) and self._adds_up(node.expression)
        if isinstance(node, exp.Mul) and not self._hits_read(node.this):
            return self._adds_up(node.expression)
        if isinstance(node, (exp.Mul, exp.Div)):
            return self._adds_up(node.this) and not self._hits_read(node.expression)
        if isinstance(node, exp.Coalesce):
            is_of_hits = isinstance(node.this, exp.Column) and node.this.table == self.table
            adds_up = _is_sum(self.hits[node.this.name]) if is_of_hits else self._adds_up(node.this)
            return adds_up and all(map(_is_zero, node.expressions))
        if isinstance(node, exp.Case) and node.this is None:
            results = [branch.args["true"] for branch in node.args["ifs"]] + [node.args.get("default") or exp.Null()]
            depends_on_hits = any(self._hits_read(branch.this) for branch in node.args["ifs"])
            return not depends_on_hits and all(
                isinstance(result, exp.Null) or self._adds_up(result) for result in results
            )
        return _is_zero(node)


def of_one_hit(aggregate: exp.Expr, table: str) -> exp.Expr:
    """The value of an aggregate over the hits of a list that has one hit: that of a row of a table."""
    counted, where = aggregation.unfiltered(aggregate), aggregation.filter_of(aggregate)
    value = tree.literal(1) if isinstance(counted, exp.Count) else counted.this.copy()
    value = value if where is None else exp.Case().when(where.copy(), value)
    return tree.replace_columns(value, lambda one: None if one.table else tree.column(one.name, table))


def _is_first_rank(aggregate: exp.Expr) -> bool:
    """Whether an aggregate is the rank of the first hit, down to a cutoff or not."""
    least, where = aggregation.unfiltered(aggregate), aggregation.filter_of(aggregate)
    is_cut = where is None or (isinstance(where, exp.LTE) and aggregation.limit_of(where) is not None)
    return is_cut and isinstance(least, exp.Min) and least.this.name == "rank"


def _is_sum(aggregate: exp.Expr) -> bool:
    """Whether an aggregate adds up numbers, or counts rows."""
    counted = aggregation.unfiltered(aggregate)
    counts = isinstance(counted, exp.Count) and isinstance(counted.this, exp.Star)
    return counts or (isinstance(counted, exp.Sum) and not isinstance(counted.this, exp.Distinct))


def _is_zero(node: exp.Expr) -> bool:
    return tree.is_number(node) and float(node.name) == 0
