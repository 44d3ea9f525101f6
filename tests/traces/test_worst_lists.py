"""`Result.worst`: the lists with the worst values of a metric, or that lose most against a baseline."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from tests.support.drawing import examples
from tests.support.engines import LOCAL, Engine
from tests.support.refusals import refusal

RECS = pl.DataFrame(
    {
        "algorithm": ["knn"] * 3 + ["pop"] * 4,
        "user": [1, 2, 3, 1, 2, 3, 3],
        "item": ["a", "x", "x", "x", "b", "x", "c"],
        "rank": [1, 1, 1, 1, 1, 1, 2],
    }
)
TRUTH = pl.DataFrame({"user": [1, 2, 3], "item": ["a", "b", "c"]})


def result(metric: str = "rr", engine: Engine = LOCAL[1], **options: Any) -> rm.Result:
    return rm.evaluate(engine.give(RECS), engine.give(TRUTH), [metric], **options)


def test_the_worst_lists_have_the_lowest_values_or_lose_most_against_a_baseline(engine: Engine) -> None:
    rr = result(engine=engine)
    worst = rr.worst("rr", n=2).collect()
    assert worst.columns == ["algorithm", "user", "rr", "n_relevant", "first_hit"]
    assert worst.rows() == [
        ("knn", 2, 0.0, 1, None),
        ("knn", 3, 0.0, 1, None),
        ("pop", 1, 0.0, 1, None),
        ("pop", 3, 0.5, 1, 2),
    ]
    assert rr.worst(rm.rr, n=1, system="pop").collect().rows() == [("pop", 1, 0.0, 1, None)]
    losing = rr.worst("rr", baseline="pop").collect()
    assert losing.columns == ["algorithm", "user", "rr", "rr baseline", "loss", "n_relevant", "first_hit"]
    assert losing.rows() == [("knn", 2, 0.0, 1.0, 1.0, 1, None), ("knn", 3, 0.0, 0.5, 0.5, 1, None)]


def test_of_equal_lists_those_that_miss_more_come_first_with_what_is_known_of_them(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1, 2, 2, 3], "item": ["x", "a", "x", "y", "c"], "rank": [1, 2, 1, 2, 1]})
    truth = pl.DataFrame({"user": [1, 2, 2, 3, 3], "item": ["a", "b", "c", "a", "c"]})
    history = pl.DataFrame({"user": [2, 2, 3], "item": ["v", "w", "v"]})
    inputs = {"history": engine.give(history)}
    worst = rm.evaluate(engine.give(recs), engine.give(truth), "hit@1", **inputs).worst("hit@1")
    assert worst.collect().columns == ["user", "hit@1", "n_relevant", "n_history", "first_hit"]
    assert worst.collect().rows() == [(2, 0.0, 2, 2, None), (1, 0.0, 1, 0, 2), (3, 1.0, 2, 1, 1)]
    assert "the lists with the worst hit@1, the worst first" in repr(worst)


def test_a_metric_whose_low_values_are_better_is_worst_where_it_is_high() -> None:
    values = result("unexpectedness@1", baseline=RECS.filter(algorithm="pop").drop("algorithm").lazy())
    (lowest,) = values.worst("unexpectedness@1", n=1, system="knn").collect()["unexpectedness@1"]
    assert lowest <= values.collect(per_list=True).filter(algorithm="knn")["unexpectedness@1"].min()


def test_what_cannot_be_compared_is_refused() -> None:
    rr = result()
    with refusal(rm.MetricError, "no metric 'rrr'", "'rr'"):
        rr.worst("rrr")
    with refusal(rm.InputError, "no system with algorithm='popp'", "Did you mean 'pop'?"):
        rr.worst("rr", baseline="popp")
    with refusal(rm.InputError, "0 is not a whole number from 1"):
        rr.worst("rr", n=0)
    with refusal(rm.MetricError, "neither high nor low"):
        result("n_relevant").worst("n_relevant")
    alone = rm.evaluate(RECS.filter(algorithm="knn").drop("algorithm"), TRUTH, "rr")
    with refusal(rm.InputError, "there is one system"):
        alone.worst("rr", baseline="knn")
    assert alone.worst("rr").collect().rows() == [(2, 0.0, 1, None), (3, 0.0, 1, None), (1, 1.0, 1, 1)]


def test_systems_that_several_columns_name_are_given_as_mappings() -> None:
    rr = rm.evaluate(RECS.with_columns(version=pl.lit(2)), TRUTH, "rr")
    with refusal(rm.InputError, "'algorithm' and 'version'", "mapping"):
        rr.worst("rr", baseline="pop")
    with refusal(rm.InputError, "there were 'algorithm'"):
        rr.worst("rr", baseline={"algorithm": "pop"})
    assert rr.worst("rr", {"algorithm": "pop", "version": 2}, n=1).collect()["loss"].to_list() == [1.0]


@pytest.mark.long
def test_drawn_lists_are_those_that_lose_most() -> None:
    items = st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True)

    @examples(20)
    @given(st.dictionaries(st.tuples(st.sampled_from("xyz"), st.integers(1, 6)), items, min_size=3), st.integers(1, 3))
    def agrees(lists: dict[tuple[str, int], list[str]], n: int) -> None:
        if not any(system == "x" for system, _ in lists):
            return
        rows = [(*key, item, rank) for key, of in lists.items() for rank, item in enumerate(of, start=1)]
        recs = pl.DataFrame(rows, ["algorithm", "user", "item", "rank"], orient="row")
        truth = pl.DataFrame({"user": range(1, 7), "item": ["a"] * 6})
        value = {key: 1 / (1 + of.index("a")) if "a" in of else 0.0 for key, of in lists.items()}
        lost = defaultdict(list)
        for system in {system for system, _ in lists}:
            for user in range(1, 7):
                loss = value.get(("x", user), 0.0) - value.get((system, user), 0.0)
                lost[system].append((-loss, user)) if loss > 0 else None
        expected = [(system, user, -loss) for system in sorted(lost) for loss, user in sorted(lost[system])[:n]]
        for engine in LOCAL:
            result = rm.evaluate(engine.give(recs), engine.give(truth), ["rr"])
            try:
                found = result.worst("rr", "x", n).collect()
            except rm.DataError:
                return
            assert found.select("algorithm", "user", "loss").rows() == expected

    agrees()
