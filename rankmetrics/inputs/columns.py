"""The columns of the inputs as values: their types, the roles that they have, and the layout of all inputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo

from rankmetrics.errors import Option, names, plain, visible
from rankmetrics.inputs.negatives import Negatives
from rankmetrics.inputs.roles import FOLDS, HOMES, NUMBERED, default_cluster, family_of
from rankmetrics.inputs.sources import CALLED, MADE, SYSTEMS
from rankmetrics.messages import refused

Family = Literal[
    "integer",
    "float",
    "string",
    "date",
    "datetime",
    "zoned datetime",
    "time",
    "duration",
    "boolean",
    "binary",
    "nested",
    "mixed",
    "unknown",
    "other",
]
NUMBERS: frozenset[Family] = frozenset({"integer", "float"})

# Families of types that cannot identify an item or a list, each with advice for the user.
NO_ID: Mapping[Family, str] = {
    "float": "cast it to integer or string (a pandas column of integers with gaps has become a column of floats: "
    "convert_dtypes() repairs it)",
    "nested": 'give one row per element: frame.explode("...") in Polars and pandas, UNNEST in SQL',
    "binary": "decode it to a string",
    "time": "cast it to a string",
    "duration": "cast it to a whole number or a string",
    "mixed": "1 and '1' are different ids, so cast the column to one type in a SELECT, as in CAST(id AS TEXT)",
    "unknown": "leave it out, or cast it to the type that it should have",
}


# Names of types whose numbers may be no whole numbers of 64 bits, besides those of the family `float`.
WIDE = "128|256|huge|uint64|ubigint|unsigned|decimal|numeric|number"


@dataclass(frozen=True)
class ColumnType:
    """A column's type."""

    family: Family  # decides how the column may be used
    name: str  # the engine's own name of the type
    element: ColumnType | None = None  # the type of the elements, if the column holds lists or arrays
    fields: tuple[tuple[str, ColumnType], ...] = ()  # the type of each field by its name, if it holds structs
    # a sentence on why it is text or an object, and what to do; None for columns that are not of a text file
    why: Callable[[], str] | None = field(default=None, compare=False, repr=False)

    @property
    def because(self) -> str:
        """The sentence, after a blank; empty if there is nothing to say."""
        return f" {reason}" if self.why and (reason := self.why()) else ""

    @property
    def is_wide(self) -> bool:
        """True if a number of this type may not be a whole number of 64 bits."""
        return self.family == "float" or bool(re.search(WIDE, self.name.lower()))

    @property
    def is_decimal(self) -> bool:
        """True if a number of this type has a fixed number of decimals, and so is never NaN."""
        return bool(re.search("DECIMAL|NUMERIC|NUMBER", self.name.upper()))

    @property
    def zone(self) -> tzinfo | None:
        """The time zone that the name of the type holds; None if it holds none."""
        zones = re.findall(r"['\"=](?:UTC)?([A-Za-z][\w/+-]*|[+-]\d\d:\d\d)['\"\]]", self.name)
        if self.family != "zoned datetime" or not zones:
            return None
        return ZoneInfo(zones[-1]) if zones[-1][0].isalpha() else datetime.strptime(zones[-1], "%z").tzinfo

    def __str__(self) -> str:
        if self.family == "unknown":
            return "without a type, since every value is NULL"
        if self.family == "mixed":
            return f"of several types ({self.name})"
        return self.family if self.name.lower() == self.family else f"{self.family} ({self.name})"


Schema = Mapping[str, ColumnType]


def lists_in_cells(schema: Schema) -> str:
    """A sentence that names the columns of lists or objects and says how to read them; empty if there are none."""
    nested = [name for name, kind in schema.items() if kind.family == "nested" and not kind.fields]
    said = f" The cells of {names(nested)} are lists: {NO_ID['nested'].replace('...', nested[0])}." if nested else ""
    for name, kind in schema.items():
        if kind.fields:
            keys = names(key for key, _ in kind.fields)
            said += kind.because or f" The cells of {name!r} are objects with the fields {keys}: make columns of them."
    return said


