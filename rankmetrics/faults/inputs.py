"""Questions to the rows of the inputs: whether guessed columns are right, lists are whole, and ids and policies fit.

Columns that the user names are not checked. The guesses are: several files are one table, a column identifies lists, a
column of the truth holds ratings and not scores, the position in a list is the rank.
Rankings of all candidates hold the rows of relevant items, and the first and the last row of each list. They are
refused where a query reads other rows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial, reduce
from html import unescape
from itertools import chain, combinations, islice
from math import inf
from typing import Any, cast
from urllib.parse import unquote_plus

from sqlglot import exp

from rankmetrics.engines.base import Engine
from rankmetrics.errors import DataError, EngineError, Option, RankMetricsWarning, counted, plain
from rankmetrics.inputs.columns import NUMBERS, Layout, Side
from rankmetrics.inputs.roles import LABELS, USUAL, family_of
from rankmetrics.inputs.sources import called
from rankmetrics.messages import said
from rankmetrics.metrics.definition import definitions_in
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner import Plan, typed
from rankmetrics.sqltree import tree
from rankmetrics.sqltree.ids import expand_ids
from rankmetrics.sqltree.parameters import bind
from rankmetrics.sqltree.relations import after_from, joins

# The number of rows that are read first: if they suffice to accept a guess, no more are read.
SAMPLE = 100_000

# The number of items that are looked up in all rows, where the first rows do not suffice.
FEW_ITEMS = 100

# The least evidence for a refusal: items recommended more than once, lists of one row.
LEAST_ITEMS, LEAST_LISTS = 5, 20

# How many choices of columns are left out of the list columns, to find those that tear lists apart.
MOST_CHOICES = 32

# The number of lists of the truth whose items are compared, and the most ids of an input; the least number and share of
# ids that are alike.
FIRST_LISTS, MOST_IDS, LEAST_ALIKE, ALIKE = 500, 10_000, 10, 0.01

# The most values that a rating may have; names of columns that are no rating.
MOST_LABELS = 11
WORDS = {("0", "1"), ("f", "t"), ("false", "true"), ("n", "y"), ("no", "yes"), ("negative", "positive")}
NO_LABEL = re.compile(
    r"id$|key|date|time|day|hour|month|year|week|rank|position|fold|price|order|gender|amount|quantity|"
    r"(?<![a-z])(age|sex|zip|pin|qty|n|num|code|page|size|batch|device)(?![a-z])",
    re.IGNORECASE,
)

# Families of types with a MIN and MAX in every database.
ORDERED = ("integer", "string", "date")

# The least and the greatest number of the smallest types of integers, by a pattern for their names.
SMALL_INTEGERS = {
    r"int8|tinyint|byte": (-(2**7), 2**7 - 1),
    r"uint8|utinyint": (0, 2**8 - 1),
    r"int16|smallint|short": (-(2**15), 2**15 - 1),
    r"uint16|usmallint": (0, 2**16 - 1),
}

# Ids were wrapped around where they reach this share of the greatest number of their type.
WRAPPED = 0.9

# How one id may be written in two ways: words, and a function that leaves out the difference.
INVISIBLE, QUOTES = "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\u00ad", "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb"
GROUPED_OR_SCIENTIFIC = re.compile(r"\d{1,3}(,\d{3})+|\d(\.\d+)?e\+?\d{1,2}")  # 10,234 and 1.0234e+04
DIFFERENCES: Mapping[str, Callable[[str], str]] = {
    "their encoding (UTF-8 that was read as Latin-1)": lambda text: (
        text.encode("cp1252", "replace").decode("utf-8", "replace") if {*text} & {*"\u00c3\u00c2"} else text
    ),
    "blanks at their ends": lambda text: text.strip(" \t\r\n"),
    "case": str.lower,
    "leading zeros": lambda text: text.lstrip("0"),
    "a decimal zero at the end": lambda text: text.removesuffix(".0"),
    "how a number is written (10,234 or 1.0234e+04)": lambda text: (
        f"{float(text.replace(',', '')):.0f}" if GROUPED_OR_SCIENTIFIC.fullmatch(text) else text
    ),
    "the Unicode form of accents (NFC, NFD)": partial(unicodedata.normalize, "NFC"),
    "invisible characters": lambda text: text.translate(dict.fromkeys(map(ord, INVISIBLE))),
    "no-break and other blanks": lambda text: " ".join(text.split()),
    "quotes": lambda text: text.translate(dict.fromkeys(map(ord, QUOTES))),
    "HTML entities": unescape,
    "percent-encoding": unquote_plus,
    "the Unicode form of digits and letters (NFKC)": partial(unicodedata.normalize, "NFKC"),
    "separators (blank, underscore, dashes)": lambda text: re.sub("[_\u2010-\u2015\u2212-]", " ", text),
}

# Ids that differ from others in case alone, as most do: the other differences leave such a text as it is.
PLAIN = re.compile("[1-9][0-9]*|[a-z][a-z0-9]*")


@dataclass(frozen=True)
class Inputs:
    """The inputs, and a way to query them."""

    layout: Layout
    tables: Mapping[str, exp.Expr]  # the inputs as they appear after FROM
    run: Callable[[exp.Select], Sequence[tuple[Any, ...]]]
    # Where the recommendations are several files and `files_as` is not given: the recommendations with a column that
    # holds the file of each row, and the name of this column.
    by_file: tuple[exp.Expr, str] | None = None

    def rows(self, sql: str) -> Sequence[tuple[Any, ...]]:
        """The rows of a query in DuckDB's SQL over the inputs, in which quoted names are the user's columns."""
        select = _parsed(sql).copy()
        for name in tree.find(select, exp.Identifier):
            if name.quoted:
                name.meta[tree.IS_GIVEN] = True
        return self._rows(select)

    def answer(self, question: str, **values: tree.Value) -> list[dict[str, Any]]:
        """The rows of a file of sql/inputs: where it reads an input, ids and roles are the user's columns."""
        layout, select = self.layout, bind(definitions_in("inputs", "question")[question].select, values)
        assert isinstance(select, exp.Select)
        position = filter(None, [layout.recs.position])
        ids = {"list_id": layout.lists, "truth_id": layout.truth_lists, "position_id": (*layout.lists, *position)}

        def side_of(column: exp.Column) -> Side | None:
            select = cast(exp.Select, column.parent_select)
            sources = [select.args["from_"].this, *(join.this for join in joins(select))]
            read = {source.alias_or_name: source.name for source in sources}
            name = read[column.table] if column.table else next(iter(read.values()))
            return layout.side("recs" if name == "files" else name) if name in self._sources else None

        sides = {id(column): side_of(column) for column in tree.find(select, exp.Column)}  # before any is replaced

        def role(column: exp.Column) -> exp.Expr | None:
            side = sides[id(column)] if column.name not in ids else None
            own = side.roles.roles.get(column.name) if side else None
            return tree.given(own, column.table or None) if own else None

        def columns_of_id(column: exp.Column) -> dict[str, exp.Expr]:
            side, table = sides[id(column)], column.table or None
            own = {f"{column.name}_{n}": name for n, name in enumerate(ids[column.name], 1)}
            if side is None:
                return {name: tree.column(name, table) for name in own}
            return {name: tree.given(side.own(column), table) for name, column in own.items()}

        over_roles = tree.replace_columns(select, role)
        assert isinstance(over_roles, exp.Select)
        whole = expand_ids(over_roles, columns_of_id, ids)
        return [dict(zip(tree.outputs(whole), row, strict=True)) for row in self._rows(whole)]

    def _rows(self, select: exp.Select) -> Sequence[tuple[Any, ...]]:
        for table in tree.find(select, exp.Table):
            table.replace(after_from(self._sources[table.name], table.name))
        tree.quote(select)
        return self.run(select)

    @property
    def file_of_row(self) -> exp.Expr | None:
        """The column with the file of each row of `files`; None where the recommendations are not several files."""
        return tree.given(self.by_file[1]) if self.by_file else None

    @cached_property
    def _sources(self) -> Mapping[str, exp.Expr]:
        """The inputs, and `files`: the recommendations with the file of each row."""
        return {**self.tables, "files": self.by_file[0]} if self.by_file else self.tables


