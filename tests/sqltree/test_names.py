"""No name inside a query is one of the user's: columns called as anything inside is leave every number as it is.

The names are collected from the queries themselves, so that a name that is new inside is tried, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import polars as pl
import pytest
import sqlglot
from polars.testing import assert_frame_equal
from sqlglot import exp

import rankmetrics as rm
from rankmetrics.errors import plain
from rankmetrics.faults import account
from rankmetrics.inputs.roles import USUAL
from rankmetrics.metrics.catalog import N_LISTS, catalog
from rankmetrics.metrics.definition import FOLDERS
from rankmetrics.metrics.metric import read_metrics
from rankmetrics.planner import Diagnostics, Plan, Query, text_of
from rankmetrics.sqltree import names as naming
from tests import ROOT
from tests.support import flat, matrix
from tests.support.drawing import share
from tests.support.engines import LOCAL, OTHERS, Engine, need, of_no_lists

ENGINES = {one.name: one for one in (*LOCAL, *OTHERS)}

# Queries that together have every step there is: of the whole catalogue, at many cutoffs, over several lists that the
# means are taken over, under each policy.
EVERY = [one[0] for one in matrix.variants().values()]
QUERIES: tuple[list[Any], ...] = (
    *(EVERY[start::8] for start in range(8)),
    ["ndcg@1..9", "recall@1..9", "ap@1..9", "rr@1..9", "f_beta@3"],
    [f"ndcg(missing={one})@5" for one in ("zero", "skip", "listed", "history", "baseline")],
    matrix.policies(),
)

# Metrics that read every input in every way.
FEW = ["ndcg@5", "unseen@5", "surprisal@5", "miscalibration@5", "serendipity@5", "coverage@5", "gauc@5", "gini@5"]
FEW += ["least_item_promoted@5", "list_diversity@5", "embedding_diversity@5"]

# What a test reads of a result.
Read = Callable[[Engine, rm.Result], list[pl.DataFrame]]


def _column_names(query: exp.Expr) -> set[str]:
    """The names of all columns that a query reads or returns, in lower case."""
    return {name.name.lower() for name in query.find_all(exp.Identifier) if naming._is_column(name)}


# --- the names there are ----------------------------------------------------------------------------------------------


def _of_query(engine: Engine, metrics: Sequence[Any], *, with_account: bool) -> Iterator[str]:
    """The names of the columns of the queries for some metrics, as an engine's texts."""
    queries = matrix.evaluate(engine, metrics)._queries
    plain = queries.plan()
    written: list[tuple[Plan, Callable[[Plan], Query]]] = [(plain, Plan.summary_query), (plain, Plan.per_list_query)]
    if with_account:
        whole = queries.plan(counts=True, diagnostics=Diagnostics(counts_idle=True))
        written += [(whole, account.account), (whole, account.summary_with_account)]
    for plan, query in written:
        yield from _column_names(sqlglot.parse_one(text_of(plan, query, engine.name)[0], read="duckdb"))


def _of_golden_queries() -> Iterator[str]:
    """What columns are called in the golden queries."""
    for path in (ROOT / "tests" / "golden").glob("*.duckdb.sql"):
        yield from _column_names(sqlglot.parse_one(path.read_text(encoding="utf-8"), read="duckdb"))


def _of_files() -> Iterator[str]:
    """Every column of the files of sql/, the files' own names, and what metrics are also called."""
    for definition in (one for kind in FOLDERS for one in catalog().all(kind)):
        yield from (definition.name, *definition.aliases, *_column_names(definition.select))


# Names that once were used inside, some of which gave wrong numbers, and what stands beside the numbers.
OF_THE_PAST = [f"rankmetrics_{name}" for name in "row rank dimension score number item rows place".split()]
OF_THE_PAST += ["rankmetrics account", "rankmetrics n", "n_alike", "n_missing", "n_undefined", "undefined rr@5"]
OF_THE_PAST += ["account", "n", "row_number", "input_row", "input_rank", "in zero", "user_1_before", "lists_scored"]

OF_WORLD = {name for frame in matrix.world().values() for name in frame.columns}


