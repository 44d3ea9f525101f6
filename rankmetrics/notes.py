"""The sentences below a summary: how columns were read, what was counted, which numbers are doubtful."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rankmetrics.checks.doubts import Counts, doubts
from rankmetrics.errors import WARNING, Option
from rankmetrics.inputs.columns import BY_FOLD, Layout, unused_in_words
from rankmetrics.inputs.sources import CALLED, EMBEDDINGS
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import find
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner.model import UNDEFINED


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
    yield from _folds(metrics, layout, spell)
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
    unused = layout.unused
    for name in layout.names():
        side = layout.side(name)
        renamed = [f"{side.own(one)} = {one}" for one in side.lists if side.own(one) != one]
        if renamed:
            yield f"list columns of the {CALLED[name]} under another name: {', '.join(renamed)}"
        if name in unused:
            yield unused_in_words(name, unused[name])


def _folds(metrics: Sequence[Metric], layout: Layout, spell: Callable[[Option], str]) -> Iterator[str]:
    """In sentences: what is taken of each fold anew, what is the same for all, what is measured over all."""
    by_fold = [name for name in layout.extras if name in (*BY_FOLD, "history")]
    for fold in layout.folds:
        apart = [CALLED[name] for name in by_fold if fold in layout.side(name).lists]
        alike = [CALLED[name] for name in by_fold if fold not in layout.side(name).lists]
        if apart:
            yield f"taken per value of {fold}: {', '.join(apart)}"
        if alike:
            yield f"the same for every value of {fold}: {', '.join(alike)}"
        if EMBEDDINGS in layout.extras and fold in layout.side("items").lists:
            yield f"taken together over all values of {fold}: embeddings"
        pooled = [one.label for one in metrics if one.is_run]
        if pooled and fold not in layout.by:
            are = "is" if len(pooled) == 1 else "are"
            yield f"{', '.join(pooled)} {are} over all values of {fold}, which {spell(Option('by'))} does not name"


def _counted(what: str, count: int) -> str:
    """A count behind what was counted, before what follows from it: `lists of the truth: 4; left out`."""
    counted, semicolon, rest = what.partition(";")
    return f"{counted}: {count:,}{semicolon}{rest}"
