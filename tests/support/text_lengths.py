"""How long some texts are, and how often they read the inputs: a table of the documentation."""

from __future__ import annotations

from typing import Any

import rankmetrics as rm
from tests.support.scans import n_steps, scans

# Requests whose texts are measured: the metrics, and what else is asked.
SIX_AT_THREE = [f"{name}@{k}" for name in ("ndcg", "recall", "precision", "ap", "rr", "hit") for k in (5, 10, 20)]
OVER = {"lists": ["algorithm", "user"], "truth_lists": ["user"], "truth_columns": rm.Columns(item="item")}
MEASURED: dict[str, tuple[list[str], dict[str, Any]]] = {
    "`ndcg@10`, ranks": (["ndcg@10"], {}),
    "`ndcg@10`, ranks, keys": (["ndcg@10"], {"assume": "keys"}),
    "`ndcg@10`, scores": (["ndcg@10"], {"columns": rm.Columns(score="score")}),
    "six metrics at 5, 10 and 20, ranks": (SIX_AT_THREE, {}),
    "six metrics at 5, 10 and 20, ranks, keys": (SIX_AT_THREE, {"assume": "keys"}),
    "six metrics at 5, 10 and 20, scores": (SIX_AT_THREE, {"columns": rm.Columns(score="score")}),
    "`coverage@10`, `gini@10`": (["coverage@10", "gini@10"], {"catalog": "db.catalog"}),
    "five metrics of the history": (
        ["surprisal@10", "epc@10", "unseen@10", "popularity@10", "efd@10"],
        {"history": "db.history"},
    ),
}


def lengths_table() -> str:
    """The steps, the lines and the reads of some texts."""
    heads = ["request", "steps", "lines", "reads of the recommendations", "reads of the truth", "windows"]
    rows = [f"| {' | '.join(heads)} |", "|---|" + "---:|" * 5]
    for what, (metrics, more) in MEASURED.items():
        text = rm.to_sql("db.recs", "db.truth", metrics, dialect="trino", **{**OVER, **more})
        text = text[text.index("WITH ") :]
        reads = scans(text, "trino")
        counts = n_steps(text, "trino"), text.count("\n") + 1, reads["recs"], reads["truth"], text.count("OVER (")
        rows.append(f"| {what} | {' | '.join(map(str, counts))} |")
    return "\n".join(rows)
