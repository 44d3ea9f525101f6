"""docs/api: a page for each group of public names.

On the site, mkdocstrings puts the docstring of a name in the place of `::: name`.
"""

from __future__ import annotations

import inspect
import pydoc
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import rankmetrics as rm
from tests.support.cli_page import cli_page
from tests.support.markdown import table
from tests.support.renamed_page import renamed_page


@dataclass(frozen=True)
class Group:
    """The public names of one page.

    Attributes:
        title: the heading.
        introduction: what the names have in common, in a sentence or two.
        names: names of the package; a dotted path for what a public object returns.
    """

    title: str
    introduction: str
    names: tuple[str, ...]


GROUPS = {
    "evaluate": Group(
        "Evaluating",
        "`rm.evaluate` measures recommendations against the truth and returns a `Result`.",
        ("evaluate", "Result", "Columns", "Negatives", "Trace", "rankmetrics.plots.plots.Plots"),
    ),
    "metrics": Group(
        "Metrics and conventions",
        "Each metric of the [catalogue](../metrics/index.md) is a name of the package, too: `rm.ndcg @ 10`.",
        (
            "Metric",
            "parse",
            "define",
            "explain",
            "list_metrics",
            "list_conventions",
            "compare_conventions",
            "ConventionTable",
        ),
    ),
    "compare": Group(
        "Comparisons and segments",
        "`result.compare` and `result.segments` return these objects. [Comparing systems](../comparing.md) and "
        "[segments](../segments.md) describe the statistics.",
        ("Comparison", "compare_files", "Segments", "buckets"),
    ),
    "splits": Group(
        "Splits and rankings",
        "What comes before an evaluation: [splitting interactions](../splits.md) into train and test, and "
        "[ranking all items](../models.md) by a model.",
        ("split", "Split", "rank_factors", "rank_scores", "Rankings"),
    ),
    "reports": Group(
        "Reports, gates and SQL",
        "What happens with a result: [reports](../reports.md), [gates](../gates.md), trackers of experiments, and "
        "[the query as text](../dialects.md) for a warehouse.",
        ("report", "gate", "GateReport", "log", "to_sql"),
    ),
    "errors": Group(
        "Errors and warnings",
        "Every error derives from `RankMetricsError`, and each from a builtin too, so that `except ValueError` works. "
        "[Mistakes](../mistakes.md) lists messages, [warnings](../warnings.md) their conditions.",
        (
            "RankMetricsError",
            "InputError",
            "ColumnError",
            "DataError",
            "MetricError",
            "DialectError",
            "EngineError",
            "RankMetricsWarning",
        ),
    ),
}


def files_of_reference(docs: Path) -> dict[Path, Callable[[], str]]:
    """The pages about Python, the command line and renamed stages, each with the function that returns its text."""
    pages = {docs / "api" / f"{name}.md": partial(_page, group) for name, group in GROUPS.items()}
    return {
        docs / "cli.md": cli_page,
        docs / "renamed.md": renamed_page,
        docs / "api" / "index.md": _index,
        **pages,
    }


def path_of(name: str) -> str:
    """The path of an object from the top of the package."""
    return name if "." in name else f"rankmetrics.{name}"


def found(name: str) -> Any:
    """The object that a page documents."""
    return pydoc.locate(name) if "." in name else getattr(rm, name)


def _index() -> str:
    rows = [
        [" ".join(f"[`{_short(name)}`]({page}.md#{path_of(name)})" for name in group.names), group.title]
        for page, group in GROUPS.items()
    ]
    parts = [
        "# Python reference",
        (
            "These pages show the docstrings of the package, which `help(rm.evaluate)` prints too. "
            "The metrics have [pages of their own](../metrics/index.md)."
        ),
        table(["names", "page"], rows),
    ]
    return "\n\n".join(parts) + "\n"


def _page(group: Group) -> str:
    rows = [[f"[`{_short(name)}`](#{path_of(name)})", _summary(found(name))] for name in group.names]
    parts = [
        f"# {group.title}",
        group.introduction,
        table(["name", "what it is"], rows),
        *(_directive(name) for name in group.names),
    ]
    return "\n\n".join(parts) + "\n"


def _directive(name: str) -> str:
    """The line that mkdocstrings replaces; a class shows the methods of its bases within the package, too."""
    inherits = inspect.isclass(found(name)) and not issubclass(found(name), Exception)
    options = ["    options:", "      inherited_members: true"] if inherits else []
    return "\n".join([f"::: {path_of(name)}", *options])


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _summary(documented: Any) -> str:
    return " ".join((inspect.getdoc(documented) or "").partition("\n\n")[0].split())
