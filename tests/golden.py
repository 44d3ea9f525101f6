"""Every file that is written from the catalogue or by the planner: `python -m tests.golden` writes them all anew.

Reviewers of a change of the planner or of sql/ read its effect in the differences of the golden SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.planner import assemble
from rankmetrics.planner.cache import planned
from rankmetrics.planner.passes.registry import PASSES
from tests.support.api_pages import files_of_reference
from tests.support.concept_pictures import pictures
from tests.support.conventions_page import conventions_page
from tests.support.demo_picture import demo_picture
from tests.support.dialects_page import dialects_page
from tests.support.engines import LOCAL, OTHERS
from tests.support.golden_sql import files_of_sql
from tests.support.guides import files_of_guides
from tests.support.marks import between
from tests.support.metric_pages import metric_pages
from tests.support.mistakes_page import mistakes_page
from tests.support.notebooks import files_of_notebooks
from tests.support.one_list_page import one_list_page
from tests.support.reproduction_page import reproduction_page
from tests.support.text_lengths import lengths_table

ROOT = Path(__file__).parents[1]


def files() -> dict[Path, Callable[[], str]]:
    """Every generated file, and the function that returns what it should hold: writing all of them takes seconds."""
    golden, docs = ROOT / "tests" / "golden", ROOT / "docs"
    return {
        **files_of_sql(golden),
        **files_of_notebooks(),
        ROOT / "rankmetrics" / "__init__.pyi": _stub,
        docs / "architecture.md": _architecture_page,
        docs / "dialects.md": dialects_page,
        **metric_pages(docs / "metrics"),
        docs / "conventions.md": conventions_page,
        docs / "reproduction.md": reproduction_page,
        docs / "one-list.md": one_list_page,
        docs / "engines.md": _engines_page,
        docs / "mistakes.md": mistakes_page,
        **files_of_reference(docs),
        docs / "demo.svg": demo_picture,
        **files_of_guides(docs),
        **pictures(docs / "pictures"),
    }


# --- the typed stub ---------------------------------------------------------------------------------------------------


def _stub() -> str:
    lines = [
        "# Written by `make golden` from the files of sql/metrics.",
        "from typing import Literal",
        "",
        *sorted(f"from {getattr(rm, name).__module__} import {name} as {name}" for name in rm.__all__),
        "",
        "__version__: str",
        "__all__ = [",
        *(f'    "{name}",' for name in rm.__all__),
        "]",
    ]
    for definition in catalog().metrics():
        lines += ["", *_stub_of(definition)]
    return "\n".join(lines) + "\n"


def _stub_of(definition: Definition) -> Iterator[str]:
    parameters = {name: one for name, one in catalog().own_parameters(definition.name).items() if name != "k"}
    arguments = ", ".join(f"{name}: {_type(one)} = {_default(one)}" for name, one in parameters.items())
    yield f"class _{definition.name}(Metric):"
    yield f'    """{definition.summary}"""'
    given, ignored = (f"*, {arguments}, ", "  # type: ignore[override]") if arguments else ("", "")
    yield ""
    yield f"    def __call__(self, {given}**policies: str | float) -> Metric: ...{ignored}"
    yield ""
    for name in (definition.name, *definition.aliases):
        yield f"{name}: _{definition.name}"


def _type(parameter: Parameter) -> str:
    if parameter.is_metric:
        return "str | Metric"
    if parameter.choices:
        return f"Literal[{', '.join(repr(one) for one in parameter.choices)}]".replace("'", '"')
    return "float" if parameter.default is not None else "float | None"


def _default(parameter: Parameter) -> str:
    return repr(parameter.default).replace("'", '"')


# --- the docs ---------------------------------------------------------------------------------------------------------


def _engines_page() -> str:
    """The metrics that each engine runs, from the tests' declarations of those that it cannot run."""
    rows = [(f"[`{one.name}`](metrics/{one.name}.md)", one.name) for one in catalog().metrics()]
    beside = [*((f"`{one.name}`", one.name) for one in catalog().all("aggregate")), ("the account", "account")]
    reasons = list(dict.fromkeys(reason for one in OTHERS for reason in one.lacks.values()))
    parts = [
        "# Engines and metrics",
        (
            "`tests/engines/test_every_metric.py` runs every metric with every choice "
            "of its parameters, every policy and every aggregate, on tables with ties, repeated items, gaps in the "
            "ranks, and upper and lower case. `=`: each value per list and per system equals DuckDB's to 1e-12; on "
            "generated problems it also equals a second implementation in plain Python. A number: the engine refuses "
            "the metric, for the reason with this number below; the tests fail if it would run. "
            "[dialects.md](dialects.md) describes the dialects of databases that the tests cannot run."
        ),
        _matrix("metric", rows, reasons),
        _matrix("aggregate", beside, reasons),
        "\n".join(f"{number}. {reason}." for number, reason in enumerate(reasons, start=1)),
    ]
    return "\n\n".join(parts) + "\n"


def _matrix(what: str, rows: list[tuple[str, str]], reasons: list[str]) -> str:
    engines = (*LOCAL, *OTHERS)
    lines = [f"| {what} | {' | '.join(one.called for one in engines)} |", f"|---|{'---|' * len(engines)}"]
    for shown, name in rows:
        cells = [f"({reasons.index(one.lacks[name]) + 1})" if name in one.lacks else "=" for one in engines]
        lines.append(f"| {shown} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _architecture_page() -> str:
    """The page about the planner, with the values that it makes of one example."""
    recs = pl.LazyFrame(schema={"algorithm": pl.String, "user": pl.Int64, "item": pl.Int64, "rank": pl.Int64})
    truth = pl.LazyFrame(schema={"user": pl.Int64, "item": pl.Int64})
    result = rm.evaluate(recs, truth, ["ndcg@10", "recall@10"])
    question = result._queries.question
    plan = planned(question).plan
    passes = [f"| `{one.name}` | {', '.join(sorted(one.dialects or ())) or 'all'} | {one.gain} |" for one in PASSES]
    examples = {
        "question": _code(str(question)),
        "formulas": _code(str(plan.formulas)),
        "requirements": _code(str(plan.requirements)),
        "steps": _code(str(plan.steps)),
        "query": _code(result._queries.planned().text(assemble.summary, "polars")[0], "sql"),
        "lengths": lengths_table(),
        "passes": "\n".join(["| pass | engines | what it gained |", "|---|---|---|", *passes]),
    }
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for mark, example in examples.items():
        text = between(text, mark, example)
    return text


def _code(text: str, language: str = "text") -> str:
    return f"```{language}\n{text}\n```"


def main() -> None:
    """Write every generated file."""
    wanted = files()
    written = [*(ROOT / "tests" / "golden").rglob("*.sql"), *(ROOT / "docs" / "metrics").glob("*.md")]
    for old in written:
        if old not in wanted:
            old.unlink()
    for path, text in [(path, write()) for path, write in wanted.items()]:  # none is written where one cannot be
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