@lru_cache(maxsize=256)  # the columns of a job that is evaluated again are called as before
def _parsed(sql: str) -> exp.Select:
    return tree.parse(sql, "a query of a check")


def quoted(*columns: str) -> str:
    """The user's columns in a query of `Inputs.rows`."""
    return ", ".join(exp.to_identifier(column, quoted=True).sql("duckdb") for column in columns)


def not_null(*columns: str) -> str:
    """The condition that no column is NULL."""
    return " AND ".join(f"{quoted(column)} IS NOT NULL" for column in columns)


def pairs_in_words(columns: Iterable[str], values: Iterable[object], sign: str = " = ") -> str:
    """The columns of a row with their values, as in `user = 17, item = 'a'`."""
    return ", ".join(f"{name}{sign}{value!r}" for name, value in zip(columns, values, strict=True))


def in_words(rows: Sequence[Mapping[str, Any]]) -> str:
    """The first rows at fault: the values of a single column, or each row as `user = 17, rank = 2`."""
    if all(len(row) == 1 for row in rows):
        return ", ".join(repr(value) for row in rows for value in row.values()) or "nothing"
    return "; ".join(pairs_in_words(row, row.values()) for row in rows)


# --- list columns -----------------------------------------------------------------------------------------------------


def refuse_misread_columns(inputs: Inputs) -> None:
    """Refuse columns whose guessed role the data contradicts.

    This check runs before any other query: a row number that was taken for the name of a system would make as many
    systems as there are rows.
    """
    _refuse_days_as_text(inputs)
    _refuse_one_table(inputs)
    if "rating" in inputs.layout.inferred:
        _refuse_scores_as_ratings(inputs)
    if inputs.layout.recs.rank is None:
        refuse_descriptions(inputs)


