"""Numbers that other systems' own code returned: LensKit's on MovieLens 100K, worked examples of five systems."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from tests.conftest import SHARED, Engine, needs_shared

pytestmark = needs_shared

ML100K = SHARED / "data" / "ml100k"

# LensKit 2025's names and what they are here.
LENSKIT = {
    "NDCG": "ndcg(discount=lenskit)",
    "RecipRank": "rr",
    "Precision": "precision(divisor=list)",
    "Recall": "recall(divisor=capped)",
    "Hit": "hit",
    "AveragePrecision": "ap(divisor=list)",
    "RBP": "rbp(p=0.85)",
}


def test_every_list_of_movielens_has_the_values_that_lenskit_gives_it(engine: Engine) -> None:
    recs, truth = (engine.give(pl.read_parquet(ML100K / f"{name}.parquet")) for name in ("recs", "truth"))
    theirs = pl.read_parquet(ML100K / "lenskit_per_list.parquet")
    asked = [f"{name}{cut}" for name in LENSKIT.values() for cut in ("", "@5,10,20")]
    ours = engine.read(rm.evaluate(recs, truth, asked).per_list())
    keys = ["partition", "algorithm", "user"]
    both = theirs.join(ours, on=keys, how="inner", validate="1:1")
    assert ours.height == theirs.height == both.height == 3772
    for their_name, our_name in LENSKIT.items():
        for k in ("5", "10", "20", "None"):
            ours_at_k = both[our_name if k == "None" else f"{our_name}@{k}"]
            difference = (both[f"{their_name}@{k}"].cast(pl.Float64) - ours_at_k).abs()
            assert difference.null_count() == 0, (our_name, k)
            assert difference.max() <= 1e-9, (our_name, k)  # type: ignore[operator]


def test_an_account_of_movielens_finds_nothing_missing(engine: Engine) -> None:
    recs, truth = (engine.give(pl.read_parquet(ML100K / f"{name}.parquet")) for name in ("recs", "truth"))
    account = engine.read(rm.evaluate(recs, truth, "ndcg@10").account())
    totals = dict(account.group_by("account").agg(pl.col("n").sum()).iter_rows())
    assert totals["lists_scored"] == totals["lists_recommended"] == 3772
    recs_read = pl.read_parquet(ML100K / "recs.parquet").filter(pl.col("rank") <= 11)
    keys = ["partition", "algorithm", "user"]
    tied = recs_read.group_by(keys).agg(alike=pl.col("score").n_unique() < pl.len())["alike"].sum()
    assert totals["lists_tied"] == tied > 0
    assert {name: totals[name] for name in ("lists_missing", "lists_empty", "lists_not_from_1", "ranks_repeated")} == {
        "lists_missing": 0,
        "lists_empty": 0,
        "lists_not_from_1": 0,
        "ranks_repeated": 0,
    }


# --- the worked examples ----------------------------------------------------------------------------------------------

# Which metric of ours each worked example is about, by its id: the text to ask for, `{k}` being its cutoff.
EXAMPLES = {
    "seed.replay.rocauc": "auc@{k}",
    "seed.replay.mrr.3": "rr@{k}",
    "seed.replay.mrr.1": "rr@{k}",
    "seed.replay.mrr.swapped": "rr@{k}",
    "seed.replay.ndcg": "ndcg@{k}",
    "seed.lenskit.recall_k": "recall(divisor=capped)@{k}",
    "seed.lenskit.precision_short": "precision(divisor=list)@{k}",
    "capri.test_precision1": "precision",
    "capri.test_precision3": "precision",
    "capri.test_recall1": "recall",
    "capri.test_recall3": "recall",
    "capri.test_mapk1": "ap@{k}",
    "capri.test_mapk3": "ap@{k}",
    "capri.test_mapk4": "ap@{k}",
    "capri.test_ndcgk1": "ndcg(ideal=all)",
    "capri.test_ndcgk2": "ndcg(ideal=all)",
    "replay.test_metric.Precision": "precision@{k}",
    "replay.test_metric.HitRate": "hit@{k}",
    "replay.test_metric.MAP": "ap@{k}",
    "replay.test_metric.NDCG": "ndcg@{k}",
    "replay.test_metric.Recall": "recall@{k}",
    "replay.test_descriptors.Mean": "precision@{k}",
    "replay.by_user.HitRate.intersecting": "hit@{k}",
    "replay.by_user.HitRate.none": "hit@{k}",
    "replay.by_user.MAP.intersecting": "ap@{k}",
    "replay.by_user.MAP.none": "ap@{k}",
    "replay.by_user.MRR.intersecting": "rr@{k}",
    "replay.by_user.MRR.none": "rr@{k}",
    "replay.by_user.NDCG.intersecting": "ndcg@{k}",
    "replay.by_user.NDCG.none": "ndcg@{k}",
    "replay.by_user.Precision.intersecting": "precision@{k}",
    "replay.by_user.Precision.none": "precision@{k}",
    "replay.by_user.Recall.intersecting": "recall@{k}",
    "replay.by_user.Recall.none": "recall@{k}",
    "replay_old.HitRate.replay<=0.12.2": "hit@{k}",
    "replay_old.Precision.replay<=0.12.2": "precision@{k}",
    "replay_old.MAP.0.11-0.12.2": "ap(divisor=k)@{k}",
    "replay_old.Precision.0.10.3": "precision(divisor=list)@{k}",
    "replay_old.MAP.0.10.2": "ap@{k}",
    "lk014.precision.simple1": "precision",
    "lk014.precision.simple2": "precision",
    "lk014.precision.none": "precision",
    "lk014.precision.one": "precision",
    "lk014.recall.simple": "recall(divisor=capped)",
    "lk014.recall.fifth": "recall(divisor=capped)",
    "lk014.recall.long_rel": "recall(divisor=capped)@{k}",
    "lk014.recall.partial": "recall(divisor=capped)@{k}",
    "lk014.recip_rank.second": "rr",
    "lk014.recip_rank.late": "rr",
    "lk014.ndcg.no_match": "ndcg(gain=linear, discount=lenskit)",
    "lk014.ndcg.perfect": "ndcg(gain=linear, discount=lenskit)",
    "lk014.ndcg.wrong": "ndcg(gain=linear, discount=lenskit)",
    "lk014.ndcg.perfect_k": "ndcg(gain=linear, discount=lenskit)@{k}",
    "lk014.bulk_ndcg.not_at_top": "ndcg(gain=linear, discount=lenskit)",
    "lk2025.RBP.no_match": "rbp",
    "lk2025.RBP.one_match": "rbp",
    "lk2025.AveragePrecision.all": "ap(divisor=list)",
    "lk2025.AveragePrecision.quarter": "ap(divisor=list)",
    "lk2025.AveragePrecision.cutoff": "ap(divisor=list)@{n}",
    "lk2025.AveragePrecision.empty": "ap(divisor=list)",
}

# Which of equal scores that system put first, where an example has some.
TIES = {
    **dict.fromkeys(("seed.replay.mrr.1", "seed.replay.mrr.3"), "item_desc"),
    "seed.replay.mrr.swapped": "input",
}


def _cases() -> list[dict[str, Any]]:
    if not SHARED.is_dir():
        return []
    every: list[dict[str, Any]] = json.loads((SHARED / "golden" / "cases.json").read_text(encoding="utf-8"))
    return [case for case in every if case["id"] in EXAMPLES]


def test_the_examples_are_all_there() -> None:
    assert {case["id"] for case in _cases()} == set(EXAMPLES)


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["id"])
def test_a_worked_example_has_the_value_it_states(case: dict[str, Any], engine: Engine) -> None:
    recs, truth = _tables(case["inputs"])
    params, expected = case["params"], case["expected"]
    ks = [params[name] for name in ("k", "n") if name in params] or [None]
    cutoffs = ks[0] if isinstance(ks[0], list) else [ks[0]]
    values = expected if isinstance(expected, list) else [expected]
    asked = [EXAMPLES[case["id"]].format(k=k, n=k) for k in cutoffs]
    ties = TIES.get(case["id"])
    if ties == "input":
        recs, ties = _rank_as_given(recs), None  # what DuckDB's relations cannot know is said by a rank column
    result = rm.evaluate(engine.give(recs), engine.give(truth), asked, by=[], ties=ties)  # type: ignore[arg-type]
    row = engine.read(result.summary()).row(0, named=True)
    for label, value in zip(asked, values, strict=True):
        label = rm.parse(label).label
        tolerance = max(case["abs_tol"], _printed(value))
        assert row[label] == (None if value is None else pytest.approx(value, abs=tolerance)), label


def _printed(value: float | None) -> float:
    """Half a unit of the last place that an example prints: `0.55555` is known to 5e-6, and cut there, to 1e-5."""
    text = repr(value)
    return 10.0 ** -len(text.partition(".")[2]) if value is not None and len(text) < 12 else 1e-9


def _tables(inputs: dict[str, Any]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The recommendations and the truth of an example, whichever way it states them."""
    if "recs" in inputs:
        return _frame(inputs["recs"]), _frame(inputs["truth"])
    first, second = ("arg2", "arg1") if "arg1" in inputs else ("pred", "truth")
    pred, truth = inputs[first] or [], inputs[second]
    truth = truth if truth else [-1]  # RePlay scores a user without recommendations 0, whatever was relevant
    ranks = list(range(1, len(pred) + 1))
    recs: dict[str, list[Any]] = {"user": [1] * max(len(pred), 1), "item": pred or [None], "rank": ranks or [None]}
    judged: dict[str, list[Any]] = {"user": [1] * len(truth), "item": truth}
    if "rating" in inputs:
        judged["rating"] = inputs["rating"]
    schema = {"user": pl.Int64, "item": pl.Int64, "rank": pl.Int64}
    return pl.DataFrame(recs, schema=schema), pl.DataFrame(judged, strict=False)


def _frame(columns: dict[str, list[Any]]) -> pl.DataFrame:
    return pl.DataFrame(columns, strict=False).with_columns(
        pl.col(name).cast(pl.Float64) for name in ("score", "rating") if name in columns
    )


def _rank_as_given(recs: pl.DataFrame) -> pl.DataFrame:
    ordered = recs.sort("score", descending=True, maintain_order=True)
    return ordered.with_columns(rank=pl.int_range(1, pl.len() + 1).over("user")).drop("score")
