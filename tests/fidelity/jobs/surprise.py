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
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.fidelity import quirks
from tests.fidelity.tables import Row, gathered, jobs, nested, save

CUTOFFS = (1, 3, 5, 10)
THRESHOLD = 1
EXAMPLE = "precision_recall_at_k.py"

QUIRKS = (
    "precision_at_k(predictions([5.0, 4.0], [5.0, 3.0]), k=10, threshold=3.5)",
    "precision_at_k(predictions([3.0, 2.0], [5.0, 4.0]), k=2, threshold=3.5)",
    "recall_at_k(predictions([3.0, 2.0], [5.0, 4.0]), k=2, threshold=3.5)",
    "recall_at_k(predictions([5.0, 4.0], [3.0, 1.0]), k=2, threshold=3.5)",
    "precision_at_k(predictions([4.0, 4.0], [1.0, 5.0]), k=1, threshold=3.5)",
    "fcp(predictions([4.0, 4.0], [1.0, 5.0]))",
    "fcp(predictions([4.0, 3.0, 3.0], [5.0, 4.0, 4.0]))",
)


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


def measured(problem: str, recs: list[Row], truth: list[Row], function: Any) -> Iterator[tuple[Any, ...]]:
    """What it returns for a problem: Surprise predicts the rated pairs, so other recommendations are left out."""
    from surprise import Prediction

    ratings = nested(truth, "rating")
    nested(recs, "score")  # refuses repeated items
    rated = [row for row in recs if row["item"] in ratings.get(row["user"], {})]
    predictions = [
        Prediction(row["user"], row["item"], ratings[row["user"]][row["item"]], row["score"], {}) for row in rated
    ]
    if not predictions:
        raise ValueError("No rated item is recommended: there is nothing to predict.")
    setting = f"threshold={THRESHOLD}"
    for k in CUTOFFS:
        for name, of in zip(
            ("precision_at_k", "recall_at_k"), function(predictions, k=k, threshold=THRESHOLD), strict=True
        ):
            yield from ((problem, setting, name, k, user, float(value)) for user, value in of.items())
            yield problem, setting, name, k, None, sum(of.values()) / len(of)


def predictions_of(estimates: list[float], ratings: list[float]) -> list[Any]:
    """The predictions of one user: the estimate and the rating of each item."""
    from surprise import Prediction

    pairs = zip(estimates, ratings, strict=True)
    return [Prediction("u", f"i{at}", rating, estimate, {}) for at, (estimate, rating) in enumerate(pairs)]


def main() -> None:
    """Measure each problem."""
    from surprise import accuracy

    function = precision_recall_at_k()

    def alone(at: int, predictions: list[Any], k: int, threshold: float) -> float:
        return float(function(predictions, k=k, threshold=threshold)[at]["u"])

    values, refused = gathered(jobs(measured, function))
    save("surprise", ["scikit-surprise", "numpy"], values, refused)
    of_user = {"precision_at_k": partial(alone, 0), "recall_at_k": partial(alone, 1)}
    fcp = partial(accuracy.fcp, verbose=False)
    quirks.add("surprise", quirks.returned(QUIRKS, {**of_user, "fcp": fcp, "predictions": predictions_of}))


if __name__ == "__main__":
    main()
