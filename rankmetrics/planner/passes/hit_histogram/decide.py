"""Means of what adds up over hits, from hits that are alike, counted: no list is measured by itself.

A mean over lists of what is summed over their hits is a sum over all hits. What a hit adds follows from its rank, its
number in the list and how many items are relevant to the list: hits are counted by these three, and the formulas are
computed for each three that there are, however many lists have them. What is the same at several cutoffs but for the
cutoff is said once, over a table of the cutoffs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from rankmetrics.planner.formulas import Formulas, Sums, over_lists
from rankmetrics.planner.model import Question, Reading, StageKey
from rankmetrics.planner.passes.base import Pass
from rankmetrics.planner.passes.hit_histogram.additive import HIT_NUMBER, Additive, At, is_size
from rankmetrics.planner.variants import definition_of
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name

# How many sums of each list must be spared, at the least: those of four metrics at six cutoffs. With fewer there is
# little to gain, and DuckDB takes more memory.
LEAST = 24

# The deepest cutoff that is read off counted hits: as deep as a list of the best items is a table (`ideal.places`).
MOST_PLACES = 200


PASS = Pass("hit_histogram", "")


@dataclass(frozen=True)
class Histogram:
    """What can be made of hits that are alike.

    Attributes:
        hits: what is summed over the hits of a list for it.
        made: what is made of the lists' values, each under its name, as aggregates over lists.
        adds: the values of a list that it is made of, and at which hits of the list each adds up.
        n_alike, n_first: the columns of how many hits are alike, and of how many lists these are the first hit.
        cutoff: the column of the cutoff.
    """

    hits: Sums
    made: Mapping[str, exp.Expr]
    adds: Mapping[str, At]
    n_alike: str
    n_first: str
    cutoff: str

    @property
    def reading(self) -> dict[StageKey, Reading]:
        """What is read of the hits beside."""
        return {self.hits.key: Reading(frozenset({HIT_NUMBER}))}

    @property
    def columns(self) -> list[str]:
        """The columns in which hits that are alike are the same."""
        read = {column for one in self.hits.columns.values() for column in tree.columns_read(one)}
        return sorted(read | {HIT_NUMBER})

    def firsts(self) -> exp.Expr:
        """Of how many lists hits that are alike are the first; NULL of later ones, so that they define nothing.

        A list without hits has a row as if it had one.
        """
        number = exp.Coalesce(this=tree.column(HIT_NUMBER), expressions=[tree.literal(1)])
        return exp.Case().when(exp.EQ(this=number, expression=tree.literal(1)), tree.column(self.n_alike))

    def weighed(self, made: exp.Expr) -> exp.Expr:
        """An aggregate over lists, made of hits that are alike."""
        made = made.copy()
        for node in tree.find(made, *WEIGHED):
            made = tree.put(made, node, WEIGHED[type(node)](self, node.this))
        return made

    def _total(self, value: exp.Expr) -> exp.Expr:
        """The sum of a value over lists."""
        times = self.n_alike if self.adds[_label(value)] is At.EVERY else self.n_first
        return exp.Sum(this=exp.Mul(this=value.copy(), expression=tree.column(times)))

    def _number(self, value: exp.Expr) -> exp.Expr:
        """How many lists have a value; of a star, how many there are."""
        lists = tree.column(self.n_first) if isinstance(value, exp.Star) else self._defined(value)
        whole = exp.Coalesce(this=exp.Sum(this=lists), expressions=[tree.literal(0)])
        return exp.cast(whole, exp.DType.BIGINT)

    def _mean(self, value: exp.Expr) -> exp.Expr:
        return exp.Div(this=self._total(value), expression=exp.Sum(this=self._defined(value)))

    def _defined(self, value: exp.Expr) -> exp.Expr:
        defined = exp.Is(this=tree.column(_label(value)), expression=exp.Not(this=exp.Null()))
        return exp.Case().when(defined, tree.column(self.n_first))


# How an aggregate over lists is made of hits that are alike.
WEIGHED = {exp.Avg: Histogram._mean, exp.Sum: Histogram._total, exp.Count: Histogram._number}


def find_histogram(question: Question, formulas: Formulas) -> Histogram | None:
    """What can be made of hits that are alike; None where that is nothing, or not worth it."""
    if not PASS.is_on(question) or not question.measures:
        return None
    hits = [one for one in formulas.sums.values() if _can_be_alike(question, formulas, one)]
    ours = (*formulas.values, *formulas.measured)
    names = [free_name(one, ours) for one in ("n_alike", "n_first", "k")]
    sizes = [*formulas.sizes, *(key for key, one in formulas.sums.items() if is_size(one))]
    made = over_lists(question, formulas)
    found = [_made_of(Additive(question, formulas, one, sizes), one.key, made, *names) for one in hits]
    return max((one for one in found if one is not None), key=lambda one: len(one.made), default=None)


def _can_be_alike(question: Question, formulas: Formulas, hits: Sums) -> bool:
    """Whether the rows of a stage are numbered hits, few to a list, many to a row of the summary, and much is asked."""
    depth = hits.reading.depth
    if len(hits.columns) < LEAST or depth is None or depth > MOST_PLACES:
        return False
    numbered = HIT_NUMBER in tree.outputs(definition_of(hits.key, question, hits.reading).select)
    return numbered and not formulas.flags and not {*question.layout.lists} <= {*question.layout.by}


def _made_of(additive: Additive, hits: StageKey, made: Mapping[str, exp.Expr], *names: str) -> Histogram | None:
    """What can be made of some hits, if enough is spared by it.

    Lists, or their values that add up, counted or added up, and nothing else; and no values that something other is
    made of, which would need them of each list anyway.
    """
    adds = additive.at()
    read = {name: labels_of([one]) for name, one in made.items()}
    added = [name for name, one in made.items() if read[name] <= {*adds} and _is_all_weighed(one)]
    of_others = {label for name, labels in read.items() if name not in added for label in labels}
    mine = {name: made[name] for name in added if not of_others & read[name]}
    labels = {label for name in mine for label in read[name]}
    adds = {label: at for label, at in adds.items() if label in labels}
    sums, others = additive.sums(adds), {label for one in read.values() for label in one} - labels
    spared = {*sums} - {*additive.sums(others)}
    return Histogram(Sums(hits, sums), mine, adds, *names) if len(spared) >= LEAST else None


def labels_of(made: Iterable[exp.Expr]) -> set[str]:
    """The values of lists that aggregates are made of."""
    return {column.name for one in made for column in tree.find(one, exp.Column)}


def _is_all_weighed(made: exp.Expr) -> bool:
    """Whether each aggregate is of all lists, and of a single value of theirs as it is."""
    return all(map(_is_weighed, tree.find(made, exp.AggFunc)))


def _is_weighed(aggregate: exp.Expr) -> bool:
    value = aggregate.this.this if isinstance(aggregate.this, exp.Cast) else aggregate.this
    known = type(aggregate) in WEIGHED and isinstance(value, (exp.Column, exp.Star))
    return known and not isinstance(aggregate.parent, exp.Filter)


def _label(value: exp.Expr) -> str:
    """The value of a list that an aggregate takes."""
    return next(one.name for one in tree.find(value, exp.Column))
