"""ranx's compare over the drawn runs: the p-value of every pair of systems, by each of its tests."""

from __future__ import annotations

import json
import warnings
from importlib.metadata import version
from itertools import combinations

from tests.fidelity.compared_runs import SKILL, drawn_runs
from tests.fidelity.tables import GOLDEN

METRICS = ("ndcg@10", "map@10", "mrr", "precision@5")
TESTS = ("student", "fisher", "tukey")


def main() -> None:
    """Compare, and save the p-values."""
    from ranx import Qrels, Run, compare

    warnings.simplefilter("ignore")  # numba's, of casts
    ratings, nested = drawn_runs()
    runs = [Run(one, name=name) for name, one in nested.items()]
    found = []
    for test in TESTS:
        report = compare(Qrels(ratings), runs, [*METRICS], max_p=0.05, stat_test=test, n_permutations=10_000)
        for pair in combinations(SKILL, 2):
            values = report.comparisons[frozenset(pair)]
            found += [[test, metric, *pair, float(values[metric]["p_value"])] for metric in METRICS]
    means = [[name, metric, float(report.results[name][metric])] for name in SKILL for metric in METRICS]
    versions = {one: version(one) for one in ("ranx", "numpy", "scipy")}
    text = json.dumps({"versions": versions, "means": means, "p_values": found})
    (GOLDEN / "ranx_compare.json").write_text(f"{text}\n", encoding="utf-8")
