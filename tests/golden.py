"""Every file that is written from the catalogue or by the planner: `python -m tests.golden` writes them all anew.

The golden SQL is the review surface: what a change of the planner or of sql/ does to the query in each dialect shows up
as a difference of these files.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console

import rankmetrics as rm
from rankmetrics.cli.commands import show_demo
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.errors import DialectError
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS, Convention
from rankmetrics.metrics.definition import Definition, Kind
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.planner import assemble
from rankmetrics.planner.cache import planned
from rankmetrics.planner.passes.registry import PASSES
from tests.fidelity import calls as fidelity
from tests.support.dialects_page import dialects_page
from tests.support.engines import LOCAL, OTHERS
from tests.support.golden_comparisons import files_of_comparisons
from tests.support.golden_queries import QUERIES, UNRATED
from tests.support.golden_splits import files_of_splits
from tests.support.mistakes_page import mistakes_page
from tests.support.renamed_page import renamed_page
from tests.support.reproduction import EXCEPTIONS
from tests.support.text_lengths import lengths_table

ROOT = Path(__file__).parents[1]


def files() -> dict[Path, Callable[[], str]]:
    """Every generated file, and the function that returns what it should hold: writing all of them takes seconds."""
    golden, docs = ROOT / "tests" / "golden", ROOT / "docs"
    queries = {
        golden / f"{name}.{dialect}.sql": partial(_query, name, dialect) for name, dialect in product(QUERIES, DIALECTS)
    }
    return {
        **queries,
        **files_of_splits(golden / "splits"),
        **files_of_comparisons(golden / "comparisons"),
        ROOT / "rankmetrics" / "__init__.pyi": _stub,
        docs / "architecture.md": _architecture_page,
        docs / "dialects.md": dialects_page,
        docs / "renamed.md": renamed_page,
        docs / "metrics.md": _metrics_page,
        docs / "conventions.md": _conventions_page,
        docs / "reproduction.md": _reproduction_page,
        docs / "engines.md": _engines_page,
        docs / "mistakes.md": mistakes_page,
        docs / "demo.svg": _demo_picture,
        ROOT / "README.md": _readme,
    }


def _query(name: str, dialect: str) -> str:
    purpose, metrics, asked = QUERIES[name]
    try:
        text = rm.to_sql("db.recs", "db.truth", metrics, dialect=dialect, **{**UNRATED, **asked})  # type: ignore[arg-type]
    except DialectError as refused:
        text = f"-- refused: {refused}"
    return f"-- {purpose}\n-- {', '.join(metrics)}\n{text}\n"


def _readme() -> str:
    """The README as it is, its tables written anew."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = _between(text, "dialects", _dialects_list())
    text = _between(text, "metrics", _metrics_table("metric"))
    text = _between(text, "runs", _metrics_table("run"))
    text = _between(text, "conventions", _conventions_table())
    text = _between(text, "speed", _speed_table())
    return _between(text, "large", _large_table())


def _demo_picture() -> str:
    """The terminal after `make demo`, as the README shows it."""
    screen = Console(record=True, width=100, file=StringIO(), force_terminal=True, highlight=False)
    show_demo(screen)
    return screen.export_svg(title="make demo", unique_id="demo")


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


def _dialects_list() -> str:
    """The names of the dialects, as `--dialect` takes them."""
    return textwrap.fill(f"{len(DIALECTS)} dialects: {', '.join(sorted(DIALECTS))}.", 125)


def _metrics_table(kind: Kind) -> str:
    rows = ["| metric | what it is | parameters | needs | also called |", "|---|---|---|---|---|"]
    for one in sorted(catalog().all(kind), key=lambda one: one.name):
        parameters = ", ".join(f"`{name}`" for name in catalog().own_parameters(one.name) if name != "k")
        link = f"[`{one.name}`](docs/metrics.md#{one.name})"
        needs = "; ".join(catalog().needs(one.name))
        rows.append(f"| {link} | {one.summary} | {parameters} | {needs} | {', '.join(one.aliases)} |")
    return "\n".join(rows)


