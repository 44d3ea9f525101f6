"""Scores and labels of groups of documents: arrays with sizes, and the data of LightGBM, XGBoost and CatBoost."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankmetrics as rm
from tests.support.refusals import refusal

SIZES, QUERIES = np.array([4, 2, 3]), np.array([0, 0, 0, 0, 1, 1, 2, 2, 2])
LABELS = np.array([0, 3, 1, 0, 0, 0, 2, 0, 4])
SCORES = np.array([5.0, 5.0, 3.0, 1.0, 4.0, 3.0, 0.1, 0.2, 0.3])
ROWS = np.arange(len(LABELS))
METRICS = ["ndcg@2", "map@2"]
EXPECTED = rm.evaluate((QUERIES, ROWS, SCORES), (QUERIES, ROWS, LABELS), METRICS, convention="lightgbm").collect()

# What the libraries' objects have; `test_the_data_of_a_library_gives_the_numbers_that_it_prints` runs the libraries.
DATA = {
    "Dataset": SimpleNamespace(get_label=LABELS.tolist, get_group=SIZES.tolist),
    "DMatrix": SimpleNamespace(get_label=lambda: LABELS, get_uint_info=lambda name: np.array([0, 4, 6, 9])),
    "Pool": SimpleNamespace(get_label=lambda: LABELS, get_group_id_hash=lambda: np.array([9, 7, 8], "u8")[QUERIES]),
}


def numbers(recs: Any, truth: Any) -> pl.DataFrame:
    return rm.evaluate(recs, truth, METRICS, convention="lightgbm").collect()


def test_scores_and_labels_with_sizes_are_as_rows_with_the_ids_of_groups() -> None:
    assert EXPECTED["n_lists"].item() == 3
    for sizes in (SIZES, SIZES.tolist(), pl.Series(SIZES)):
        assert numbers(rm.Input(SCORES, group=sizes), rm.Input(LABELS, group=sizes)).equals(EXPECTED)


@pytest.mark.parametrize("kind", [*DATA])
def test_data_of_a_trainer_has_the_labels_and_the_groups(kind: str) -> None:
    data = DATA[kind]
    assert numbers(rm.Input(SCORES, group=data), data).equals(EXPECTED)
    assert numbers(rm.Input(SCORES, group=SIZES), rm.Input(data, group=SIZES)).equals(EXPECTED)


def test_scores_of_several_systems_share_the_groups() -> None:
    systems = {"a": SCORES, "b": -SCORES}
    found = numbers(rm.Input(systems, group=SIZES), DATA["Dataset"])
    assert found["system"].to_list() == ["a", "b"]
    assert found.filter(system="a").drop("system").equals(EXPECTED)
    assert found.filter(system="b").drop("system").equals(numbers(rm.Input(-SCORES, group=SIZES), DATA["Pool"]))


@pytest.mark.parametrize(
    ("recs", "truth", "said"),
    [
        (rm.Input(SCORES, group=[4, 2]), DATA["Pool"], ["groups of the recommendations have 6 rows", "are 9 values"]),
        (rm.Input(SCORES, group=QUERIES + 1), DATA["Pool"], ["have 17 rows", "(ids, np.arange(len(ids)), values)"]),
        (rm.Input(SCORES, group=QUERIES), DATA["Pool"], ["sizes", "must be whole numbers from 1", "0, 0, 0, 0 and 1"]),
        (rm.Input(SCORES, group=[4.0, 2.0, 3.0]), DATA["Pool"], ["must be whole numbers from 1"]),
        (rm.Input(SCORES, group=[]), DATA["Pool"], ["must be whole numbers from 1"]),
        (rm.Input(SCORES, group=[1] * 9), DATA["Pool"], ["Each of the 9 groups of the recommendations has one row"]),
        (DATA["Pool"], DATA["Pool"], ["which has labels and groups, and no scores", "rm.Input(model.predict(...)"]),
        (
            rm.Input(SCORES, group=SIZES),
            SimpleNamespace(get_label=lambda: LABELS, get_group=lambda: None),
            ["of the truth has no groups"],
        ),
        (rm.Input(SCORES, group=SIZES), rm.Input(DATA["Pool"], group=[4, 2, 2]), ["groups of the truth have 8 rows"]),
        (
            rm.Input(SCORES, group=SIZES),
            SimpleNamespace(get_label=list, get_uint_info=lambda name: [0, 9]),
            ["of the truth has no labels"],
        ),
        (
            rm.Input(SCORES, group=SimpleNamespace(get_group=lambda: 1 / 0)),
            DATA["Pool"],
            ["of the recommendations cannot be read: division by zero"],
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_groups_that_do_not_fit_are_refused(recs: Any, truth: Any, said: list[str]) -> None:
    with refusal(rm.InputError, *said):
        numbers(recs, truth)


def test_groups_of_a_history_are_refused() -> None:
    with refusal(rm.InputError, "'group' is not an option of 'history'"):
        rm.evaluate({1: [2]}, {1: [2]}, "unseen", history=rm.Input(SCORES, group=SIZES))


# --- the libraries ----------------------------------------------------------------------------------------------------

FEATURES = np.random.default_rng(0).normal(size=(60, 3))
GRADES = np.random.default_rng(1).integers(0, 4, 60)  # nothing to learn: no model is perfect
GROUPS = np.array([10, 20, 5, 25])


def of_lightgbm() -> tuple[Any, Any, float, str]:
    lightgbm = pytest.importorskip("lightgbm")
    data = lightgbm.Dataset(FEATURES, label=GRADES, group=GROUPS, params={"verbose": -1}, free_raw_data=False)
    options = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [5], "verbose": -1, "min_data_in_leaf": 10}
    printed: dict[str, dict[str, list[float]]] = {}
    record = lightgbm.record_evaluation(printed)
    model = lightgbm.train(options, data, 3, valid_sets=[data], valid_names=["own"], callbacks=[record])
    return data, model.predict(FEATURES), printed["own"]["ndcg@5"][-1], "ndcg@5"


def of_xgboost() -> tuple[Any, Any, float, str]:
    xgboost = pytest.importorskip("xgboost")
    data = xgboost.DMatrix(FEATURES, label=GRADES, qid=np.repeat([3, 5, 8, 9], GROUPS))
    model = xgboost.train({"objective": "rank:ndcg", "eval_metric": "ndcg@5", "nthread": 1}, data, 3)
    return data, model.predict(data), float(model.eval(data).rpartition(":")[2]), "ndcg@5"


def of_catboost() -> tuple[Any, Any, float, str]:
    catboost = pytest.importorskip("catboost")
    ids = np.repeat(["d", "b", "c", "a"], GROUPS)
    data = catboost.Pool(FEATURES, label=GRADES, group_id=ids)
    options = {"iterations": 3, "verbose": False, "allow_writing_files": False, "thread_count": 1, "depth": 2}
    model = catboost.CatBoost({"loss_function": "YetiRank", **options}).fit(data)
    scores = model.predict(data)
    (printed,) = pytest.importorskip("catboost.utils").eval_metric(GRADES, scores, "NDCG:top=5", group_id=ids)
    return data, scores, printed, "NDCG:top=5"


@pytest.mark.parametrize("convention", ["lightgbm", "xgboost", "catboost"])
def test_the_data_of_a_library_gives_the_numbers_that_it_prints(convention: str) -> None:
    data, scores, printed, metric = globals()[f"of_{convention}"]()
    result = rm.evaluate(rm.Input(scores, group=data), data, {"found": metric}, convention=convention).collect()
    assert result["n_lists"].item() == len(GROUPS)
    assert result["found"].item() == pytest.approx(printed, abs=1e-6)
    assert printed < 1