def _refuse_one_table(inputs: Inputs) -> None:
    """Refuse a truth that has all rows of the recommendations' table, or those of a label, but not all list columns."""
    layout, sides = inputs.layout, ("recs", "truth")
    if layout.labels is not None or not layout.has_truth or not layout.systems:
        return
    (recs, recs_tests), (truth, truth_tests) = (_source_of(inputs, name) for name in sides)
    further = {name for test in truth_tests if test not in recs_tests for name in tree.columns_read(test)}
    if recs and recs == truth and all(plain(name) in LABELS for name in further):
        label = Option("label", layout.truth.rating or next(iter(further), "..."))
        raise said(DataError, "one_table", columns=[*layout.systems], label=label, by=Option("by", [*layout.by]))


def _source_of(inputs: Inputs, name: str) -> tuple[set[str], set[exp.Expr]]:
    """The tables that a plain SELECT reads, with the expression of the item, and its conditions; else nothing."""
    table, item = inputs.tables[name].copy(), str(inputs.layout.side(name).roles.item)
    if tree.find(table, exp.Join, exp.AggFunc, exp.Group, exp.Distinct, exp.Explode, exp.Unnest, exp.SetOperation):
        return set(), set()
    items = {node.sql() for each in tree.find(table, exp.Select) for node in each.selects if node.alias_or_name == item}
    sources = tree.find(table, exp.Table)
    for source in sources:
        source.set("alias", None)
    tests = {test for where in tree.find(table, exp.Where) for test in exp.and_(where.this).flatten()}
    return {source.sql() for source in sources} | (items or {item}), tests


def _refuse_days_as_text(inputs: Inputs) -> None:
    """Refuse days whose text is not an ISO date, where the history is that until a day: '2024-1-8' > '2024-1-10'."""
    until, tables = inputs.layout.history_until, dict(inputs.tables)
    if until is None or "history" not in tables:
        return
    tables["history"] = tables["history"].this.args["from_"].this  # before it is cut, as `with_derived` cuts it
    for name in ("recs", "truth", "history"):
        side = inputs.layout.side(name) if name in tables else None
        if side is None or side.types[side.own(until)].family != "string":
            continue
        own = side.own(until)
        day = quoted(own)
        for (text,) in replace(inputs, tables=tables).rows(
            f"SELECT MIN({day}) AS day FROM {name} WHERE NOT {day} LIKE '____-__-__%' HAVING COUNT(*) > 0"
        ):
            raise said(DataError, "no_iso_dates", name=own, table=called(name), text=repr(text))


