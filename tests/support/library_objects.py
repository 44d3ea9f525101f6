"""Objects as other libraries have them, for the first lines of the pages on migrating: by page, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace as Namespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy.sparse import csr_array

RUN = {"1": {"100": 5.0, "99": 4.5, "7": 3.0, "8": 1.0}, "2": {"8": 4.0, "7": 3.0, "99": 2.0, "100": 1.0}}
QRELS = {"1": {"99": 3, "7": 1, "100": 0}, "2": {"7": 1}, "3": {"7": 2}}
LISTS, SCORES = [[0, 1, 2], [2, 1, 0]], np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
TEST = csr_array(np.array([[0, 1.0, 0], [1.0, 0, 1.0]]))


def _frame(nested: Mapping[str, Mapping[str, float]], columns: str) -> pd.DataFrame:
    rows = [(user, item, number) for user, items in nested.items() for item, number in items.items()]
    return pd.DataFrame(rows, columns=columns.split())


def _collection(nested: Mapping[str, Mapping[str, float]], value: str, **more: Sequence[int]) -> Namespace:
    """An ItemListCollection of LensKit."""
    return Namespace(to_df=lambda: _frame(nested, f"user_id item_id {value}").assign(**more))


LENSKIT = {"recs": _collection(RUN, "score", rank=[1, 2, 3, 4] * 2), "test": _collection(QRELS, "rating")}
RECOMMENDERS = {
    "rating_pred": _frame(RUN, "userID itemID prediction"),
    "rating_true": _frame(QRELS, "userID itemID rating").query("rating > 0"),
}
USERS_OF_LIGHTFM = np.zeros(2), np.eye(2)
ITEMS_OF_LIGHTFM = np.array([0.3, 0.2, 0.1]), np.array([[1.0, 0], [0, 1], [0.5, 0.5]])

OBJECTS: Mapping[str, Mapping[str, Any]] = {
    "beir": {"results": RUN, "qrels": QRELS},
    "capri": {"predicted": LISTS, "actual": [[1], [0, 2]]},
    "cornac": {
        "model": Namespace(recommend=lambda user: ["a", "b", "c"]),
        "users": ["u", "v"],
        "test": [("u", "b", 3.0), ("v", "a", 1.0)],
    },
    "elliot": {"recs": _frame(RUN, "user item score"), "test": _frame(QRELS, "user item rating")},
    "evidently": {
        "frame": pd.DataFrame(
            {"user_id": [*"1122"], "item_id": [*"abab"], "target": [0, 3, 1, 0], "prediction": [1, 2, 1, 2]}
        )
    },
    "implicit": {
        "model": Namespace(recommend=lambda users, items: (np.array(LISTS), SCORES)),
        "users": np.arange(2),
        "train_user_items": TEST,
        "test_user_items": TEST,
    },
    "ir_measures": {"run": RUN, "qrels": QRELS},
    "lenskit": LENSKIT,
    "lenskit-2026": LENSKIT,
    "lightfm": {
        "model": Namespace(
            get_user_representations=lambda: USERS_OF_LIGHTFM, get_item_representations=lambda: ITEMS_OF_LIGHTFM
        ),
        "test": TEST,
        "train": csr_array((2, 3)),
    },
    "mlflow": {
        "retrieved": pd.Series([["a", "b"], ["c"], []]),
        "relevant": pd.Series([["b"], ["c"], ["a"]]),
    },
    "mteb": {"results": RUN, "qrels": QRELS},
    "napkinxc": {"Y_pred": [[("a", 0.5), ("b", 0.4)], [("c", 0.3)]], "Y_true": [["b"], ["c"]]},
    "polars_ds": {
        "frame": pl.DataFrame({"query": [1, 1, 2, 2], "y_true": [0, 3, 1, 0], "y_score": [2.0, 1.0, 2.0, 1.0]})
    },
    "pyndeval": {"run": RUN, "qrels": [("1", "s1", "99", 2), ("1", "s2", "99", 1), ("2", "s0", "7", 1)]},
    "pyterrier": {
        "results": _frame(RUN, "qid docno score").assign(docid=0, query="words", rank=0),
        "qrels": _frame(QRELS, "qid docno label"),
    },
    "ragas": {"samples": [Namespace(retrieved_contexts=["a", "b"], reference_contexts=["b"])]},
    "ranx": {"run": RUN, "qrels": QRELS},
    "recbole": {
        "users": np.arange(2),
        "items": np.array(LISTS),
        "scores": SCORES,
        "test": pd.DataFrame({"user_id": [0, 1], "item_id": [1, 2]}),
    },
    "recometrics": {
        "A": np.array([[1.0]]),
        "B": np.array([[0.0, 1.0, 2.0, 5.0, 6.0, 7.0]]).T,
        "X_test": csr_array(np.array([[0, 1.0, 0, 0, 2.0, 0]])),
        "X_train": csr_array((1, 6)),
    },
    "recommenders": RECOMMENDERS,
    "recommenders-spark": RECOMMENDERS,
    "recpack": {"y_pred": TEST, "y_true": TEST},
    "rectools": {
        "reco": _frame(RUN, "user_id item_id score").assign(rank=[1, 2, 3, 4] * 2),
        "interactions": _frame(QRELS, "user_id item_id weight"),
    },
    "replay": {"recs": _frame(RUN, "query_id item_id rating"), "truth": _frame(QRELS, "query_id item_id rating")},
    "sentence-transformers": {
        "queries": [*RUN],
        "found": [[{"corpus_id": item, "score": score} for item, score in items.items()] for items in RUN.values()],
        "relevant_docs": {"1": {"99", "7"}, "2": {"7"}},
    },
    "sklearn": {"y_score": [[5.0, 4.0], [1.0, 2.0]], "y_true": [[0, 3], [1, 0]]},
    "spark": {
        "frame": pl.DataFrame({"user": [1, 2], "prediction": [["a", "b"], ["c"]], "label": [["b"], ["c"]]}),
    },
    "surprise": {
        "predictions": [
            Namespace(uid=user, iid=item, est=score, r_ui=score)
            for user, items in RUN.items()
            for item, score in items.items()
        ]
    },
    "torchmetrics": {
        "indexes": np.array([0, 0, 1, 1]),
        "preds": np.array([0.2, 0.1, 0.4, 0.3]),
        "target": np.array([0, 1, 1, 0]),
    },
    "trec_eval": {"run": RUN, "qrels": QRELS},
    "trulens": {
        "retrieved": {"q": ["a", "b"]},
        "golden_set": [{"query": "q", "expected_chunks": [{"text": "b", "expect_score": 1.0}]}],
    },
    "warprec": {"recs": _frame(RUN, "user_id item_id score"), "test": _frame(QRELS, "user_id item_id rating")},
}
