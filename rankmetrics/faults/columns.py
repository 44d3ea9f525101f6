"""Refuses columns whose guessed role the data contradicts.

Columns that the user names are not checked. The guesses are: several files are one table, a column identifies lists, a
column of the truth holds ratings and not scores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from rankmetrics.errors import DataError, Option, counted, plain
from rankmetrics.inputs.columns import Layout
from rankmetrics.inputs.sources import RANKING_ROLES
from rankmetrics.planner import typed
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.relations import after_from

# The number of rows that are read first: if they suffice to accept a guess, no more are read.
SAMPLE = 100_000

# The least evidence for a refusal: items recommended more than once, lists of one row, rated lists of the truth.
LEAST_ITEMS, LEAST_LISTS, LEAST_RATED = 5, 20, 5

# A truth in which this share of the lists has no equal ratings looks like a run.
MOSTLY = 0.9

# Families of types with a MIN and MAX in every database.
ORDERED = ("integer", "string", "date")


@dataclass(frozen=True)
class Inputs:
    """The inputs, and a way to query them.

    Attributes:
        layout: the role of every column.
        tables: the inputs as they stand after FROM.
        by_file: where the recommendations are several files and `files_as` is not given: the recommendations with a
            column that holds the file of each row, and the name of this column.
        rows: runs a query.
    """

    layout: Layout
    tables: Mapping[str, exp.Expr]
    by_file: tuple[exp.Expr, str] | None
    rows: Callable[[exp.Select], Sequence[tuple[Any, ...]]]

    def ask(self, select: exp.Select) -> tuple[Any, ...]:
        """The first row of a query's answer."""
        tree.quote(select)
        found = self.rows(select)
        return tuple(found[0]) if found else ()


def refuse_misread_columns(inputs: Inputs) -> None:
    """Refuse columns whose guessed role the data contradicts.

    This check runs before any other query: a row number that was taken for the name of a system would make as many
    systems as there are rows.

    Raises:
        DataError: a column describes items, or splits lists into single rows; the truth is a run.
    """
    if "rating" in inputs.layout.inferred:
        _refuse_scores_as_ratings(inputs)
    if "lists" in inputs.layout.inferred and inputs.layout.systems:
        for column in inputs.layout.systems:
            _refuse_description(inputs, column)
        if inputs.layout.recs.rank is None and (n_lists := _torn_lists(inputs)):
            for column in inputs.layout.systems:
                _refuse_splitter(inputs, column, n_lists)


def refuse_misread_files(counts: Mapping[str, int], inputs: Inputs) -> None:
    """Refuse several files that were read as one table and hold the same lists.

    Args:
        counts: the account's counts, summed over all systems.
        inputs: the inputs.

    Raises:
        DataError: an item of a list is in two files.
    """
    repeats = counts["recs_repeated"] or counts.get("ranks_repeated", 0)
    if inputs.by_file is not None and repeats:
        _refuse_files(inputs, *inputs.by_file)


def _torn_lists(inputs: Inputs) -> int:
    """The number of lists, if most of them hold one recommendation; else 0."""
    lists = [tree.given(name) for name in inputs.layout.lists]
    n = exp.Count(this=exp.Star())
    for limit in (SAMPLE, None):
        rows = exp.select(*(column.copy() for column in lists)).from_(after_from(inputs.tables["recs"], "recs"))
        rows = rows.where(*(column.copy().is_(exp.Null()).not_() for column in lists))
        rows = rows.limit(limit) if limit else rows
        by_list = exp.select(tree.named(n.copy(), "n")).from_(rows.subquery("listed"))
        by_list = by_list.group_by(*(column.copy() for column in lists))
        is_one = exp.EQ(this=tree.column("n"), expression=tree.literal(1))
        counted = [n.copy(), exp.Count(this=exp.Case().when(is_one, tree.literal(1)))]
        select = exp.select(*map(tree.named, counted, ("n_lists", "n_single"))).from_(by_list.subquery("by_list"))
        n_lists, n_single = inputs.ask(select)
        if n_single * 2 <= n_lists or n_lists < LEAST_LISTS:
            return 0
    return int(n_lists)


def _refuse_files(inputs: Inputs, by_file: exp.Expr, file_column: str) -> None:
    """Refuse files that hold the same item of the same list: each is a system of its own."""
    called = (*inputs.layout.lists, str(inputs.layout.recs.item))
    keys = [tree.given(name) for name in called]
    file = tree.column(file_column)
    first, last = exp.Min(this=file), exp.Max(this=file.copy())
    select = exp.select(*keys, tree.named(first, "first_file"), tree.named(last, "last_file"))
    select = select.from_(by_file.copy()).where(*(key.copy().is_(exp.Null()).not_() for key in keys))
    select = select.group_by(*keys).having(exp.NEQ(this=first.copy(), expression=last.copy())).order_by(*keys).limit(1)
    if found := inputs.ask(select):
        *key, first_file, last_file = found
        row = ", ".join(f"{name} = {value!r}" for name, value in zip(called, key, strict=True))
        raise DataError(
            f"Several files hold the same item of the same list: {first_file!r} and {last_file!r} both have {row}. "
            "If each file is a system, set ",
            Option("files_as", "system"),
            ". If they are parts of one table, ",
            Option("files_as", "parts"),
            " reads them as one and counts the repeated items.",
            page="messages/#several-files-with-the-same-lists",
        )


