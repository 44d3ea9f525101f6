"""pytrec_eval-terrier over two dicts: all 18 numbers, in one evaluation.

It has no cutoff for the reciprocal rank: that of the whole list is at least 1 / k where the first hit is among the
first k, and counts as 0 here where it is less. Its nDCG takes the ratings as gains; its map_cut divides by all relevant
items.
"""

import json
import sys
from pathlib import Path

import pytrec_eval
from dicts import qrels_of, run_of

CUTOFFS = (5, 10, 20)
METRICS = {"ndcg": "ndcg_cut", "recall": "recall", "precision": "P", "ap": "map_cut", "hit": "success"}

folder = Path(sys.argv[1])
cutoffs = ",".join(map(str, CUTOFFS))
asked = {"recip_rank", *(f"{measure}.{cutoffs}" for measure in METRICS.values())}
lists = pytrec_eval.RelevanceEvaluator(qrels_of(folder), asked).evaluate(run_of(folder)).values()
means = {
    f"{name}@{k}": sum(one[f"{measure}_{k}"] for one in lists) / len(lists)
    for name, measure in METRICS.items()
    for k in CUTOFFS
}
ranks = [one["recip_rank"] for one in lists]
print(json.dumps(means | {f"rr@{k}": sum(one for one in ranks if one >= 1 / k) / len(ranks) for k in CUTOFFS}))
