"""Which columns are lists, item, rank, score and rating; checked against the schemas before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from rankmetrics.errors import ColumnError, did_you_mean, names, plain, similar

Family = Literal["integer", "float", "string", "date", "datetime", "zoned datetime", "boolean", "nested", "other"]
Ties = Literal["item", "item_desc", "text_desc", "input"]

NUMBERS: frozenset[Family] = frozenset({"integer", "float"})

# How people call the columns, lower case and without separators: `movieId`, `movie_id` and `Movie ID` are one name.
ITEM = frozenset("item itemid itemidx iid movieid productid articleid trackid docid docno documentid".split())
RANKED = {
    "item": ITEM,
    "rank": frozenset("rank position".split()),
    "score": frozenset("score prediction relevance".split()),
}
USUAL: Mapping[str, Mapping[str, frozenset[str]]] = {
    "recommendations": {
        **RANKED,
        "rating": frozenset("rating gain".split()),
        "pool": frozenset("pool poolsize".split()),
    },
    "truth": {"item": ITEM, "rating": frozenset("rating relevance gain grade".split())},
    "history": {"item": ITEM, "rating": frozenset("rating".split())},
    "baseline": RANKED,
    "items": {
        "item": ITEM,
        "category": frozenset("category categories genre genres topic topics".split()),
        "embedding": frozenset("embedding embeddings vector factors".split()),
        "popularity": frozenset("popularity nusers count".split()),
    },
    "similarity": {
        "item": ITEM | frozenset("itema item1 left".split()),
        "other": frozenset("other otheritem otheritemid otherid neighbor neighbour itemb item2 right".split()),
        "similarity": frozenset("similarity sim cosine score".split()),
    },
    "catalog": {"item": ITEM},
}

# What an input must have: the roles without which it says nothing.
NEEDED: Mapping[str, Sequence[str]] = {"similarity": ("other", "similarity")}

# Inputs whose rows belong to lists: which of the list columns they have says to whose.
BY_LIST = ("history", "baseline")


@dataclass(frozen=True)
class ColumnType:
    """A column's type: the family that decides what may be done with it, and the engine's own name for it."""

    family: Family
    name: str

    def __str__(self) -> str:
        return self.family if self.name.lower() == self.family else f"{self.family} ({self.name})"


Schema = Mapping[str, ColumnType]


@dataclass(frozen=True)
class Columns:
    """The columns that play a role, where their names are not the usual ones.

    Attributes:
        item: what was recommended; in the truth, what is relevant.
        rank: place in the list, from 1; recommendations only.
        score: the higher, the better; ranks the list where there is no rank column; recommendations only.
        rating: how relevant an item is; truth only. Without one, every row of the truth is rated 1.
        pool: how many candidates the list was ranked from, where it does not hold them all; recommendations only.
        category: a category of an item, or a list of them; items only. An item may have several rows.
        embedding: a list or array of numbers, as long for every item; items only.
        popularity: how many users know an item; items only. Without one, it is counted in the history.
        other: the item that an item is compared with; similarity only.
        similarity: how alike the two are; similarity only.

    Example:
        >>> Columns(item="sku", score="p")
        Columns(item='sku', score='p')
    """

    item: str | None = None
    rank: str | None = None
    score: str | None = None
    rating: str | None = None
    pool: str | None = None
    category: str | None = None
    embedding: str | None = None
    popularity: str | None = None
    other: str | None = None
    similarity: str | None = None

    def __repr__(self) -> str:
        return f"Columns({', '.join(f'{role}={name!r}' for role, name in vars(self).items() if name)})"


@dataclass(frozen=True)
class Side:
    """One input: which of its columns plays which role, which list columns it has, what they hold."""

    roles: Columns
    lists: tuple[str, ...]
    types: Schema


@dataclass(frozen=True)
class Layout:
    """What every column of the inputs is for.

    `lists` identify a list of recommendations, `truth_lists` those of them that the truth shares, `by` those of them
    that the summary keeps. `extras` are the inputs beside recommendations and truth, by name. `ranked` are those that
    the engine has given a column of ranks by score; `parts` says in how many parts the engine sorts an input by score.
    """

    lists: tuple[str, ...]
    truth_lists: tuple[str, ...]
    by: tuple[str, ...]
    recs: Columns
    truth: Columns
    recs_types: Schema
    truth_types: Schema
    extras: Mapping[str, Side] = field(default_factory=dict)
    ranked: frozenset[str] = frozenset()
    parts: Mapping[str, int] = field(default_factory=dict)

    @property
    def systems(self) -> tuple[str, ...]:
        """The list columns that the truth has not: what was measured."""
        return tuple(name for name in self.lists if name not in self.truth_lists)

    def side(self, name: str) -> Side:
        """An input by its name."""
        if name == "recs":
            return Side(self.recs, self.lists, self.recs_types)
        if name == "truth":
            return Side(self.truth, self.truth_lists, self.truth_types)
        return self.extras[name]

    def names(self) -> list[str]:
        """The inputs that there are."""
        return ["recs", "truth", *self.extras]


def layout(
    recs: Schema,
    truth: Schema,
    *,
    columns: Columns | None = None,
    truth_columns: Columns | None = None,
    lists: Sequence[str] | None = None,
    truth_lists: Sequence[str] | None = None,
    by: Sequence[str] | None = None,
    in_order: bool = False,
    extras: Mapping[str, Schema] | None = None,
    extra_columns: Mapping[str, Columns] | None = None,
) -> Layout:
    """Decide what every column is for, or refuse with the reason.

    `in_order` says that the order of the rows may stand for a rank; `extras` are the schemas of the inputs beside
    recommendations and truth, `extra_columns` the names of their columns.

    Raises:
        ColumnError: a column is missing, ambiguous, or of a type that cannot do what is asked.
    """
    given = columns or Columns()
    _named_once("lists", lists)
    _named_once("truth_lists", truth_lists)
    recs_given = replace(given, rating=given.rating if given.rating in recs else None)
    recs_roles = _roles("recommendations", recs, recs_given, frozenset(lists or ()))
    same_names = Columns(item=given.item if given.item in truth else None, rating=given.rating)
    truth_roles = _roles("truth", truth, truth_columns or same_names, frozenset(truth_lists or lists or ()))
    chosen = _list_columns(recs, recs_roles, lists)
    matched = _matched(truth, truth_roles, chosen, truth_lists)
    if recs_roles.rank is None and recs_roles.score is None and not in_order:
        raise ColumnError(
            f"The recommendations have neither a rank nor a score column: there were {names(recs)}. "
            'Name one, columns=rm.Columns(score="..."), or take the rows as they come with ties="input".'
        )
    _check_types(recs, truth, recs_roles, truth_roles, chosen, matched, inferred=lists is None)
    return Layout(
        lists=chosen,
        truth_lists=matched,
        by=_grouping(by, chosen, matched),
        recs=recs_roles,
        truth=truth_roles,
        recs_types=recs,
        truth_types=truth,
        extras={
            name: _extra(name, schema, (extra_columns or {}).get(name), recs, recs_roles, chosen)
            for name, schema in (extras or {}).items()
        },
    )


def _extra(
    name: str, schema: Schema, given: Columns | None, recs: Schema, recs_roles: Columns, lists: tuple[str, ...]
) -> Side:
    """What the columns of an input beside recommendations and truth are for."""
    if given is None:
        given = Columns(item=recs_roles.item if recs_roles.item in schema else None)
    shared = tuple(one for one in lists if one in schema) if name in BY_LIST else ()
    roles = _roles(name, schema, given, frozenset(shared))
    shared = tuple(one for one in shared if one not in vars(roles).values())
    if name in BY_LIST and not shared:
        raise ColumnError(
            f"The {name} shares no list column with the recommendations: the lists are identified by {names(lists)}, "
            f"the {name} has {names(schema)}."
        )
    for role in NEEDED.get(name, ()):
        if getattr(roles, role) is None:
            raise ColumnError(
                f"No {role} column was found in the {name}: there were {names(schema)}. "
                f'Name it: extra_columns={{"{name}": rm.Columns({role}="...")}}.'
            )
    if name == "baseline" and roles.rank is None and roles.score is None:
        raise ColumnError(f"The baseline has neither a rank nor a score column: there were {names(schema)}.")
    _check_numbers(name, schema, roles)
    same = [("item", recs_roles.item, roles.item), *((f"list column {one!r}", one, one) for one in shared)]
    _check_same(name, recs, schema, same)
    if roles.other:
        _check_same(name, recs, schema, [("other item", recs_roles.item, roles.other)])
    return Side(roles, shared, schema)


def _missing(name: str, why: str, table: str, schema: Schema) -> ColumnError:
    return ColumnError(
        f"No column {name!r} in the {table} ({why}): there were {names(schema)}.{did_you_mean(name, schema)}"
    )


def _roles(table: str, schema: Schema, given: Columns, lists: frozenset[str]) -> Columns:
    """The role columns of a table: those named by the user, else those with a usual name."""
    roles: dict[str, str | None] = {}
    _named_once("Columns(...)", [one for one in vars(given).values() if one])
    strange = [role for role, column in vars(given).items() if column and role not in USUAL[table]]
    if strange and table not in ("recommendations", "truth"):
        raise ColumnError(f"The {table} has no role {strange[0]!r}: its columns are {names(USUAL[table])}.")
    for role in (one.name for one in fields(Columns)):
        named: str | None = getattr(given, role)
        usual = USUAL[table].get(role)
        if usual is None:
            continue
        if named is not None and named not in schema:
            raise _missing(named, f"named as the {role} column", table, schema)
        taken = lists | {value for value in vars(given).values() if value}
        candidates = [named] if named else [name for name in schema if plain(name) in usual and name not in taken]
        if len(candidates) > 1:
            raise ColumnError(
                f"Which column of the {table} is the {role}: {names(candidates)}? "
                f'Say so: {_argument(table)}rm.Columns({role}="{candidates[0]}"){_closing(table)}; '
                "a column that identifies lists goes into lists=[...]."
            )
        roles[role] = candidates[0] if candidates else None
    if roles["item"] is None:
        near = [name for usual in ("item", "item_id", "product_id") for name in similar(usual, schema)]
        looks = f" {near[0]!r} looks like one." if near else ""
        raise ColumnError(
            f"No item column was found in the {table}: there were {names(schema)}.{looks} "
            f'Name it: {_argument(table)}rm.Columns(item="..."){_closing(table)}.'
        )
    return Columns(**roles)


def _argument(table: str) -> str:
    """The argument that names the columns of a table."""
    return "columns=" if table in ("recommendations", "truth") else f'extra_columns={{"{table}": '


def _closing(table: str) -> str:
    return "" if table in ("recommendations", "truth") else "}"


def _named_once(what: str, chosen: Sequence[str] | None) -> None:
    twice = sorted({name for name in chosen or () if list(chosen or ()).count(name) > 1})
    if twice:
        raise ColumnError(f"{what} names {names(twice)} more than once.")


def _list_columns(recs: Schema, roles: Columns, lists: Sequence[str] | None) -> tuple[str, ...]:
    """The columns that identify a list: all that play no role, or those named."""
    taken = {value: role for role, value in vars(roles).items() if value}
    if lists is None:
        lists = [name for name in recs if name not in taken]
        if not lists:
            raise ColumnError(
                f"The recommendations have no column that identifies a list: there were {names(recs)}, all of them "
                "item, rank, score or rating."
            )
    for name in lists:
        if name not in recs:
            raise _missing(name, "named in lists", "recommendations", recs)
        if name in taken:
            raise ColumnError(f"Column {name!r} is named in lists and is the {taken[name]} column as well.")
    return tuple(lists)


def _matched(truth: Schema, roles: Columns, lists: tuple[str, ...], given: Sequence[str] | None) -> tuple[str, ...]:
    """The list columns that the truth shares, in the order of the lists."""
    taken = {value for value in vars(roles).values() if value}
    if given is None:
        shared = tuple(name for name in lists if name in truth and name not in taken)
        if not shared:
            hints = [f"{name!r} looks like {near[0]!r}" for name in lists if (near := similar(name, truth))]
            raise ColumnError(
                f"The truth shares no list column with the recommendations: the lists are identified by "
                f"{names(lists)}, the truth has {names(truth)}."
                + (f" {'; '.join(hints)}: give them one name." if hints else "")
            )
        return shared
    for name in given:
        if name not in truth:
            raise _missing(name, "named in truth_lists", "truth", truth)
        if name not in lists:
            raise ColumnError(
                f"Column {name!r} is named in truth_lists and does not identify a list of recommendations: those are "
                f"identified by {names(lists)}."
            )
    if not given:
        raise ColumnError("truth_lists is empty: the truth must share at least one list column.")
    return tuple(name for name in lists if name in given)


def _grouping(by: Sequence[str] | None, lists: tuple[str, ...], matched: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that the summary keeps."""
    if by is None:
        return tuple(name for name in lists if name not in matched)
    _named_once("by", by)
    for name in by:
        if name not in lists:
            raise ColumnError(
                f"Cannot summarise by {name!r}: lists are identified by {names(lists)}.{did_you_mean(name, lists)}"
            )
    return tuple(by)


