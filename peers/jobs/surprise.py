"""Surprise's example `precision_recall_at_k.py`, over given predictions.

The function of the example is in no module that pip installs. So pip downloads the source distribution, and the
definition of the function is run; the rest of the file would download MovieLens.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from surprise import Prediction, accuracy

from peers.job import CUTOFFS, Problem, Values

THRESHOLD = 1
EXAMPLE = "precision_recall_at_k.py"


@cache
def precision_recall_at_k() -> Any:
    """The function of the example, from the source distribution of the release that is installed."""
    release = version("scikit-surprise")
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation"]
    with TemporaryDirectory() as folder:
        sdist = ["--no-binary", ":all:", "--dest", folder, f"scikit-surprise=={release}"]
        subprocess.run([*download, *sdist], check=True)
        (path,) = Path(folder).glob("*.tar.gz")
        with tarfile.open(path) as archive:
            file = archive.extractfile(f"{path.name.removesuffix('.tar.gz')}/examples/{EXAMPLE}")
            module = ast.parse(file.read() if file else b"")
    module.body = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    namespace: dict[str, Any] = {"defaultdict": defaultdict}
    exec(compile(module, EXAMPLE, "exec"), namespace)
    return namespace["precision_recall_at_k"]


def measured(problem: Problem) -> Iterator[Values]:
    """What it returns for a problem: Surprise predicts the rated pairs, so other recommendations are left out."""
    ratings = problem.ratings
    predictions = [
        Prediction(user, item, ratings[user][item], score, {})
        for user, scores in problem.scores.items()
        for item, score in scores.items()
        if item in ratings.get(user, {})
    ]
    if not predictions:
        raise ValueError("No rated item is recommended: there is nothing to predict.")
    for k in CUTOFFS:
        found = precision_recall_at_k()(predictions, k=k, threshold=THRESHOLD)
        for name, of in zip(("precision_at_k", "recall_at_k"), found, strict=True):
            yield f"threshold={THRESHOLD}", name, k, {None: sum(of.values()) / len(of), **of}


def predictions_of(estimates: list[float], ratings: list[float]) -> list[Any]:
    """The predictions of one user: the estimate and the rating of each item."""
    pairs = zip(estimates, ratings, strict=True)
    return [Prediction("u", f"i{at}", rating, estimate, {}) for at, (estimate, rating) in enumerate(pairs)]


def _of_user(at: int, predictions: list[Any], k: int, threshold: float) -> float:
    return float(precision_recall_at_k()(predictions, k=k, threshold=threshold)[at]["u"])


# What the calls of its page name.
functions = {"precision_at_k": partial(_of_user, 0), "recall_at_k": partial(_of_user, 1)}
NAMES = {**functions, "fcp": partial(accuracy.fcp, verbose=False), "predictions": predictions_of}
