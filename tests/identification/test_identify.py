"""`rm.identify`: functions of known definitions, here and in other packages, are taken for what they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import rankmetrics as rm
from peers.tables import GOLDEN
from rankmetrics.identification.calls import USUAL_CUTOFFS, Answers, Form
from rankmetrics.identification.identify import identify_answers
from rankmetrics.identification.problems import CUTOFF, problems_of
from rankmetrics.identification.search import guess
from tests.support.metric_functions import KNOWN, ndcg_of_retrieved, novelty_of_lengths, recall_at_k
from tests.support.refusals import refusal

RECORDED: dict[str, Any] = json.loads((GOLDEN / "identified.json").read_text(encoding="utf-8"))["functions"]

# What each function of another package is, by its code; "" for those that are none of our definitions.
OF_PACKAGES = {
    "sklearn.metrics.ndcg_score": "ndcg(gain=linear, tied=averaged, undefined=zero)@3",
    "sklearn.metrics.dcg_score": "dcg(gain=linear, relevance=any, tied=averaged)@3",
    "torchmetrics.functional.retrieval.retrieval_hit_rate": "hit(undefined=zero)@3",
    "pytrec_eval ndcg_cut": "ndcg(gain=positive, ties=text_desc, undefined=zero)@3",
    "pytrec_eval map_cut": "ap(divisor=relevant, ties=text_desc, undefined=zero)@3",
    "pytrec_eval P": "precision(ties=text_desc)@3",
    "ranx ndcg": "ndcg(gain=linear, ties=input, undefined=zero)@3",
    "ranx ndcg_burges": "ndcg(gain=exponential, ties=input, undefined=zero)@3",
    "ranx map": "ap(divisor=relevant, ties=input, undefined=zero)@3",
    "ir_measures nDCG": "ndcg(gain=positive, ties=text_desc, undefined=zero)@3",
    "ir_measures AP": "ap(divisor=relevant, ties=text_desc, undefined=zero)@3",
    "recommenders map_at_k": "ap(relevance=any, ties=input, undefined=zero)@3",
    "recommenders recall_at_k": "recall(relevance=any, ties=input, undefined=zero)@3",
}

# Those of none, with a part of the smallest problem that shows it.
OF_NO_DEFINITION = {
    # it counts relevant items with equal scores all at the last of their ranks
    "sklearn.metrics.label_ranking_average_precision_score": "i001 1 = i002 0 = i003 1 > i004 0",
    # it computes in 32 bits, in which two scores are equal
    "torchmetrics.functional.retrieval.retrieval_normalized_dcg": "i001 0 > i002 1 = i003 0",
    # equal scores come in the order of a sort that is not stable
    "torchmetrics.functional.retrieval.retrieval_average_precision": "i001 0 = i002 0 = i003 0 = i004 1",
    "torchmetrics.functional.retrieval.retrieval_reciprocal_rank": "i001 0 = i002 0 = i003 0 = i004 1",
    # frames without rows give 0; elsewhere it is undefined without relevant items
    "recommenders ndcg_at_k": "no items; none is rated",
}


def known_of(function: Callable[..., object], *definition: str) -> Any:
    """The parameters of a test of a function; most functions are tested among the long tests."""
    is_short = function.__name__ in ("ndcg_of_the_first_k", "recall_at_k", "precision_at_k")
    return pytest.param(function, *definition, id=function.__name__, marks=[] if is_short else [pytest.mark.long])


def recorded(name: str) -> rm.Identified:
    """What a function of another package is, by what it returned when it was run."""
    metric = RECORDED[name]["metric"]
    names, k = ([rm.parse(metric).name], rm.parse(metric).k) if metric else guess(name.rpartition(".")[2])
    ways = []
    for way in RECORDED[name]["ways"]:
        form = Form(tuple(way["roles"]))
        asked = problems_of(CUTOFF) if way["takes_cutoff"] else problems_of(*USUAL_CUTOFFS)
        pairs = [(told, problem) for problem in asked if (told := form.told(problem)) is not None]
        assert len(pairs) == len(way["values"]), "the problems have changed: run python -m peers.run --here identified"
        problems, originals = [told for told, _ in pairs], [original for _, original in pairs]
        ways.append(Answers(form, way["takes_cutoff"], problems, originals, way["values"]))
    return identify_answers(name, ways, names, k)


# --- definitions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("function", "metric", "truth"), [known_of(*each) for each in KNOWN])
def test_a_function_is_identified_exactly(function: Callable[..., object], metric: str, truth: str) -> None:
    identified = rm.identify(function)
    assert identified.passed, identified.verdict
    assert (identified.definition.metric, identified.definition.truth) == (rm.parse(metric), truth)
    assert identified.departures() == []


@pytest.mark.parametrize(
    "name", [name if "ranx" in name else pytest.param(name, marks=pytest.mark.long) for name in OF_PACKAGES]
)
def test_a_function_of_a_package_is_identified_by_what_it_returned(name: str) -> None:
    identified = recorded(name)
    assert identified.passed, identified.verdict
    assert identified.definition.metric == rm.parse(OF_PACKAGES[name])
    assert identified.definition.truth == "all"


@pytest.mark.long
@pytest.mark.parametrize("name", OF_NO_DEFINITION)
def test_a_function_of_a_package_without_our_definition_is_not_claimed(name: str) -> None:
    identified = recorded(name)
    assert not identified.passed
    assert identified.verdict.startswith("No definition that was tried has the values of")
    assert OF_NO_DEFINITION[name] in [row["problem"] for row in identified.departures()]
    assert identified.collect().is_empty()


def test_every_recorded_function_is_tested() -> None:
    assert {*RECORDED} == {*OF_PACKAGES, *OF_NO_DEFINITION}


def test_a_function_that_is_no_metric_is_not_claimed() -> None:
    identified = rm.identify(novelty_of_lengths)
    assert not identified
    assert (identified.choices, identified.untold, identified.conventions) == ([], {}, [])
    assert "a problem on which they differ" in repr(identified)


# --- what shows the choices -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def of_retrieved() -> rm.Identified:
    return rm.identify(ndcg_of_retrieved)


def test_each_choice_is_shown_by_a_problem_with_the_value_of_the_function(of_retrieved: rm.Identified) -> None:
    rows = {row["choice"]: row for row in of_retrieved.choices}
    assert rows["gain=exponential"]["meaning"] == "the value of a hit: 2^rating - 1"
    assert rows["undefined=one"]["problem"] == "no items; none is rated"
    assert (rows["undefined=one"]["value"], rows["undefined=one"]["otherwise"]) == (1.0, None)
    assert {row["is_default"] for row in of_retrieved.choices[:4]} == {False}
    assert all(row["value"] != row["otherwise"] for row in of_retrieved.choices)


def test_arguments_without_unretrieved_items_make_the_ideal_one_of_the_retrieved(of_retrieved: rm.Identified) -> None:
    row = next(row for row in of_retrieved.choices if row["choice"] == "truth=retrieved")
    assert row["meaning"] == "relevant items that were not retrieved do not count, nor in the ideal list"
    assert "not retrieved: " in row["problem"]
    assert "its arguments do not tell scores and relevant items that were not retrieved" in of_retrieved.notes()
    assert of_retrieved.is_("ndcg(gain=exponential, relevance=any, undefined=one)@10")
    # three of ten relevant items, which is a perfect list for the function
    assert ndcg_of_retrieved([1, 1, 1], 3) == 1


def test_choices_that_the_arguments_do_not_tell_are_listed(of_retrieved: rm.Identified) -> None:
    assert {"ties", "tied", "duplicates"} <= of_retrieved.untold.keys()
    assert not {"gain", "discount", "k", "negatives"} & of_retrieved.untold.keys()


def test_an_answer_is_a_document_for_machines(of_retrieved: rm.Identified) -> None:
    document = json.loads(of_retrieved.to_text("json"))
    assert document == of_retrieved.as_dict()
    assert (document["is_known"], document["n_equal"], document["n_answered"]) == (True, 48, 48)
    assert document["choices"] == of_retrieved.collect().to_dicts()
    assert "xgboost" in document["conventions"]


def test_is_names_the_problem_on_which_a_metric_departs() -> None:
    identified = rm.identify(recall_at_k)
    assert identified.verdict == "recall_at_k is hit(undefined=zero)@3, and not recall: all of 51 problems agree."
    assert identified.is_("hit(undefined=zero)@3")
    assert not identified.is_("recall(undefined=zero)@3")
    first = identified.departures("recall(undefined=zero)@3")[0]
    assert first == {"problem": "a 1; not retrieved: b 1, c 1", "value": 1.0, "by_definition": 1 / 3}


def test_rounded_values_agree_within_half_a_unit() -> None:
    identified = rm.identify(lambda problem: round(_recall(problem), 3), "recall@3")
    assert identified.definition.metric == rm.parse("recall(ties=input, undefined=zero)@3")
    assert not rm.identify(lambda problem: _recall(problem) + 0.001, "recall@3")


def _recall(problem: rm.Problem) -> float:
    return len({*problem.items[: problem.k]} & {*problem.relevant}) / max(1, len(problem.relevant))


def test_errors_and_undefined_values_are_kept_apart() -> None:
    def recall(problem: rm.Problem) -> float | None:
        if not problem.items:
            raise ZeroDivisionError("an empty list")
        return _recall(problem) if problem.relevant else float("nan")

    identified = rm.identify(recall)
    assert identified.definition.metric == rm.recall(ties="input") @ 3
    assert identified.refused.keys() == {"empty list", "empty list, no rated item"}
    assert "it refuses 2 problems, such as 'empty list': ZeroDivisionError: an empty list" in identified.notes()


def test_what_cannot_be_identified_is_refused() -> None:
    with refusal(rm.InputError, "the type 'int'"):
        rm.identify(3)  # type: ignore[arg-type]
    with refusal(rm.InputError, "'constant' returned numbers for none", "an adapter"):

        def constant(recommended: object, relevant: object, k: int) -> float:
            return 0.5

        rm.identify(constant)
    with refusal(rm.MetricError, "Did you mean 'recall'"):
        rm.identify(recall_at_k, "recal@3")
    with refusal(rm.MetricError, "popularity"):
        rm.identify(_recall, "recall@3").is_("popularity@3")