# The rows of the README's table of speed: the set of the benchmark, the heading of the row, the name of the ratio.
SPEED = (
    ("ranked", "ranks given: CPU / the best handwritten plan", "rankmetrics {} / hand {}"),
    ("ranked", "CPU / the best handwritten plan that has a value for every list", "rankmetrics {} / per list {}"),
    (
        "ranked",
        "CPU / that plan, if it counts an item once when the truth repeats it",
        "rankmetrics {} / per list, once {}",
    ),
    ("ranked", "CPU / straightforward SQL, or straightforward Polars", "rankmetrics {} / first {}"),
    ("ranked", "CPU / a bare join of the two files", "rankmetrics {} / bare join {}"),
    ("ranked", "memory / that plan", "rankmetrics {} / per list, once {}, memory"),
    ("ranked_50m", "five times the rows: CPU / the plan with a value for every list", "rankmetrics {} / per list {}"),
    ("ranked_50m", "CPU / that plan, if it counts an item once", "rankmetrics {} / per list, once {}"),
    ("scored", "scores only: CPU / the engine's own ranking of the same rows", "rankmetrics {} / rank only {}"),
    ("shuffled", "scores only, rows shuffled: CPU / the same", "rankmetrics {} / rank only {}"),
    ("growth", "CPU per row with 100 million rows / with 10 million", "{} per row, 100M / 10M, less one list"),
    ("metrics", "each of 29 more metrics / the first", "each of 29 more metrics / the first, {}"),
    ("metrics", "twenty cutoffs / one", "twenty cutoffs {} / one cutoff {}"),
    ("metrics", "graded gains / binary gains", "graded {} / binary {}"),
    ("metrics", "all accuracy metrics at six cutoffs / the six metrics", "catalogue {} / six {}"),
    ("large_truth", "100 times the truth, `missing=skip`: CPU / a bare join", "rankmetrics {}, skip / bare join {}"),
)


def _speed_table() -> str:
    """The ratios that `make bench` measured last."""
    results = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))
    ranked = results["ranked"]
    machine, data = ranked["machine"], ranked["data"]["ranked"]
    told = (
        f"{data['lists']:,} lists of {data['recs'] // data['lists']} recommendations, six metrics at 5, 10 and 20, "
        "from Parquet. CPU and peak memory are of whole processes, including the start of Python; medians of "
        f"{ranked['rounds']} rounds on {machine['cpus']} CPUs."
    )
    rows = [
        told,
        "",
        "| | DuckDB | Polars | target |",
        "|---|---|---|---|",
        *(
            f"| {what} | {_cells(results[name]['numbers'], number)} |"
            for name, what, number in SPEED
            if name in results
        ),
        "",
        _systems_speed(results["systems"]),
        *_peers_speed(results.get("peers")),
    ]
    return "\n".join(rows)


def _peers_speed(peers: dict[str, Any] | None) -> Iterator[str]:
    """The CPU and memory of other libraries for the same metrics, as a table."""
    if peers is None:
        return
    yield ""
    yield (
        "Other libraries, each in an environment of its own, with the same rows and the same metrics (by their own "
        "definitions). CPU and memory as a multiple of rankmetrics on DuckDB:"
    )
    yield ""
    yield "| | CPU | target | memory | target |"
    yield "|---|---|---|---|---|"
    for peer, beside in sorted(peers["ratios"].items(), key=lambda one: float(one[1]["cpu"]["median"])):
        targets = peers["targets"].get(peer, {})
        cells = [
            cell
            for what in ("cpu", "memory")
            for cell in (f"{beside[what]['median']:.1f}", f"at least {targets[what]}" if what in targets else "")
        ]
        yield f"| {peer} {peers['versions'].get(peer, '')} | {' | '.join(cells)} |"


def _large_table() -> str:
    """What larger than memory took, under a limit of 2 GB."""
    results = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))
    sets = results.get("large", {}).get("sets", {})
    rows = [
        "| rows, by the command line under `--memory-limit 2GB` | peak memory | on disk meanwhile | exact |",
        "|---|---|---|---|",
    ]
    rows += [
        f"| {one['data']['recs']:,} with {LARGE[name]} | {one['memory_mb'] / 1000:.2f} GB | "
        f"{one['spilled_mb'] / 1000:.1f} GB | {'yes' if one['exact'] else 'no'} |"
        for name, one in sets.items()
    ]
    return "\n".join(rows) if sets else ""


LARGE = {
    "billion_ranked": "ranks",
    "billion_scored": "scores, list after list",
    "billion_shuffled": "scores, in random order",
}