def once(found: Iterable[object]) -> list[str]:
    """Names that a column may have, each once, whatever its case; every other one in capitals."""
    texts = sorted(one for one in found if isinstance(one, str) and one.isprintable() and 0 < len(one) < 60)
    fit = {one.lower(): one for one in texts if one.lower() not in OF_WORLD}
    return [one.upper() if number % 2 else one for number, one in enumerate(fit.values())]


@cache
def names_inside(engine: str, number: int) -> list[str]:
    return once(_of_query(ENGINES[engine], QUERIES[number], with_account=False))


@cache
def names_beside(engine: str) -> list[str]:
    """The names inside the queries of the account and of whatever computes it with the numbers."""
    return once([*_of_query(ENGINES[engine], FEW, with_account=True), *OF_THE_PAST])


@cache
def names() -> list[str]:
    """Every name that is used inside a query, or was."""
    inside = [one for engine in LOCAL for n in range(len(QUERIES)) for one in names_inside(engine.name, n)]
    beside = [one for engine in LOCAL for one in names_beside(engine.name)]
    return once([*inside, *beside, *_of_golden_queries(), *_of_files()])


def batches(of: Sequence[str], size: int) -> list[list[str]]:
    """Names in groups of some size; the last is filled up with the first names."""
    found = [[*of[start : start + size]] for start in range(0, len(of), size)]
    return [[*dict.fromkeys([*one, *of])][:size] for one in found]


# --- measuring under other names --------------------------------------------------------------------------------------

OF_RECS, OF_TRUTH = rm.Columns(item="item", score="score"), rm.Columns(item="item", rating="rating")
OF_EXTRAS: dict[str, rm.Columns] = {
    "history": rm.Columns(item="item"),
    "baseline": rm.Columns(item="item", rank="rank"),
    "items": rm.Columns(item="item", category="category", embedding="embedding"),
    "similarity": rm.Columns(item="item", other="other", similarity="similarity"),
    "catalog": rm.Columns(item="item"),
}


def renamed(roles: rm.Columns, frame: pl.DataFrame, called: Mapping[str, str]) -> rm.Columns:
    """The columns of an input by other names, those that it has."""
    return rm.Columns(**{role: called.get(name, name) for role, name in vars(roles).items() if name in frame.columns})


def measured(
    engine: Engine,
    metrics: Sequence[Any],
    frames: Mapping[str, pl.DataFrame],
    read: Read,
    called: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
    of_systems: Sequence[str] = (),
    of_users: Sequence[str] = (),
    of_recs: rm.Columns = OF_RECS,
) -> list[pl.DataFrame]:
    """What is read of an evaluation of frames whose columns are called otherwise, by input.

    `of_systems` and `of_users` are list columns beside `algorithm` and `user`; all of systems are in `by`, and two of
    users.
    """
    of = {name: called.get(name, {}) for name in frames}
    given = {name: engine.give(frame.rename(of[name])) for name, frame in frames.items()}
    recs, truth = given.pop("recs"), given.pop("truth")
    found = flat.evaluate(
        recs,
        truth,
        metrics,
        lists=[of["recs"].get(one, one) for one in ("algorithm", "user", *of_systems, *of_users)],
        truth_lists=[of["truth"].get(one, one) for one in ("user", *of_users)],
        by=[of["recs"].get(one, one) for one in ("algorithm", *of_systems, *of_users[:2])],
        columns=renamed(of_recs, frames["recs"], of["recs"]),
        truth_columns=renamed(OF_TRUTH, frames["truth"], of["truth"]),
        extra_columns={name: renamed(one, frames[name], of[name]) for name, one in OF_EXTRAS.items() if name in given},
        **given,
        **engine.options,
    )
    return read(engine, found)


def lazily(engine: Engine, found: rm.Result) -> list[pl.DataFrame]:
    return [engine.read(found.summary()), engine.read(found.per_list())]


def briefly(engine: Engine, found: rm.Result) -> list[pl.DataFrame]:
    return [engine.read(found.summary())]


def checked(engine: Engine, found: rm.Result) -> list[pl.DataFrame]:
    """The summary as it is computed with the account, and the account without the columns that are not used."""
    account = engine.read(found.account())
    return [found.collect(), account.filter(~pl.nth(-2).str.starts_with("columns of the"))]


