"""Checks as a JUnit file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from rankmetrics._files import new_file
from rankmetrics.gates.model import Check

# The name of the suite of tests, and the start of the class names.
NAME = "rankmetrics.gate"

# Characters that XML 1.0 cannot hold.
NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_text(checks: Sequence[Check]) -> str:
    """The checks as XML: a `testsuite` with a `testcase` for each, and a `failure` in those that failed."""
    n_failed = sum(not check.passed for check in checks)
    counts = {"tests": str(len(checks)), "failures": str(n_failed), "errors": "0", "skipped": "0"}
    suites = ET.Element("testsuites", {"name": NAME, **counts})
    suite = ET.SubElement(suites, "testsuite", {"name": NAME, **counts})
    for check in checks:
        system = "" if check.system is None else f".{check.system}"
        case = ET.SubElement(suite, "testcase", _clean({"classname": f"{NAME}{system}", "name": check.title}))
        if not check.passed:
            failure = ET.SubElement(case, "failure", _clean({"message": check.reason, "type": check.check}))
            failure.text = NOT_IN_XML.sub("\ufffd", check.reason)
    ET.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(suites, encoding="unicode")}\n'


def write_junit(checks: Sequence[Check], path: str | Path) -> str:
    """Write the checks into a file, whole or not at all, and return the text.

    Raises:
        InputError: the file cannot be written.
    """
    text = junit_text(checks)
    with new_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return text


def _clean(attributes: dict[str, str]) -> dict[str, str]:
    """The attributes, with a replacement character for each character that XML cannot hold."""
    return {name: NOT_IN_XML.sub("\ufffd", value) for name, value in attributes.items()}
