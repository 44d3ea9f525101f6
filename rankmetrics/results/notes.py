"""The notes below a summary: how columns were read, the counts of the account, which numbers are doubtful."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from rankmetrics.errors import Option
from rankmetrics.faults.doubts import Counts, doubts
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
        counts: the counts of the account.
        metrics: the metrics of the summary.
        layout: the roles of the columns.
        depth: the highest cutoff of the metrics; None where a metric reads whole lists.
        spell: writes the options that a sentence names.
    """
    for name in sorted(
        {metric.convention for metric in metrics if metric.convention and "convention" not in metric.settings}
    ):
        yield f"measured as {find(name).what.partition(' (')[0]} does: {name}"
    if layout.has_candidates:
        yield (
            "relevant items were ranked among candidates only: not comparable with a ranking of all items (Krichene, "
            "Rendle 2020, doi:10.1145/3394486.3403226)"
        )
    yield from _matching(layout)
    yield from _folds(metrics, layout, spell)
    definitions = sorted(catalog().all("account"), key=lambda count: count.fields.get("shown") != "always")
    for definition in definitions:
        n = counts.totals[definition.name]
        if definition.fields.get("shown") == "always" or ("shown" in definition.fields and n):
            yield _counted(definition.summary, n)
    for metric in metrics:
        if n := counts.totals.get(f"{UNDEFINED}{metric.label}", 0):
            yield _counted(f"lists for which {metric.label} is undefined; not in its mean", n)
    for doubt in doubts(counts, layout, depth):
        yield doubt.note(spell)


def _matching(layout: Layout) -> Iterator[str]:
    """Notes on list columns that have another name in an input, and on columns that are not used."""
    unused = layout.unused
    for name in layout.names():
        side = layout.side(name)
        renamed = [f"{side.own(name)} = {name}" for name in side.lists if side.own(name) != name]
        if renamed:
            yield f"list columns of the {CALLED[name]} under another name: {', '.join(renamed)}"
        if name in unused:
            yield unused_in_words(name, unused[name])


def _folds(metrics: Sequence[Metric], layout: Layout, spell: Callable[[Option], str]) -> Iterator[str]:
    """Notes on folds: the inputs that differ between folds, the inputs that are shared, the metrics over all folds."""
    by_fold = [name for name in layout.extras if name in (*BY_FOLD, "history")]
    for fold in layout.folds:
        per_fold = [CALLED[name] for name in by_fold if fold in layout.side(name).lists]
        shared = [CALLED[name] for name in by_fold if fold not in layout.side(name).lists]
        if per_fold:
            yield f"taken per value of {fold}: {', '.join(per_fold)}"
        if shared:
            yield f"the same for every value of {fold}: {', '.join(shared)}"
        if EMBEDDINGS in layout.extras and fold in layout.side("items").lists:
            yield f"taken together over all values of {fold}: embeddings"
        pooled = [metric.label for metric in metrics if metric.is_run]
        if pooled and fold not in layout.by:
            are = "is" if len(pooled) == 1 else "are"
            yield f"{', '.join(pooled)} {are} over all values of {fold}, which {spell(Option('by'))} does not name"


# How the definition of a count, which is written for several, reads for one.
SINGULAR = (
    (r"^((?:distinct recommended )?\w+?)s\b", r"\1"),
    (r"^(\w+) have\b", r"\1 has"),
    (r"; they score\b", "; it scores"),
    (r"(; .*) them\b", r"\1 it"),
)


def _counted(counted: str, count: int) -> str:
    """A count as a note: the number, then what is counted, in the plural of the definition or the singular.

    >>> _counted("rows of the truth with a NULL id; left out", 1)
    '1 row of the truth with a NULL id; left out'
    >>> _counted("lists have truth but no recommendations; they score 0", 1)
    '1 list has truth but no recommendations; it scores 0'
    """
    if count == 1:
        for plural, singular in SINGULAR:
            counted = re.sub(plural, singular, counted)
    return f"{count:,} {counted}"