def naming(table: str, role: str, column: str | Mapping[str, str]) -> Option:
    """The option that names a column of a table, or its list columns, without a change of other tables' columns."""
    if (table, role) == ("truth", "item"):
        return Option("truth_columns", {role: column})
    if table in ("recommendations", "truth"):
        return Option("columns", {role: column})
    return Option("extra_columns", {role: column}, of=table)


Ties = Literal["item", "item_desc", "text_desc", "input", "expected", "best", "worst"]

# Inputs whose rows belong to lists. They are joined by the list columns that they share with the recommendations.
BY_LIST = ("history", "baseline", "candidates", "log")

# Inputs whose rows describe items. If such an input has the fold's column, each fold reads its own rows.
BY_FOLD = ("catalog", "items")


@dataclass(frozen=True)
class Columns:
    """The columns of each role, for inputs whose columns do not have the usual names.

    Attributes:
        item: the recommended item; in the truth, the relevant item.
        rank: the rank in the list, from 1; recommendations only.
        score: a number that is higher for better items; ranks a list without a rank column; recommendations only.
        distance: a number that is lower for better items; ranks a list instead of a score; recommendations only.
        rating: how relevant an item is, a number or a boolean; truth only. Without a rating, every row of the truth
            is rated 1.
        subtopic: the subtopic, intent or aspect for which an item is relevant; truth only. An item that is relevant for
            several has a row for each.
        pool: the number of candidates that the list was ranked from, if it holds only some of them;
            recommendations only.
        chunk: the part of a document that a row recommends, where the item is the document; recommendations only. A
            document with several chunks in a list counts once, at the position of its first chunk, and later documents
            move up.
        category: a category of an item, or a list of them; items only. An item may have several rows.
        embedding: a list or array of numbers, of one length for all items; items only.
        popularity: the number of users who know an item; items only. Without it, the history is counted.
        propensity: the probability that a relevant item is seen, or in a log that the item was shown where it was
            shown, above 0 and up to 1; truth, items and log only.
        other: the second item of a pair; similarity only.
        similarity: the similarity of the two items of a pair; similarity only.
        reward: what came of showing the item, such as 1 for a click; log only.
        impression: what was shown at once, where a list was shown several times; log only.
        logger: which old policy showed the item, if the log holds those of several; log only.
        position: the position at which the item was shown, from 1; in the recommendations, the position at which a
            policy may show it; log, and recommendations with probabilities, only.
        probability: the probability that a policy shows the item in this list, at this position; recommendations only.
        expected_reward: the reward that a model expects of the item; recommendations only.
        lists: the names of list columns in the truth, a history or a baseline that differ from the names in the
            recommendations: `{"user": "user_id"}`.

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
    subtopic: str | None = None
    pool: str | None = None
    chunk: str | None = None
    category: str | None = None
    embedding: str | None = None
    popularity: str | None = None
    propensity: str | None = None
    other: str | None = None
    similarity: str | None = None
    reward: str | None = None
    impression: str | None = None
    logger: str | None = None
    position: str | None = None
    probability: str | None = None
    expected_reward: str | None = None
    lists: Mapping[str, str] = field(default_factory=dict)

    @property
    def roles(self) -> dict[str, str]:
        """The column of each role that has a column."""
        return {role: column for role in ROLES if (column := getattr(self, role)) is not None}

    def only(self, names: Collection[str]) -> Columns:
        """The columns of some roles, and none for the others."""
        return Columns(**{role: column for role, column in self.roles.items() if role in names}, lists=self.lists)

    def without(self, names: Collection[str]) -> Columns:
        """The columns of all roles but some."""
        return self.only({*ROLES} - {*names})

    def filled(self, others: Mapping[str, str] | None) -> Columns:
        """These columns, and others for the roles that have none."""
        return Columns(**{**(others or {}), **self.roles}, lists=self.lists)

    def renamed(self, rename: Callable[[str], str]) -> Columns:
        """The columns under other names."""
        lists = {rename(name): rename(own) for name, own in self.lists.items()}
        return Columns(**{role: rename(column) for role, column in self.roles.items()}, lists=lists)

    def __repr__(self) -> str:
        named = {**self.roles, **({"lists": dict(self.lists)} if self.lists else {})}
        return f"Columns({', '.join(f'{role}={name!r}' for role, name in named.items())})"


# Every role that a column may have.
ROLES = tuple(role.name for role in fields(Columns) if role.name != "lists")


@dataclass(frozen=True)
class Side:
    """One input: the columns of its roles, its list columns, and the types of all columns."""

    roles: Columns  # a distance column is the column of both `distance` and `score`
    lists: tuple[str, ...]  # the list columns that the input has, by their names in the recommendations
    types: Schema
    rank_from: int = 1  # the rank of the first item of a list: 1, or 0
    # the columns that the engine has added: from the name in sql/ to the name in the input
    added: Mapping[str, str] = field(default_factory=dict)

    def own(self, name: str) -> str:
        """The name of a list column in this input."""
        return self.roles.lists.get(name, name)

    @property
    def list_columns(self) -> tuple[str, ...]:
        """The list columns, by their names in this input."""
        return tuple(map(self.own, self.lists))

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that have no role and identify no list."""
        used = {*self.roles.roles.values(), *self.list_columns}
        return tuple(name for name in self.types if name not in used)

    def column(self, name: str) -> str | None:
        """The column of this name, in any case if none has it exactly; None if there is none, or several."""
        alike = [column for column in self.types if column.lower() == name.lower()]
        return name if name in self.types else alike[0] if len(alike) == 1 else None

    def renamed(self, rename: Callable[[str], str]) -> Side:
        """The input with other names for its columns."""
        types = {rename(name): kind for name, kind in self.types.items()}
        return replace(self, roles=self.roles.renamed(rename), lists=tuple(map(rename, self.lists)), types=types)


