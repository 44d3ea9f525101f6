"""Columns and further inputs that are missing, of a wrong type or ambiguous are refused, with those that there are."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics import Columns
from rankmetrics.errors import Option, plain
from rankmetrics.inputs.roles import DESCRIPTIONS, FOLDS, IDLE, OWNERS, USUAL
from rankmetrics.messages import said
from tests import ROOT
from tests.support.engines import Engine, each_engine
from tests.support.refusals import RECS, SCORED, TRUTH, Asking, refusal, unread

DAY = RECS.with_columns(day=pl.lit(date(2026, 1, 1)))
UNRANKED = RECS.drop("rank")
NO_NUMBER = "not a number"

OF_RECS, OF_TRUTH, IN_RECS = "'user', 'item' and 'rank'", "'user' and 'item'", "recommendations"
OF_ALL = "in the recommendations", "in the truth"
MIDNIGHT = pl.lit(datetime(2026, 1, 1))

# What is given, where it is not sound, and the words of the refusal.
REFUSED: Mapping[str, tuple[Mapping[str, Any], tuple[str, ...]]] = {
    # columns that are not there
    "a named item": ({"columns": Columns(item="itm")}, ("'itm'", IN_RECS, OF_RECS, "mean 'item'?")),
    "a named item of the truth": ({"truth_columns": Columns(item="itm")}, ("'itm'", "truth", OF_TRUTH, "mean 'item'?")),
    "a named rank": ({"columns": Columns(rank="ranking")}, ("'ranking'", "rank", OF_RECS, "mean 'rank'?")),
    "a named score": ({"columns": Columns(score="ranking")}, ("'ranking'", "score", OF_RECS, "mean 'rank'?")),
    "a named rating": (
        {"truth": TRUTH.with_columns(ratings=1.0), "columns": Columns(rating="rating")},
        ("'rating'", "truth", "mean 'ratings'?"),
    ),
    "the item of the recommendations": (
        {"recs": RECS.rename({"item": "items"})},
        ("item", IN_RECS, "there were 'user'", "'items' looks like one", ' rm.Input(recs, columns={"item": "items"})'),
    ),
    "the item of the truth": (
        {"truth": TRUTH.rename({"item": "items"})},
        ("item", "truth", "there were 'user'", "'items' looks like one", ' rm.Input(truth, columns={"item": "items"})'),
    ),
    "a list column": ({"recs": RECS.drop("user")}, ("no column that identifies a list", "'item' and 'rank'")),
    "a list column with a near name": (
        {"truth": TRUTH.rename({"user": "users"})},
        ("share no list column", "like its column 'users'", '{"user": "users"}'),
    ),
    "a shared list column": (
        {"truth": TRUTH.rename({"user": "session"})},
        ("share no list column", "the truth has 'session' instead"),
    ),
    "a rank and a score": ({"recs": UNRANKED}, ("neither a rank nor", OF_TRUTH, '"score": "..."', 'ties="input"')),
    **{
        f"the ratings of {metric}": ({"metrics": metric}, ("rating", OF_TRUTH, 'columns={"rating": '))
        for metric in ("ndcg(gain=linear)@5", "dcg(gain=exponential)", "precision(rel=4)@5", "err(stop=graded)@5")
    },
    # columns of the wrong type
    "items of two types": (
        {"truth": TRUTH.cast({"item": pl.String})},
        ("item is integer", *OF_ALL, "string", "Cast one"),
    ),
    "a list column of two types": (
        {"recs": RECS.cast({"user": pl.String})},
        ("'user' is string", *OF_ALL, "integer", "Cast one"),
    ),
    "a date and a time": (
        {"recs": DAY, "truth": TRUTH.with_columns(day=MIDNIGHT)},
        ("'day' is date in the", "datetime", "Cast one"),
    ),
    "a time with a zone and one without": (
        {
            "recs": RECS.with_columns(at=pl.lit(datetime(2020, 1, 1)).dt.replace_time_zone("UTC")),
            "truth": TRUTH.with_columns(at=pl.lit(datetime(2020, 1, 1))),
        },
        ("zoned datetime", "in the recommendations and datetime"),
    ),
    "a rank of truths": ({"recs": UNRANKED.with_columns(rank=True)}, ("rank column 'rank'", NO_NUMBER, "boolean")),
    "a score of truths": ({"recs": UNRANKED.with_columns(score=True)}, ("score column 'score'", NO_NUMBER, "boolean")),
    "a rating of texts": (
        {"truth": TRUTH.with_columns(rating=pl.lit("1"))},
        ("rating column 'rating'", NO_NUMBER, "string"),
    ),
    **{
        f"{name}s that are floats": (
            {"recs": RECS.cast({name: pl.Float64}), "truth": TRUTH.cast({name: pl.Float64})},
            (name, "float", "cast it to integer or string"),
        )
        for name in ("item", "user")
    },
    "a float that would identify lists": ({"recs": RECS.with_columns(x=0.5)}, ("'x'", "float", "lists=[...]")),
    "a nested column among the lists": (
        {"recs": RECS.with_columns(tags=pl.Series([["new"]] * 4))},
        ("'tags'", "nested", "lists=[...]"),
    ),
    # columns that could be meant
    "two items": (
        {"recs": RECS.with_columns(item_id=pl.col("item"))},
        (IN_RECS, "item", "'item' and 'item_id'", '{"item": ', "lists=[...]"),
    ),
    "two items of the truth": (
        {"truth": TRUTH.with_columns(movieId=pl.col("item"))},
        ("truth", "item", "'item' and 'movieId'", '{"item": '),
    ),
    "two scores": (
        {"recs": SCORED.with_columns(prediction=0.5)},
        ("score", "'score' and 'prediction'", 'columns={"score": '),
    ),
    # lists, truth_lists and by
    **{
        f"{name} that are not there": ({name: ["usr"]}, ("'usr'", str(Option(name, is_noun=True)), "mean 'user'?"))
        for name in ("lists", "truth_lists")
    },
    "by a column that identifies no list": ({"by": "usr"}, ("'usr'", "lists are identified by 'user'", "mean 'user'?")),
    **{
        f"a column twice in {name}": ({name: ["user", "user"]}, (f"{Option(name, is_noun=True)!s} names 'user' more",))
        for name in ("lists", "truth_lists", "by")
    },
    **{
        f"the {role} among the lists": (
            {"lists": ["user", role], "columns": Columns(**{role: role})},  # type: ignore[arg-type]
            (f"'{role}' is named in lists", f"the {role} column"),
        )
        for role in ("item", "rank")
    },
    "a truth list that identifies no list": (
        {"truth": TRUTH.with_columns(day=1), "lists": ["user"], "truth_lists": ["user", "day"]},
        ("'day'", "rm.Input(truth, lists=...)", "identified by 'user'"),
    ),
    "no truth list": ({"truth_lists": []}, ("rm.Input(truth, lists=...) is empty", "at least one list column")),
    **{
        f"a list column called {name}": (
            {"recs": RECS.rename({"user": name}), "truth": TRUTH.rename({"user": name})},
            (f"two columns called '{name}'", "rename"),
        )
        for name in ("hit@1", "HIT@1")
    },
    "n_lists as a column of by": (
        {"recs": RECS.with_columns(n_lists=1), "by": "n_lists"},
        ("two columns called 'n_lists'", "rename"),
    ),
}


def test_columns_that_cannot_do_are_refused_with_those_that_there_are(ask: Asking) -> None:
    for name, (given, words) in REFUSED.items():
        with refusal(rm.ColumnError, *words, case=name):
            ask(**given)


def test_the_option_for_the_item_of_the_truth_leaves_the_recommendations_alone(ask: Asking) -> None:
    truth = TRUTH.rename({"item": "product"})
    with refusal(rm.ColumnError, "'product' looks like one", 'rm.Input(truth, columns={"item": "product"})'):
        ask(truth=truth)
    assert ask(truth=truth, truth_columns=rm.Columns(item="product")).layout.truth.item == "product"


# --- Usual names of columns: which names mean the same column, and which roles a name may play ------------------------


def test_names_are_listed_without_case_and_separators() -> None:
    roles = [names for table in USUAL.values() for names in table.values()]
    for names in (*roles, *OWNERS.values(), IDLE, FOLDS, DESCRIPTIONS):
        assert {plain(name) for name in names} == names


def test_every_message_is_used_under_its_own_name_and_an_option_in_it_is_an_option() -> None:
    pages = tomllib.loads((ROOT / "sql" / "messages.toml").read_text(encoding="utf-8"))
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "rankmetrics").rglob("*.py"))
    messages = [name for texts in pages.values() for name in texts]
    assert [name for name in messages if f'"{name}"' not in code] == []
    assert len(messages) == len({*messages})
    assert str(said(rm.ColumnError, "beside_a_log", table="t", role="r")).endswith("Give log=.")


def test_no_name_belongs_to_two_families_of_owners() -> None:
    every = [name for names in (*OWNERS.values(), FOLDS) for name in names]
    assert len(every) == len({*every})


def test_no_owner_of_a_list_is_taken_for_an_item() -> None:
    assert not {name for names in OWNERS.values() for name in names} & USUAL["recommendations"]["item"]


# --- Further inputs that are missing, or cannot be what they are given as, are refused before anything is read --------


A_BASELINE = pl.DataFrame({"user": [1], "item": [7], "rank": [1]})
A_HISTORY = A_BASELINE.drop("rank")
SOME_ITEMS = pl.DataFrame({"item": [7], "category": ["s"]})


# What the message says that a metric needs, and the metrics.
NEEDS: Mapping[tuple[str, ...], str] = {
    ("needs history=:", "some of the list columns, item"): "unseen@2 surprisal@2 popularity@2 efd@2",
    ("needs baseline=:", "some of the list columns, item, rank or score"): (
        "unexpectedness@2 serendipity@2 rbo@2 least_item_promoted@2"
    ),
    ("needs items=:", "item, and category, embedding, popularity"): "categorical_diversity@2 embedding_diversity@2",
    ("needs similarity=:", "item, other, similarity"): "list_diversity@2",
    ("needs catalog=:", "the items that could be recommended", "item"): "coverage@2 gini@2",
    ("needs",): "pooled_auc",
}


def test_a_metric_that_lacks_its_input_is_refused_with_what_that_must_hold(ask: Asking) -> None:
    for words, metrics in NEEDS.items():
        for metric in metrics.split():
            with refusal(rm.InputError, metric, *words, case=metric):
                ask(metrics=["hit@1", metric])


def test_a_metric_of_two_inputs_is_refused_for_either(ask: Asking, engine: Engine) -> None:
    with refusal(rm.InputError, "miscalibration@2 needs items=:"):
        ask(metrics="miscalibration@2", history=unread(engine, A_HISTORY))
    with refusal(rm.InputError, "miscalibration@2 needs history=:"):
        ask(metrics="miscalibration@2", items=unread(engine, SOME_ITEMS))


def test_a_metric_that_is_made_of_others_is_refused_under_its_own_name(ask: Asking) -> None:
    with refusal(rm.InputError, "f_beta(metric_0=unseen)@2 needs history=:"):
        ask(metrics="f_beta(metric_0=unseen)@2")


# The input, a row of it, a metric where the input alone is not refused, and below them the words of the refusal.
LACKING = """
items {"item": 7, "kind": "s"} categorical_diversity@2
    'category' | in the items | 'item' and 'kind' | rm.Input(items, columns={"category": "..."})