def refuse_descriptions(inputs: Inputs) -> None:
    """Refuse columns with a value for each item, or for each row, where they were taken to identify lists.

    Ranks that go from 1 to n in each list contradict this, so only other ranks need a look at the columns.
    """
    layout = inputs.layout
    if "lists" not in layout.inferred:
        return
    columns = layout.systems
    if layout.labels is not None:  # no truth tells which columns identify a list
        known = (*layout.by, *filter(family_of, layout.lists))
        columns = tuple(name for name in layout.lists if name not in known)
        _refuse_flags(inputs, [name for name in columns if layout.recs_types[name].family == "integer"])
    for column in columns:
        if layout.recs_types[column].family in ({*ORDERED} if layout.labels is None else {*ORDERED} - {"date"}):
            _refuse_description(inputs, column)
    others = [column for column in layout.lists if column in layout.systems or not family_of(column)]
    if layout.labels is not None and layout.recs.rank is not None:
        _refuse_torn_positions(inputs, others)
    if len(layout.lists) > 1 and others and (n_lists := _torn_lists(inputs)):
        for column in others:
            is_of_system = column in layout.systems and layout.recs.rank is None
            if is_of_system or (_has_value_per_row(inputs, column) and _tears_truth(inputs, column)):
                _refuse_splitter(inputs, column, n_lists)


def _refuse_torn_positions(inputs: Inputs, columns: Sequence[str]) -> None:
    """Refuse columns without which positions go from the first to the last in every list of what was shown."""
    rank, lists = quoted(str(inputs.layout.recs.rank)), inputs.layout.lists
    choices = chain.from_iterable(combinations(columns, n) for n in range(len(columns) + 1))
    for left_out in islice(choices, MOST_CHOICES):
        rest = [name for name in lists if name not in left_out]
        torn = rest and inputs.rows(f"""
            SELECT 1 AS is_torn FROM recs WHERE {not_null(*rest)} GROUP BY {quoted(*rest)}
            HAVING COUNT(*) <> COUNT(DISTINCT {rank}) OR COUNT(*) <> MAX({rank}) - {inputs.layout.rank_from - 1}
            LIMIT 1""")
        if rest and not torn:
            if left_out:
                options = {"rest": Option("lists", rest), "label": Option("label", left_out[0])}
                raise said(DataError, "torn_positions", found=[*left_out], **options)
            return


def _refuse_flags(inputs: Inputs, columns: Sequence[str]) -> None:
    """Refuse columns of 0 and 1, which may be labels, where they were taken to identify lists of what was shown."""
    for column in columns:
        name = quoted(column)
        [(low, high)] = inputs.rows(f"SELECT MIN({name}) AS low, MAX({name}) AS high FROM recs")
        if (low, high) == (0, 1):
            rest = Option("lists", [other for other in inputs.layout.lists if other != column])
            options = {"label": Option("label", column), "rest": rest}
            raise said(DataError, "label_or_list", name=column, values="0 or 1", **options)


def _has_value_per_row(inputs: Inputs, column: str) -> bool:
    """True if a column of the recommendations has a value for each row."""
    [(n_rows, n_values)] = inputs.rows(f"SELECT COUNT(*) AS n, COUNT(DISTINCT {quoted(column)}) AS m FROM recs")
    return bool(n_rows == n_values)


def _tears_truth(inputs: Inputs, column: str) -> bool:
    """True if the truth lacks a column, is of the same rows, or most of its lists have no recommendations."""
    if inputs.layout.labels is not None:
        return True
    if not inputs.layout.has_truth or column not in inputs.layout.truth_lists:
        return column in inputs.layout.systems
    [lists] = inputs.answer("lists_met")
    return bool(lists["n_met"] * 2 < lists["n_lists"])


def _refuse_description(inputs: Inputs, column: str) -> None:
    layout = inputs.layout
    item = quoted(str(layout.recs.item))
    value = typed("id", tree.given(column), layout.recs_types, column).sql("duckdb")  # PostgreSQL has no least UUID
    are_given = f"{item} IS NOT NULL AND {value} IS NOT NULL"
    # the first rows may be of one system: then all rows of their first items tell, before all rows of all items do
    few_items = f"SELECT {item} AS item FROM recs WHERE {are_given} LIMIT {FEW_ITEMS}"
    of_few_items = f"{item} IN (SELECT item FROM ({few_items}) AS few_items)"  # MariaDB has no LIMIT right after IN
    for rows in (f"{are_given} LIMIT {SAMPLE}", f"{are_given} AND {of_few_items}", are_given):
        [(n_items, n_varying, lowest, highest)] = inputs.rows(f"""
            SELECT COUNT(*) AS n_items, COUNT(CASE WHEN least <> most THEN 1 END) AS n_varying,
                MIN(least) AS lowest, MAX(most) AS highest
            FROM (
                SELECT item, MIN(value) AS least, MAX(value) AS most
                FROM (SELECT {item} AS item, {value} AS value FROM recs WHERE {rows}) AS listed
                GROUP BY item HAVING COUNT(*) > 1
            ) AS by_item""")
        if n_varying:
            return
    if n_items >= LEAST_ITEMS and lowest != highest:
        rest = Option("lists", [name for name in layout.lists if name != column])
        raise said(DataError, "describes_items", name=column, rest=rest, all_lists=Option("lists", [*layout.lists]))


