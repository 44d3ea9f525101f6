"""ranx over two dicts: all 18 numbers, in one call of `evaluate`. Made into `Qrels` and `Run`, they take twice as long.

Its ndcg takes the ratings as gains; its map divides by all relevant items. Of two dicts it takes the lists by their
places, whatever they are called; so both have the same lists in the same order here.
"""

import json
import sys
from pathlib import Path

from dicts import qrels_of, run_of
from ranx import evaluate

CUTOFFS = (5, 10, 20)
METRICS = {"ndcg": "ndcg", "recall": "recall", "precision": "precision", "ap": "map", "rr": "mrr", "hit": "hit_rate"}

folder = Path(sys.argv[1])
qrels = qrels_of(folder)
run = run_of(folder)
asked = {f"{measure}@{k}": f"{name}@{k}" for name, measure in METRICS.items() for k in CUTOFFS}
found = evaluate(qrels, {user: run[user] for user in qrels}, list(asked))
print(json.dumps({asked[measure]: float(value) for measure, value in found.items()}))
