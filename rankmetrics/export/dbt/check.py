"""The data test of a leaderboard: it fails if its tables have a fault for which `evaluate` would refuse them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import Template

from rankmetrics._files import packaged
from rankmetrics.export.dbt.jinja import body, expression
from rankmetrics.export.dbt.leaderboards import ADAPTERS, Leaderboard


def check_files(board: Leaderboard, adapters: Sequence[str], package: str, mark: str) -> dict[str, str]:
    """The macro of the check, and the test that calls it, by their paths within the package.

    Args:
        board: the leaderboard.
        adapters: the adapters to write SQL for.
        package: the name of the package.
        mark: the comment that says who wrote the files.

    Example:
        >>> from rankmetrics.export.dbt.leaderboards import Relation
        >>> tables = {"recs": Relation("ref", ("recs",)), "truth": Relation("ref", ("truth",))}
        >>> board = Leaderboard("accuracy", tables, {"metrics": ["hit@10"], "lists": ["user"]})
        >>> files = check_files(board, ["duckdb"], "rankmetrics", "ours")
        >>> print(files["tests/accuracy_has_sound_data.sql"].splitlines()[-1])
        {{ rankmetrics.check_accuracy(recs=ref('recs'), truth=ref('truth')) }}
    """
    fill = _filling(mark=mark, package=package, name=board.name, inputs=", ".join(board.inputs))
    bodies = {
        dialect: body(board, dialect, "check") for dialect in dict.fromkeys(ADAPTERS[adapter] for adapter in adapters)
    }
    macros = [fill("check_for_adapter.sql", adapter=adapter, body=bodies[ADAPTERS[adapter]]) for adapter in adapters]
    relations = ", ".join(f"{name}={expression(relation)}" for name, relation in board.inputs.items())
    return {
        f"macros/_check_{board.name}.sql": "".join([fill("check.sql"), *macros]),
        f"tests/{board.name}_has_sound_data.sql": fill("check_test.sql", relations=relations),
    }


def _filling(**shared: str) -> Callable[..., str]:
    """A function that fills a template with these values and others."""

    def fill(template: str, **values: str) -> str:
        text = (packaged("export") / "dbt" / "templates" / template).read_text("utf-8")
        return Template(text).substitute(shared, **values)

    return fill