def assert_same(ours: Sequence[pl.DataFrame], theirs: Sequence[pl.DataFrame]) -> None:
    """The same rows, column by column, whatever the columns are called."""
    for one, other in zip(ours, theirs, strict=True):
        other.columns = one.columns
        keys = [name for name, kind in one.schema.items() if not kind.is_float()]
        frames = [frame.sort(keys, nulls_last=True) for frame in (one, other)]
        assert_frame_equal(*frames, rel_tol=1e-12, abs_tol=1e-12)


# --- list columns -----------------------------------------------------------------------------------------------------


@cache
def with_lists(size: int) -> tuple[dict[str, pl.DataFrame], list[str], list[str]]:
    """The world with so many more list columns of systems, so many of users, and what they are called."""
    of_systems, of_users = ([f"{kind} {n}" for n in range(size)] for kind in ("system", "user"))
    frames = dict(matrix.world())
    for name in ("recs", "truth", "history", "baseline", "log"):
        frames[name] = frames[name].with_columns((pl.col("user") % 3).alias(one) for one in of_users)
    frames["recs"] = frames["recs"].with_columns((pl.col("algorithm") + one).alias(one) for one in of_systems)
    return frames, of_systems, of_users


def assert_lists_may_be_called(engine: Engine, metrics: Sequence[Any], found: Sequence[str], read: Read) -> None:
    """Call list columns by some names, in turns a column of systems and one of users."""
    labels = {one.label.lower() for one in read_metrics(metrics)} | {N_LISTS}  # two columns would have the name
    fit = [one for one in found if one.lower() not in labels]
    size = min(12, len(fit) // 2)
    frames, of_systems, of_users = with_lists(size)
    if "embedding_diversity" in engine.lacks:
        frames = {**frames, "items": of_no_lists(frames["items"])}
    ours = measured(engine, metrics, frames, read, of_systems=of_systems, of_users=of_users)
    for batch in share(batches(fit, 2 * size)):
        of = {**dict(zip(of_systems, batch[::2], strict=True)), **dict(zip(of_users, batch[1::2], strict=True))}
        called = {name: {old: new for old, new in of.items() if old in frame.columns} for name, frame in frames.items()}
        assert_same(ours, measured(engine, metrics, frames, read, called, of_systems, of_users))


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(QUERIES)))
@pytest.mark.parametrize("engine", LOCAL, ids=repr)
def test_a_list_column_may_be_called_as_any_column_inside_a_query_is(engine: Engine, number: int) -> None:
    assert_lists_may_be_called(engine, QUERIES[number], names_inside(engine.name, number), lazily)


@pytest.mark.long
@pytest.mark.parametrize("engine", LOCAL, ids=repr)
def test_a_list_column_may_be_called_as_any_column_of_the_account_is(engine: Engine) -> None:
    assert_lists_may_be_called(engine, FEW[:2], names_beside(engine.name), checked)


# --- other columns ----------------------------------------------------------------------------------------------------

ROLES = {"recs": OF_RECS, "truth": OF_TRUTH, **OF_EXTRAS}
PLACES = [(name, column) for name, roles in ROLES.items() for column in vars(roles).values() if column]


@pytest.mark.long
@pytest.mark.parametrize("role", ["score", "rank"])
@pytest.mark.parametrize("engine", LOCAL, ids=repr)
def test_a_column_of_any_role_may_be_called_as_anything_inside_a_query_is(engine: Engine, role: str) -> None:
    named: dict[str, Any] = {"item": "item", role: "score"}
    frames, of_recs = dict(matrix.world()), rm.Columns(**named)
    if role == "rank":
        frames["recs"] = frames["recs"].with_columns(score=pl.int_range(1, pl.len() + 1).over("algorithm", "user"))
    ours = measured(engine, FEW, frames, briefly, of_recs=of_recs)
    for batch in share(batches(names(), len(PLACES))):
        called: dict[str, dict[str, str]] = {}
        for (name, column), new in zip(PLACES, batch, strict=True):
            called.setdefault(name, {})[column] = new
        assert_same(ours, measured(engine, FEW, frames, briefly, called, of_recs=of_recs))


