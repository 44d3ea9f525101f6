"""Problems and values for implementations in other languages, and the commands `identify` and `conformance`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankmetrics as rm
from tests.support.commands import printed, refused, run, written
from tests.support.refusals import refusal

SOURCE = """
def recall_at_k(recommended, relevant, k):
    return len({*recommended[:k]} & {*relevant}) / max(1, len(relevant))
"""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_recall.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)


def test_a_document_has_the_value_of_each_definition_for_each_problem() -> None:
    document = rm.conformance(["ndcg@4", "recall@4"])
    assert document["k"] == 4
    recall = document["values"]["recall@4"]
    assert recall["recall@4"]["hit at rank 4"] == 0  # which is rank 5 here
    assert recall["recall@4"]["two of five retrieved"] == 2 / 6
    assert recall["recall(divisor=capped)@4"]["two of five retrieved"] == 2 / 4
    assert {len(values) for values in document["values"]["ndcg@4"].values()} == {len(document["problems"])}
    json.dumps(document, allow_nan=False)


def test_answers_are_identified_as_the_definition_they_follow() -> None:
    values = rm.conformance(["ap@3"])["values"]["ap@3"]["ap(divisor=relevant)@3"]
    assert rm.check_answers(values, "ap@3").definition.metric == rm.parse("ap(divisor=relevant)@3")
    values["hit at rank 1"] = 0.9
    wrong = rm.check_answers(values, "ap@3")
    assert wrong.departures()[0] == {"problem": "a 1 > b > c > d", "value": 0.9, "by_definition": 1.0}


def test_answers_to_other_problems_are_refused() -> None:
    with refusal(rm.InputError, "no problem 'hit at rank'", "Did you mean 'hit at rank"):
        rm.check_answers({"hit at rank": 1.0}, "ap@3")
    with refusal(rm.InputError, "all equal: 1.0"):
        rm.check_answers({"hit at rank 1": 1.0}, "ap@3")
    with refusal(rm.InputError, "one cutoff", "'recall@5'"):
        rm.conformance(["ndcg@3", "recall@5"])


def test_the_command_identifies_a_function() -> None:
    out = printed("identify", "my_recall:recall_at_k")
    assert "recall_at_k is recall(undefined=zero)@3: all of 51 problems agree." in out
    assert "called with ids in rank order, relevant ids, and the cutoff 3" in out


def test_an_unexpected_definition_fails_with_exit_code_3() -> None:
    flags = ("identify", "my_recall:recall_at_k", "--as", "json", "--expect")
    code, out, err = run(*flags, "recall(undefined=zero)@5")
    assert (code, json.loads(out)["definition"]) == (0, "recall(undefined=zero)@5")
    code, _, err = run(*flags, "recall@5")
    assert code == 3
    assert "recall_at_k is not recall@5: on no items; none is rated, it is 0.0, and recall@5 is None" in err


def test_the_command_writes_problems_and_checks_answers(tmp_path: Path) -> None:
    assert written("conformance", "recall@3", "--write", "problems.json") == "wrote problems.json\n"
    values = json.loads((tmp_path / "problems.json").read_text())["values"]["recall@3"]
    (tmp_path / "answers.json").write_text(json.dumps(values["recall(undefined=one)@3"]))
    assert "is recall(undefined=one)@3: all of 51" in printed("conformance", "recall@3", "--check", "answers.json")
    (tmp_path / "answers.json").write_text("[1]")
    assert "a JSON object" in refused("conformance", "recall@3", "--check", "answers.json")
    assert "--write FILE" in refused("conformance", "recall@3")
    assert "one metric" in refused("conformance", "--check", "answers.json")
