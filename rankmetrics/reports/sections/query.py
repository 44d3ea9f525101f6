"""The query that computed the means, as text."""

from __future__ import annotations

from rankmetrics.dialects.base import DIALECTS
from rankmetrics.errors import DialectError
from rankmetrics.reports.blocks import Code, Folded, LeftOut, Paragraph, Section, sentence
from rankmetrics.reports.facts import Facts

TITLE = "The SQL"


def query(facts: Facts) -> Section | LeftOut:
    """The one query, in the dialect of the engine; left out where the dialect cannot say it as text."""
    try:
        text = facts.result.to_sql()
    except DialectError as error:
        return LeftOut(TITLE, error.written(facts.wishes.spell))
    called = DIALECTS[facts.engine.dialect].called
    said = f"One query computes the means of all metrics. This is its text for {called}, without the intervals."
    folded = Folded(f"{len(text.splitlines()):,} lines of SQL", [Code(text)])
    return Section("sql", TITLE, [Paragraph(sentence(said)), folded])
