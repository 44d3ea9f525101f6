"""ranx over a Qrels and a Run: every metric that it has, per query and over all, at several relevance levels.

It also writes the p-values of ranx's compare over the drawn runs, for every pair of systems by each of its tests.
PYTHONHASHSEED should be set: it tells documents apart by the hashes of their ids, as floats.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import version
from itertools import combinations

from ranx import Qrels, Run, compare, evaluate

from peers.job import Problem, Values
from peers.problems import SKILL, drawn_runs
from peers.tables import GOLDEN

CUTOFFS = (None, 1, 3, 5, 10, 20)
CUT = "precision recall hits hit_rate f1 map mrr dcg dcg_burges ndcg ndcg_burges r-precision bpref".split()
PATIENCE = ("rbp.95", "rbp.5")
LEVELS = {None: (1, 2), "negative ratings": (-1, 0, 1, 2, 5)}


def measured(problem: Problem) -> Iterator[Values]:
    names = {(name, k): f"{name}@{k}" if k else name for name in CUT for k in CUTOFFS}
    names |= {(name, None): name for name in PATIENCE}
    for level in LEVELS.get(problem.name, LEVELS[None]):
        spelled = [f"{name}-l{level}" for name in names.values()]
        scores = Run(problem.scores)
        means = evaluate(Qrels(problem.whole_ratings), scores, spelled, threads=1, make_comparable=True)
        for (name, k), spelling in zip(names, spelled, strict=True):
            of_users = {str(user): value for user, value in scores.scores[spelling].items()}
            yield f"level={level}", name, k, {None: means[spelling], **of_users}


# --- comparisons ------------------------------------------------------------------------------------------------------

METRICS = ("ndcg@10", "map@10", "mrr", "precision@5")
TESTS = ("student", "fisher", "tukey")


def write_comparisons() -> None:
    """Compare the drawn runs, and write the p-values."""
    ratings, nested = drawn_runs()
    runs = [Run(scores, name=name) for name, scores in nested.items()]
    found = []
    for test in TESTS:
        report = compare(Qrels(ratings), runs, [*METRICS], max_p=0.05, stat_test=test, n_permutations=10_000)
        for pair in combinations(SKILL, 2):
            values = report.comparisons[frozenset(pair)]
            found += [[test, metric, *pair, float(values[metric]["p_value"])] for metric in METRICS]
    means = [[name, metric, float(report.results[name][metric])] for name in SKILL for metric in METRICS]
    versions = {name: version(name) for name in ("ranx", "numpy", "scipy")}
    text = json.dumps({"versions": versions, "means": means, "p_values": found})
    (GOLDEN / "ranx_compare.json").write_text(f"{text}\n", encoding="utf-8")


def after() -> None:
    """Write what its tests read in addition."""
    write_comparisons()