def _check_types(
    recs: Schema,
    truth: Schema,
    recs_roles: Columns,
    truth_roles: Columns,
    lists: tuple[str, ...],
    matched: tuple[str, ...],
    *,
    inferred: bool,
) -> None:
    """Refuse the types that would give numbers without meaning."""
    _check_numbers("recommendations", recs, replace(recs_roles, rating=None))
    _check_numbers("truth", truth, truth_roles)
    pairs = [("item", recs_roles.item, truth_roles.item), *((f"list column {name!r}", name, name) for name in matched)]
    _check_same("truth", recs, truth, pairs)
    for name in lists:
        if recs[name].family == "nested" or (inferred and recs[name].family == "float"):
            raise ColumnError(
                f"Column {name!r} of the recommendations is {recs[name]} and would identify a list, as every column "
                f"but item, rank, score and rating does. Say which columns do: lists=[...]."
            )


def _check_numbers(table: str, schema: Schema, roles: Columns) -> None:
    """Refuse a role that needs a number and is played by something else."""
    for role in ("rank", "score", "rating", "pool", "popularity", "similarity"):
        name: str | None = getattr(roles, role)
        if name and schema[name].family not in NUMBERS:
            raise ColumnError(f"The {role} column {name!r} of the {table} is not a number: it is {schema[name]}.")
    if roles.embedding and schema[roles.embedding].family != "nested":
        found = schema[roles.embedding]
        raise ColumnError(
            f"The embedding column {roles.embedding!r} of the {table} is no list of numbers: it is {found}."
        )


def _check_same(table: str, recs: Schema, schema: Schema, pairs: Iterable[tuple[str, str | None, str | None]]) -> None:
    """Refuse ids of two types, and types that cannot identify anything."""
    for what, in_recs, in_table in pairs:
        assert in_recs is not None, what  # both were found above
        assert in_table is not None, what
        left, right = recs[in_recs], schema[in_table]
        if left.family != right.family:
            raise ColumnError(
                f"The {what} is {left} in the recommendations and {right} in the {table}: nothing would match. "
                "Cast one of them to the type of the other."
            )
        if left.family in ("float", "nested"):
            raise ColumnError(
                f"The {what} is {left}, which cannot identify anything: cast it to integer or string (a "
                "pandas column of integers with gaps has become one of floats: convert_dtypes() mends that)."
            )
