"""Every file that is written from the catalogue or by the planner: `python -m tests.golden` writes them all anew.

Reviewers of a change of the planner or of sql/ read its effect in the differences of the golden SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import rankmetrics as rm
from docs.tooling.pages import files_of_docs
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.parameter import Parameter
from tests import ROOT
from tests.support.golden_sql import files_of_sql


def files() -> dict[Path, Callable[[], str]]:
    """Every generated file, and the function that returns its contents: writing all of them takes seconds."""
    return {
        **files_of_sql(ROOT / "tests" / "golden"),
        ROOT / "rankmetrics" / "__init__.pyi": _stub,
        **files_of_docs(),
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
