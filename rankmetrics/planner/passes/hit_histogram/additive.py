"""Which values of a list add up over its hits: read off their expressions, whatever metrics they are."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from sqlglot import exp

from rankmetrics.planner.formulas import N_RELEVANT, Formulas, Sums, sums_name
from rankmetrics.planner.model import Question, StageKey
from rankmetrics.sqltree import tree

HIT_NUMBER = "hit_number"

# What hits of different lists have in common if it is the same number: few numbers, and whole ones.
COMMON = frozenset({"rank", HIT_NUMBER, "times"})


class At(Enum):
    """At which hits of a list a value of the list adds up.

    A list's reciprocal rank is all there at its first hit, or, if it has none, in its only row; so is what does not
    hang on hits at all. Its recall is the sum of what each hit is worth.
    """

    FIRST = "first"
    EVERY = "every"


class Additive:
    """Tells of the values of lists how they come of the lists' hits.

    Args:
        question: what the query is to answer.
        formulas: what is measured of a list, and the sums that it is made of.
        hits: what is summed over the hits of a list.
        sizes: the stages of how many items are relevant to a list, and of what follows from that.
    """

    def __init__(self, question: Question, formulas: Formulas, hits: Sums, sizes: Iterable[StageKey]) -> None:
        self._measured = formulas.measured
        self._made_of: dict[str, list[exp.Column]] = {}
        self._hits = hits.columns
        self._table = sums_name(question, hits.key)
        self._known = {self._table, *(sums_name(question, one) for one in sizes)}
        self._values = formulas.values

    def at(self) -> dict[str, At]:
        """At which hits each value adds up; those that do not are left out."""
        found = {label: self._at(value) for label, value in self._values.items()}
        return {label: at for label, at in found.items() if at is not None}

    def sums(self, labels: Iterable[str]) -> dict[str, exp.Expr]:
        """The sums over hits that values of a list are made of."""
        return {name: one for label in labels for name, one in self._sums(self._values[label]).items()}

    def _at(self, value: exp.Expr) -> At | None:
        read = self._read(value)
        sums = {one.name: self._hits[one.name] for one in read if one.table == self._table}.values()
        if not {one.table for one in read} <= self._known:
            return None
        if not all(tree.columns_read(one) <= COMMON for one in sums):
            return None
        return At.FIRST if all(map(_is_first, sums)) else At.EVERY if self._adds_up(value) else None

    def _read(self, node: exp.Expr) -> list[exp.Column]:
        """The columns of sums that an expression is made of."""
        found: list[exp.Column] = []
        for one in tree.find(node, exp.Column):
            if one.table:
                found.append(one)
            else:
                if one.name not in self._made_of:
                    self._made_of[one.name] = self._read(self._measured[one.name])
                found += self._made_of[one.name]
        return found

    def _sums(self, node: exp.Expr) -> dict[str, exp.Expr]:
        """The sums over hits that an expression is made of."""
        return {one.name: self._hits[one.name] for one in self._read(node) if one.table == self._table}

    def _adds_up(self, node: exp.Expr) -> bool:
        """Whether an expression of a list is the sum of what it is of each hit, and undefined for all or for none."""
        if isinstance(node, exp.Column) and not node.table:
            return self._adds_up(self._measured[node.name])
        if isinstance(node, (exp.Paren, exp.Neg)):
            return self._adds_up(node.this)
        if isinstance(node, (exp.Add, exp.Sub)):
            return self._adds_up(node.this) and self._adds_up(node.expression)
        if isinstance(node, exp.Mul) and not self._sums(node.this):
            return self._adds_up(node.expression)
        if isinstance(node, (exp.Mul, exp.Div)):
            return self._adds_up(node.this) and not self._sums(node.expression)
        if isinstance(node, exp.Coalesce):
            of_hits = isinstance(node.this, exp.Column) and node.this.table == self._table
            held = _is_sum(self._hits[node.this.name]) if of_hits else self._adds_up(node.this)
            return held and all(map(_is_zero, node.expressions))
        if isinstance(node, exp.Case) and node.this is None:
            results = [one.args["true"] for one in node.args["ifs"]] + [node.args.get("default") or exp.Null()]
            told = any(self._sums(one.this) for one in node.args["ifs"])
            return not told and all(isinstance(one, exp.Null) or self._adds_up(one) for one in results)
        return _is_zero(node)


def of_one_hit(aggregate: exp.Expr, table: str) -> exp.Expr:
    """What an aggregate over the hits of a list is where there is one hit, a row of a table; other tables stay."""
    counted, where = tree.unfiltered(aggregate), tree.filter_of(aggregate)
    value = tree.literal(1) if isinstance(counted, exp.Count) else counted.this.copy()
    value = value if where is None else exp.Case().when(where.copy(), value)
    return tree.replace_columns(value, lambda one: None if one.table else tree.column(one.name, table))


def is_size(sums: Sums) -> bool:
    """Whether all that is asked of a stage is the number of relevant items, of which each list has one."""
    return all(tree.of_one_row(one) == exp.column(N_RELEVANT) for one in sums.columns.values())


def _is_first(aggregate: exp.Expr) -> bool:
    """Whether an aggregate is the rank of the first hit, if that is not beyond a cutoff."""
    least, where = tree.unfiltered(aggregate), tree.filter_of(aggregate)
    cut = where is None or (isinstance(where, exp.LTE) and tree.limit_of(where) is not None)
    return cut and isinstance(least, exp.Min) and least.this.name == "rank"


def _is_sum(aggregate: exp.Expr) -> bool:
    """Whether an aggregate adds up numbers, or counts rows."""
    counted = tree.unfiltered(aggregate)
    counts = isinstance(counted, exp.Count) and isinstance(counted.this, exp.Star)
    return counts or (isinstance(counted, exp.Sum) and not isinstance(counted.this, exp.Distinct))


def _is_zero(node: exp.Expr) -> bool:
    return tree.is_number(node) and float(node.name) == 0
