"""What a gate is written as: a JUnit file, annotations of GitHub, text and HTML."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import rankmetrics as rm
from rankmetrics.errors import InputError
from rankmetrics.gates.report import Check
from rankmetrics.options import Limit

# A check that passed, and a check that failed, whose texts hold characters that XML and GitHub must escape.
PASSED = Check("minimum", "ndcg@10", "als", 0.3, Limit(0.25), passed=True, reason="It is at least 0.25.")
FAILED = Check(
    "max_drop",
    "P(rel=4)@5",
    'a<b>&"c", d:e\x0b',
    -0.5,
    Limit(0.01, is_percentage=True),
    False,
    "It fell by 50%,\nor <more>.",
)
REPORT = rm.GateReport((PASSED, FAILED), notes=("2 lists are gone.",))


def test_a_junit_file_has_a_test_case_for_each_check_and_a_failure_in_those_that_failed(tmp_path: Path) -> None:
    text = REPORT.to_junit(tmp_path / "gate.xml")
    assert (tmp_path / "gate.xml").read_text(encoding="utf-8") == text == REPORT.to_junit()
    suites = ET.parse(tmp_path / "gate.xml").getroot()
    (suite,) = suites
    counts = {"tests": "2", "failures": "1", "errors": "0", "skipped": "0"}
    assert (suites.tag, suite.tag) == ("testsuites", "testsuite")
    assert suites.attrib == suite.attrib == {"name": "rankmetrics.gate", **counts}
    passed, failed = suite
    assert (passed.tag, passed.attrib, len(passed)) == (
        "testcase",
        {"classname": "rankmetrics.gate.als", "name": "minimum ndcg@10 of als"},
        0,
    )
    (failure,) = failed
    assert failed.get("name") == 'max_drop P(rel=4)@5 of a<b>&"c", d:e\ufffd'
    assert (failure.tag, failure.get("type"), failure.get("message")) == ("failure", "max_drop", FAILED.reason)
    assert failure.text == FAILED.reason
    with pytest.raises(InputError, match=r"Cannot write .*gate\.xml"):
        REPORT.to_junit(tmp_path / "nowhere" / "gate.xml")


def test_a_failed_check_is_an_annotation_of_one_line_whose_signs_github_decodes() -> None:
    (line,) = REPORT.annotations()
    assert line == (
        '::error title=rankmetrics gate%3A max_drop P(rel=4)@5 of a<b>&"c"%2C d%3Ae\x0b::It fell by 50%25,%0Aor <more>.'
    )


def test_a_report_prints_its_checks_its_notes_and_the_verdict() -> None:
    lines = repr(REPORT).splitlines()
    assert lines[2].split("│")[3:6] == [" 0.3000  ", " 0.25  ", " yes    "]
    assert lines[-2:] == ["2 lists are gone.", "The gate failed: 1 of 2 checks."]
    assert "-50.00%" in repr(REPORT)
    assert repr(rm.GateReport((PASSED,))).endswith("The gate passed: 1 check.")
    page = REPORT._repr_html_()
    assert "<td>a&lt;b&gt;&amp;" in page
    assert "<li>The gate failed: 1 of 2 checks.</li>" in page