def _torn_lists(inputs: Inputs) -> int:
    """The number of lists, if most of them hold one recommendation; else 0."""
    lists = quoted(*inputs.layout.lists)
    for limit in (f"LIMIT {SAMPLE}", ""):
        [(n_lists, n_single)] = inputs.rows(f"""
            SELECT COUNT(*) AS n_lists, COUNT(CASE WHEN n = 1 THEN 1 END) AS n_single
            FROM (
                SELECT COUNT(*) AS n
                FROM (SELECT {lists} FROM recs WHERE {not_null(*inputs.layout.lists)} {limit}) AS listed
                GROUP BY {lists}
            ) AS by_list""")
        if n_single * 2 <= n_lists or n_lists < LEAST_LISTS:
            return 0
    return int(n_lists)


def _refuse_splitter(inputs: Inputs, column: str, n_lists: int) -> None:
    """Refuse a column that splits lists into single rows."""
    rest = [name for name in inputs.layout.lists if name != column]
    [(n_without,)] = inputs.rows(f"SELECT COUNT(*) AS n FROM (SELECT DISTINCT {quoted(*rest)} FROM recs) AS lists")
    if n_without * 2 <= n_lists:
        left, options = counted(n_without, "list is", "lists are"), {"rest": Option("lists", rest)}
        options["all_lists"] = Option("lists", [*inputs.layout.lists])
        raise said(DataError, "splits_lists", n=n_lists, name=column, left=left, **options)


# --- ratings and files ------------------------------------------------------------------------------------------------


def _refuse_scores_as_ratings(inputs: Inputs) -> None:
    """Refuse a truth whose ratings are scores: fractions that all differ within a list."""
    layout, name = inputs.layout, inputs.layout.truth.rating
    usual = USUAL["recommendations"]["score"]
    if name is None or plain(name) not in usual or layout.truth_types[name].family != "float":
        return
    if inputs.answer("scores_as_ratings", sample=SAMPLE):
        raise said(DataError, "scores_as_ratings", name=name, naming=Option("truth_columns", {"rating": name}))


def may_be_misread_files(inputs: Inputs) -> bool:
    """True if repeated items have to be counted to know whether several files are one table: a list is in two of them.

    Ranks show it without this count: if two files hold the same rows, the ranks of a list repeat.
    """
    is_doubtful = inputs.by_file is not None and inputs.layout.recs.rank is None
    return is_doubtful and bool(inputs.answer("lists_of_several_files", file=inputs.file_of_row))


def refuse_misread_files(counts: Mapping[str, int], inputs: Inputs) -> None:
    """Refuse several files that were read as one table, by the counts of the account, if a list is in two of them."""
    if inputs.by_file is None or not (counts["recs_repeated"] or counts.get("ranks_repeated")):
        return
    for found in inputs.answer("items_of_several_files", file=inputs.file_of_row):
        *key, first_file, last_file = found.values()
        row = pairs_in_words([*inputs.layout.lists, str(inputs.layout.recs.item)], key)
        raise said(DataError, "same_lists", first=first_file, last=last_file, row=row)


# --- lists of some candidates -----------------------------------------------------------------------------------------


def refuse_gaps(inputs: Inputs, depths: Iterable[tuple[str, int | None]]) -> None:
    """Refuse lists that lack ranks which a metric reads, as the rows of relevant items among all candidates do.

    `depths` are the metrics that read every rank, each with its cutoff (None: whole lists); they are looked at only if
    a list lacks a rank above its last.
    """
    if not _first_lists(inputs, "lists_with_gaps", k=None):
        return
    for label, k in depths:
        if lists := _first_lists(inputs, "lists_with_gaps", k=k):
            down, pool = "" if k is None else f" down to {k}", str(inputs.layout.recs.pool)
            raise said(
                DataError, "ranks_of_some_candidates", label=label, down=down, pool=pool, rows=lists, top=k or 10
            )


