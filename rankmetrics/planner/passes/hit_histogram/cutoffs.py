"""What is asked at several cutoffs, said once: the cutoff is a column, and each cutoff a row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from rankmetrics.sqltree import tree
from rankmetrics.sqltree.names import free_name

# A label with its cutoff, and what may stand around it: `undefined ndcg@10`, `ndcg@10 n`.
CUTOFF = re.compile(r"(.+@)(\d+)( .*)?")


@dataclass(frozen=True)
class Place:
    """Where something stands that is said once for all cutoffs: in a column, in the row of its cutoff."""

    column: str
    cutoff: int


# Where a column of a table stands.
Below = Mapping[tuple[str, str], Place]


@dataclass(frozen=True)
class Folded:
    """Columns, beside them what is said once for several, and where those stand that it is said for."""

    columns: dict[str, exp.Expr]
    places: dict[str, Place] = field(default_factory=dict)

    @property
    def fewest(self) -> dict[str, exp.Expr]:
        """What is said once, and the other columns."""
        return {name: one for name, one in self.columns.items() if name not in self.places}

    def below(self, table: str = "") -> Below:
        """Where columns stand that are read from a table."""
        return {(table, name): place for name, place in self.places.items()}


def folded(given: Mapping[str, exp.Expr], cutoff: exp.Column, below: Below) -> Folded:
    """Columns, and what is said once of those that are the same at each cutoff but for the cutoff itself.

    Args:
        given: expressions by their names, such as `recall@5` and `recall@10`.
        cutoff: the column that says the cutoff.
        below: where the columns stand that these read, as far as they are said once.
    """
    families: dict[str, dict[int, str]] = {}
    for name in given:
        if found := CUTOFF.fullmatch(name):
            families.setdefault(f"{found[1]}k{found[3] or ''}", {})[int(found[2])] = name
    result = Folded({**given})
    for name, members in families.items():
        said = _said_once({k: given[one] for k, one in members.items()}, cutoff, below) if len(members) > 1 else None
        if said is not None:
            column = free_name(name, result.columns)
            result.columns[column] = said
            result.places.update({one: Place(column, k) for k, one in members.items()})
    return result


def _said_once(at: Mapping[int, exp.Expr], cutoff: exp.Column, below: Below) -> exp.Expr | None:
    """What is said at each cutoff, over a column of cutoffs; None where it differs in anything else."""
    whole = next(iter(at.values())).copy()
    walks = [_nodes(one) for one in (whole, *at.values())]
    if len({len(one) for one in walks}) > 1:
        return None
    for mine, *others in zip(*walks, strict=True):
        if isinstance(mine, exp.Column) and any(_reference(one) in below for one in others):
            places = [below.get(_reference(one)) for one in others]
            columns = {one.column if one and one.cutoff == k else None for k, one in zip(at, places, strict=True)}
            column = columns.pop()
            if columns or column is None:
                return None
            whole = tree.put(whole, mine, tree.column(column, mine.table or None))
        elif len({_shape(one) for one in others}) > 1:
            if not all(tree.is_number(one) and one.name == str(k) for k, one in zip(at, others, strict=True)):
                return None
            whole = tree.put(whole, mine, cutoff.copy())
    return whole


def _nodes(expression: exp.Expr) -> list[exp.Expr]:
    """All nodes, upper ones first, but for the names that columns are made of."""
    return [one for one in tree.find(expression, exp.Expr) if not isinstance(one, exp.Identifier)]


def _reference(node: exp.Expr) -> tuple[str, str]:
    return (node.table, node.name) if isinstance(node, exp.Column) else ("", "")


def _shape(node: exp.Expr) -> tuple[object, ...]:
    """What a node is, apart from the nodes below it."""
    if isinstance(node, exp.Column):
        return type(node), _reference(node)
    return type(node), *((name, _part(value)) for name, value in node.args.items() if value)


def _part(value: object) -> object:
    return len(value) if isinstance(value, list) else True if isinstance(value, exp.Expr) else value
