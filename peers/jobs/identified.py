"""Functions of released packages, and what they return for the problems of `rm.identify`.

The calls of rankmetrics.identification need nothing but Python, so that no dependency of rankmetrics is installed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import ir_measures
import pandas as pd
import pytrec_eval
import ranx
import torch  # noqa: F401  # its functions are called with tensors, as it is imported
from recommenders.evaluation import python_evaluation
from sklearn import metrics
from torchmetrics.functional import retrieval

from peers.job import write_json
from rankmetrics.identification.calls import Function, ask
from rankmetrics.identification.problems import Problem

PACKAGES = ("scikit-learn", "torchmetrics", "pytrec_eval-terrier", "ranx", "ir_measures", "recommenders")


def of_trec_eval(measure: str) -> Function:
    def adapter(problem: Problem) -> Any:
        return pytrec_eval.RelevanceEvaluator(problem.qrels, {f"{measure}.{problem.k}"}).evaluate(problem.run)

    return adapter


def of_ranx(measure: str) -> Function:
    def adapter(problem: Problem) -> Any:
        if any(rating % 1 for rating in problem.ratings.values()):
            raise ValueError("a Qrels cuts ratings to whole numbers")
        return ranx.evaluate(ranx.Qrels(problem.qrels), ranx.Run(problem.run), f"{measure}@{problem.k}", threads=1)

    return adapter


def of_ir_measures(measure: Any) -> Function:
    def adapter(problem: Problem) -> Any:
        return ir_measures.calc_aggregate([measure @ problem.k], problem.qrels, problem.run)

    return adapter


def of_recommenders(function: Function, **settings: Any) -> Function:
    def adapter(problem: Problem) -> Any:
        truth = pd.DataFrame({"userID": 1, "itemID": [*problem.ratings], "rating": [*problem.ratings.values()]})
        recs = pd.DataFrame({"userID": 1, "itemID": [*problem.run["q"]], "prediction": [*problem.scores]})
        return function(truth, recs, k=problem.k, **settings)

    return adapter


# The functions, each with the metric that it is called by in rankmetrics.
FUNCTIONS: Mapping[str, tuple[Function, str]] = {
    "sklearn.metrics.ndcg_score": (metrics.ndcg_score, ""),
    "sklearn.metrics.dcg_score": (metrics.dcg_score, ""),
    "sklearn.metrics.label_ranking_average_precision_score": (metrics.label_ranking_average_precision_score, "ap"),
    "torchmetrics.functional.retrieval.retrieval_normalized_dcg": (retrieval.retrieval_normalized_dcg, ""),
    "torchmetrics.functional.retrieval.retrieval_hit_rate": (retrieval.retrieval_hit_rate, ""),
    "torchmetrics.functional.retrieval.retrieval_average_precision": (retrieval.retrieval_average_precision, ""),
    "torchmetrics.functional.retrieval.retrieval_reciprocal_rank": (retrieval.retrieval_reciprocal_rank, ""),
    "pytrec_eval ndcg_cut": (of_trec_eval("ndcg_cut"), "ndcg@3"),
    "pytrec_eval map_cut": (of_trec_eval("map_cut"), "ap@3"),
    "pytrec_eval P": (of_trec_eval("P"), "precision@3"),
    "ranx ndcg": (of_ranx("ndcg"), "ndcg@3"),
    "ranx ndcg_burges": (of_ranx("ndcg_burges"), "ndcg@3"),
    "ranx map": (of_ranx("map"), "ap@3"),
    "ir_measures nDCG": (of_ir_measures(ir_measures.nDCG), "ndcg@3"),
    "ir_measures AP": (of_ir_measures(ir_measures.AP), "ap@3"),
    "recommenders map_at_k": (of_recommenders(python_evaluation.map_at_k), "ap@3"),
    "recommenders ndcg_at_k": (of_recommenders(python_evaluation.ndcg_at_k, score_type="exp"), "ndcg@3"),
    "recommenders recall_at_k": (of_recommenders(python_evaluation.recall_at_k), "recall@3"),
}


def main() -> None:
    recorded: dict[str, Any] = {}
    for name, (function, metric) in FUNCTIONS.items():
        _, _, k = metric.partition("@")
        ways = [
            {
                "roles": way.form.roles,
                "takes_cutoff": way.takes_cutoff,
                "values": [round(value, 8) if isinstance(value, float) else value for value in way.values],
            }
            for way in ask(function, int(k) if k else None)
        ]
        recorded[name] = {"metric": metric, "ways": ways}
    write_json("identified", {"versions": {name: version(name) for name in PACKAGES}, "functions": recorded})
    print(f"identified: {len(recorded)} functions")
