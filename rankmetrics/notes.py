"""What stands below a summary, in sentences: what went into the means, what was left out, what is doubtful."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rankmetrics.catalog import catalog
from rankmetrics.columns import Layout
from rankmetrics.conventions import find
from rankmetrics.doubts import Counts, doubts
from rankmetrics.engines.base import CALLED
from rankmetrics.errors import WARNING, Option
from rankmetrics.inputs import MADE
from rankmetrics.metric import Metric
from rankmetrics.plan import UNDEFINED


def notes_of(
    counts: Counts, metrics: Sequence[Metric], layout: Layout, depth: int | None, spell: Callable[[Option], str]
) -> Iterator[str]:
    """The account in sentences.

    Args:
        counts: what the account counts.
        metrics: what was measured.
        layout: what the columns of the inputs are for.
        depth: the deepest cutoff of the metrics; None where one looks at whole lists.
        spell: writes the options that a sentence names.
    """
    for name in sorted({one.convention for one in metrics if one.convention and "convention" not in one.settings}):
        yield f"measured as {find(name).what.partition(' (')[0]} does: {name}"
    yield from _matching(layout)
    counted = sorted(catalog().all("account"), key=lambda one: one.fields.get("shown") != "always")
    for one in counted:
        n = counts.totals[one.name]
        if one.fields.get("shown") == "always" or ("shown" in one.fields and n):
            yield _counted(one.summary, n)
    for metric in metrics:
        if n := counts.totals.get(f"{UNDEFINED}{metric.label}", 0):
            yield _counted(f"lists for which {metric.label} is undefined; not in its mean", n)
    for doubt in doubts(counts, layout, depth):
        yield f"{WARNING}{doubt.written(spell)}"


def _matching(layout: Layout) -> Iterator[str]:
    """In sentences: list columns that an input calls otherwise, and columns that are not used."""
    for name in layout.names():
        side = layout.side(name)
        renamed = [f"{side.own(one)} = {one}" for one in side.lists if side.own(one) != one]
        if renamed:
            yield f"list columns of the {CALLED[name]} under another name: {', '.join(renamed)}"
        if side.unused and name not in MADE:
            yield f"columns of the {CALLED[name]} that are not used: {', '.join(side.unused)}"


def _counted(what: str, count: int) -> str:
    """A count behind what was counted, before what follows from it: `lists of the truth: 4; left out`."""
    counted, semicolon, rest = what.partition(";")
    return f"{counted}: {count:,}{semicolon}{rest}"
