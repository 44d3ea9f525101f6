"""Every file that is written from the catalogue or by the planner: `python -m tests.golden` writes them all anew.

Reviewers of a change of the planner or of sql/ read its effect in the differences of the golden SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import Parameter, signature
from pathlib import Path

import rankmetrics as rm
from docs.tooling.pages import files_of_docs
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.parameter import Parameter as MetricParameter
from tests import ROOT
from tests.support.golden_sql import files_of_sql


def files() -> dict[Path, Callable[[], str]]:
    """Every generated file, and the function that returns its contents: writing all of them takes seconds."""
    return {
        **files_of_sql(ROOT / "tests" / "golden"),
        ROOT / "rankmetrics" / "__init__.pyi": _stub,
        ROOT / "rankmetrics" / "metrics" / "__init__.pyi": _stub_of_metrics,
        **files_of_docs(),
    }


# --- the typed stubs --------------------------------------------------------------------------------------------------


# The modules of the types in the signatures of functions with declared options.
TYPES = {
    "Baseline": "rankmetrics.comparisons.comparison",
    "MetricSpec": "rankmetrics.metrics.metric",
    "Duplicates": "rankmetrics.request",
    "Ranks": "rankmetrics.request",
    "Form": "rankmetrics.dialects.model",
    "Limits": "rankmetrics.gates.options",
    "Missing": "rankmetrics.request",
    "Systems": "rankmetrics.request",
    "Ties": "rankmetrics.inputs.columns",
    "Unjudged": "rankmetrics.request",
    "Where": "rankmetrics.export.statements",
}


def _stub() -> str:
    functions = [getattr(rm, name) for name in rm.__all__ if hasattr(getattr(rm, name), "__signature__")]
    named = {function.__name__ for function in functions}
    imported = [
        f"from {getattr(rm, name).__module__} import {name} as {name}" for name in rm.__all__ if name not in named
    ]
    lines = [
        "# Written by `make golden` from the declarations of options.",
        "from collections.abc import Mapping, Sequence",
        "from typing import Literal",
        "",
        "from rankmetrics import metrics as metrics",
        "from rankmetrics.metrics import *  # rm.ndcg is rm.metrics.ndcg",
        *sorted([*imported, *(f"from {module} import {name}" for name, module in TYPES.items())]),
        "",
        "__version__: str",
        "__all__ = [",
        *(f'    "{name}",' for name in rm.__all__),
        "]",
    ]
    for function in functions:
        lines += ["", *_stub_of_function(function)]
    return "\n".join([*lines, ""])


def _stub_of_metrics() -> str:
    lines = [
        "# Written by `make golden` from the files of sql/metrics and sql/runs.",
        "from typing import Literal",
        "",
        "from rankmetrics.metrics.metric import Metric",
    ]
    for definition in catalog().metrics():
        lines += ["", *_stub_of(definition)]
    return "\n".join(lines) + "\n"


def _stub_of_function(function: Callable[..., object]) -> Iterator[str]:
    """A function whose options are declared: editors and the reference read its signature and its docstring here."""
    called = signature(function)
    yield f"def {function.__name__}("
    is_keyword = False
    for parameter in called.parameters.values():
        if parameter.kind is Parameter.KEYWORD_ONLY and not is_keyword:
            is_keyword = True
            yield "    *,"
        default = "" if parameter.default is Parameter.empty else f" = {parameter.default!r}"
        yield f"    {parameter.name}: {parameter.annotation}{default},".replace("'", '"')
    yield f") -> {called.return_annotation}:"
    yield f'    r"""{function.__doc__}"""' if "\\" in (function.__doc__ or "") else f'    """{function.__doc__}"""'


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


def _type(parameter: MetricParameter) -> str:
    if parameter.is_metric:
        return "str | Metric"
    if parameter.choices:
        return f"Literal[{', '.join(repr(one) for one in parameter.choices)}]".replace("'", '"')
    if parameter.is_text:
        return "str | None"
    return "float" if parameter.default is not None else "float | None"


def _default(parameter: MetricParameter) -> str:
    return repr(parameter.default).replace("'", '"')


def main() -> None:
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
