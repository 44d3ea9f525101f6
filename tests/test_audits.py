"""`rm.audit`: its findings by hand, and beside a second implementation on random data, on every engine."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.audits import Rows, audit_files
from rankmetrics.cli.flags import as_flag
from rankmetrics.dialects import base as dialects
from rankmetrics.errors import spelling
from rankmetrics.metrics.definition import definitions_in
from tests import ROOT
from tests.support.engines import Engine, databases_later
from tests.support.refusals import refusal

# User 1 has item a in train and test; c is earlier than b in train; user 4 is new, and so are q and d; user 9 is not
# tested. System A scores all alike and has lists of two items; C has one of the three lists.
TRAIN = pl.DataFrame({"user": [1, 2, 9], "item": [*"abz"], "day": [1, 4, 2]})
TEST = pl.DataFrame({"user": [1, 2, 4], "item": [*"acq"], "day": [5, 3, 6]})
RECS = pl.DataFrame(
    {
        "system": [*"AAAAAABBBC"],
        "user": [1, 1, 2, 2, 3, 3, 1, 2, 3, 1],
        "item": [*"abcabcadcb"],
        "score": [0.5] * 6 + [4.0, 3.0, 2.0, 1.0],
    }
)
BY_HAND = {
    "constant_scores": (1, "system = 'A', n_lists = 3"),
    "systems_with_few_lists": (1, "system = 'C', n_lists = 1, most_lists = 3"),
    "test_in_train": (1, "user = 1, item = 'a'"),
    "equal_scores": (3, "system = 'A', user = 1, score = 0.5, n_items = 2"),
    "lists_of_some_systems": (2, "user = 2, n_systems_with_list = 2, n_systems = 3"),
    "lists_of_unequal_length": (3, "user = 1, fewest_items = 1, most_items = 2"),
    "recommended_in_train": (2, "system = 'A', user = 1, item = 'a'"),
    "shorter_lists": (2, "system = 'B', longest_list = 1, longest_of_all = 2"),
    "test_before_train": (1, "user = 2, item = 'c', time = 3, last_train_time = 4"),
    "items_of_some_systems": (4, "item = 'a', n_systems_with_item = 2, n_systems = 3"),
    "recommended_items_not_in_train": (2, "item = 'c'; item = 'd'"),
    "recommended_lists_not_in_test": (2, "system = 'A', user = 3"),
    "test_items_not_in_train": (2, "item = 'c'; item = 'q'"),
    "test_lists_not_recommended": (1, "user = 4"),
    "test_users_not_in_train": (1, "user = 4"),
    "train_users_not_in_test": (1, "user = 9"),
}


def numbers(audited: rm.Audit) -> dict[str, tuple[int | None, str]]:
    rows = audited.collect().select("finding", "n", "examples").rows()
    return {name: (n, examples) for name, n, examples in rows if not name.endswith("by_evaluate")}


@databases_later
def test_every_finding_has_its_number_and_its_rows_on_every_engine(any_engine: Engine) -> None:
    audited = rm.audit(*map(any_engine.give, (TRAIN, TEST, RECS)), **any_engine.options)
    found = numbers(audited)
    assert {name: n for name, (n, _) in found.items()} == {name: n for name, (n, _) in BY_HAND.items()}
    for name, (_, examples) in BY_HAND.items():
        assert found[name][1].startswith(examples), name
    assert not audited
    assert audited.unchecked == {}


def test_a_train_set_that_is_later_than_the_test_set_is_called_swapped() -> None:
    found = numbers(rm.audit(TRAIN.with_columns(day=pl.lit(9)), TEST, RECS))
    assert found["train_and_test_swapped"][0] == 2  # users 1 and 2 are in both
    assert "train_and_test_swapped" not in numbers(rm.audit(TRAIN, TEST.with_columns(day=pl.lit(9)), RECS))


def test_an_audit_names_the_conventions_that_need_an_order_of_rows() -> None:
    connection = duckdb.connect()
    train, test, recs = (connection.from_arrow(frame.to_arrow()) for frame in (TRAIN, TEST, RECS))
    rows = {name: examples for name, (_, examples) in numbers(rm.audit(train, test, recs, "ndcg@2")).items()}
    assert "conventions_without_order" in rows
    assert "ranx" in rows["conventions_without_order"] or "recbole" in rows["conventions_without_order"]
    assert "conventions_without_order" not in numbers(rm.audit(TRAIN, TEST, RECS, "ndcg@2"))


@databases_later
def test_the_query_of_an_audit_counts_the_rows_of_each_finding_on_every_engine(any_engine: Engine) -> None:
    audited = rm.audit(*map(any_engine.give, (TRAIN, TEST, RECS)), **any_engine.options)
    queries, files = audited._queries, {name: (kind, file) for name, kind, file in audit_files()}
    query = Rows(queries.question, None).counts(files)
    text = dialects.text(query, queries.engine.dialect)
    rows = queries.engine.rows(queries.engine.run(text, ["kind", "finding", "n"]))
    counts = {name: n for name, (n, _) in BY_HAND.items()}
    assert {name: n for _, name, n in rows} == {**dict.fromkeys(audited.absent, 0), **counts}
    kinds = audited.collect().filter(~pl.col("finding").str.ends_with("by_evaluate")).select("finding", "kind").rows()
    assert {name: kind for kind, name, n in rows if n} == dict(kinds)


def test_the_text_of_an_audit_reads_the_tables_that_are_named() -> None:
    connection = duckdb.connect()
    for name, frame in {"train": TRAIN, "test": TEST, "recs": RECS}.items():
        connection.register(f"given_{name}", frame.to_arrow())
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given_{name}")
    audited, tables = rm.audit(TRAIN, TEST, RECS), dict[str, Any](train="train", test="test", recs="recs")
    rows = connection.execute(audited.to_sql("duckdb", **tables)).fetchall()
    assert {name: n for _, name, n in rows if n} == {name: n for name, (n, _) in BY_HAND.items()}
    text = audited.to_sql("duckdb", finding="test_before_train", **tables)
    assert connection.execute(text).fetchall() == [(2, "c", 3, 4)]
    text = audited.to_sql("snowflake", finding="test_in_train", train="db.train", test="db.test")
    assert '"DB"."TRAIN"' in text
    assert "recs" not in text.lower()
    with refusal(rm.InputError, "The audit has no query of 'test_in_trains'", "Did you mean 'test_in_train'"):
        audited.to_sql(finding="test_in_trains")
    with refusal(rm.InputError, "The audit has no query of 'equal_scores'"):
        rm.audit(TRAIN, TEST, RECS.rename({"score": "rank"}).with_columns(rank=1)).to_sql(finding="equal_scores")


@databases_later
def test_audits_compare_systems_with_mostly_the_same_candidates_by_list(any_engine: Engine) -> None:
    """In the lists of user 3, A ranks c and not d, and B the reverse; C has no list."""
    rows = [(system, user, item) for system in "AB" for user in (1, 2, 3) for item in "ab"]
    recs = pl.DataFrame([*rows, ("A", 3, "c"), ("B", 3, "d")], ["system", "user", "item"], orient="row")
    recs = recs.with_columns(rank=pl.int_range(pl.len()).over("system", "user") + 1)
    inputs, named = [*map(any_engine.give, (TRAIN, TEST, recs))], ["A", "B", "C"]
    found = numbers(rm.audit(*inputs, systems=named, missing="zero", **any_engine.options))
    first = (
        "system = 'A', user = 3, n_items = 3, n_candidates = 4; system = 'B', user = 3, n_items = 3, n_candidates = 4"
    )
    assert found["unequal_candidates"] == (2, first)
    assert found["systems_with_few_lists"] == (1, "system = 'C', n_lists = 0, most_lists = 3")
    assert found["lists_of_some_systems"][0] == 3
    assert found["items_of_some_systems"][0] == 4
    assert "lists_of_unequal_length" not in found
    given = any_engine.give(pl.DataFrame({"system": [*"ABC"]}))
    assert numbers(rm.audit(*inputs, systems=given, missing="zero", **any_engine.options)) == found


def second_implementation(train: pl.DataFrame, test: pl.DataFrame, recs: pl.DataFrame) -> dict[str, int]:
    """The number of rows of each finding, by sets of Python."""
    known, held = {row[:2] for row in train.rows()}, {row[:2] for row in test.rows()}
    lists: dict[tuple[str, int], list[tuple[str, float]]] = {}
    for system, user, item, score in recs.rows():
        lists.setdefault((system, user), []).append((item, score))
    systems = {system for system, _ in lists}
    n_lists, per_user = Counter(system for system, _ in lists), Counter(user for _, user in lists)
    longest = {system: max(len(rows) for (of, _), rows in lists.items() if of == system) for system in systems}
    scores = {
        system: [{s for _, s in rows} for (of, _), rows in lists.items() if of == system and len(rows) > 1]
        for system in systems
    }
    items, last = {item for _, item in known}, max(row[2] for row in train.rows())
    sets: dict[int, list[set[str]]] = {}
    for (_, user), listed in lists.items():
        sets.setdefault(user, []).append({item for item, _ in listed})
    of_several = [each for each in sets.values() if len(each) > 1]
    n_equal = sum(set.union(*each) == set.intersection(*each) for each in of_several)
    are_most_equal = 2 * n_equal > len(of_several)
    of_items = {(system, item) for (system, _), listed in lists.items() for item, _ in listed}
    per_item = Counter(item for _, item in of_items)
    return {
        "test_in_train": len(known & held),
        "systems_with_few_lists": sum(2 * n < max(n_lists.values()) for n in n_lists.values()),
        "constant_scores": sum(bool(of) and all(len(each) == 1 for each in of) for of in scores.values()),
        "test_before_train": sum(row[2] < last for row in test.rows()),
        "recommended_in_train": len({(s, u, i) for (s, u), rows in lists.items() for i, _ in rows if (u, i) in known}),
        "lists_of_some_systems": sum(n < len(systems) for n in per_user.values()),
        "shorter_lists": sum(n < max(longest.values()) for n in longest.values()),
        "lists_of_unequal_length": sum(
            len({len(rows) for (_, user), rows in lists.items() if user == of}) > 1 for of in sets
        ),
        "unequal_candidates": are_most_equal
        * sum(listed < set.union(*each) for each in sets.values() for listed in each),
        "items_of_some_systems": sum(n < len(systems) for n in per_item.values()),
        "equal_scores": sum(n > 1 for rows in lists.values() for n in Counter(s for _, s in rows).values()),
        "test_users_not_in_train": len({u for u, _ in held} - {u for u, _ in known}),
        "train_users_not_in_test": len({u for u, _ in known} - {u for u, _ in held}),
        "test_items_not_in_train": len({i for _, i in held} - items),
        "recommended_items_not_in_train": len({i for rows in lists.values() for i, _ in rows} - items),
        "recommended_lists_not_in_test": sum(user not in {u for u, _ in held} for _, user in lists),
        "test_lists_not_recommended": len({u for u, _ in held} - {*per_user}),
    }


@pytest.mark.parametrize("seed", range(4))
def test_a_second_implementation_counts_the_same_rows_of_random_data(engine: Engine, seed: int) -> None:
    draw = random.Random(seed)

    def rows(n: int, columns: dict[str, Any]) -> pl.DataFrame:
        return pl.DataFrame(
            [[draw.choice(values) for values in columns.values()] for _ in range(n)], [*columns], orient="row"
        )

    of = {"user": range(8), "item": "abcdefgh", "day": range(20)}
    train, test = rows(12, of), rows(9, of)
    recs = rows(30, {"system": "AAAABBBC", **of}).rename({"day": "score"}).select("system", "user", "item", "score")
    found = numbers(rm.audit(*map(engine.give, (train, test, recs))))
    expected = second_implementation(train, test, recs)
    assert {name: n for name, (n, _) in found.items()} == {name: n for name, n in expected.items() if n}


def test_the_page_lists_every_finding() -> None:
    page = (ROOT / "docs/audit.md").read_text(encoding="utf-8")
    for folder in ("errors", "warnings", "notes"):
        for name, file in definitions_in(f"audit/{folder}", "audit").items():
            assert f"| `{name}` | {file.summary}" in page, name
            assert name in {**BY_HAND, "unequal_candidates": None, "train_and_test_swapped": None}


def test_folds_stay_apart_and_a_time_may_have_another_name() -> None:
    folds = [
        frame.with_columns(fold=pl.lit(fold))
        for fold, frame in ((1, TRAIN), (2, TRAIN.with_columns(pl.col("day") - 4)))
    ]
    train, test = pl.concat(folds), pl.concat([TEST.with_columns(fold=pl.lit(fold)) for fold in (1, 2)])
    recs = RECS.with_columns(fold=pl.lit(1))
    found = numbers(rm.audit(train.rename({"day": "when"}), test.rename({"day": "when"}), recs, time="when"))
    assert found["test_before_train"] == (1, "user = 2, fold = 1, item = 'c', time = 3, last_train_time = 4")
    with refusal(rm.ColumnError, "The train set has none of the list columns of the test set: 'user'"):
        rm.audit(
            rm.Input(TRAIN.select("item", system=pl.lit("A")), lists=["system"]), TEST, RECS, lists=["system", "user"]
        )
    with refusal(rm.ColumnError, "The train set has no column 'then'", "'day'"):
        rm.audit(TRAIN, TEST, RECS, time="then")
    with refusal(rm.ColumnError, "The time is integer", "in train and string", "cast one of them"):
        rm.audit(TRAIN, TEST.with_columns(pl.col("day").cast(pl.String)), RECS)
    with refusal(rm.ColumnError, "Which column of the test set is the time: 'day' and 'timestamp'?", 'time="day"'):
        rm.audit(TRAIN, TEST.with_columns(timestamp=pl.col("day")), RECS)


def test_what_cannot_be_looked_for_is_said() -> None:
    one = RECS.filter(system="B").select("user", "item").with_columns(rank=1)
    audited = rm.audit(TRAIN.drop("day"), TEST, one)
    assert {*audited.unchecked.values()} == {"time", "systems", "score"}
    assert (
        "not looked for without several systems: systems_with_few_lists, lists_of_some_systems, "
        "lists_of_unequal_length, shorter_lists, unequal_candidates, items_of_some_systems"
    ) in audited.notes()
    assert "test_lists_not_recommended" not in audited.absent


def test_errors_and_warnings_of_evaluate_are_findings() -> None:
    audited = rm.audit(TRAIN, TEST, RECS.with_columns(rank=0), "ndcg@2")
    [message] = audited.collect().filter(finding="refused_by_evaluate")["meaning"]
    assert "in column 'rank' of the recommendations do not start at 1" in message
    assert "rm.Input(recs, rank_from=0)" in message
    with spelling(as_flag):
        audited = rm.audit(TRAIN, TEST, RECS.with_columns(rank=0))
    [message] = audited.collect().filter(finding="refused_by_evaluate")["meaning"]
    assert "--rank-from 0" in message
    audited = rm.audit(TRAIN, TEST.with_columns(rating=0.5), RECS, "ndcg(rel=1)@2")
    [doubt] = audited.collect().filter(finding="doubted_by_evaluate").to_dicts()
    assert doubt["kind"] == "warning"
    assert "No rating of the truth reaches 1" in doubt["meaning"]


@pytest.mark.long
def test_conventions_that_reverse_two_systems_are_found_with_the_pairs() -> None:
    """A puts the item with the lower rating first; by binary gains, A and B are equal, and B misses the second item."""
    test = pl.DataFrame({"user": [1, 1], "item": [*"ab"], "rating": [1.0, 5.0]})
    recs = pl.DataFrame({"system": [*"AAB"], "user": [1] * 3, "item": [*"axb"], "rank": [1, 2, 2]}).vstack(
        pl.DataFrame({"system": ["B"], "user": [1], "item": ["y"], "rank": [1]})
    )
    table = rm.compare_conventions("ndcg@2", recs, test)
    values = {
        row["convention"]: row for row in table.collect().pivot("system", index="convention", values="value").to_dicts()
    }
    expected = {name for name, row in values.items() if row["B"] > row["A"]}
    assert values["rankmetrics"]["A"] > values["rankmetrics"]["B"]
    pairs = table.reversals()
    assert {*pairs["convention"]} == expected != set()
    assert {*pairs.select("better", "worse").rows()} == {("A", "B")}
    audited = rm.audit(TRAIN, test, recs, "ndcg@2")
    assert numbers(audited)["conventions_reverse"][0] == len(expected)


def test_a_list_column_may_be_called_n() -> None:
    recs = pl.DataFrame({"n": ["x", "y"], "user": 1, "item": [1, 2], "rank": 1})
    train, test = (pl.DataFrame({"user": [1], "item": [item]}) for item in (2, 1))
    assert numbers(rm.audit(train, test, recs, "rr"))["items_of_some_systems"][0] == 2