items {"item": 7, "kind": "s"} embedding_diversity@2
    embeddings in the items | 'item' and 'kind'
similarity {"item": 7, "alike": 8, "cosine": 0.5} list_diversity@2
    No other column | 'item', 'alike' and 'cosine' | rm.Input(similarity, columns={"other": "..."})
similarity {"item": 7, "other": 8, "value": 0.5}
    No similarity column | rm.Input(similarity, columns={"similarity": "..."})
history {"user": 7, "bought": 8}
    No item column was found in the history | 'user' and 'bought' | rm.Input(history, columns={"item": "..."})
catalog {"items": 7}
    No item column was found in the catalog | 'items' looks like one | rm.Input(catalog, columns={"item": "items"})
items {"item": 7, "genre": "s", "topic": "t"}
    Which column of the items is the category | 'genre' and 'topic' | rm.Input(items, columns={"category": "genre"})
baseline {"user": 1, "item": 7}
    The baseline has neither a rank nor a score column | 'user' and 'item'
history {"shop": 1, "item": 7}
    The history has no column 'user' | share no list column | 'shop' instead | "lists": {"user": "shop"}
baseline {"shop": 1, "item": 7, "rank": 1}
    The baseline has no column 'user' | share no list column | 'shop' instead | "lists": {"user": "shop"}
