"""The account: every count of the data, with its meaning, and the faults that the data was checked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankmetrics.faults.faults import faults_of, required_of
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner.model import UNDEFINED
from rankmetrics.reports.blocks import Block, Bullets, Cell, Folded, Paragraph, Section, Table, sentence, with_quotes
from rankmetrics.reports.facts import Facts
from rankmetrics.tables import shown_value

# Beside the total, a column for each row of the summary, unless there are more rows than these.
MOST_COLUMNS = 8

# The counts of the lists that warnings are based on begin so.
OF_WARNINGS = "sampled_"


def account(facts: Facts) -> Section:
    """The counts that are not 0; then, folded, the others; then the checks."""
    counts = facts.account
    known = [count for count in catalog().all("account") if count.name in facts.counted]
    first = [one for one in known if counts.totals[one.name] and not one.name.startswith(OF_WARNINGS)]
    others = [one for one in known if one not in first]
    return Section(
        "account",
        "Account and checks",
        [
            _table(facts, "The counts of the data that are not 0.", first, facts.metrics),
            Folded("All other counts", [_table(facts, "Counts that are 0 or that only warnings read.", others, ())]),
            Folded("The faults that the data was checked for", [*_checks(facts)]),
        ],
    )


def _table(facts: Facts, caption: str, definitions: Sequence[Definition], metrics: Sequence[Metric]) -> Table:
    """A table of counts, and of the lists for which each of some metrics is undefined."""
    totals, rows = facts.account.totals, facts.account.rows
    columns = [*rows] if facts.layout.by and 1 < len(rows) <= MOST_COLUMNS else []
    lines = {one.name: with_quotes(one.summary) for one in definitions}
    for metric in metrics:
        if totals.get(name := f"{UNDEFINED}{metric.label}"):
            lines[name] = f"lists for which {metric.label} is undefined; they are not in its mean"
    table = [
        [Cell(name, note=meaning), _number(totals[name]), *(_number(rows[row].get(name)) for row in columns)]
        for name, meaning in lines.items()
    ]
    headings = ["count", "total", *(", ".join(map(shown_value, row)) for row in columns)]
    return Table(caption, headings, table)


def _number(n: int | None) -> Cell:
    return Cell("" if n is None else f"{n:,}", is_number=True)


def _checks(facts: Facts) -> Iterator[Block]:
    required = required_of(facts.metrics, facts.result._checked.duplicates)
    yield Paragraph(sentence("rankmetrics refuses data with any of these faults. This data has none of them."))
    yield Bullets([sentence(with_quotes(fault.what)) for fault in faults_of(facts.layout, required)])
