"""The reference: docs/api, docs/cli and docs/renamed.md, written from the package."""

from __future__ import annotations

import inspect
import pydoc
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import typer

import rankmetrics as rm
from docs.tooling.markdown import table
from rankmetrics.cli.commands import app
from rankmetrics.metrics.own import former_names


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
        ("evaluate", "Result", "Input", "Columns", "Negatives", "Trace", "WorstLists", "rankmetrics.plots.plots.Plots"),
    ),
    "metrics": Group(
        "Metrics and conventions",
        "`rm.metrics` has each metric of the [catalogue](../metrics/index.md) as a name: `rm.metrics.ndcg @ 10`, or "
        "`rm.ndcg @ 10` for short.",
        (
            "Metric",
            "parse",
            "column_names",
            "define",
            "define_folder",
            "explain",
            "list_metrics",
            "list_conventions",
            "compare_conventions",
            "ConventionTable",
            "identify",
            "Identified",
            "Problem",
            "conformance",
            "check_answers",
        ),
    ),
    "compare": Group(
        "Comparisons and segments",
        "`result.compare`, `result.segments` and `result.corrected` return these objects. [Comparing "
        "systems](../comparing.md), [segments](../segments.md) and [judges](../judges.md) describe the statistics.",
        (
            "Comparison",
            "compare_files",
            "rankmetrics.comparisons.comparison.Ranks",
            "power",
            "Segments",
            "buckets",
            "Corrected",
            "check_arms",
            "exact_interval",
        ),
    ),
    "splits": Group(
        "Splits and rankings",
        "What comes before an evaluation: [splitting interactions](../splits.md) into train and test, and "
        "[ranking all items](../models.md) by a model. For scikit-learn, "
        "[a scorer](../training-rankers.md#cross-validation).",
        ("split", "Split", "rank_factors", "rank_scores", "Rankings", "sklearn_scorer"),
    ),
    "reports": Group(
        "Audits, reports, gates and SQL",
        "What happens around a result: [audits](../audit.md) before it; [reports](../reports.md), "
        "[gates](../gates.md) and trackers of experiments after it; and "
        "[the query as text](../dialects.md) for a warehouse.",
        ("audit", "Audit", "report", "gate", "GateReport", "log", "to_sql"),
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
            "help",
        ),
    ),
}


def files_of_reference(docs: Path) -> dict[Path, Callable[[], str]]:
    """The pages about Python, the command line and renamed stages, each with the function that returns its text."""
    pages = {docs / "api" / f"{name}.md": partial(_page, group) for name, group in GROUPS.items()}
    return {
        docs / "cli" / "index.md": cli_index,
        **{docs / "cli" / f"{_file(name)}.md": partial(cli_page, name) for name in commands()},
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


INTRODUCTION = """\
# Command line

Each command has a page with all its flags. `rankmetrics COMMAND --help` prints the same on a terminal,
and `rankmetrics --install-completion` completes commands, flags and names of metrics in your shell.

The examples read the sample, which is in `data/` of a checkout. A command ends with exit code 0 after success, with 1
if an engine or a database failed, with 2 if you can correct what was wrong, and with 3 if a gate or an audit failed."""


def cli_index() -> str:
    """The page that lists the commands."""
    rows = [[f"[`{name}`]({_file(name)}.md)", _first_paragraph(command)] for name, command in commands().items()]
    return "\n\n".join([INTRODUCTION, table(["command", "what it does"], rows)]) + "\n"


def cli_page(name: str) -> str:
    """The page of a command."""
    return "\n\n".join([*_command(name, commands()[name]), "[All commands](index.md)"]) + "\n"


def commands() -> dict[str, Any]:
    """Every command by the words that call it."""
    return dict(_commands(typer.main.get_command(app), ""))


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The commands of a group and of the groups in it, with the words that call them."""
    for word, below in command.commands.items():
        called = f"{name} {word}".strip()
        yield from _commands(below, called) if hasattr(below, "commands") else [(called, below)]


def example_of(command: Any) -> str:
    """The example in the help of a command, which reads the sample where its files have the names of the sample's."""
    example = next(_in_line(text) for text in _paragraphs(command) if text.startswith("rankmetrics "))
    return re.sub(r"\b(recs|truth|history)\.parquet", r"data/\1.parquet", example)


def _paragraphs(command: Any) -> list[str]:
    return re.split(r"\s*\n\s*\n\s*", command.help.strip())


def _command(name: str, command: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=f"rankmetrics {name}")
    yield f"# rankmetrics {name}"
    yield from (text for text in _paragraphs(command) if not text.startswith("rankmetrics "))  # the example is below
    yield f"```sh\n{_wrapped(example_of(command))}\n```"
    yield f"Usage: `rankmetrics {' '.join([name, *command.collect_usage_pieces(context)])}`"
    panels: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.params:
        is_argument = parameter.param_type_name == "argument"
        panel = parameter.rich_help_panel or ("Arguments" if is_argument else "Options")
        if (record := parameter.get_help_record(context)) is not None:
            panels.setdefault(panel, []).append(record)
    for panel, records in panels.items():
        rows = [[_in_line(f"`{flags}`"), _in_line(meaning)] for flags, meaning in records]
        heading = "argument" if panel == "Arguments" else "flag"
        title = [] if panel in ("Arguments", "Options") else [f"## {panel}", ""]
        yield "\n".join([*title, table([heading, "what it is"], rows)])


def _first_paragraph(command: Any) -> str:
    return _in_line(command.help.strip().partition("\n\n")[0])


def _wrapped(example: str) -> str:
    """An example as a page shows it: at most 100 characters in a line."""
    lines = [""]
    for word in example.split(" "):
        if len(lines[-1]) + len(word) > 100:
            lines.append("   ")
        lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return " \\\n".join(lines)


def _in_line(text: str) -> str:
    return " ".join(text.split())


def _file(name: str) -> str:
    return name.replace(" ", "-")


HEADINGS = {"stages": "Stages", "numbers": "Parts", "columns": "Columns of stages"}

INTRO = """# Renamed stages and parts

Stages and parts have names that say how they differ. A metric of your own ([rm.define](own-metrics.md)) that reads a
former name goes on working, with a warning that tells you the present name. Metrics, parameters, options and the counts
of the account have their old names."""


def renamed_page() -> str:
    """The page: a table of former and present names for each kind of name."""
    tables = [
        "\n".join(
            [
                f"## {HEADINGS[kind]}\n\n| former name | present name |\n|---|---|",
                *(f"| `{old}` | `{new}` |" for old, new in names.items()),
            ]
        )
        for kind, names in former_names().items()
    ]
    return "\n\n".join([INTRO, *tables]) + "\n"
