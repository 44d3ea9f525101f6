"""ppi-python's estimates of means by a judge's labels, corrected by people's, over the drawn labels.

The values per list are scikit-learn's nDCG and DCG, and a precision by NumPy.
"""

from __future__ import annotations

import json
from importlib.metadata import version

import numpy as np
from ppi_py import classical_mean_ci, ppi_mean_ci, ppi_mean_pointestimate
from ppi_py.ppi import _calc_lam_glm
from sklearn.metrics import dcg_score, ndcg_score

from peers.problems import N_LABELLED, Nested, drawn_labels
from peers.tables import GOLDEN

ALPHA = 0.1


def values_of(ratings: Nested, scores: Nested) -> dict[str, np.ndarray]:
    """The values of each metric, by query in order."""
    pairs = [
        (np.array([[*of_query.values()]]), np.array([[scores[query][one] for one in of_query]]))
        for query, of_query in ratings.items()
    ]
    return {
        "ndcg@5": np.array([ndcg_score(*pair, k=5) for pair in pairs]),
        "dcg@1": np.array([dcg_score(*pair, k=1) for pair in pairs]),
        "precision(rel=2)@3": np.array([(rated[0][np.argsort(-scored[0])[:3]] >= 2).mean() for rated, scored in pairs]),
    }


def estimate(human: np.ndarray, judge: np.ndarray) -> list[float]:
    """The estimate, its interval, lambda, and people's mean with its interval; the first lists are labelled."""
    labelled, matched, unlabelled = human[:N_LABELLED], judge[:N_LABELLED], judge[N_LABELLED:]
    point = ppi_mean_pointestimate(labelled, matched, unlabelled)
    interval = ppi_mean_ci(labelled, matched, unlabelled, alpha=ALPHA)
    # as ppi_mean_pointestimate calls it: a judge without any variance has a weight of 0 there, by rounding
    weight = _calc_lam_glm(labelled, matched, unlabelled, np.eye(1), clip=True) if judge.std() else 0.0
    classical = classical_mean_ci(labelled, alpha=ALPHA)
    return [float(np.squeeze(value)) for value in (point, *interval, weight, labelled.mean(), *classical)]


def main() -> None:
    """Estimate the mean of each system, and the mean difference of b from a, by each judge."""
    ratings, scores = drawn_labels()
    human = {system: values_of(ratings["people"], scores[system]) for system in scores}
    rows = []
    for judge in ("good", "contrary", "timid"):
        judged = {system: values_of(ratings[judge], scores[system]) for system in scores}
        for metric in human["a"]:
            rows += [[judge, name, metric, *estimate(human[name][metric], judged[name][metric])] for name in scores]
            differences = [of["b"][metric] - of["a"][metric] for of in (human, judged)]
            rows.append([judge, "b - a", metric, *estimate(*differences)])
    versions = {name: version(name) for name in ("ppi-python", "numpy", "scipy", "scikit-learn")}
    text = json.dumps({"versions": versions, "alpha": ALPHA, "estimates": rows})
    (GOLDEN / "ppi.json").write_text(f"{text}\n", encoding="utf-8")
