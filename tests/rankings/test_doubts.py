"""Negated scores and transposed matrices are warned of, and sound rankings of many kinds are not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import polars as pl
from hypothesis import given
from scipy.sparse import csr_array

import rankmetrics as rm
from rankmetrics.errors import WARNED
from rankmetrics.rankings.scores import Need
from tests.support.drawing import examples
from tests.support.sound_data import World, worlds

WORLD = World.drawn(seed=1, n_users=60, n_items=60, n=5, tail=1, taste=1.5)
LOW, TRANSPOSED = "rank below chance", "fit the scores only with users and items exchanged"


def pairs(items: Any) -> pl.DataFrame:
    """The rows of users and their items."""
    return pl.DataFrame({"user": np.repeat(np.arange(len(items)), items.shape[1]), "item": items.ravel()})


def matrix(items: Any, n_items: int) -> csr_array:
    """A sparse matrix with a 1 for each item of a user."""
    dense = np.zeros((len(items), n_items))
    np.put_along_axis(dense, items, 1.0, axis=1)
    return csr_array(dense)


def warned(recs: Any, truth: Any) -> list[str]:
    """The warnings about rankings, which are notes as well."""
    WARNED.clear()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = rm.evaluate(recs, truth, ["auc", "rr"])
        result.collect()
    texts = [
        str(warning.message) for warning in caught if any(text in str(warning.message) for text in (LOW, TRANSPOSED))
    ]
    assert len([note for note in result.notes() if LOW in note or TRANSPOSED in note]) == len(texts)
    return texts


def ranked(scores: Any, world: World, **options: Any) -> rm.Rankings:
    n_users, n_items = world.scores["taste"].shape
    truth, history = pairs(world.truth), pairs(world.history)
    return rm.rank_scores(scores, range(n_users), range(n_items), truth, history=history, **options)


def test_negated_scores_and_factors_are_warned_of() -> None:
    scores, truth = WORLD.scores["taste"], pairs(WORLD.truth)
    for recs in (ranked(-scores, WORLD), ranked(lambda users: -scores[users], WORLD, k=10)):
        [text] = warned(recs, truth)
        assert LOW in text
        assert "negate scores of which the lowest is the best" in text
    assert LOW in warned(rm.rank_factors(-scores, np.eye(60), truth), truth)[0]
    [text] = warned({"als": ranked(scores, WORLD), "knn": ranked(-scores, WORLD)}, truth)
    assert text.startswith("Relevant items of 'knn' rank below chance")


def test_a_transposed_matrix_of_scores_or_of_the_truth_is_warned_of() -> None:
    scores, ids, truth = WORLD.scores["taste"], range(60), matrix(WORLD.truth, 60)
    assert not warned(rm.rank_scores(scores, ids, ids, truth), truth)
    for other_scores, other_truth in ((scores.T, truth), (csr_array(scores.T), truth), (scores, csr_array(truth.T))):
        [text] = warned(rm.rank_scores(other_scores, ids, ids, other_truth, ties="item_desc"), other_truth)
        assert TRANSPOSED in text


@examples(100)
@given(world=worlds())
def test_sound_rankings_of_many_kinds_are_not_warned_of(world: World) -> None:
    for name, scores in world.scores.items():
        assert not [*ranked(scores, world).doubts(Need(), "")], name


@examples(30)
@given(world=worlds(n_users=(150, 400), n_items=(400, 1500), taste=(1.5, 3)))
def test_negated_scores_of_many_kinds_are_warned_of(world: World) -> None:
    """Few users, a small catalogue, or a weak model do not tell."""
    [warning] = ranked(-world.scores["taste"], world).doubts(Need(), "")
    assert LOW in str(warning)