def folds_of(truth_lists: Sequence[str]) -> tuple[str, ...]:
    """The columns that name the fold of an experiment, among the list columns that recommendations and truth share.

    If a column has a usual name of users, queries or sessions, all other shared columns are folds. If none has, only
    columns with a usual name of folds are folds: any other column may hold the users.

    >>> folds_of(["user", "country"]), folds_of(["fold", "reader"]), folds_of(["reader", "country"])
    (('country',), ('fold',), ())
    """
    has_owner = any(map(family_of, truth_lists))
    return tuple(column for column in truth_lists if (not family_of(column) if has_owner else plain(column) in FOLDS))


# Between the values of several columns that identify a system, where its name is one text.
SEPARATOR = ", "


def name_of_system(values: Iterable[object]) -> str:
    """The name of a system, for people, by the values of the columns that identify it: `als, 64`."""
    return visible(SEPARATOR.join(map(str, values)))


def unused_in_words(name: str, columns: Sequence[str]) -> str:
    """A sentence that names the unused columns of an input."""
    return f"columns of the {CALLED[name]} that are not used: {', '.join(columns)}"


@dataclass(frozen=True)
class Layout:
    """The role of every column of the inputs."""

    lists: tuple[str, ...]  # the columns that identify a list of recommendations
    truth_lists: tuple[str, ...]  # those that the truth has too; without a truth, those that all systems share
    by: tuple[str, ...]  # the list columns that the summary keeps
    recs: Columns  # the columns of each role
    truth: Columns
    recs_types: Schema  # the types of the columns
    truth_types: Schema
    extras: Mapping[str, Side] = field(default_factory=dict)  # the optional inputs, by name
    inferred: frozenset[str] = frozenset()  # which of `lists` and `rating` (of the truth) the user did not name
    rank_from: int = 1  # the rank of the first item of a list: 1, or 0
    ranks: str = "checked"  # what holds for ranks that do not start there: an option of evaluate
    cold_start: bool = False  # True if the history may have none of the recommendations' lists
    added: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # columns that the engine has added to inputs
    parts: Mapping[str, int] = field(default_factory=dict)  # in how many parts the engine sorts an input by score
    # the list column that cuts the history: a list's history is the rows of lower values, as of earlier days; None
    # where a history is whole
    history_until: str | None = None
    # the systems that are scored in every partition: for each the values of the columns `systems`
    named_systems: tuple[tuple[str | int, ...], ...] = ()
    negatives: Negatives | None = None  # the sample of negatives that lists are ranked among
    # True if the ranks of the recommendations follow from their scores, so that equal scores have ranks one after the
    # other, in any order
    ranked_by_score: bool = False
    # for each table of a lakehouse, a sentence that names the version, and its number; for each file whose format its
    # first lines tell, a sentence that names the format
    readings: tuple[tuple[str, int | None], ...] = ()
    filtered: frozenset[str] = frozenset()  # the inputs whose rows must meet a condition of `where`
    # columns without a role that metrics of the user read, each with the name of its input
    read: frozenset[tuple[str, str]] = frozenset()
    # the shorter lists of columns of `by` for whose values the summary has a row, too: it is over the lists of the rows
    # that it totals, and the other columns of `by` are NULL, as no list has them
    totals: tuple[tuple[str, ...], ...] = ()
    # the list column over whose values the summary takes means of means, such as a seed; in the layout of the query of
    # a summary, it is the last column of `by`
    over: str | None = None
    # the label columns of a table of what was shown, each with its gain (None: the label is a rating): the truth is
    # then the rows of the recommendations that have a label; None for a truth of its own
    labels: Mapping[str, float | None] | None = None
    # the list columns whose lists are not independent, as the user names them; None for the default
    cluster: tuple[str, ...] | None = None

    def by_over(self) -> Layout:
        """The layout whose rows are measured before means are taken over them: by the column of `over`, too."""
        return replace(self, by=(*self.by, self.over)) if self.over else self

    @property
    def clusters(self) -> tuple[str, ...]:
        """The columns of the clusters in a row of the summary; none if all of its lists are independent.

        By default, it is the user if other columns tell the lists of a user apart.
        """
        columns = [name for name in self.lists if name not in (*self.by, *self.systems)]
        if self.cluster is None:
            return default_cluster(columns)
        cluster = tuple(name for name in self.cluster if name in columns)
        return cluster if len(cluster) < len(columns) else ()

    @property
    def kept(self) -> tuple[str, ...]:
        """The columns of `by` that the summary returns."""
        return tuple(name for name in self.by if name != self.over)

    def is_total(self, by: Iterable[object]) -> bool:
        """True if the values of `by` in a row of the summary are those of a total."""
        return bool(self.totals) and None in by

    @property
    def systems(self) -> tuple[str, ...]:
        """The list columns that the truth does not have: they name the system that made a list."""
        return tuple(name for name in self.lists if name not in self.truth_lists)

    @property
    def partitions(self) -> tuple[str, ...]:
        """The columns of `by` that the truth has too, except the owner of a list: the partitions of the summary.

        A system is scored in the partitions in which it has recommendations. In each of them, it is scored for every
        owner (user, query, session), with or without recommendations.
        """
        return tuple(name for name in self.by if name in self.truth_lists and not family_of(name))

    @property
    def folds(self) -> tuple[str, ...]:
        """The columns that name the fold of an experiment, as `folds_of` finds them; each day has its own history."""
        folds = {*folds_of(self.truth_lists), self.history_until}
        return tuple(name for name in self.truth_lists if name in folds)

    @property
    def is_ranked(self) -> bool:
        """True if the recommendations are lists in an order, and not only probabilities of showing items."""
        return self.recs.probability is None or (self.recs.score is not None and self.recs.position is None)

    @property
    def has_candidates(self) -> bool:
        """True if lists are ranked among candidates: those of an input, or the relevant items and a sample."""
        return self.negatives is not None or "candidates" in self.extras

    def offers(self, need: str | None) -> bool:
        """True if the inputs have what the `needs:` line of a file names.

        It names an input, a column of a role, a `wide rank`, a `whole item` (its ids are integers), ranks by the option
        `ranks` (`checked ranks`, `given ranks`; `own ranks` are not ranked again), `ranks without gaps` (those of whole
        lists, by default), `ranked scores` (ranks and scores), `single positions` (an item has one position in a list:
        there are no probabilities by position), `single judgments` (an item has one row in a truth list: no metric
        reads subtopics), `whole lists` (with a pool column, lists may hold the hits and few other rows), `cut lists` (a
        list that ranks all items fits every truth), `pooled lists` (several are averaged for one list of the truth),
        `shown` (the truth is the labels of the recommendations), or `negatives`: lists ranked among candidates have
        some.
        """
        roles, is_ranked = self.recs, self.recs.rank is not None
        conditions: dict[str | None, bool] = {
            None: True,
            "ranked scores": is_ranked and roles.score is not None,
            **{f"{ranks} ranks": is_ranked and self.ranks == ranks for ranks in ("checked", "given")},
            "own ranks": is_ranked and self.ranks != "again",
            "ranks without gaps": is_ranked and self.ranks == "checked" and roles.pool is None,
            "wide rank": is_ranked and self.recs_types[str(roles.rank)].is_wide,
            "whole item": self.recs_types[str(roles.item)].family == "integer",
            "single positions": roles.position is None,
            "single judgments": self.truth.subtopic is None,
            "negatives": self.has_candidates,
            "whole lists": roles.pool is None,
            "cut lists": roles.pool is None and not self.has_candidates,
            "pooled lists": bool(self.pooled),
            "shown": self.labels is not None,
            **dict.fromkeys(self.names(), True),
        }
        home = str(HOMES.get(str(need)))
        is_there = home in self.names() and need in self.side(home).roles.roles
        return conditions.get(need, is_there)

    @property
    def pooled(self) -> list[str]:
        """The columns that tell lists of the same truth list apart, and are not in `by`."""
        return [name for name in self.systems if name not in self.by]

    @property
    def unused(self) -> Mapping[str, tuple[str, ...]]:
        """The unused columns of each input that has any, by the name of the input."""
        inputs = {name: self.side(name).unused for name in self.names() if name not in MADE}
        if self.labels is not None:  # one table
            read = {*self.labels, *self.truth.roles.values()}
            inputs["recs"] = tuple(column for column in inputs["recs"] if column not in read)
            del inputs["truth"]
        unused = {
            name: tuple(column for column in columns if (name, column) not in self.read)
            for name, columns in inputs.items()
        }
        return {name: columns for name, columns in unused.items() if columns}

    def side(self, name: str) -> Side:
        """The roles, list columns and types of an input, by its name."""
        added = self.added.get(name, {})
        if name == "recs":
            return Side(self.recs, self.lists, self.recs_types, self.rank_from, added)
        if name == "truth":
            return Side(self.truth, self.truth_lists, self.truth_types, added=added)
        if name == SYSTEMS:
            return Side(Columns(), self.systems, self.recs_types)
        return replace(self.extras[name], added=added)

    def adding(self, name: str, role: str, column: str) -> Layout:
        """The layout with a column that the engine has added to an input: `role` in sql/, `column` in the input."""
        return replace(self, added={**self.added, name: {**self.added.get(name, {}), role: column}})

    def renamed(self, rename: Callable[[str], str]) -> Layout:
        """The layout of inputs whose columns have other names."""
        recs, truth = (self.side(name).renamed(rename) for name in ("recs", "truth"))
        return replace(
            self,
            lists=recs.lists,
            truth_lists=truth.lists,
            by=tuple(map(rename, self.by)),
            totals=tuple(tuple(map(rename, total)) for total in self.totals),
            over=self.over and rename(self.over),
            labels=self.labels and {rename(column): gain for column, gain in self.labels.items()},
            cluster=None if self.cluster is None else tuple(map(rename, self.cluster)),
            recs=recs.roles,
            truth=truth.roles,
            recs_types=recs.types,
            truth_types=truth.types,
            extras={name: side.renamed(rename) for name, side in self.extras.items()},
            history_until=self.history_until and rename(self.history_until),
        )

    def names(self) -> list[str]:
        """The names of the inputs that were given."""
        return ["recs", *(["truth"] if self.has_truth else []), *self.extras]

    @property
    def has_truth(self) -> bool:
        """True if a truth was given; without a truth, `truth_lists` are the list columns that all systems share."""
        return bool(self.truth_types)