def _refuse_description(inputs: Inputs, column: str) -> None:
    """Refuse a column that has one value for each item: it describes items and identifies no list."""
    if inputs.layout.recs_types[column].family not in ORDERED:
        return
    for limit in (SAMPLE, None):
        n_items, n_varying, least, most = inputs.ask(_values_by_item(inputs, column, limit))
        if n_varying:
            return
        if limit is None and n_items >= LEAST_ITEMS and least != most:
            rest = [name for name in inputs.layout.lists if name != column]
            raise DataError(
                f"Column {column!r} of the recommendations has one value for each item, so it describes items and "
                "identifies no list. It is taken as a list column, since it has no other role. Name the list columns: ",
                Option("lists", rest),
                " (or, if it identifies lists, ",
                Option("lists", list(inputs.layout.lists)),
                ").",
                page="messages/#a-column-that-identifies-no-list",
            )


def _values_by_item(inputs: Inputs, column: str, limit: int | None) -> exp.Select:
    """A query over items with several rows: how many there are, how many have several values, lowest and highest."""
    item = tree.given(str(inputs.layout.recs.item))
    value = typed("id", tree.given(column), inputs.layout.recs_types, column)  # PostgreSQL has no least UUID
    rows = exp.select(tree.named(item, "item"), tree.named(value, "value")).from_(
        after_from(inputs.tables["recs"], "recs")
    )
    rows = rows.where(item.copy().is_(exp.Null()).not_(), value.copy().is_(exp.Null()).not_())
    rows = rows.limit(limit) if limit else rows
    least, most = exp.Min(this=tree.column("value")), exp.Max(this=tree.column("value"))
    items = exp.select("item", tree.named(least, "least"), tree.named(most, "most")).from_(rows.subquery("listed"))
    items = items.group_by("item").having(exp.GT(this=exp.Count(this=exp.Star()), expression=tree.literal(1)))
    differs = exp.NEQ(this=tree.column("least"), expression=tree.column("most"))
    varying = exp.Count(this=exp.Case().when(differs, tree.literal(1)))
    overall = [
        exp.Count(this=exp.Star()),
        varying,
        exp.Min(this=tree.column("least")),
        exp.Max(this=tree.column("most")),
    ]
    called = ("n_items", "n_varying", "lowest", "highest")
    return exp.select(*map(tree.named, overall, called)).from_(items.subquery("by_item"))


def _refuse_splitter(inputs: Inputs, column: str, n_lists: int) -> None:
    """Refuse a column that splits lists into single rows."""
    rest = [name for name in inputs.layout.lists if name != column]
    distinct = exp.select(*map(tree.given, rest)).distinct().from_(after_from(inputs.tables["recs"], "recs"))
    (n_without,) = inputs.ask(exp.select(tree.named(exp.Count(this=exp.Star()), "n")).from_(distinct.subquery("lists")))
    if n_without * 2 <= n_lists:
        raise DataError(
            f"Most of the {n_lists:,} lists hold one recommendation. Without column {column!r}, which was taken to "
            f"identify lists since it has no other role, {counted(n_without, 'list is', 'lists are')} left. Say which "
            "columns identify a list: ",
            Option("lists", rest),
            " (or, if lists are that short, ",
            Option("lists", list(inputs.layout.lists)),
            ").",
            page="messages/#a-column-that-identifies-no-list",
        )


def _refuse_scores_as_ratings(inputs: Inputs) -> None:
    """Refuse a truth whose ratings are scores: fractions that all differ within a list."""
    layout = inputs.layout
    name = layout.truth.rating
    if name is None or plain(name) not in RANKING_ROLES["score"] or layout.truth_types[name].family != "float":
        return
    lists, rating = [tree.given(column) for column in layout.side("truth").list_columns], tree.given(name)
    rows = exp.select(*lists, rating).from_(after_from(inputs.tables["truth"], "truth"))
    rows = rows.where(rating.copy().is_(exp.Null()).not_()).limit(SAMPLE)
    n, n_different = exp.Count(this=exp.Star()), exp.Count(this=exp.Distinct(expressions=[rating.copy()]))
    is_whole = exp.EQ(this=rating.copy(), expression=exp.Floor(this=rating.copy()))
    n_whole = exp.Count(this=exp.Case().when(is_whole, tree.literal(1)))
    called = {"n": n, "n_different": n_different, "n_whole": n_whole}
    by_list = exp.select(*(tree.named(aggregate, called_as) for called_as, aggregate in called.items()))
    by_list = by_list.from_(rows.subquery("rated")).group_by(*(column.copy() for column in lists))
    by_list = by_list.having(exp.GTE(this=n.copy(), expression=tree.literal(3)))
    all_differ = exp.and_(
        exp.EQ(this=tree.column("n"), expression=tree.column("n_different")),
        exp.EQ(this=tree.column("n_whole"), expression=tree.literal(0)),
    )
    counted = [exp.Count(this=exp.Star()), exp.Count(this=exp.Case().when(all_differ, tree.literal(1)))]
    select = exp.select(*map(tree.named, counted, ("n_lists", "n_scored"))).from_(by_list.subquery("by_list"))
    n_lists, n_scored = inputs.ask(select)
    if n_lists >= LEAST_RATED and n_scored >= MOSTLY * n_lists:
        raise DataError(
            f"The truth's column {name!r} is taken as ratings, but holds fractions that all differ within a list, as "
            "scores do. Is the truth the output of a system, or are the inputs swapped? If these are ratings, say so: ",
            Option("columns", {"rating": name}),
            ".",
            page="messages/#scores-in-the-truth",
        )