def _cells(numbers: dict[str, Any], number: str) -> str:
    """A number of each engine, and what it should be."""
    found = [numbers[number.replace("{}", engine)] for engine in ("duckdb", "polars")]
    target = f"at most {found[0]['at_most']}" if "at_most" in found[0] else ""
    return " | ".join([*(f"{one['median']:.2f}" for one in found), target])


def _systems_speed(systems: dict[str, Any]) -> str:
    """The cost of metrics of a system, in a sentence."""

    def times(metric: str, engine: str) -> str:
        return f"{systems['numbers'][f'{metric} {engine} / bare group {engine}']['median']:.1f}"

    told = " and ".join(
        f"{metric} {times(metric, 'duckdb')} (DuckDB) and {times(metric, 'polars')} (Polars)"
        for metric in ("gini", "personalization")
    )
    return (
        f"Metrics of a system over {systems['data']['systems']['lists']:,} lists of 50, in multiples of the CPU of a "
        f"scan that groups the same rows by item: {told}."
    )


def _metrics_page() -> str:
    parts = [
        "# The metrics",
        (
            "`make golden` writes this page from the headers of `sql/metrics` and `sql/parameters`. Write a metric as "
            "its name, then parameters in brackets, then cutoffs after an `@`: `ndcg(gain=exponential)@5,10`. Without "
            "a cutoff, the whole list counts. If a metric is undefined for a list, its value is NULL; the mean leaves "
            "the list out, and the account counts it."
        ),
    ]
    parts += [_metric_part(one) for one in catalog().metrics() if one.kind == "metric"]
    parts += [
        "# The metrics of a system",
        "Metrics with one value per row of the summary, not per list.",
    ]
    parts += [_metric_part(one) for one in catalog().metrics() if one.kind == "run"]
    parts += ["# Policies", _POLICIES, *(_policy_part(one) for one in catalog().all("policy"))]
    parts += [
        "# Aggregates",
        "How the summary aggregates per-list values: `aggregates=[...]`.",
        _aggregates_table(),
    ]
    parts += ["# The account", "The counts that `result.account()` returns.", _account_table()]
    return "\n\n".join(parts) + "\n"


_POLICIES = (
    "A policy decides which lists are averaged, how equal scores are ordered, which items are relevant, or how "
    "repeated items count. It is a parameter of every metric that it affects: `hit(missing=skip)@10`. A convention "
    "sets policies for all of its metrics; `missing` and `ties` can also be set for a whole call."
)


def _policy_part(definition: Definition) -> str:
    parameter = catalog().shared(definition.name)
    return f"## {definition.name}\n\n{parameter.summary[0].upper()}{parameter.summary[1:]}{_choices(parameter)}"


def _aggregates_table() -> str:
    rows = [f"| `{one.name}` | {one.summary} |" for one in catalog().all("aggregate")]
    return "\n".join(["| aggregate | what it is |", "|---|---|", *rows])


def _conventions_table() -> str:
    rows = []
    for one in CONVENTIONS:
        link = f"[migrating](docs/migrating/{one.name.partition('-')[0]}.md)"
        rows.append(f"| [`{one.name}`](docs/conventions.md#{one.name.replace('.', '')}) | {one.what} | {link} |")
    return "\n".join(["| convention | library | how to migrate |", "|---|---|---|", *rows])


def _conventions_page() -> str:
    parts = [
        "# The conventions",
        (
            "`make golden` writes this page from `sql/conventions`. A convention is a data file: the library's names "
            "of its metrics, the metric of rankmetrics that returns the same number, and the policies that all of its "
            "metrics share. You can set each of these parameters yourself, without the convention. "
            "[reproduction.md](reproduction.md) lists the comparisons with the libraries' own numbers, and the "
            "numbers that were left out. `rm.compare_conventions` says which choice moves your number: "
            "[explaining.md](explaining.md#which-choice-moves-the-number)."
        ),
        *(_convention_part(one) for one in CONVENTIONS),
    ]
    return "\n\n".join(parts) + "\n"


