"""sql/README.md, and parts of pages that the files of sql/ and the dialects say: faults, guards, adapters of dbt."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from docs.tooling import ROOT
from docs.tooling.markdown import table
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import FIELDS, FORMS, INDENT, Definition

# --- sql/README.md ----------------------------------------------------------------------------------------------------

# What a file of each folder is.
FOLDERS: Mapping[str, str] = {
    "metrics": "a metric of a list: an aggregate over the rows of a stage, or an expression `FROM metrics`",
    "parts": "a number of a list that only metrics read",
    "runs": "a metric of a system: over `metrics`, over a stage with `list_id` or `by_id`, or `FROM runs`",
    "run_parts": "a number of a system that only metrics of systems read",
    "stages": "rows that metrics read, from inputs or other stages; `hits.each.sql` is a variant of `hits.sql`",
    "parameters": "a parameter: its choices as columns, the default first; or a number. `ap.divisor.sql` is of `ap`",
    "policies": "a parameter of every metric that reads a stage with its `$name`: its choices as columns",
    "aggregates": "how the values of lists are aggregated, as an expression over `value`",
    "account": "a count of the data, for the account and for faults",
    "checks": "what can be wrong with the data: `rows` at fault, a condition over `counts`, or a doubt in `warnings`",
    "inputs": "a question about the rows of inputs: whether columns were guessed right, and policies fit the metrics",
    "expected": "replaces the metric or part of its name under `ties=expected`: the mean over all orders of ties",
    "weighted": "replaces the metric or part of its name under `weights`: hits that count 1 / propensity",
    "repeats": "a stage computed rank by rank: `previous` has the rows of the rank above, `$number` is the rank",
    "conventions": "the names and definitions of a library, as TOML",
    "comparisons": "what comparisons of systems compute",
    "intervals": "what confidence intervals compute",
    "judges": "what corrections of a judge's labels compute",
    "audit": "a finding of an audit",
    "segments": "how values become segments",
    "splits": "a method of splits",
}

README = """\
# The files of sql/

<!-- Written by `make golden` from rankmetrics/metrics/definition.py and the files of this folder. -->

Each file is a definition: a header of comments, then one SELECT in DuckDB's SQL. The planner composes the files into
one query; it finds what a file reads by parsing it.

```sql
{example}
```

{folders}

## Headers

The first line is the name, a colon and a sentence. A line `key: value` is data, and a line that is indented by
{indent} more spaces continues it. All other lines are prose. An unknown key is an error that names the nearest one.

{keys}

A parameter that the file declares itself is a line `$power = 1 in [0, inf): how much the price counts.`

## Placeholders

`$k` is the cutoff, and `$rel` the lowest relevant rating. If the caller gives no value, the planner leaves out the
condition that compares with it. `list_id` and `by_id` are the columns that identify a list and a row of the summary.

## Variants of a stage

A variant is used if all conditions of its line `when:` hold. No two variants may apply at the same time; if none does,
the file without a variant is used. `not` before a condition says the opposite.

{conditions}

## Stages

{stages}
"""


def sql_readme() -> str:
    """The page on the files of sql/: folders, keys of headers, conditions of variants, stages."""
    folders = sorted(path for path in (ROOT / "sql").iterdir() if path.is_dir())
    undescribed = {path.name for path in folders} ^ {*FOLDERS}
    assert not undescribed, f"say in FOLDERS of {__name__} what a file of these folders is: {undescribed}"
    described = [name for name in FOLDERS if (ROOT / "sql" / name / "README.md").exists()]
    linked = {name: f"[`{name}`]({name}/README.md)" if name in described else f"`{name}`" for name in FOLDERS}
    stages = [stage for stage in catalog().all("stage") if "." not in stage.name]
    return README.format(
        example=catalog().metric("precision").text,
        folders=table(["folder", "a file is"], [[linked[name], meaning] for name, meaning in FOLDERS.items()]),
        indent=len(INDENT),
        keys=table(["key", "what the line says"], [[f"`{key}`", meaning] for key, meaning in FIELDS.items()]),
        conditions=table(
            ["`when:`", "the variant is used if"], [[f"`{form.example}`", form.meaning] for form in FORMS.values()]
        ),
        stages=table(["stage", "rows"], [[f"`{stage.name}`", stage.summary] for stage in stages]),
    )


# --- faults -----------------------------------------------------------------------------------------------------------

# What a fault's `needs:` requires, if it is not the name of an input or of a column.
REQUIRED: Mapping[str, str] = {
    "baseline-lists": "a metric reads the baseline of each list",
    "checked ranks": "ranks are not `given` or `again`",
    "given ranks": "`ranks` is `given`",
    "history-lists": "a metric reads the history of each list, without `cold_start`",
    "history-rows": "there is a history, without `cold_start`",
    "log-actions": "a metric weighs the actions of the log",
    "negatives": "lists are ranked among candidates",
    "not-null": "`assume` has `not-null`",
    "unique-recs": "`assume` has `unique`, `duplicates` is `error`, or a metric refuses repeated items",
    "unique-truth": "`assume` has `unique`, `duplicates` is `error`, or a metric refuses repeated items",
    "weights": "a metric has `weights`",
    "wide rank": "there are ranks, not of an integer type",
}


def faults_table() -> str:
    """Each fault of sql/checks/errors with its sentence and when it is looked for."""
    rows = [[f"`{fault.name}`", fault.summary, _looked_for(fault)] for fault in _faults()]
    return table(["fault", "what is wrong", "looked for if"], rows)


def _faults() -> list[Definition]:
    return [check for check in catalog().all("check") if "severity" not in check.fields]


def _looked_for(fault: Definition) -> str:
    need = fault.fields.get("needs")
    return "" if need is None else REQUIRED.get(need, f"`{need}` is given")


def faults_sections() -> str:
    """A section for each fault that `evaluate` refuses, in the order in which it looks for them: the file's header."""
    faults = [fault for fault in _faults() if "say" in fault.fields]
    return "\n\n".join(map(_section, sorted(faults, key=lambda fault: int(fault.fields["order"]))))


def _section(fault: Definition) -> str:
    prose = "\n".join(line for line in fault.notes.splitlines() if not line.startswith("n: "))
    return f"### {fault.name.replace('_', ' ').capitalize()}\n\n{fault.summary}\n\n{prose}".rstrip()


# --- what databases can do --------------------------------------------------------------------------------------------


def raising_table() -> str:
    """How the statement of a guard raises an error in each dialect, or that it cannot."""
    ways: dict[str, list[str]] = {
        "by a function that raises an error": [],
        "by a cast, whose error quotes the text": [],
    }
    impossible = "not possible: `--guarded` is an error, so use `--as check`"
    for dialect in sorted(DIALECTS.values(), key=lambda dialect: dialect.called.lower()):
        calls = dialect.raise_error.startswith("CASE")
        way = [*ways][0 if calls else 1] if dialect.raise_error else impossible
        ways.setdefault(way, []).append(dialect.called)
    return table(["dialect", "how the statement raises the error"], [[", ".join(of), way] for way, of in ways.items()])


def adapters_of_dbt() -> str:
    """The adapters of dbt that lead to a dialect."""
    adapters = sorted(adapter for dialect in DIALECTS.values() for adapter in dialect.dbt_adapters)
    return textwrap.fill(f"- **Adapters**: {', '.join(adapters)}.", 125, subsequent_indent="  ")
