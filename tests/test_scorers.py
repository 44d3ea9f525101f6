"""Metrics as scorers of scikit-learn: by a column, by the index, by metadata routing."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankmetrics as rm
from tests import ROOT
from tests.support.refusals import refusal


class Fixed:
    """An estimator whose scores are given."""

    def __init__(self, scores: Any, method: str = "predict") -> None:
        setattr(self, method, lambda _: scores)


QUERIES, LABELS, SCORES = np.array([1, 1, 1, 2, 2]), np.array([0, 1, 0, 0, 1]), np.array([3.0, 2.0, 1.0, 0.1, 0.2])
PANDAS = pd.DataFrame({"x": SCORES}, index=pd.Index(QUERIES, name="query_id"))
FRAMES = {
    "a column of pandas": PANDAS.reset_index(),
    "the index of pandas": PANDAS,
    "a level of the index": PANDAS.assign(row=range(5)).set_index("row", append=True),
    "a column of Polars": pl.DataFrame({"query_id": QUERIES}),
}


@pytest.mark.parametrize("frame", [*FRAMES])
def test_groups_are_those_of_a_column_or_of_the_index(frame: str) -> None:
    scorer = rm.sklearn_scorer("rr", groups="query_id")
    assert scorer(Fixed(SCORES), FRAMES[frame], LABELS) == 0.75
    assert pickle.loads(pickle.dumps(scorer))(Fixed(-SCORES), FRAMES[frame], pd.Series(LABELS)) == 0.5


def test_groups_may_be_passed_and_lists_are_arrays() -> None:
    assert rm.sklearn_scorer("rr")(Fixed(SCORES.tolist()), None, LABELS.tolist(), groups=QUERIES.tolist()) == 0.75


def test_a_classifier_ranks_by_its_decision_or_the_probability_of_the_second_class() -> None:
    scorer = rm.sklearn_scorer("rr", groups="query_id")
    assert scorer(Fixed(SCORES, "decision_function"), PANDAS, LABELS) == 0.75
    probabilities = SCORES[:, None] * [-1, 1] / 10
    assert scorer(Fixed(probabilities, "predict_proba"), PANDAS, LABELS) == 0.75
    for method, scores in {"predict_proba": np.eye(5)[:, :3], "decision_function": np.eye(5)[:, :2]}.items():
        with refusal(rm.InputError, f"{method} returns {scores.shape[1]} scores for a row, and a ranking needs one"):
            scorer(Fixed(scores, method), PANDAS, LABELS)


def test_a_metric_whose_low_values_are_better_is_negative_and_an_undefined_one_nan() -> None:
    assert rm.sklearn_scorer("fall_out@1", groups="query_id")(Fixed(SCORES), PANDAS, LABELS) == -0.25
    assert np.isnan(rm.sklearn_scorer("rr", groups="query_id")(Fixed(SCORES), PANDAS, 0 * LABELS))


def test_convention_and_ties_are_those_of_evaluate() -> None:
    constant = Fixed(0 * SCORES)
    assert rm.sklearn_scorer("rr", groups="query_id")(constant, PANDAS, LABELS) == 0.5
    assert rm.sklearn_scorer("rr", groups="query_id", ties="best")(constant, PANDAS, LABELS) == 1
    ones = rm.sklearn_scorer("ndcg@1", groups="query_id", convention="lightgbm")
    assert ones(constant, PANDAS, 0 * LABELS) == 1  # a group without relevant documents


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("ndcg@5,10", "A scorer has one metric, and these are 2"),
        ("n_recommended", "Neither high nor low values of n_recommended are better"),
        ("unseen@5", "unseen@5 reads 'history', and a scorer has recommendations and truth only"),
        ("nDGC@5", "Did you mean"),
    ],
)
def test_a_metric_that_cannot_score_is_refused(metric: str, said: str) -> None:
    with refusal(rm.MetricError, said):
        rm.sklearn_scorer(metric)


def test_rows_without_groups_are_refused() -> None:
    with refusal(rm.InputError, "Nothing tells which rows belong to a group", 'groups="query_id"'):
        rm.sklearn_scorer("rr")(Fixed(SCORES), PANDAS, LABELS)
    with refusal(rm.InputError, "X is a DataFrame without", "'qid'", "'x' and 'query_id'"):
        rm.sklearn_scorer("rr", groups="qid")(Fixed(SCORES), PANDAS, LABELS)


# --- scikit-learn -----------------------------------------------------------------------------------------------------

N, GROUP = 60, np.repeat(np.arange(12), 5)
FEATURES = np.random.default_rng(0).normal(size=(N, 2))
BINARY = (FEATURES[:, 0] + np.random.default_rng(1).normal(size=N) > 0).astype(int)
FRAME = pd.DataFrame(FEATURES, columns=["a", "b"], index=pd.Index(GROUP, name="query_id"))


@pytest.fixture
def routing() -> Iterator[None]:
    sklearn = pytest.importorskip("sklearn")
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def by_hand(metric: str) -> list[float]:
    """The metric of each fold, by evaluate alone."""
    linear, selection = (pytest.importorskip(f"sklearn.{name}") for name in ("linear_model", "model_selection"))
    values = []
    for train, test in selection.GroupKFold(3).split(FEATURES, BINARY, GROUP):
        model = linear.LogisticRegression().fit(FEATURES[train], BINARY[train])
        rows, scores = np.arange(len(test)), model.decision_function(FEATURES[test])
        result = rm.evaluate((GROUP[test], rows, scores), (GROUP[test], rows, BINARY[test]), metric)
        values.append(result.collect()[metric].item())
    return values


def test_cross_validation_scores_the_groups_of_the_index_in_each_fold() -> None:
    linear, selection = (pytest.importorskip(f"sklearn.{name}") for name in ("linear_model", "model_selection"))
    found = selection.cross_val_score(
        linear.LogisticRegression(),
        FRAME,
        BINARY,
        groups=GROUP,
        cv=selection.GroupKFold(3),
        scoring=rm.sklearn_scorer("ndcg@3", groups="query_id"),
        error_score="raise",
    )
    assert found.tolist() == pytest.approx(by_hand("ndcg@3"))
    assert 0 < found.min() < found.max() < 1


@pytest.mark.usefixtures("routing")
def test_a_search_passes_the_groups_to_the_scorers() -> None:
    linear, selection = (pytest.importorskip(f"sklearn.{name}") for name in ("linear_model", "model_selection"))
    search = selection.GridSearchCV(
        linear.LogisticRegression(),
        {"C": [1e-4, 1]},
        cv=selection.GroupKFold(3),
        scoring={"ndcg": rm.sklearn_scorer("ndcg@3"), "rr": rm.sklearn_scorer("rr")},
        refit="ndcg",
        error_score="raise",
    ).fit(FEATURES, BINARY, groups=GROUP)
    of_folds = [[search.cv_results_[f"split{fold}_test_{name}"][1] for fold in range(3)] for name in ("ndcg", "rr")]
    assert of_folds == [pytest.approx(by_hand(metric)) for metric in ("ndcg@3", "rr")]


# --- the page ---------------------------------------------------------------------------------------------------------

PAGE = (ROOT / "docs" / "training-rankers.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"<!-- runs with the library: (\w+) -->\n```py\n(.*?)```", PAGE, re.DOTALL)
COMMON = {"verbose": -1, "min_data_in_leaf": 2}


def names_of_lightgbm() -> dict[str, Any]:
    lightgbm = pytest.importorskip("lightgbm")
    train = lightgbm.Dataset(FEATURES, BINARY, group=[5] * 12, params=COMMON, free_raw_data=False)
    valid = lightgbm.Dataset(FEATURES[:20], BINARY[:20], group=[5] * 4, reference=train)
    return {"parameters": {"objective": "lambdarank", **COMMON}, "train": train, "valid": valid}


def names_of_xgboost() -> dict[str, Any]:
    xgboost = pytest.importorskip("xgboost")
    train = xgboost.DMatrix(FEATURES, BINARY, qid=GROUP)
    return {"parameters": {"objective": "rank:ndcg", "nthread": 1}, "train": train, "valid": train}


def names_of_sklearn() -> dict[str, Any]:
    linear, selection = (pytest.importorskip(f"sklearn.{name}") for name in ("linear_model", "model_selection"))
    frame = FRAME.reset_index()
    names = {"frame": frame, "features": ["a", "b"], "y": BINARY, "grid": {"C": [1e-4, 1]}}
    return {**names, "model": linear.LogisticRegression(), **vars(selection)}


def test_the_page_has_blocks_for_each_library() -> None:
    assert [library for library, _ in BLOCKS] == ["lightgbm", "xgboost", "sklearn", "sklearn"]


@pytest.mark.parametrize(("library", "block"), BLOCKS, ids=lambda text: text.splitlines()[0][:40])
def test_a_block_of_the_page_runs_with_its_library(library: str, block: str) -> None:
    package = pytest.importorskip(library)
    names = {**globals()[f"names_of_{library}"](), "rm": rm, library: package}
    with package.config_context() if library == "sklearn" else nullcontext():
        exec(block, names)
    if library == "sklearn":
        values = names["values"] if "values" in names else [names["search"].best_score_]
        expected = by_hand("ndcg@10")
        assert [*values] == pytest.approx(expected if len(values) > 1 else [np.mean(expected)])
        return
    scores = names["model"].predict(FEATURES[:20] if library == "lightgbm" else names["train"])
    printed = names["ndcg"](scores, names["valid"])[1]
    last = names["model"].best_score["valid_0"]["ndcg"] if library == "lightgbm" else of_evaluation(names)
    assert printed == pytest.approx(last, abs=1e-6)


def of_evaluation(names: dict[str, Any]) -> float:
    """The last value of the custom metric of XGBoost, as its model prints it."""
    text = names["model"].eval_set([(names["valid"], "valid")], feval=names["ndcg"])
    return float(text.rpartition(":")[2])