def _convention_part(convention: Convention) -> str:
    policies = []
    for name, value in convention.policies.items():
        parameter = catalog().shared(name)
        policies.append(f"- `{name}={value}`: {parameter.choices.get(str(value), parameter.summary.rstrip('.'))}")
    spellings = [f"| `{theirs}` | `{ours}` |" for theirs, ours in convention.spellings.items()]
    aliases = [f"Also called: {', '.join(f'`{one}`' for one in convention.aliases)}.", ""] if convention.aliases else []
    lines = [f"## {convention.name}", "", f"{convention.what}.", "", *aliases, *policies, ""]
    lines += ["| name in the library | metric of rankmetrics, under these policies |\n|---|---|", *spellings, ""]
    lines += [f"- {one}" for one in convention.notes]
    for rule, of in (("without a cutoff", convention.no_cutoff), ("with a cutoff", convention.needs_cutoff)):
        named = [f"`{one}`" for one in convention.spellings if one in of]
        lines += [f"- Accepted only {rule}: {', '.join(named)}."] if named else []
    if convention.refused:
        lines += ["", "| not available | use instead |\n|---|---|"]
        lines += [f"| `{one}` | {instead} |" for one, instead in convention.refused.items()]
    return "\n".join(lines).rstrip()


def _reproduction_page() -> str:
    """The comparisons with the libraries' own numbers; the counts come from the last run that compared them."""
    compared = json.loads((ROOT / "tests" / "fidelity" / "reproduced.json").read_text(encoding="utf-8"))
    here = json.loads((fidelity.GOLDEN / "compared.json").read_text(encoding="utf-8"))
    left_out = [
        f"| {' | '.join([one.system, *(told or 'all' for told in (', '.join(one.metrics), one.setting, one.lists))])} "
        f"| {one.reason} |"
        for one in EXCEPTIONS
    ]
    parts = [
        "# Numbers of other libraries, reproduced",
        (
            f"{len(compared) + len(here)} releases of libraries were run. The tests compare the values that they "
            "returned with the values of rankmetrics under the library's convention, on DuckDB and on Polars: "
            f"{_all_of(compared) + _all_of(here):,} values on each engine. The tables of values left out give the "
            "reasons."
        ),
        "## Libraries run elsewhere",
        (
            f"{_all_of(compared):,} values of five libraries are equal to 1e-9; CAPRI's ndcgk to the 4 decimal places "
            "that it returns, and numbers computed by Spark to 1e-6. These numbers may not be redistributed, so they "
            "are not in this repository; `pytest tests/fidelity/test_reproduction.py` compares them if they are there."
        ),
        "### Compared",
        "\n".join(["| library | metric | values |", "|---|---|---|", *_compared_rows(compared)]),
        "### Left out",
        "\n".join(["| library | metrics | setting | lists | why |", "|---|---|---|---|---|", *left_out]),
        *_run_here(here),
    ]
    return "\n\n".join(parts) + "\n"


def _all_of(compared: dict[str, dict[str, int]]) -> int:
    return sum(n for metrics in compared.values() for n in metrics.values())


def _run_here(here: dict[str, dict[str, int]]) -> Iterator[str]:
    """What is compared with the values that `make fidelity` writes."""
    problems = fidelity.data("recs")["problem"].n_unique()
    yield "## Libraries run by `make fidelity`"
    yield (
        f"{_all_of(here):,} values of four libraries are equal to 1e-9, per list and in the mean. `make fidelity` "
        f"makes {problems} small problems (ties, graded, zero, half and negative ratings, ids of digits and of "
        "letters, scores that are equal in 32 bits but not in 64, short and long lists, missing users, empty lists, "
        "lists without a relevant item, repeated items), runs each library in an environment of its own, and writes "
        "the values and the versions into `tests/fidelity/golden`. `pytest tests/fidelity` compares them on any "
        "machine."
    )
    versions = {one: fidelity.told(one.name)["versions"] for one in fidelity.LIBRARIES}
    rows = [
        f"| {one.called} | {', '.join(f'{name} {version}' for name, version in of.items())} | `{one.convention}` |"
        for one, of in versions.items()
    ]
    yield "\n".join(["| library | run as | convention |", "|---|---|---|", *rows])
    yield "### Compared values"
    yield "\n".join(["| library | metric | values |", "|---|---|---|", *_compared_rows(here)])
    yield "### Values left out"
    called = {one.name: one.called for one in fidelity.LIBRARIES}
    left_out = [
        " | ".join(
            [
                f"| {called[one.library]}",
                ", ".join(one.metrics) or "all",
                ", ".join(one.settings) or "all",
                ", ".join(one.problems) or one.lists,
                f"{sum(one.holds(one.library, row) for row in fidelity.data(one.library).iter_rows(named=True)):,}",
                f"{one.reason} |",
            ]
        )
        for one in fidelity.EXCEPTIONS
    ]
    yield "\n".join(
        ["| library | metrics | setting | problems | values | why |", "|---|---|---|---|---|---|", *left_out]
    )
    yield "### Problems that a library refused"
    refused = [(one.called, *pair) for one in fidelity.LIBRARIES for pair in fidelity.told(one.name)["refused"].items()]
    by_reason: dict[tuple[str, str], list[str]] = {}
    for library, problem, reason in refused:
        by_reason.setdefault((library, reason), []).append(problem)
    rows = [f"| {library} | {', '.join(of)} | {reason} |" for (library, reason), of in by_reason.items()]
    yield "\n".join(["| library | problems | why |", "|---|---|---|", *rows])