def refuse_unranked_pool(inputs: Inputs) -> None:
    """Refuse lists without ranks that hold only some of their candidates: any number of others may be above a row."""
    if lists := _first_lists(inputs, "lists_of_some_candidates"):
        raise said(DataError, "some_candidates", pool=str(inputs.layout.recs.pool), rows=lists)


def _first_lists(inputs: Inputs, question: str, **values: int | None) -> str:
    """The first lists that a file of sql/inputs finds, in words; empty if there are none."""
    rows = inputs.answer(question, shift=1 - inputs.layout.rank_from, **values)
    return in_words([dict(zip(inputs.layout.lists, row.values(), strict=True)) for row in rows]) if rows else ""


# --- the rows of a list that a query reads ----------------------------------------------------------------------------

# The stage of the items whose score another item of the list has, too. Rankings of all candidates hold such an item
# only if a relevant item has this score.
TIED_RANKS = "tied_ranks"

# For a stage or input: the stages that read it and need only the rows of relevant items and the first and the last row
# of each list. Every other stage that reads it needs all of its rows.
EXACT: Mapping[str, frozenset[str]] = {
    "recs": frozenset(
        {"ranked", "recommendations_with_pool", "recommended_lists", "sorted_recommendations", "systems"}
    ),
    "numbered_recommendations": frozenset({"ranked"}),
    "ranked": frozenset({"recommended", TIED_RANKS}),
    TIED_RANKS: frozenset({"first_row_chances", "hits_in_ties", "hit_chances", "tied_hits"}),
    "recommended": frozenset({"matches", "judged_recommendations"}),
}

# The columns whose highest and lowest value are exact over these rows.
EXACT_ENDS = frozenset({"rank", "score", "pool"})

# How the names begin of further aggregates that are exact: whether the lowest score is below the highest, and the last
# rank.
EXACT_NAMES = ("scores_differ", "last_rank")


def reads_every_row(plan: Plan) -> bool:
    """True if a query reads rows of the recommendations other than hits, and the first and last of each list."""
    for key, stage in plan.stages.by_key.items():
        read = {name.partition(".")[0] for name in (*stage.reads, *stage.tables.by_alias.values())}
        if any(key.file not in EXACT[name] for name in read & EXACT.keys()):
            return True
    sums = {**plan.formulas.lists.sums, **plan.formulas.systems.sums}
    return any(not _is_exact(key.file, name, column) for key, of in sums.items() for name, column in of.items())


def _is_exact(stage: str, name: str, column: exp.Expr) -> bool:
    """True if an aggregate over a stage is exact over these rows, as MAX(rank) of a whole list is."""
    read = {part.name for part in column.find_all(exp.Column)}
    is_end = isinstance(column, (exp.Max, exp.Min)) and read <= EXACT_ENDS
    return stage not in (*EXACT, "recommendations_with_pool") or is_end or name.startswith(EXACT_NAMES)


# --- lists in cells ---------------------------------------------------------------------------------------------------


def refuse_uneven_lists(engine: Engine) -> None:
    """Refuse rows whose lists, read side by side, differ in length; the error names the first three."""
    for name, shape in engine.shapes.items():
        if rows := engine.uneven(name):
            n = len(shape.lists)
            keys = [key for key in shape.kept(engine.inputs[name].schema) if key not in (*shape.lists, shape.rank)]
            shown = "; ".join(
                f"{pairs_in_words(keys, row[:-n], '=')}: "
                + ", ".join(f"{int(length)} in {name!r}" for name, length in zip(shape.lists, row[-n:], strict=True))
                for row in rows
            )
            raise said(DataError, "uneven_lists", found=[*shape.lists], table=called(name), rows=shown)


def doubt_unjudged(metrics: Sequence[Metric], layout: Layout) -> Iterator[RankMetricsWarning]:
    """Doubt that unjudged items are removed where the truth has relevant items only: the lists keep only hits."""
    removing = [metric for metric in metrics if metric.values.get("unjudged", "irrelevant") != "irrelevant"]
    if removing and layout.has_truth and layout.truth.rating is None:
        naming = Option("truth_columns", {"rating": "..."})
        yield said(RankMetricsWarning, "only_hits", metric=removing[0].text, naming=naming)


