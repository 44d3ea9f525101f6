"""The GateReport: the checks of a gate, its verdict, and its forms: a table, JUnit, annotations of GitHub."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from rankmetrics._files import new_file
from rankmetrics.errors import counted
from rankmetrics.options import Limit

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console, ConsoleOptions, RenderResult

    from rankmetrics.tables import TextTable


# The columns of GateReport.checks.
COLUMNS = ("check", "metric", "system", "value", "limit", "passed", "reason")


@dataclass(frozen=True)
class Check:
    """A number of one system, and its limit."""

    check: str  # minimum, maximum, max_drop or max_missing
    metric: str  # the column of the result
    system: str | None  # None where the summary has one row for all lists
    value: float | None  # in the unit of the limit; None if it is undefined
    limit: Limit
    passed: bool
    reason: str  # why it passed or failed, as a sentence

    @property
    def title(self) -> str:
        """The check in a few words, such as `minimum ndcg@10 of als`."""
        return f"{self.check} {self.metric}" + (f" of {self.system}" if self.system is not None else "")


@dataclass(frozen=True, repr=False)
class GateReport:
    """The checks of `rm.gate`, with a verdict; it is true if all checks passed: `assert rm.gate(...)`.

    Attributes:
        results: the checks, as values.
        notes: what the checks left out, as sentences.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.DataFrame({"system": ["a", "a", "b"], "user": [1, 2, 1], "item": [7, 8, 9], "rank": [1, 1, 1]})
        >>> truth = pl.DataFrame({"user": [1, 2], "item": [7, 8]})
        >>> report = rm.gate(rm.evaluate(recs, truth, "hit@1"), minimum={"hit@1": 0.5})
        >>> report.passed
        False
        >>> print(report)
        check   ┃ metric ┃ system ┃ value  ┃ limit ┃ passed ┃ reason
        ━━━━━━━━╇━━━━━━━━╇━━━━━━━━╇━━━━━━━━╇━━━━━━━╇━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━
        minimum │ hit@1  │ a      │ 1.0000 │ 0.5   │ yes    │ It is at least 0.5.
        minimum │ hit@1  │ b      │ 0.0000 │ 0.5   │ NO     │ It is below 0.5.
        <BLANKLINE>
        The gate failed: 1 of 2 checks.
    """

    results: tuple[Check, ...]
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """True if every check passed."""
        return all(check.passed for check in self.results)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.results if not check.passed)

    def __bool__(self) -> bool:
        return self.passed

    @property
    def checks(self) -> pl.DataFrame:
        """The checks, one row each.

        Returns:
            A frame with `check` (minimum, maximum, max_drop or max_missing), `metric` (a column of the result),
            `system` (NULL where there is one row for all lists), `value` and `limit` (of a percentage, shares: 0.01 for
            1%), `passed`, and `reason`.
        """
        import polars as pl

        types = (pl.String, pl.String, pl.String, pl.Float64, pl.Float64, pl.Boolean, pl.String)
        rows = [{**vars(check), "limit": check.limit.value} for check in self.results]
        return pl.DataFrame(rows, schema=dict(zip(COLUMNS, types, strict=True)))

    def to_junit(self, path: str | Path | None = None) -> str:
        """The checks as a JUnit file, which CI systems show: one test case for each check.

        Args:
            path: the file to write; None writes none. The file is there whole or not at all.

        Returns:
            The XML as text.

        Raises:
            InputError: the file cannot be written.
        """
        text = _junit(self.results)
        if path is not None:
            with new_file(path) as temporary:
                temporary.write_text(text, encoding="utf-8")
        return text

    def to_text(self, form: str = "markdown") -> str:
        """The checks as text: `table`, `markdown`, `latex`, `csv`, `json` or `jsonl`.

        Raises:
            InputError: there is no such form.
        """
        from rankmetrics.tables import ROWS, refuse_form, text_of_rows

        refuse_form(form)
        if form in ROWS:
            return text_of_rows(self.checks, form)
        texts = {"table": lambda: f"{self!r}\n", "markdown": self._table.as_markdown, "latex": self._table.as_latex}
        return texts[form]()

    def annotations(self) -> list[str]:
        """The failed checks as lines that GitHub Actions shows next to a commit: `::error title=...::...`.

        A workflow that prints such a line gets an annotation.
        """
        titles = [f"rankmetrics gate: {check.title}" for check in self.failed]
        return [
            f"::error title={title.translate(IN_PROPERTIES)}::{check.reason.translate(IN_MESSAGES)}"
            for title, check in zip(titles, self.failed, strict=True)
        ]

    @property
    def verdict(self) -> str:
        """One sentence: whether the gate passed, and how many checks did."""
        n = len(self.results)
        if self.passed:
            return f"The gate passed: {counted(n, 'check', 'checks')}."
        return f"The gate failed: {len(self.failed)} of {counted(n, 'check', 'checks')}."

    @property
    def _table(self) -> TextTable:
        """The checks as they are printed."""
        from rankmetrics.tables import TextTable

        rows = [
            (
                check.check,
                check.metric,
                "–" if check.system is None else check.system,
                "–" if check.value is None else check.limit.shown(check.value),
                str(check.limit),
                "yes" if check.passed else "NO",
                check.reason,
            )
            for check in self.results
        ]
        return TextTable.of_texts(COLUMNS, rows)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rankmetrics.tables import note_text, rich_text

        yield self._table
        for note in self.notes:
            yield note_text(note)
        yield rich_text(self.verdict, "green" if self.passed else "bold red")

    def __repr__(self) -> str:
        from rankmetrics.tables import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        return self._table.as_html([*self.notes, self.verdict])


# The signs that GitHub decodes in the message of a workflow command, and in its properties.
# https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
IN_PROPERTIES = IN_MESSAGES | str.maketrans({":": "%3A", ",": "%2C"})

# The name of the suite of tests, and the start of the class names.
NAME = "rankmetrics.gate"

# Characters that XML 1.0 cannot hold.
NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _junit(checks: Sequence[Check]) -> str:
    """The checks as XML: a `testsuite` with a `testcase` for each, and a `failure` in those that failed."""
    n_failed = sum(not check.passed for check in checks)
    counts = {"name": NAME, "tests": str(len(checks)), "failures": str(n_failed), "errors": "0", "skipped": "0"}
    suites = ET.Element("testsuites", counts)
    suite = ET.SubElement(suites, "testsuite", counts)
    for check in checks:
        system = "" if check.system is None else f".{check.system}"
        title, classname, reason = (
            NOT_IN_XML.sub("\ufffd", text) for text in (check.title, f"{NAME}{system}", check.reason)
        )
        case = ET.SubElement(suite, "testcase", {"classname": classname, "name": title})
        if not check.passed:
            ET.SubElement(case, "failure", {"message": reason, "type": check.check}).text = reason
    ET.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(suites, encoding="unicode")}\n'