def _engines_page() -> str:
    """The metrics that each engine runs, from the tests' declarations of those that it cannot run."""
    rows = [(f"[`{one.name}`](metrics.md#{one.name})", one.name) for one in catalog().metrics()]
    beside = [*((f"`{one.name}`", one.name) for one in catalog().all("aggregate")), ("the account", "account")]
    reasons = list(dict.fromkeys(reason for one in OTHERS for reason in one.lacks.values()))
    parts = [
        "# Engines and metrics",
        (
            "`make golden` writes this page. `tests/engines/test_every_metric.py` runs every metric with every choice "
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


def _compared_rows(compared: dict[str, dict[str, int]]) -> Iterator[str]:
    for system, metrics in compared.items():
        yield from (f"| {system} | `{metric}` | {n:,} |" for metric, n in metrics.items())
        yield f"| {system} | in all | {sum(metrics.values()):,} |"


def _metric_part(definition: Definition) -> str:
    lines = [f"## {definition.name}", "", f"{definition.summary[0].upper()}{definition.summary[1:]}"]
    lines += [definition.notes] if definition.notes else []
    lines.append("")
    lines += [
        f"- {field}: {definition.fields[field]}" for field in ("undefined", "range") if field in definition.fields
    ]
    if definition.aliases:
        lines.append(f"- also called: {', '.join(definition.aliases)}")
    if "source" in definition.fields:
        lines.append(f"- source: {_linked(definition.fields['source'])}")
    if needs := catalog().needs(definition.name):
        lines.append(f"- needs: {'; '.join(needs)}")
    for name, parameter in catalog().own_parameters(definition.name).items():
        lines.append(f"- `{name}`: {parameter.summary}{_choices(parameter)}")
    select = "\n".join(line for line in definition.text.splitlines() if not line.startswith("--"))
    return "\n".join([*lines, "", "```sql", select, "```"])


def _choices(parameter: Parameter) -> str:
    if not parameter.choices:
        default = "none" if parameter.default is None else parameter.default
        return f" ({parameter.range}; default: {default})"
    return "".join(
        f"\n  - `{name}`{' (default)' if name == parameter.default else ''}: {meaning}"
        for name, meaning in parameter.choices.items()
    )


def _account_table() -> str:
    rows = [f"| `{one.name}` | {one.summary} |" for one in catalog().all("account")]
    rows.append("| `undefined METRIC` | lists for which the metric is undefined; not in its mean |")
    return "\n".join(["| count | what it is |", "|---|---|", *rows])


def _linked(source: str) -> str:
    return re.sub(r"doi:(\S+)", r"[doi:\1](https://doi.org/\1)", source)


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
        text = _between(text, mark, example)
    return text


def _code(text: str, language: str = "text") -> str:
    return f"```{language}\n{text}\n```"


def _between(text: str, mark: str, new: str) -> str:
    """A text with what stands between two marks replaced."""
    pattern = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- /{mark} -->)", re.DOTALL)
    assert pattern.search(text), f"README.md has no <!-- {mark} --> ... <!-- /{mark} -->"
    return pattern.sub(lambda found: f"{found[1]}{new}\n{found[2]}", text)


def main() -> None:
    """Write every generated file."""
    wanted = files()
    for old in (ROOT / "tests" / "golden").rglob("*.sql"):
        if old not in wanted:
            old.unlink()
    for path, text in [(path, write()) for path, write in wanted.items()]:  # none is written where one cannot be
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
