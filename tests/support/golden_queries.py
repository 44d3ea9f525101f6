"""The queries that tests/golden holds in every dialect."""

from __future__ import annotations

import rankmetrics as rm

# What each golden query is there to show: the metrics, and what else is asked.
QUERIES: dict[str, tuple[str, list[str], dict[str, object]]] = {
    "three_metrics": (
        "Three metrics of algorithms over users, ranked by a rank column: the plain case.",
        ["ndcg@10", "recall@5,10", "ap@10"],
        {"lists": ["algorithm", "user"], "truth_lists": ["user"]},
    ),
    "score_and_rating": (
        "Ranked by score, graded by rating, over a partition, one row per list.",
        ["ndcg(gain=exponential)@10", "precision(rel=4, divisor=list)", "err(stop=graded)@10"],
        {
            "lists": ["partition", "algorithm", "user"],
            "truth_lists": ["partition", "user"],
            "columns": rm.Columns(score="score"),
            "truth_columns": rm.Columns(item="item", rating="rating"),
            "per_list": True,
        },
    ),
    "keywords_as_columns": (
        "List columns called as parts of the query are, lists of the recommendations only.",
        ["hit@5", "auc"],
        {
            "lists": ["rank", "hits", "order"],
            "truth_lists": ["hits"],
            "columns": rm.Columns(item="item_id", score="score"),
            "truth_columns": rm.Columns(item="item_id"),
            "missing": "skip",
        },
    ),
    "history_and_systems": (
        "Metrics of lists and of systems side by side, from a history, items and a catalogue; deviation, interval.",
        ["surprisal@10", "miscalibration@10", "gini@10", "personalization@10", "coverage@10"],
        {
            "lists": ["algorithm", "user"],
            "truth_lists": ["user"],
            "history": "db.history",
            "items": "db.items",
            "catalog": "db.catalog",
            "extra_columns": {"items": rm.Columns(category="genre")},
            "aggregates": ["mean", "std", "ci(0.95)"],
        },
    ),
    "several_conventions": (
        "One metric under three conventions, each over its own lists.",
        ["ndcg(convention=replay)@10", "ndcg(convention=elliot)@10", "ndcg(convention=lenskit)@10"],
        {
            "lists": ["algorithm", "user"],
            "truth_lists": ["user"],
            "truth_columns": rm.Columns(item="item", rating="rating"),
        },
    ),
    "many_cutoffs": (
        "Many cutoffs: the query has the same steps, however many there are.",
        ["ndcg@1..8", "recall@1..8", "ap@1..8", "rr@8", "hit@8", "f_beta@10"],
        {"lists": ["algorithm", "user"], "truth_lists": ["user"]},
    ),
    "orders_of_equal_scores": (
        "The mean over all orders of equal scores, and the best order.",
        ["hit@10", "ap@10", "ndcg@10", "rr(ties=best)@10"],
        {
            "lists": ["algorithm", "user"],
            "truth_lists": ["user"],
            "columns": rm.Columns(score="score"),
            "ties": "expected",
        },
    ),
    "baseline": (
        "What differs from another system's lists.",
        ["unexpectedness@10", "serendipity@10", "rbo@10"],
        {"lists": ["algorithm", "user"], "truth_lists": ["user"], "baseline": "db.baseline"},
    ),
}

# The truth of a query that reads no rating.
UNRATED = {"truth_columns": rm.Columns(item="item")}
