"""How a function is called: the order and kind of its arguments, its cutoff, its name, and what it returns."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankmetrics as rm
from rankmetrics.identification.calls import ask, number_of, read_function
from rankmetrics.identification.problems import problems_of
from rankmetrics.identification.search import guess
from tests.support.metric_functions import KNOWN, recall_at_k
from tests.support.refusals import refusal


def test_the_names_of_parameters_decide_the_order_of_arguments() -> None:
    ways = ask(recall_at_k, None)
    assert [way.form.roles for way in ways] == [("relevant", "items"), ("ratings", "items")]
    assert all(way.takes_cutoff for way in ways)


@pytest.mark.parametrize("function", [function for function, *_ in KNOWN], ids=lambda function: function.__name__)
def test_every_answer_is_what_the_function_returns_when_called_so(function: Any) -> None:
    for answers in ask(function, None):
        assert len(answers.problems) == len(answers.originals) == len(answers.values)
        assert answers.n_numbers > 1


def test_unnamed_arguments_are_found_by_trying() -> None:
    def measured(a: Any, b: Any) -> float:
        return float(b[np.argsort(-a, kind="stable")][:3].sum())  # arrays of scores and labels

    assert [answers.form.roles for answers in ask(measured, None)] == [("labels", "scores"), ("scores", "labels")]
    identified = rm.identify(measured, "dcg@3")
    assert identified.definition.metric == rm.parse("dcg(discount=uniform, gain=linear, relevance=any)@3")


def test_a_row_of_a_matrix_is_tried_if_an_array_is_refused() -> None:
    def score(y_true: Any, y_score: Any, *, k: int) -> Any:
        (labels,), (scores,) = y_true, y_score
        return [np.float32(labels[np.argsort(-scores, kind="stable")[:k]].max(initial=0) > 0)]

    assert rm.identify(score, "hit").definition.metric == rm.parse("hit(undefined=zero)@3")


def test_the_problem_that_an_adapter_gets_has_all_parts() -> None:
    problem = next(each for each in problems_of(3) if each.name == "an irrelevant item not retrieved")
    assert (problem.items, problem.scores, problem.labels) == (("a", "b", "c"), (3, 2, 1), [1, 0, 0])
    assert (problem.relevant, problem.ratings, problem.k) == ({"a": 1}, {"a": 1, "e": 0}, 3)
    assert problem.run == {"q": {"a": 3, "b": 2, "c": 1}}
    assert problem.qrels == {"q": {"a": 1, "e": 0}}


@pytest.mark.parametrize(
    ("value", "number"),
    [(True, 1.0), (np.float32(0.5), 0.5), ({"q": {"ndcg": 0.25}}, 0.25), ([[3]], 3.0), (None, None), (math.nan, None)],
)
def test_a_number_is_read_from_what_functions_return(value: object, number: float | None) -> None:
    assert number_of(value) == number


def test_a_longer_cutoff_keeps_ranks_around_it() -> None:
    short, long = ({problem.name: problem for problem in problems_of(k)} for k in (3, 7))
    assert len(long["hit at rank 4"].items) == 8
    assert long["hit at rank 4"].labels == [0] * 7 + [1]
    assert long["hit at rank 3"].labels == [0] * 6 + [1, 0]
    assert long["one item, a hit"].items == short["one item, a hit"].items
    assert len(long["three of ten retrieved"].relevant) == 14
    tied = long["tied at ranks 2 and 3"]
    assert len({*tied.scores[1:7]}) == 1
    assert all([*each.scores] == sorted(each.scores, reverse=True) for each in long.values())


@pytest.mark.parametrize(
    ("name", "metrics", "k"),
    [("calc_ndcg_at_10", ["ndcg"], 10), ("RetrievalMAP", ["ap"], None), ("hr5", ["hit"], None), ("loss", [], None)],
)
def test_a_metric_is_guessed_from_the_name_of_a_function(name: str, metrics: list[str], k: int | None) -> None:
    assert (guess(name)[0][:1], guess(name)[1]) == (metrics, k)


def test_a_function_is_imported_from_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop_metrics.py").write_text("def recall(a, b):\n    return 1\n\nK = 3\n")
    (tmp_path / "broken_metrics.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    assert read_function("shop_metrics:recall").__name__ == "recall"
    for text, *parts in (
        ("shop_metrics:recal", "no function 'recal'", "Did you mean 'recall'"),
        ("shop_metrics:K", "no function 'K'"),
        ("shop_metric:recall", "No module named 'shop_metric'", "Did you mean 'shop_metrics'"),
        ("broken_metrics:recall", "ZeroDivisionError"),
        ("recall", "write the module, a colon and the function"),
    ):
        with refusal(rm.InputError, *parts, case=text):
            read_function(text)
