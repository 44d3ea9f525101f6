"""MLflow's metrics for retrievers over Series of lists: of each query, and over all."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from tests.fidelity import quirks
from tests.fidelity.tables import Row, by_problem, read, save

CUTOFFS = (1, 3, 5, 10)

QUIRKS = (
    "of(precision_at_k(10), ['a'], ['a', 'b'])",
    "of(precision_at_k(3), ['a', 'a', 'b'], ['a'])",
    "of(recall_at_k(3), ['a', 'a', 'b'], ['a'])",
    "of(ndcg_at_k(3), ['a'], ['a', 'b'])",
    "of(ndcg_at_k(3), ['a', 'b', 'c'], ['a', 'd'])",
    "of(ndcg_at_k(3), ['b', 'a', 'a'], ['a'])",
    "of(recall_at_k(3), [], [])",
    "of(ndcg_at_k(3), [], [])",
    "of(precision_at_k(3), [], [])",
)


def lists(recs: list[Row], truth: list[Row]) -> dict[str, tuple[list[str], list[str]]]:
    """Of each query of the truth the retrieved documents in order, and the relevant ones."""
    found: dict[str, tuple[list[str], list[str]]] = {row["user"]: ([], []) for row in truth}
    for row in sorted((row for row in recs if row["item"] is not None and row["user"] in found), key=_rank):
        found[row["user"]][0].append(row["item"])
    for row in truth:
        if row["rating"] > 0:
            found[row["user"]][1].append(row["item"])
    return found


def _rank(row: Row) -> int:
    return int(row["rank"])


def _measure(metric: Any, retrieved: list[list[str]], relevant: list[list[str]]) -> Any:
    import pandas as pd

    return metric.eval_fn(pd.Series(retrieved), pd.Series(relevant))


def of(metric: Any, retrieved: list[str], relevant: list[str]) -> float:
    """The score of a query."""
    return float(_measure(metric, [retrieved], [relevant]).scores[0])


def measured(queries: dict[str, tuple[list[str], list[str]]]) -> Iterator[tuple[str, str, int, str | None, float]]:
    """What it returns for a problem."""
    from mlflow import metrics

    retrieved, relevant = ([row[side] for row in queries.values()] for side in (0, 1))
    for name in ("precision_at_k", "recall_at_k", "ndcg_at_k"):
        for k in CUTOFFS:
            found = _measure(getattr(metrics, name)(k), retrieved, relevant)
            yield "", name, k, None, float(found.aggregate_results["mean"])
            yield from (("", name, k, user, float(one)) for user, one in zip(queries, found.scores, strict=True))


def main() -> None:
    """Measure each problem."""
    from mlflow import metrics

    warnings.simplefilter("ignore")  # of metrics that are to be left out of later releases
    recs, truth = by_problem(read("recs")), by_problem(read("truth"))
    values: list[tuple[Any, ...]] = []
    for problem in recs:
        values += ((problem, *row) for row in measured(lists(recs[problem], truth[problem])))
    save("mlflow", ["mlflow-skinny", "scikit-learn", "numpy"], values, {})
    names = {name: getattr(metrics, name) for name in ("precision_at_k", "recall_at_k", "ndcg_at_k")}
    quirks.add("mlflow", quirks.returned(QUIRKS, {"of": of, **names}))


if __name__ == "__main__":
    main()
