"""ir-measures over two dicts: all 18 numbers, in one call of `calc_aggregate`.

pytrec_eval computes them, its own msmarco the reciprocal ranks. Its nDCG takes the ratings as gains; its AP divides by
all relevant items.
"""

import json
import sys
from pathlib import Path

import ir_measures
from dicts import qrels_of, run_of
from ir_measures import AP, RR, P, R, Success, nDCG

CUTOFFS = (5, 10, 20)
METRICS = {"ndcg": nDCG, "recall": R, "precision": P, "ap": AP, "rr": RR, "hit": Success}

folder = Path(sys.argv[1])
asked = {measure @ k: f"{name}@{k}" for name, measure in METRICS.items() for k in CUTOFFS}
found = ir_measures.calc_aggregate(list(asked), qrels_of(folder), run_of(folder))
print(json.dumps({asked[measure]: float(value) for measure, value in found.items()}))
