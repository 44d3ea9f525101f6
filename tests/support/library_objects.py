"""Objects as other libraries have them, for the first lines of the pages on migrating: by page, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace as Object
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy.sparse import csr_array

RUN = {"1": {"100": 5.0, "99": 4.5, "7": 3.0, "8": 1.0}, "2": {"8": 4.0, "7": 3.0, "99": 2.0, "100": 1.0}}
QRELS = {"1": {"99": 3, "7": 1}, "2": {"7": 1}, "3": {"7": 2}}
LISTS, SCORES, USERS = np.array([[0, 1, 2], [2, 1, 0]]), np.array([[3.0, 2.0, 1.0]] * 2), np.arange(2)
MATRIX = csr_array(np.array([[0, 1.0, 0], [1.0, 0, 1.0]]))
ITEMS_OF_LIGHTFM = np.array([0.3, 0.2, 0.1]), np.array([[1.0, 0], [0, 1], [0.5, 0.5]])


def frame(nested: Mapping[str, Mapping[str, float]], columns: str) -> pd.DataFrame:
    rows = [(user, *pair) for user, items in nested.items() for pair in items.items()]
    return pd.DataFrame(rows, columns=columns.split())


FRAMES = {"recs": frame(RUN, "user_id item_id score"), "test": frame(QRELS, "user_id item_id rating")}
DICTS, RETRIEVED = {"run": RUN, "qrels": QRELS}, {"results": RUN, "qrels": QRELS}
COLLECTIONS = {name: Object(to_df=lambda rows=rows: rows) for name, rows in FRAMES.items()}
RATINGS = {"rating_pred": frame(RUN, "userID itemID prediction"), "rating_true": frame(QRELS, "userID itemID rating")}
IMPLICIT = Object(recommend=lambda users, items: (LISTS, SCORES))
LIGHTFM = Object(get_user_representations=lambda: (0, np.eye(2)), get_item_representations=lambda: ITEMS_OF_LIGHTFM)
HITS = [[{"corpus_id": item, "score": score} for item, score in items.items()] for items in RUN.values()]
CHUNKS = [{"query": "q", "expected_chunks": [{"text": "b", "expect_score": 1.0}]}]
PREDICTIONS = [Object(uid=user, iid=item, est=r, r_ui=r) for user, items in RUN.items() for item, r in items.items()]
DATA = Object(get_label=lambda: np.array([0, 3, 1, 0]), get_group=lambda: np.array([3, 1]))
RANKER = {"scores": np.array([4.0, 3.0, 2.0, 1.0]), "data": DATA, "pool": DATA}

OBJECTS: Mapping[str, Mapping[str, Any]] = {
    "competitions": {},  # its tables are on the page
    **dict.fromkeys(("ir_measures", "ranx", "trec_eval"), DICTS),
    **dict.fromkeys(("beir", "mteb"), RETRIEVED),
    **dict.fromkeys(("elliot", "warprec"), FRAMES),
    **dict.fromkeys(("lenskit", "lenskit-2026"), COLLECTIONS),
    **dict.fromkeys(("recommenders", "recommenders-spark"), RATINGS),
    **dict.fromkeys(("catboost", "lightgbm", "xgboost"), RANKER),
    "capri": {"predicted": LISTS.tolist(), "actual": [[1], [0, 2]]},
    "cornac": {"model": Object(recommend=lambda user: ["a", "b"]), "users": ["u"], "test": [("u", "b", 3.0)]},
    "evidently": {
        "frame": pd.DataFrame({"user_id": [1, 1], "item_id": [1, 2], "target": [0, 3], "prediction": [1, 2]})
    },
    "implicit": {"model": IMPLICIT, "users": USERS, "train_user_items": MATRIX, "test_user_items": MATRIX},
    "lightfm": {"model": LIGHTFM, "test": MATRIX, "train": csr_array((2, 3))},
    "mlflow": {"retrieved": pd.Series([["a", "b"], []]), "relevant": pd.Series([["b"], ["a"]])},
    "napkinxc": {"Y_pred": [[("a", 0.5), ("b", 0.4)], [("c", 0.3)]], "Y_true": [["b"], ["c"]]},
    "polars_ds": {"frame": pl.DataFrame({"query": [1, 1], "y_true": [0, 3], "y_score": [2.0, 1.0]})},
    "pyndeval": {"run": RUN, "qrels": [("1", "s1", "99", 2), ("1", "s2", "99", 1), ("2", "s0", "7", 1)]},
    "pyterrier": {
        "results": frame(RUN, "qid docno score").assign(docid=0, query="words", rank=0),
        "qrels": frame(QRELS, "qid docno label"),
    },
    "ragas": {"samples": [Object(retrieved_contexts=["a", "b"], reference_contexts=["b"])]},
    "recbole": {
        "users": USERS,
        "items": LISTS,
        "scores": SCORES,
        "test": pd.DataFrame({"user_id": [0], "item_id": [1]}),
    },
    "recometrics": {
        "A": np.array([[1.0]]),
        "B": np.arange(6.0).reshape(6, 1),
        "X_test": csr_array(np.array([[0, 1.0, 0, 0, 2.0, 0]])),
        "X_train": csr_array((1, 6)),
    },
    "recpack": {"y_pred": MATRIX, "y_true": MATRIX},
    "rectools": {
        "reco": FRAMES["recs"].assign(rank=[1, 2, 3, 4] * 2),
        "interactions": frame(QRELS, "user_id item_id weight"),
    },
    "replay": {"recs": frame(RUN, "query_id item_id rating"), "truth": frame(QRELS, "query_id item_id rating")},
    "sentence-transformers": {"queries": [*RUN], "found": HITS, "relevant_docs": {"1": {"99", "7"}, "2": {"7"}}},
    "sklearn": {"y_score": [[5.0, 4.0], [1.0, 2.0]], "y_true": [[0, 3], [1, 0]]},
    "spark": {"frame": pl.DataFrame({"user": [1, 2], "prediction": [["a", "b"], ["c"]], "label": [["b"], ["c"]]})},
    "surprise": {"predictions": PREDICTIONS},
    "torchmetrics": {"indexes": np.array([0, 0]), "preds": np.array([0.2, 0.1]), "target": np.array([0, 1])},
    "trulens": {"retrieved": {"q": ["a", "b"]}, "golden_set": CHUNKS},
}