history {"user": 1, "item": "7"}
    item is integer | in the recommendations | string | in the history | Cast one
catalog {"item": "7"}
    item is integer | string | in the catalog | Cast one
items {"item": "7", "category": "s"}
    item is integer | string | in the items | Cast one
similarity {"item": 7, "other": "8", "similarity": 0.5}
    other item is integer | string | in the similarity | Cast one
history {"user": "1", "item": 7}
    list column 'user' is integer | string | in the history | Cast one
similarity {"item": 7, "other": 8, "similarity": "high"}
    similarity column 'similarity' of the similarity is not a number | string
items {"item": 7, "popularity": "high"}
    popularity column 'popularity' of the items is not a number | string
items {"item": 7, "embedding": 0.5}
    embedding column 'embedding' of the items is not a list of numbers | float
items {"item": 7, "embedding": ["east"]} embedding_diversity@2
    not a list of numbers
"""


def test_an_input_that_cannot_do_is_refused(ask: Asking, engine: Engine) -> None:
    lines = LACKING.strip().splitlines()
    for line, words in zip(lines[::2], lines[1::2], strict=True):
        name, row, metric = re.fullmatch(r"(\w+) (\{.*\}) ?(.*)", line).groups()  # type: ignore[union-attr]
        with refusal(rm.ColumnError, *words.strip().split(" | "), case=line):
            ask(metrics=metric or "hit@1", **{name: unread(engine, pl.DataFrame([json.loads(row)]))})


def test_columns_of_an_input_that_there_is_not_are_refused(ask: Asking) -> None:
    with refusal(
        rm.ColumnError,
        "extra_columns names 'itms'",
        "'history', 'baseline', 'items', 'similarity', 'catalog', 'candidates' and 'log'",
    ):
        ask(extra_columns={"itms": rm.Columns(category="genre")})


def test_a_named_column_that_is_missing_is_refused_with_the_near_names(ask: Asking, engine: Engine) -> None:
    with refusal(rm.ColumnError, "No column 'categry' in the items", "category column", "Did you mean 'category'"):
        ask(items=unread(engine, SOME_ITEMS), extra_columns={"items": rm.Columns(category="categry")})


def test_a_named_column_of_a_role_that_the_input_has_not_is_refused(ask: Asking, engine: Engine) -> None:
    with refusal(rm.ColumnError, "history", "score"):
        ask(history=unread(engine, A_HISTORY), extra_columns={"history": rm.Columns(score="nowhere")})


@pytest.mark.parametrize("name", ["history", "baseline"])
def test_the_lists_of_an_input_that_there_is_not_cannot_be_taken(ask: Asking, name: Any) -> None:
    for asked in ({"missing": name}, {"metrics": f"hit(missing={name})@1"}):
        with refusal(rm.InputError, f'missing="{name}" takes the lists of the {name}', f"give {name}="):
            ask(**asked)


@pytest.mark.parametrize("name", ["history", "baseline"])
def test_the_lists_of_an_input_that_knows_other_list_columns_cannot_be_taken(
    ask: Asking, engine: Engine, name: Any
) -> None:
    recs = pl.DataFrame({"day": [1], "user": [1], "item": [7], "rank": [1]})
    given: dict[str, Any] = {name: unread(engine, A_BASELINE)}
    with refusal(rm.ColumnError, f'missing="{name}"', "identified by 'user', those of the truth by 'day' and 'user'"):
        ask(recs, recs.drop("rank"), missing=name, **given)


def test_a_metric_that_needs_a_cutoff_is_refused_without(ask: Asking, engine: Engine) -> None:
    needing = ("rbo", "rbo(p=0.5)", "least_item_promoted")
    for metric in (*needing, "ap(at=places)", "ap(at=places, divisor=k)", "ndcg(share=full)"):
        with refusal(rm.MetricError, f"{metric} needs a cutoff, as in {metric}@10: "):
            ask(metrics=metric, baseline=unread(engine, A_BASELINE))
        ask(metrics=f"{metric}@10", baseline=unread(engine, A_BASELINE))


@each_engine
def test_sound_inputs_are_taken_and_not_read(ask: Asking, engine: Engine) -> None:
    given = {"history": A_HISTORY, "baseline": A_BASELINE, "items": SOME_ITEMS}
    found = ask(
        metrics=["unseen@2", "rbo@2", "categorical_diversity@2"], **{k: unread(engine, v) for k, v in given.items()}
    )
    with pytest.raises((AssertionError, duckdb.Error), match="the query was run"):
        engine.read(found.summary())