def doubt_relevance(metrics: Sequence[Metric], layout: Layout) -> Iterator[RankMetricsWarning]:
    """Doubt that every item shown is relevant, whatever its label, as under conventions that read no ratings."""
    of_any = [metric.text for metric in metrics if metric.values.get("relevance") == "any"]
    if of_any and layout.labels is not None:
        yield said(RankMetricsWarning, "all_shown_are_relevant", metric=of_any[0], labels=[*layout.labels])


def doubt_unread_labels(inputs: Inputs, metrics: Sequence[Metric]) -> Iterator[RankMetricsWarning]:
    """Doubt that a column of few numbers in the truth is no rating: without one, every row counts as relevant."""
    layout = inputs.layout
    reads_ratings = any(metric.values.get("relevance") == "rated" for metric in metrics)
    unused = layout.unused.get("truth", ()) if layout.has_truth and reads_ratings and not layout.truth.rating else ()
    for name in (name for name in unused if not NO_LABEL.search(name)):
        family, column = layout.truth_types[name].family, quoted(name)
        value = {"boolean": f"CASE WHEN {column} THEN 1 ELSE 0 END", "string": f"LOWER({column})"}.get(family, column)
        if family not in (*NUMBERS, "boolean", "string"):
            continue
        [(n, low, high)] = inputs.rows(f"""
            SELECT COUNT(DISTINCT value) AS n, MIN(value) AS low, MAX(value) AS high
            FROM (SELECT {value} AS value FROM truth WHERE {not_null(name)} LIMIT {SAMPLE}) AS labelled""")
        are_labels = (low, high) in WORDS if family == "string" else n > 0 and low >= -2 and high <= MOST_LABELS
        if 1 < n <= MOST_LABELS and are_labels:
            ends = {end: repr(to) if family == "string" else f"{to:g}" for end, to in (("low", low), ("high", high))}
            cast = " as a number" if family == "string" else ""
            naming = Option("truth_columns", {"rating": name})
            yield said(RankMetricsWarning, "unread_label", name=name, n=n, naming=naming, cast=cast, **ends)


def doubt_order(engine: Engine, inputs: Inputs) -> Iterator[RankMetricsWarning]:
    """A warning if the position in a list is taken as the rank, and scores in the first rows contradict it."""
    roles, shape = inputs.layout.recs, engine.shapes.get("recs")
    if shape is None or shape.rank is None or roles.rank != shape.rank or roles.score is None:
        return
    [found] = inputs.answer("unordered_scores", sample=SAMPLE, sign=-1 if roles.distance else 1)
    if found["n"]:
        role = "distance" if roles.distance else "score"
        naming = Option("columns", {role: roles.score})
        yield said(RankMetricsWarning, "unordered", **found, role=role, name=roles.score, naming=naming)


# --- policies ---------------------------------------------------------------------------------------------------------

# Metrics that read all rows of the policy, with the rewards that a model expects of them at their positions.
MODELLED = frozenset({"dm", "dr", "sndr"})


def doubt_policies(inputs: Inputs, metrics: Iterable[Metric]) -> Iterator[RankMetricsWarning]:
    """Warnings of policies and logs over which an estimate of a policy's reward does not hold."""
    if "log" not in inputs.layout.extras:
        return
    metric_names = {metric.name for metric in metrics}
    recs, log = inputs.layout.recs, inputs.layout.side("log").roles
    is_asked = {
        "partial_policies": recs.probability and metric_names & (MODELLED | {"cascade_dr"}),
        "expected_rewards_out_of_range": recs.expected_reward and log.reward and metric_names & MODELLED,
        "unequal_propensities": log.propensity and "replay" in metric_names,
    }
    for question in (question for question, is_needed in is_asked.items() if is_needed):
        for row in inputs.answer(question):
            yield said(RankMetricsWarning, question, **row)


# --- ids --------------------------------------------------------------------------------------------------------------


