"""The GateReport: the checks of a gate, whether all are passed, and how they print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankmetrics.errors import counted
from rankmetrics.gates.model import COLUMNS, Check

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl
    from rich.console import Console, ConsoleOptions, RenderResult


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
        """Whether every check passed."""
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
        rows = [
            (result.check, result.metric, result.system, result.value, result.limit.value, result.passed, result.reason)
            for result in self.results
        ]
        return pl.DataFrame(rows, schema=dict(zip(COLUMNS, types, strict=True)), orient="row")

    def to_junit(self, path: str | Path | None = None) -> str:
        """The checks as a JUnit file, which CI systems show: one test case for each check.

        Args:
            path: the file to write; None writes none. The file is there whole or not at all.

        Returns:
            The XML as text.

        Raises:
            InputError: the file cannot be written.
        """
        from rankmetrics.gates.junit import junit_text, write_junit

        return junit_text(self.results) if path is None else write_junit(self.results, path)

    def annotations(self) -> list[str]:
        """The failed checks as lines that GitHub Actions shows beside a commit: `::error title=...::...`.

        A workflow that prints such a line gets an annotation.
        """
        from rankmetrics.gates.annotations import annotation

        return [annotation(check) for check in self.failed]

    @property
    def verdict(self) -> str:
        """One sentence: whether the gate passed, and how many checks did."""
        n = len(self.results)
        if self.passed:
            return f"The gate passed: {counted(n, 'check', 'checks')}."
        return f"The gate failed: {len(self.failed)} of {counted(n, 'check', 'checks')}."

    def _rows(self) -> Sequence[tuple[str, ...]]:
        """The checks as they are printed."""
        return [
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

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        from rankmetrics.tables.display import note_text, plain_table

        yield plain_table(COLUMNS, self._rows())
        yield Text("")
        for note in self.notes:
            yield note_text(note)
        yield Text(self.verdict, style="green" if self.passed else "bold red")

    def __repr__(self) -> str:
        from rankmetrics.tables.display import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from rankmetrics.tables.display import html_table

        rows = [dict(zip(COLUMNS, row, strict=True)) for row in self._rows()]
        return html_table(COLUMNS, rows, [*self.notes, self.verdict])
