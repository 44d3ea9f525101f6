"""LensKit over two collections of lists: all 18 numbers, by `RunAnalysis`.

The collections are made of Arrow tables of a row per list, which LensKit calls native and writes itself: quicker than
`from_df`. It takes lists in the order of their rows. Its NDCG leaves the second place whole, with the discount
1 / max(1, log2(rank)); its Recall divides by k where more items are relevant. Its AveragePrecision fails on a list
without truth, so these are left out before.
"""

import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from lenskit.data import ItemListCollection
from lenskit.metrics import NDCG, Hit, Precision, Recall, RecipRank, RunAnalysis
from lenskit.metrics.ranking import AveragePrecision

CUTOFFS = (5, 10, 20)
METRICS = {"ndcg": NDCG, "recall": Recall, "precision": Precision, "ap": AveragePrecision, "rr": RecipRank, "hit": Hit}


def collection(rows: pa.Table) -> ItemListCollection:
    """The rows as lists: a list of what is beside each user."""
    fields = [name for name in rows.column_names if name != "user"]
    nested = rows.group_by("user", use_threads=False).aggregate([(name, "list") for name in fields]).combine_chunks()
    lists = [nested[f"{name}_list"].chunk(0) for name in fields]
    names = ["item_id" if name == "item" else name for name in fields]
    items = pa.ListArray.from_arrays(lists[0].offsets, pa.StructArray.from_arrays([one.values for one in lists], names))
    return ItemListCollection.from_arrow(pa.table({"user_id": nested["user"], "items": items}))


folder = Path(sys.argv[1])
truth = pq.read_table(folder / "truth.parquet", columns=["user", "item"])
recs = pq.read_table(folder / "recs.parquet", columns=["user", "item", "rank"])
recs = recs.filter(pc.is_in(recs["user"], truth["user"]))
analysis = RunAnalysis()
for name, metric in METRICS.items():
    for k in CUTOFFS:
        analysis.add_metric(metric(k), label=f"{name}@{k}")
found = analysis.measure(collection(recs), collection(truth))
print(json.dumps(found.list_summary()["mean"].to_dict()))
