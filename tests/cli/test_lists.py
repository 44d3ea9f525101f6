"""`rankmetrics trace` and `rankmetrics worst`."""

from __future__ import annotations

from tests.support.commands import RECS, TRUTH, printed, refused, table

LIST = ("--list", "user=1", "--list", "partition=1", "--list", "algorithm=item-knn")


def test_trace_prints_the_list_and_the_formulas() -> None:
    text = printed("trace", RECS, TRUTH, "-m", "recall@5", *LIST)
    assert text.startswith("partition = 1, algorithm = item-knn, user = 1")
    assert "recall@5 = n_hits@5 / n_relevant = 4 / 20 = 0.2000" in text
    assert table(text)[0]["n_hits@5"] == "1 → 1"


def test_trace_takes_list_columns_beside_the_list() -> None:
    columns = ("--list", "algorithm", "--list", "partition", "--list", "user")
    assert printed("trace", RECS, TRUTH, "-m", "rr", *LIST, *columns).startswith("algorithm = item-knn, partition = 1")


def test_trace_refuses_a_list_that_it_cannot_find() -> None:
    assert "which differ in 'partition' and 'algorithm'" in refused(
        "trace", RECS, TRUTH, "-m", "rr", "--list", "user=1"
    )
    assert "give some of 'partition', 'algorithm' and 'user'" in refused("trace", RECS, TRUTH, "-m", "rr")
    assert "No list has user='x'" in refused("trace", RECS, TRUTH, "-m", "rr", "--list", "user=x")
    assert "twice" in refused("trace", RECS, TRUTH, "-m", "rr", "--list", "user=1", "--list", "user=2")


def test_worst_prints_the_lists_that_lose_most() -> None:
    rows = table(printed("worst", RECS, TRUTH, "-m", "ndcg@5", "--against", "popular", "-n", "2", "--of", "item-knn"))
    assert [row["algorithm"] for row in rows] == ["item-knn"] * 2
    assert float(rows[0]["loss"]) >= float(rows[1]["loss"]) > 0


def test_worst_takes_one_metric() -> None:
    assert "give -m once" in refused("worst", RECS, TRUTH, "-m", "ndcg@5,10")