@pytest.mark.long
@pytest.mark.parametrize("engine", LOCAL, ids=repr)
def test_a_column_that_nobody_reads_may_be_called_as_anything_is(engine: Engine) -> None:
    frames = matrix.world()
    ours = [one for read in (lazily, checked) for one in measured(engine, FEW, frames, read)]
    usual = {one for roles in USUAL.values() for found in roles.values() for one in found}  # would play a role
    idle = [one for one in names() if plain(one) not in usual]
    for batch in share(batches(idle, 300)):
        wider = {name: frame.with_columns(pl.lit(7).alias(one) for one in batch) for name, frame in frames.items()}
        theirs = [one for read in (lazily, checked) for one in measured(engine, FEW, wider, read)]
        assert_same(ours, theirs)


# --- other engines ----------------------------------------------------------------------------------------------------

# Names that collided once, and names of roles, of steps and of columns that engines and dialects add or change.
SAMPLE = ["rankmetrics_rank", "ROW_NUMBER", "undefined ndcg@5", "lists_scored", "n_hits@5", "in zero", "ndcg_at_5"]
SAMPLE += ["account", "N", "n_missing", "recs_repeated", "list_rank", "hits", "lists", "rank", "item", "score", "k"]


@pytest.mark.long
@pytest.mark.parametrize("engine", [*LOCAL, *OTHERS], ids=repr)
def test_a_column_may_be_called_as_anything_is_on_every_engine(engine: Engine) -> None:
    need(engine)
    is_slow = engine.name == "spark"  # it takes a minute for what the others take a second for
    metrics, sample = (["ndcg@5"], SAMPLE[:6]) if is_slow else (["ndcg@5", "unseen@5", "miscalibration@5"], SAMPLE)
    frames, of_systems, of_users = with_lists(len(sample) // 2)
    frames = {**frames, "items": of_no_lists(frames["items"])} if engine in OTHERS else frames
    frames = {name: frames[name] for name in ("recs", "truth")} if is_slow else frames
    of = dict(zip((*of_systems, *of_users), sample, strict=True))
    roles = {"item": "undefined rr@5", "score": "n_items", "rating": "SIZES", "rank": "n_lists", "category": "Place"}
    called = {
        name: {old: new for old, new in {**of, **roles}.items() if old in frame.columns}
        for name, frame in frames.items()
    }
    for read in (checked,) if is_slow else (checked, lazily):
        ours = measured(engine, metrics, frames, read, of_systems=of_systems, of_users=of_users)
        assert_same(ours, measured(engine, metrics, frames, read, called, of_systems, of_users))


@pytest.mark.parametrize("give", [pl.DataFrame.lazy, pl.DataFrame.to_arrow])
def test_rows_are_numbered_beside_columns_that_are_called_as_their_number(give: Any) -> None:
    for names_of_numbers in (["input_row", "input_rank", "rankmetrics_row"], ["INPUT_ROW"]):
        recs = pl.DataFrame({"user": [1, 1, 1], "item": [7, 8, 9], "score": [1.0, 1.0, 1.0]})
        recs = recs.with_columns(pl.Series(name, [3, 2, 1]) for name in names_of_numbers)
        inputs = give(recs), give(pl.DataFrame({"user": [1], "item": [8]}))
        assert rm.evaluate(*inputs, "rr", lists="user", ties="input").collect()["rr"].to_list() == [1 / 2]
        assert rm.evaluate(*inputs, "rr", by=[], ties="input").collect()["rr"].to_list() == [1 / 3]


def test_a_list_column_may_be_called_as_a_column_inside_is_in_another_case() -> None:
    recs = pl.DataFrame({"RANK": [1, 1], "item": [7, 8], "score": [2.0, 1.0]})
    truth = pl.DataFrame({"RANK": [1], "item": [8]})
    for engine in LOCAL:
        given = engine.give(recs), engine.give(truth)
        result = flat.evaluate(*given, "rr", lists="RANK", columns=OF_RECS, truth_columns=rm.Columns(item="item"))
        assert engine.read(result.per_list()).rows() == [(1, 1 / 2)], engine
