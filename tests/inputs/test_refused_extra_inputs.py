"""Further inputs that are missing, or cannot be what they are given as, are refused before anything is read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from tests.support.engines import Engine
from tests.support.refusals import Asking, refusal, unread

A_BASELINE = pl.DataFrame({"user": [1], "item": [7], "rank": [1]})
A_HISTORY = A_BASELINE.drop("rank")
SOME_ITEMS = pl.DataFrame({"item": [7], "category": ["s"]})


# What the message says that a metric needs, and the metrics.
NEEDS: Mapping[tuple[str, ...], str] = {
    ("needs history=:", "some of the list columns, item"): "unseen@2 surprisal@2 popularity@2 efd@2",
    ("needs baseline=:", "some of the list columns, item, rank or score"): (
        "unexpectedness@2 serendipity@2 rbo@2 least_item_promoted@2"
    ),
    ("needs items=:", "item, and category, embedding or popularity"): "categorical_diversity@2 embedding_diversity@2",
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
    'category' | in the items | 'item' and 'kind' | extra_columns={"items": rm.Columns(category="...")}
items {"item": 7, "kind": "s"} embedding_diversity@2
    embeddings in the items | 'item' and 'kind'
similarity {"item": 7, "alike": 8, "cosine": 0.5} list_diversity@2
    No other column | 'item', 'alike' and 'cosine' | extra_columns={"similarity": rm.Columns(other="...")}
similarity {"item": 7, "other": 8, "value": 0.5}
    No similarity column | extra_columns={"similarity": rm.Columns(similarity="...")}
history {"user": 7, "bought": 8}
    No item column was found in the history | 'user' and 'bought' | {"history": rm.Columns(item="...")}
catalog {"items": 7}
    No item column was found in the catalog | 'items' looks like one | {"catalog": rm.Columns(item="items")}
items {"item": 7, "genre": "s", "topic": "t"}
    Which column of the items is the category | 'genre' and 'topic' | {"items": rm.Columns(category="genre")}
baseline {"user": 1, "item": 7}
    The baseline has neither a rank nor a score column | 'user' and 'item'
history {"shop": 1, "item": 7}
    The history has no column 'user' | share no list column | 'shop' instead | lists={"user": "shop"}
baseline {"shop": 1, "item": 7, "rank": 1}
    The baseline has no column 'user' | share no list column | 'shop' instead | lists={"user": "shop"}
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
        "'history', 'baseline', 'items', 'similarity', 'catalog' and 'candidates'",
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


def test_sound_inputs_are_taken_and_not_read(ask: Asking, engine: Engine) -> None:
    given = {"history": A_HISTORY, "baseline": A_BASELINE, "items": SOME_ITEMS}
    found = ask(
        metrics=["unseen@2", "rbo@2", "categorical_diversity@2"], **{k: unread(engine, v) for k, v in given.items()}
    )
    with pytest.raises((AssertionError, duckdb.Error), match="the query was run"):
        engine.read(found.summary())