def check_types(layout: Layout) -> None:
    """Refuse types of recommendations and truth that would give meaningless numbers."""
    recs, truth = layout.side("recs"), layout.side("truth")
    check_numbers("recommendations", recs.types, recs.roles)
    if layout.has_truth:
        check_numbers("truth", truth.types, truth.roles)
        lists = [(f"list column {name!r}", name, truth.own(name)) for name in truth.lists]
        check_same("truth", recs.types, truth.types, [("item", recs.roles.item, truth.roles.item), *lists])
    if (subtopic := truth.roles.subtopic) and (kind := truth.types[subtopic]).family in NO_ID:
        raise refused("no_id", what=f"subtopic column {subtopic!r} of the truth", kind=kind, cure=NO_ID[kind.family])
    for name in recs.lists:
        kind = recs.types[name]
        if kind.family in NO_ID and ("lists" in layout.inferred or kind.family != "float"):
            raise refused("no_id_of_lists", name=name, kind=kind)


def check_numbers(table: str, schema: Schema, roles: Columns) -> None:
    """Refuse a column that is not a number where its role needs a number."""
    for role in NUMBERED:
        name: str | None = getattr(roles, role)
        allowed = {*NUMBERS, "boolean"} if role in ("rating", "reward") else NUMBERS
        if name and schema[name].family not in allowed:
            cure = schema[name].because or lists_in_cells(schema) or " Cast it to a number."
            raise refused("no_number", role=role, name=name, table=table, kind=schema[name], cure=cure)
    if roles.embedding and schema[roles.embedding].family != "nested":
        raise refused("no_vector", name=roles.embedding, table=table, kind=schema[roles.embedding])


def check_same(table: str, recs: Schema, schema: Schema, pairs: Iterable[tuple[str, str | None, str | None]]) -> None:
    """Refuse ids whose type differs between two inputs, and types that cannot identify anything."""
    without_rows = f" If the history has no rows, cast its ids all the same, and set {Option('cold_start', True)}."
    way_out = without_rows if table == "history" else ""
    for what, in_recs, in_table in pairs:
        assert in_recs is not None, what  # both columns were found above
        assert in_table is not None, what
        left, right = recs[in_recs], schema[in_table]
        for kind, owner in ((left, "recommendations"), (right, table)):
            if kind.family in ("unknown", "mixed"):
                raise refused("no_type", what=what, table=owner, kind=kind, cure=NO_ID[kind.family], way_out=way_out)
        if left.family != right.family or (left.family == "other" and left.name != right.name):
            reasons = f"{way_out}{left.because}{right.because}"
            raise refused("other_type", what=what, left=left, right=right, table=table, reasons=reasons)
        if left.family in NO_ID:
            raise refused("no_id", what=what, kind=left, cure=NO_ID[left.family])