def doubt_small_ids(inputs: Inputs) -> Iterator[RankMetricsWarning]:
    """A warning for ids of a type too small for those of the other input, where they look wrapped around."""
    if not inputs.layout.has_truth:
        return
    sides = {name: inputs.layout.side(name) for name in ("recs", "truth")}
    ids = [{name: str(side.roles.item) for name, side in sides.items()}]
    ids += [{name: side.own(column) for name, side in sides.items()} for column in inputs.layout.truth_lists]
    for columns in ids:
        ends = {name: _ends_of_type(sides[name].types[column].name) for name, column in columns.items()}
        small, large = sorted(columns, key=lambda name: ends[name][1])
        (least, greatest), column, other = ends[small], columns[small], columns[large]
        if greatest == ends[large][1]:
            continue
        [(low, high)], [(lowest, highest)] = (
            inputs.rows(f"SELECT MIN({quoted(columns[name])}) AS low, MAX({quoted(columns[name])}) AS high FROM {name}")
            for name in (small, large)
        )
        if None in (low, lowest) or not (highest > greatest or lowest < least):
            continue
        if low < 0 <= lowest or (least == 0 and high > WRAPPED * greatest):
            ends_of_both = {"greatest": greatest, "low": low, "high": high, "highest": highest}
            owners = {"name": column, "small": called(small), "other": other, "large": called(large)}
            yield said(RankMetricsWarning, "wrapped_ids", **owners, **ends_of_both)


def alike_ids(inputs: Inputs, *, lists_too: bool = True) -> Iterator[str]:
    """Sentences on the columns of text ids in which many ids differ from another only in how they are written.

    Compared are the items of the first lists, and the lists that only one input has, down to `MOST_IDS` of each.
    """
    has_own_truth = inputs.layout.has_truth and inputs.layout.labels is None
    sides = {name: inputs.layout.side(name) for name in ("recs", "truth") if has_own_truth}
    lists = [{name: side.own(column) for name, side in sides.items()} for column in inputs.layout.truth_lists if sides]
    for columns in [{name: str(side.roles.item) for name, side in sides.items()}, *(lists if lists_too else [])]:
        ids = set[str]()
        for name, other in (("recs", "truth"), ("truth", "recs")) if columns else ():
            if sides[name].types[columns[name]].family != "string":
                continue
            rows = [
                f"{quoted(of[name])} IN (SELECT id FROM (SELECT DISTINCT {quoted(of['truth'])} AS id FROM truth "
                f"WHERE {not_null(of['truth'])} ORDER BY id LIMIT {FIRST_LISTS}) AS first_lists)"
                for of in lists
            ]
            if columns in lists:
                known = f"SELECT {quoted(columns[other])} FROM {other} WHERE {not_null(columns[other])}"
                rows = [f"{quoted(columns[name])} NOT IN ({known})"]
            with suppress(EngineError):  # the numbers are right all the same
                found = inputs.rows(f"""
                    SELECT DISTINCT {quoted(columns[name])} AS id FROM {name}
                    WHERE {" AND ".join([not_null(columns[name]), *rows])} ORDER BY id LIMIT {MOST_IDS}""")
                ids |= {str(text) for (text,) in found}
        forms: dict[str, list[str]] = {}
        for text in sorted(ids):
            forms.setdefault(_form_of(text), []).append(text)
        n_alike = len(ids) - len(forms)
        if n_alike >= max(LEAST_ALIKE, ALIKE * len(ids)):
            pair = max(texts for texts in forms.values() if len(texts) > 1)[:2]
            alone = [words for words, write in DIFFERENCES.items() if len({*map(write, pair)}) == 1]
            both = [words for words, write in DIFFERENCES.items() if [*map(write, pair)] != pair]
            examples = " and ".join(repr(text) if text.isascii() else ascii(text) for text in pair)
            yield (
                f"{n_alike:,} of the {len(ids):,} ids in column {columns['recs']!r} of both inputs differ from another "
                f"id only in {alone[0] if alone else ' and '.join(both)}, such as {examples}."
            )


def _form_of(text: str) -> str:
    """An id without all differences in how it may be written."""
    if PLAIN.fullmatch(lower := text.lower()):
        return lower
    return reduce(lambda form, write: write(form), DIFFERENCES.values(), text.strip()).strip()


def _ends_of_type(name: str) -> tuple[float, float]:
    """The least and the greatest number of a small type of integers; infinity for other types."""
    fitting = (ends for pattern, ends in SMALL_INTEGERS.items() if re.fullmatch(pattern, name.lower()))
    return next(fitting, (-inf, inf))
