"""`Result.trace`: a list place by place, and every metric as a formula; `Result.worst`: the lists that lose most."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.traces.trace import Trace, written
from tests.support import flat, matrix, problems
from tests.support.commands import by_hand
from tests.support.drawing import examples
from tests.support.engines import LOCAL, OTHERS, Engine, need
from tests.support.refusals import refusal

RECS = pl.DataFrame(
    {
        "algorithm": ["knn"] * 4 + ["pop"] * 2,
        "user": [1, 1, 1, 2, 1, 1],
        "item": ["a", "b", "c", "a", "d", "e"],
        "score": [0.9, 0.8, 0.7, 0.5, 0.4, 0.3],
    }
)
TRUTH = pl.DataFrame({"user": [1, 1, 1, 2, 3], "item": ["b", "c", "z", "q", "a"], "rating": [3.0, 1.0, 5.0, 1.0, -1.0]})


POLARS = LOCAL[1]


def result(*metrics: str | rm.Metric, engine: Engine = POLARS, **options: Any) -> rm.Result:
    return flat.evaluate(engine.give(RECS), engine.give(TRUTH), metrics, **engine.options, **options)


def test_relevant_items_below_the_cutoff_and_those_not_recommended_are_named(engine: Engine) -> None:
    notes = result("recall@2", engine=engine).trace(user=1, algorithm="knn").notes()
    assert notes == ["Relevant items below rank 2: c at rank 3.", "Relevant items that are not recommended: z."]
    assert result("recall", engine=engine).trace(user=1, algorithm="knn").notes() == [
        "Relevant items that are not recommended: z."
    ]
    many = pl.DataFrame({"user": [1] * 12, "item": [f"i{n:02}" for n in range(12)]})
    trace = rm.evaluate(
        RECS.filter(algorithm="knn").drop("algorithm"),
        pl.concat([many, many.with_columns(user=pl.lit(2, pl.Int64), item=pl.lit("a"))]),
        "recall@2",
    ).trace(user=1)
    (note,) = trace.notes()
    assert note.endswith(": i00, i01, i02, i03, i04, i05, i06, i07, i08, i09, and 2 more.")


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_a_trace_shows_the_list_beside_the_ideal_list_and_formulas_with_its_values(engine: Engine) -> None:
    metrics = ("dcg(gain=linear)@3", "ndcg(gain=linear)@3", "recall@3", "rr", "precision@2")
    trace = result(*metrics, engine=engine).trace(user=1, algorithm="knn")
    places, half = trace.collect(), 1 / math.log2(3)
    assert places.select("rank", "item", "score", "relevant", "rating", "gain", "discount").rows() == [
        (1, "a", 0.9, False, None, None, None),
        (2, "b", 0.8, True, 3.0, 3.0, pytest.approx(half)),
        (3, "c", 0.7, True, 1.0, 1.0, 0.5),
    ]
    assert places.select("ideal item", "ideal rating").rows() == [("z", 5.0), ("b", 3.0), ("c", 1.0)]
    dcg = places["dcg_by_rank(gain=linear)@3", "dcg_by_rank(gain=linear)@3 sum"]
    assert dcg.rows() == [
        (None, 0),
        (pytest.approx(3 * half), pytest.approx(3 * half)),
        (0.5, pytest.approx(3 * half + 0.5)),
    ]
    assert places["ideal_dcg(gain=linear)@3 sum"][-1] == pytest.approx(5 + 3 * half + 0.5)
    assert [trace.formulas()[label] for label in metrics[2:]] == [
        "recall@3 = n_hits@3 / n_relevant = 2 / 3 = 0.6667",
        "rr = 1 / first_hit = 1 / 2 = 0.5000",
        "precision@2 = n_hits@2 / 2 = 1 / 2 = 0.5000",
    ]
    assert trace.parts()["n_hits@3"] == "n_hits@3 = 2: COUNT(*) FROM hits WHERE rank <= 3"
    assert trace.value("rr") == 0.5
    assert trace.value(rm.recall @ 3) == pytest.approx(2 / 3)
    assert trace.list == {"algorithm": "knn", "user": 1}


def test_a_list_without_recommendations_is_traced_to_its_zero() -> None:
    trace = result("recall@3", "rr").trace(user=2, algorithm="pop")
    assert trace.value("recall@3") == 0
    assert trace.formulas()["rr"] == "rr = 0.0000 (first_hit is NULL)"
    assert trace.collect().select("item", "ideal item").rows() == [(None, "q")]
    assert trace.notes() == [
        "The list has no recommendations. With missing=zero, it scores 0 where a metric is defined."
    ]


def test_an_undefined_value_is_null_with_the_reason() -> None:
    trace = result("recall@3", "ap@3").trace(user=3, algorithm="knn")
    assert trace.value("recall@3") is None
    assert trace.formulas()["recall@3"] == (
        "recall@3 = n_hits@3 / n_relevant = 0 / 0 = NULL (undefined: the list has no relevant items; n_relevant is 0)"
    )
    assert trace.formulas()["ap@3"].endswith("n_relevant > 0 is false: 0 > 0)")


def test_a_trace_shows_ranks_that_were_given_and_no_scores() -> None:
    recs = RECS.drop("score").with_columns(rank=pl.int_range(1, pl.len() + 1).over("algorithm", "user"))
    places = rm.evaluate(recs, TRUTH.drop("rating"), "hit@2").trace(user=1, algorithm="knn").collect()
    assert places.columns[:4] == ["rank", "item", "relevant", "ideal item"]
    assert places["relevant"].to_list() == [False, True]


def test_gains_that_differ_have_a_column_each() -> None:
    places = result("dcg(gain=linear)@3", "dcg(gain=exponential)@3").trace(user=1, algorithm="knn").collect()
    assert places.select("gain=linear", "gain=exponential").rows() == [(None, None), (3.0, 7.0), (1.0, 1.0)]


def test_a_metric_that_ranks_in_another_order_has_no_column_of_terms_and_a_note() -> None:
    tied = RECS.with_columns(score=pl.lit(0.5))
    trace = rm.evaluate(tied, TRUTH, ["n_hits@1", "n_hits(ties=item_desc)@1"]).trace(user=1, algorithm="knn")
    assert [trace.value(metric) for metric in trace.metrics] == [0, 1]
    assert "n_hits(ties=item_desc)@1" not in trace.collect().columns
    assert "order of n_hits@1" in trace.notes()[-1]


# --- which list -------------------------------------------------------------------------------------------------------


def test_a_missing_or_ambiguous_list_is_refused_with_values_that_exist() -> None:
    hit = result("hit@2")
    cases: list[tuple[dict[str, Any], tuple[str, ...]]] = [
        ({"user": 1, "algorithm": "kn"}, ("algorithm='kn'", "knn, pop", "Did you mean 'knn'?")),
        ({"user": 7}, ("No list has user=7", "1, 2, 3")),
        ({"users": 1}, ("no list column 'users'", "Did you mean 'user'?")),
        ({}, ("give some of 'algorithm' and 'user'", "as in result.trace(user=...).")),
        ({"user": "one"}, ("No list has user='one'", "integer")),
        ({"user": 1}, ("user=1 names 2 lists, which differ in 'algorithm'", "algorithm='knn'")),
    ]
    for values, parts in cases:
        with refusal(rm.InputError, *parts, case=values):
            hit.trace(values)


def test_a_list_that_is_not_scored_is_refused_with_the_reason() -> None:
    recs = pl.concat([RECS, pl.DataFrame({"algorithm": ["knn"], "user": [9], "item": ["a"], "score": [1.0]})])
    with refusal(rm.InputError, "1 recommendation has these values", "missing=zero"):
        rm.evaluate(recs, TRUTH, "hit@2").trace(user=9)
    with refusal(rm.InputError, "No list has all of", "(algorithm = knn, user = 2)"):
        result("hit@2", missing="skip").trace(user=2, algorithm="pop")


def test_a_column_may_be_left_out_where_one_list_remains() -> None:
    recs, truth = (frame.with_columns(day=pl.lit("mon")) for frame in (RECS, TRUTH))
    trace = rm.evaluate(recs, truth, "hit@2").trace({"user": 1}, algorithm="pop")
    assert trace.list == {"algorithm": "pop", "user": 1, "day": "mon"}


def test_a_metric_that_the_trace_has_not_is_refused() -> None:
    with refusal(rm.MetricError, "no 'recall@4'", "Did you mean 'recall@3'?"):
        result("recall@3").trace(user=1, algorithm="knn").value("recall@4")
    with refusal(rm.MetricError, "of a system"):
        result("coverage@2", catalog=TRUTH.select("item")).trace(user=1)


# --- every metric -----------------------------------------------------------------------------------------------------


def assert_formulas_give(trace: Trace, expected: dict[str, Any]) -> None:
    """Assert that a trace has the values per list, and that its formulas give them with the values put in."""
    for label, formula in trace._measured[0].items():
        assert same(formula.value, expected[label]), (label, formula.value, expected[label])
        whole = formula.expression.sql("duckdb", identify=True)
        taken = written(formula.chosen, formula.parts, exact)  # of an undefined value, it shows a division by 0
        for expression in (whole, taken) if formula.value is not None else (whole,):
            columns = ", ".join(f'{exact(value)} AS "{name}"' for name, value in formula.parts.items())
            row = by_hand(f"SELECT {expression} FROM (SELECT {columns or 1})").row(0)
            assert same(row[0], expected[label]), (str(formula), expression)


def exact(value: float | None) -> str:
    if value is None:
        return "NULL"
    return f"CAST('{value!r}' AS DOUBLE)" if isinstance(value, float) else str(value)


def same(left: Any, right: Any) -> bool:
    if left is None or right is None:
        return left is right
    return math.isclose(left, right, rel_tol=1e-12, abs_tol=1e-12)


def assert_traced(found: rm.Result, step: int = 1) -> None:
    for row in found.collect(per_list=True).sort(*found.layout.lists).rows(named=True)[::step]:
        trace = found.trace({name: row[name] for name in found.layout.lists})
        assert_formulas_give(trace, row)
        assert_sums(trace)


def assert_sums(trace: Trace) -> None:
    places = trace.collect()
    for part in trace._measured[1]:
        if f"{part.name} sum" in places.columns and "CASE" not in str(part):
            total = places[f"{part.name} sum"][-1] if places.height else 0
            assert same(total, part.value or 0), str(part)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::rankmetrics.RankMetricsWarning")
def test_the_formula_of_every_metric_gives_its_value() -> None:
    every = [variants[0] for variants in matrix.variants().values() if not variants[0].is_run]
    assert_traced(matrix.evaluate(POLARS, every), step=100)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::rankmetrics.RankMetricsWarning")
def test_the_formula_of_every_metric_under_every_choice_gives_its_value(engine: Engine) -> None:
    every = [metric for variants in matrix.variants().values() for metric in variants if not metric.is_run]
    counted = [metric for metric in matrix.policies() if metric.values.get("duplicates") != "refused"]
    for chunk in (every[::2], every[1::2], counted):
        assert_traced(matrix.evaluate(engine, [*dict.fromkeys(chunk)]), step=100)


@pytest.mark.long
def test_a_trace_has_the_values_of_drawn_worlds(engine: Engine) -> None:
    @examples(12)
    @given(problems.odd_worlds())
    def agrees(world: problems.World) -> None:
        found = world.evaluate(engine)
        try:
            found.check()
        except rm.RankMetricsError:
            return  # its numbers would be meaningless
        assert_traced(found, step=3)

    agrees()


@pytest.mark.long
@pytest.mark.parametrize("other", OTHERS, ids=repr)
def test_a_trace_runs_on_every_engine(other: Engine) -> None:
    need(other)
    trace, expected = (
        result("ndcg@3", "recall@3", "rr", engine=engine).trace(user=1, algorithm="knn") for engine in (other, POLARS)
    )
    assert trace.formulas() == expected.formulas()
    assert trace.collect()["item"].to_list() == ["a", "b", "c"]


# --- printing ---------------------------------------------------------------------------------------------------------


def test_a_trace_prints_its_places_then_its_formulas() -> None:
    trace = result("ndcg@3").trace(user=1, algorithm="knn")
    lines, html = repr(trace).splitlines(), trace._repr_html_()
    assert lines[0] == "algorithm = knn, user = 1"
    headings = ["rank", "item", "score", "relevant", "rating", "gain", "discount"]
    assert [heading.strip() for heading in lines[1].split("┃")][:7] == headings
    assert "0.6309 → 0.6309" in lines[4]
    assert "ndcg@3 = dcg_by_rank@3 / ideal_dcg@3 = 1.1309 / 2.1309 = 0.5307" in lines
    assert lines[-2].startswith("dcg_by_rank@3 = 1.1309: SUM(")
    assert html.count("<table>") == 1
    assert "<li>algorithm = knn, user = 1</li>" in html


def test_a_long_list_prints_its_first_ranks_and_its_hits() -> None:
    n = 1000
    recs = pl.DataFrame({"user": [1] * n, "item": range(n), "rank": range(1, n + 1)})
    trace = rm.evaluate(recs, pl.DataFrame({"user": [1], "item": [900]}), ["rr"]).trace(user=1)
    assert trace.collect().height == n
    text = repr(trace)
    assert "984 more ranks" in text
    assert " 901 │" in text


# --- `Result.worst`: the lists with the worst values of a metric, or that lose most against a baseline ----------------


WORST_RECS = pl.DataFrame(
    {
        "algorithm": ["knn"] * 3 + ["pop"] * 4,
        "user": [1, 2, 3, 1, 2, 3, 3],
        "item": ["a", "x", "x", "x", "b", "x", "c"],
        "rank": [1, 1, 1, 1, 1, 1, 2],
    }
)
WORST_TRUTH = pl.DataFrame({"user": [1, 2, 3], "item": ["a", "b", "c"]})


def worst_result(metric: str = "rr", engine: Engine = LOCAL[1], **options: Any) -> rm.Result:
    return flat.evaluate(engine.give(WORST_RECS), engine.give(WORST_TRUTH), [metric], **options)


def test_the_worst_lists_have_the_lowest_values_or_lose_most_against_a_baseline(engine: Engine) -> None:
    rr = worst_result(engine=engine)
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
    worst = flat.evaluate(engine.give(recs), engine.give(truth), "hit@1", **inputs).worst("hit@1")
    assert worst.collect().columns == ["user", "hit@1", "n_relevant", "n_history", "first_hit"]
    assert worst.collect().rows() == [(2, 0.0, 2, 2, None), (1, 0.0, 1, 0, 2), (3, 1.0, 2, 1, 1)]
    assert "the lists with the worst hit@1, the worst first" in repr(worst)


def test_a_metric_whose_low_values_are_better_is_worst_where_it_is_high() -> None:
    values = worst_result("unexpectedness@1", baseline=WORST_RECS.filter(algorithm="pop").drop("algorithm").lazy())
    (lowest,) = values.worst("unexpectedness@1", n=1, system="knn").collect()["unexpectedness@1"]
    assert lowest <= values.collect(per_list=True).filter(algorithm="knn")["unexpectedness@1"].min()


def test_what_cannot_be_compared_is_refused() -> None:
    rr = worst_result()
    with refusal(rm.MetricError, "no metric 'rrr'", "'rr'"):
        rr.worst("rrr")
    with refusal(rm.InputError, "no system with algorithm='popp'", "Did you mean 'pop'?"):
        rr.worst("rr", baseline="popp")
    with refusal(rm.InputError, "n must be a whole number from 1: 0 is not"):
        rr.worst("rr", n=0)
    with refusal(rm.MetricError, "neither high nor low"):
        worst_result("n_relevant").worst("n_relevant")
    alone = rm.evaluate(WORST_RECS.filter(algorithm="knn").drop("algorithm"), WORST_TRUTH, "rr")
    with refusal(rm.InputError, "there is one system"):
        alone.worst("rr", baseline="knn")
    assert alone.worst("rr").collect().rows() == [(2, 0.0, 1, None), (3, 0.0, 1, None), (1, 1.0, 1, 1)]


def test_systems_that_several_columns_name_are_given_by_all_of_their_values() -> None:
    rr = rm.evaluate(WORST_RECS.with_columns(version=pl.lit(2)), WORST_TRUTH, "rr")
    with refusal(rm.InputError, "a value for each column that names a system: 'algorithm' and 'version'"):
        rr.worst("rr", baseline="pop")
    with refusal(rm.InputError, "names 'algorithm', and a system is named by 'algorithm' and 'version'"):
        rr.worst("rr", baseline={"algorithm": "pop"})
    by_name: dict[str, str | int] = {"algorithm": "pop", "version": 2}
    in_order: list[str | int] = ["pop", 2]
    assert rr.worst("rr", by_name, n=1).collect()["loss"].to_list() == [1.0]
    assert rr.worst("rr", in_order, n=1).collect().equals(rr.worst("rr", "pop, 2", n=1).collect())


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
