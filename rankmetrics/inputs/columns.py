"""The columns of the inputs as values: types, roles, and the layout that says what each column is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from rankmetrics.errors import plain
from rankmetrics.inputs.sources import CALLED, MADE
from rankmetrics.inputs.types import Schema
from rankmetrics.inputs.usual_names import FOLDS, family_of

Ties = Literal["item", "item_desc", "text_desc", "input"]

# Inputs whose rows belong to lists: which of the list columns they have says to whose.
BY_LIST = ("history", "baseline")

# Inputs that say something of items, in each fold anew where they have its column.
BY_FOLD = ("catalog", "items")


@dataclass(frozen=True)
class Columns:
    """The columns that play a role, where their names are not the usual ones.

    Attributes:
        item: what was recommended; in the truth, what is relevant.
        rank: place in the list, from 1; recommendations only.
        score: the higher, the better; ranks the list where there is no rank column; recommendations only.
        distance: the lower, the better; ranks the list in place of a score; recommendations only.
        rating: how relevant an item is, a number or a boolean; truth only. Without one, every row of the truth is
            rated 1.
        pool: how many candidates the list was ranked from, where it does not hold them all; recommendations only.
        category: a category of an item, or a list of them; items only. An item may have several rows.
        embedding: a list or array of numbers, as long for every item; items only.
        popularity: how many users know an item; items only. Without one, it is counted in the history.
        other: the item that an item is compared with; similarity only.
        similarity: how alike the two are; similarity only.
        lists: what the truth calls a list column of the recommendations, where it has another name:
            `{"user": "user_id"}`; the same for a history or a baseline.

    Example:
        >>> Columns(item="sku", score="p")
        Columns(item='sku', score='p')
        >>> Columns(lists={"user": "user_id"})
        Columns(lists={'user': 'user_id'})
    """

    item: str | None = None
    rank: str | None = None
    score: str | None = None
    distance: str | None = None
    rating: str | None = None
    pool: str | None = None
    category: str | None = None
    embedding: str | None = None
    popularity: str | None = None
    other: str | None = None
    similarity: str | None = None
    lists: Mapping[str, str] = field(default_factory=dict)

    @property
    def roles(self) -> dict[str, str]:
        """The roles that are played, each with its column."""
        return {role: column for role in ROLES if (column := getattr(self, role)) is not None}

    def __repr__(self) -> str:
        named = {**self.roles, **({"lists": dict(self.lists)} if self.lists else {})}
        return f"Columns({', '.join(f'{role}={name!r}' for role, name in named.items())})"


# Every role that a column may play.
ROLES = tuple(one.name for one in fields(Columns) if one.name != "lists")


@dataclass(frozen=True)
class Side:
    """One input: which of its columns plays which role, which list columns it has, what they hold.

    Attributes:
        roles: the column of each role. A list that is ranked by a distance has that column as `score`, too.
        lists: the list columns that the input has, as the recommendations call them.
        types: the type of every column.
        rank_from: the rank of the first item of a list: 1, or 0.
        added: the columns that the engine has added: what each is called in sql/, and what it is called in the input.
    """

    roles: Columns
    lists: tuple[str, ...]
    types: Schema
    rank_from: int = 1
    added: Mapping[str, str] = field(default_factory=dict)

    def own(self, name: str) -> str:
        """What this input calls a list column."""
        return self.roles.lists.get(name, name)

    @property
    def list_columns(self) -> tuple[str, ...]:
        """The list columns, as this input calls them."""
        return tuple(map(self.own, self.lists))

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that play no role and identify no list."""
        used = {*self.roles.roles.values(), *self.list_columns}
        return tuple(name for name in self.types if name not in used)


def folds_of(truth_lists: Sequence[str]) -> tuple[str, ...]:
    """The columns that name a part of an experiment: what recommendations and truth share, but for owners of lists.

    Where no name is known as an owner's, only the usual names of folds are folds: another may be the owner's.

    >>> folds_of(["user", "country"]), folds_of(["fold", "reader"]), folds_of(["reader", "country"])
    (('country',), ('fold',), ())
    """
    has_owner = any(map(family_of, truth_lists))
    return tuple(one for one in truth_lists if (not family_of(one) if has_owner else plain(one) in FOLDS))


def unused_in_words(name: str, columns: Sequence[str]) -> str:
    """Says which columns of an input are not used.

    >>> unused_in_words("recs", ["timestamp"])
    'columns of the recommendations that are not used: timestamp'
    """
    return f"columns of the {CALLED[name]} that are not used: {', '.join(columns)}"


@dataclass(frozen=True)
class Layout:
    """What every column of the inputs is for.

    Attributes:
        lists: the columns that identify a list of recommendations.
        truth_lists: those of them that the truth shares.
        by: those of them that the summary keeps.
        recs, truth: the columns of each role.
        recs_types, truth_types: the types of the columns.
        extras: the inputs beside recommendations and truth, by name.
        inferred: what nobody named and the schemas tell: `lists`, the truth's `rating`.
        rank_from: the rank of the first item of a list: 1, or 0.
        added: the columns that the engine has added to an input.
        parts: in how many parts the engine sorts an input by score.
    """

    lists: tuple[str, ...]
    truth_lists: tuple[str, ...]
    by: tuple[str, ...]
    recs: Columns
    truth: Columns
    recs_types: Schema
    truth_types: Schema
    extras: Mapping[str, Side] = field(default_factory=dict)
    inferred: frozenset[str] = frozenset()
    rank_from: int = 1
    added: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    parts: Mapping[str, int] = field(default_factory=dict)

    @property
    def systems(self) -> tuple[str, ...]:
        """The list columns that the truth has not: what was measured."""
        return tuple(name for name in self.lists if name not in self.truth_lists)

    @property
    def folds(self) -> tuple[str, ...]:
        """The columns that name a part of an experiment, as `folds_of` finds them."""
        return folds_of(self.truth_lists)

    @property
    def unused(self) -> Mapping[str, tuple[str, ...]]:
        """The unused columns of each input that has any, by the name of the input."""
        given = [name for name in self.names() if name not in MADE]
        return {name: columns for name in given if (columns := self.side(name).unused)}

    def side(self, name: str) -> Side:
        """An input by its name."""
        added = self.added.get(name, {})
        if name == "recs":
            return Side(self.recs, self.lists, self.recs_types, self.rank_from, added)
        if name == "truth":
            return Side(self.truth, self.truth_lists, self.truth_types, added=added)
        return replace(self.extras[name], added=added)

    def adding(self, name: str, role: str, column: str) -> Layout:
        """The layout once the engine has added a column to an input: what it is called in sql/, and in the input."""
        return replace(self, added={**self.added, name: {**self.added.get(name, {}), role: column}})

    def names(self) -> list[str]:
        """The inputs that there are."""
        return ["recs", "truth", *self.extras]
