"""The pages of docs/metrics, written from the headers of sql/: a page per metric, and the pages that they share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from sqlglot import exp

from docs.tooling.formula_symbols import SYMBOLS, symbols_of
from docs.tooling.markdown import convention_anchor, table
from docs.tooling.metric_examples import (
    EXPECTED,
    RECS,
    TRUTH,
    USER,
    Example,
    Worked,
    cell,
    examples,
    lists_of,
    subtopics_in_words,
    worked,
)
from rankmetrics.explanations import find_definitions, write_select
from rankmetrics.metrics.catalog import METRICS, WEIGHTS, catalog
from rankmetrics.metrics.conventions import CONVENTIONS
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import parse, spell
from rankmetrics.metrics.parameter import Parameter
from rankmetrics.planner.weights import WITH_WEIGHTS
from rankmetrics.sqltree import tree
from rankmetrics.traces.trace import written

# The subjects that a metric's header may name in `subject:`, with their headings on the page of all metrics.
SUBJECTS = {
    "hits": "Top-k lists",
    "rank": "Ranks of relevant items",
    "graded": "Graded relevance",
    "classification": "Full rankings and AUC",
    "novelty": "Novelty and serendipity",
    "diversity": "Diversity and calibration",
    "coverage": "Coverage and concentration",
    "popularity": "Popularity",
    "fairness": "Fairness",
    "subtopics": "Subtopics and intents",
    "baseline": "Distance from a baseline",
    "log": "Logs of another policy",
    "ratings": "Predicted ratings",
    "counts": "Counts and unjudged items",
}

BETTER = {"lower": "lower values are better", "neither": "neither higher nor lower values are better"}


def metric_pages(folder: Path) -> dict[Path, Callable[[], str]]:
    """The files of docs/metrics, and the function that returns what each should hold."""
    pages: dict[str, Callable[[], str]] = {one.name: partial(_metric_page, one) for one in catalog().metrics()}
    pages |= {
        "index": _index_page,
        "policies": _policies_page,
        "aggregates": _aggregates_page,
        "account": _account_page,
    }
    return {folder / f"{name}.md": write for name, write in pages.items()}


def without_formula() -> list[str]:
    """What is missing in the headers of sql/metrics and sql/runs, as sentences that say what to do."""
    return [one for definition in catalog().metrics() for one in _missing(definition)]


def _missing(definition: Definition) -> Iterator[str]:
    folder = "metrics" if definition.kind == "metric" else "runs"
    file = f"sql/{folder}/{definition.origin}"
    if "formula" not in definition.fields:
        yield f"{file} has no line `-- formula: …`: add the metric's formula in LaTeX, as in sql/metrics/recall.sql."
    if definition.fields.get("subject") not in SUBJECTS:
        found = definition.fields.get("subject", "nothing")
        yield f"{file} has `subject: {found}`: add a line `-- subject: …` with one of {', '.join(SUBJECTS)}."


# --- the page of a metric ---------------------------------------------------------------------------------------------


def _metric_page(definition: Definition) -> str:
    sections = {
        "": _head(definition),
        "Formula": _formula(definition),
        "Example": _examples(definition),
        "Parameters": _parameters(definition),
        "In other libraries": _libraries(definition),
        "SQL": _sql(definition),
        "See also": _see_also(definition),
    }
    parts = [f"# {definition.name}"]
    for heading, section in sections.items():
        lines = [one for one in section if one]
        parts += [f"## {heading}", *lines] if heading and lines else lines
    return "\n\n".join(parts) + "\n"


def _head(definition: Definition) -> Iterator[str]:
    fields = definition.fields
    error = fields.get("error")
    yield _sentence(definition.summary)
    yield definition.notes
    facts = {
        "Undefined if": fields.get("undefined", "").rstrip("."),
        "Range": fields.get("range"),
        "Better": BETTER.get(fields.get("better", ""), "higher values are better"),
        "One value": "for each row of the summary, over all of its lists" if definition.kind == "run" else "",
        "Needs": _needs(definition),
        "Cutoff": {"needed": "required, as in `@10`"}.get(fields.get("cutoff", "")),
        "Standard error": f"[`{error}`]({error}.md), from which `ci` is computed" if error else "",
        "Also called": ", ".join(f"`{one}`" for one in definition.aliases),
        "Source": linked(fields.get("source", "")),
    }
    yield "\n".join(f"- **{name}:** {fact}" for name, fact in facts.items() if fact)


def _needs(definition: Definition) -> str:
    subtopics = ["truth: subtopic"] if catalog().reads_subtopics(definition.name) else []
    needs = "; ".join([*subtopics, *catalog().needs(definition.name)])
    return f"{needs} ([inputs](../inputs.md))" if needs else ""


def _formula(definition: Definition) -> Iterator[str]:
    formula = definition.fields.get("formula", "")
    if formula:
        has_choices = any(one.choices for one in catalog().own_parameters(definition.name).values())
        yield "Under the default parameters:" if has_choices else ""
        yield f"$$\n{formula}\n$$"
        yield _legend(symbols_of(formula))


def _legend(symbols: dict[str, str]) -> str:
    """A line per meaning: ranks i and j share one."""
    by_meaning: dict[str, list[str]] = {}
    for symbol, meaning in symbols.items():
        by_meaning.setdefault(meaning, []).append(f"${symbol}$")
    return "\n".join(f"- {', '.join(of)}: {meaning}" for meaning, of in by_meaning.items())


def _parameters(definition: Definition) -> Iterator[str]:
    own = catalog().own_parameters(definition.name)
    if own:
        rows = [row for name, parameter in own.items() for row in _parameter_rows(name, parameter)]
        yield table(["parameter", "value", "meaning"], rows)
    known = {one.name for one in catalog().all("policy")}
    policies = [one for one in catalog().accepted(definition.name) if one in known]
    if definition.name not in WITH_WEIGHTS:
        policies = [one for one in policies if one != WEIGHTS]
    if policies:
        links = ", ".join(f"[`{one}`](policies.md#{one})" for one in policies)
        yield f"Policies that affect it: {links}."


def _parameter_rows(name: str, parameter: Parameter) -> Iterator[list[str]]:
    """A row for the parameter, then a row for each of its choices."""
    if parameter.choices:
        yield [f"`{name}`", "", _sentence(parameter.summary)]
        for choice, meaning in parameter.choices.items():
            yield ["", f"`{choice}`{' (default)' if choice == parameter.default else ''}", meaning]
    else:
        default = "none" if parameter.default is None else f"`{parameter.default}`"
        kind = "a metric" if parameter.is_metric else parameter.range
        yield [f"`{name}`", f"{kind}; default: {default}", _sentence(parameter.summary)]


# --- the example ------------------------------------------------------------------------------------------------------


def _examples(definition: Definition) -> Iterator[str]:
    found = examples(definition)
    yield from _inputs(found[0], of_both=definition.kind == "run")
    for number, example in enumerate(found):
        yield "With graded relevance:" if number else ""
        yield from _steps(worked(example), example)


def _inputs(example: Example, *, of_both: bool) -> Iterator[str]:
    """The truth of the lists and the further inputs, in words and short tables."""
    users = RECS["user"].unique(maintain_order=True).to_list() if of_both else [USER]
    what = (
        f"Two short lists, for the users {' and '.join(users)}"
        if of_both
        else f"A list of five items, for the user {USER}"
    )
    yield f"{what}. Relevant items have a rating above 0."
    pool = [] if example.pool is None else [f"- `recs` has a column `pool`: {example.pool}, the number of candidates."]
    if example.is_modelled:
        expected = ", ".join(f"{item}: {reward}" for item, reward in EXPECTED.items())
        pool.append(f"- `recs` has a column `expected_reward`, by item: {expected}.")
    if example.is_scored:
        pool.append("- `recs` has a column `score`: 5 at rank 1, 4 at rank 2, and so on.")
    if example.has_subtopics:
        pool.append(f"- `truth` has a column `subtopic`, by item: {subtopics_in_words()}.")
    further = [f"- `{name}`: {lists_of(frame)}." for name, frame in example.inputs.items()]
    yield "\n".join([*_truth_of(users), *pool, *further])


def _truth_of(users: Sequence[str]) -> Iterator[str]:
    """The rated items of each user, a line per user."""
    for user in users:
        ratings = {item: rating for one, item, rating in TRUTH.iter_rows() if one == user}
        relevant = ", ".join(f"{item} ({rating})" for item, rating in ratings.items() if rating > 0)
        others = ", ".join(f"{item} ({rating})" for item, rating in ratings.items() if rating <= 0)
        judged = f"; judged and not relevant: {others}" if others else ""
        yield f"- Relevant for {user}, with ratings: {relevant}{judged}."


def _steps(steps: Worked, example: Example) -> Iterator[str]:
    yield from (table(*one) for one in steps.tables)
    yield f"```python\n{example.call()}\n```"
    meanings = [_part(name, steps) for name in steps.parts if name != example.metric]
    yield "\n".join(one for one in meanings if one)
    yield f"```text\n{worked_lines(steps)}\n```"


def worked_lines(steps: Worked) -> str:
    """The formula with names, with values, and the value: a line each."""
    formula = steps.formula
    lines = [written(formula.chosen), written(formula.chosen, formula.parts), cell(formula.value)]
    has_names = bool(tree.find(formula.chosen, exp.Column))
    shown = list(dict.fromkeys(lines if has_names else lines[-1:]))
    shown = [one for one in shown if one != formula.label]
    indent = " " * len(formula.label)
    return "\n".join(f"{indent if number else formula.label} = {one}" for number, one in enumerate(shown))


def _part(name: str, steps: Worked) -> str:
    """A number of the formula with its value and meaning; nothing for a number that an expression names."""
    bare = re.split("[@(]", name)[0]
    found = catalog().column(bare) or catalog().child("runs", bare)
    meaning = f": {found.summary.rstrip('.')}" if found else ""
    return f"- `{name}` = {cell(steps.parts[name])}{meaning}"


# --- other libraries, the SQL, other metrics --------------------------------------------------------------------------


def _libraries(definition: Definition) -> Iterator[str]:
    """The conventions that have the metric, by their definition of it."""
    found: dict[str, dict[str, list[str]]] = {}
    for convention in CONVENTIONS:
        for theirs, ours in convention.spellings.items():
            metric = _parsed(ours)
            if metric.name == definition.name:
                text = spell(metric.name, dict(sorted(metric.settings.items())), metric.k)
                found.setdefault(text, {}).setdefault(theirs, []).append(convention.name)
    if found:
        yield (
            "The libraries that have this metric, by their definition of it. A [convention](../conventions.md) also "
            "sets policies for all of its metrics, such as the lists in the mean."
        )
        in_order = sorted(found.items(), key=lambda one: (one[0] != definition.name, one[0]))
        rows = [[f"`{text}`", "; ".join(_called(*one) for one in names.items())] for text, names in in_order]
        yield table(["definition", "called"], rows)


_parsed = cache(parse)  # every page reads the spellings of every convention


def _called(theirs: str, conventions: Sequence[str]) -> str:
    links = ", ".join(f"[{one}](../conventions.md{convention_anchor(one)})" for one in conventions)
    return f"`{theirs}` in {links}"


def _sql(definition: Definition) -> Iterator[str]:
    """The SELECT of the metric, and of the metrics and parts that it reads."""
    kinds = ("metric", "part", "run", "run part")
    read = [one for one in find_definitions(parse(definition.name)) if one.kind in kinds]
    others = [f"-- {one.name}: {one.summary}\n{write_select(one)}" for one in read if one is not definition]
    selects = "\n\n".join([write_select(definition), *others])
    yield '<details markdown="1">\n<summary>The definition as SQL</summary>'
    yield f"```sql\n{selects}\n```"
    yield "</details>"


def _see_also(definition: Definition) -> Iterator[str]:
    """The metrics that the metric is made of or part of, then those of its subject."""
    related = [one for one in catalog().metrics() if _reads(definition, one) or _reads(one, definition)]
    alike = of_subject(definition.fields["subject"])
    names = dict.fromkeys(one.name for one in (*related, *alike) if one is not definition)
    links = ", ".join(f"[`{name}`]({name}.md)" for name in names)
    yield f"{links}. [All metrics](index.md)." if links else "[All metrics](index.md)."


def _reads(definition: Definition, other: Definition) -> bool:
    """Whether a metric is an expression over another metric."""
    if definition.reads != METRICS:
        return False
    columns = tree.columns_read(definition.select)
    for name in definition.placeholders:
        parameter = catalog().parameter(definition.name, name)
        assert parameter is not None
        default = parameter.expressions.get(str(parameter.default))
        columns |= {str(parameter.default)} if parameter.is_metric else set()
        columns |= tree.columns_read(default) if default is not None else set()
    return other.name in columns


# --- the pages that the metrics share ---------------------------------------------------------------------------------


def _index_page() -> str:
    parts = [
        "# The metrics",
        (
            "Each metric has a page: its formula, its parameters, an example worked by hand, and the libraries that "
            "have it."
        ),
        (
            "Write a metric as its name, then parameters in brackets, then cutoffs after an `@`: "
            "`ndcg(gain=exponential)@5,10`. Without a cutoff, the whole list counts. The spellings under *also called* "
            "work too. If a metric is undefined for a list, its value is NULL; the mean leaves the list out, and "
            "[the account](account.md) counts it. [Which metric should I use?](../which-metric.md) helps you choose."
        ),
        (
            "[Policies](policies.md) are parameters that many metrics share, such as the lists in the mean and the "
            "order of equal scores. [Aggregates](aggregates.md) are what the summary computes from the values of the "
            "lists."
        ),
    ]
    for subject, heading in SUBJECTS.items():
        parts += [f"## {heading}", _metrics_table(of_subject(subject))]
    parts += ["## Symbols", "The formulas of all pages use the same symbols.", _legend(SYMBOLS)]
    return "\n\n".join(parts) + "\n"


def of_subject(subject: str) -> list[Definition]:
    """The metrics with a subject, in alphabetical order."""
    return [one for one in catalog().metrics() if one.fields.get("subject") == subject]


def _metrics_table(definitions: Sequence[Definition]) -> str:
    """A row per metric; a column that would be empty is left out."""
    columns = {
        "metric": [f"[`{one.name}`]({one.name}.md)" for one in definitions],
        "what it is": [one.summary for one in definitions],
        "parameters": [
            ", ".join(f"`{name}`" for name in catalog().own_parameters(one.name) if name != "k") for one in definitions
        ],
        "needs": ["; ".join(catalog().needs(one.name)) for one in definitions],
        "also called": [", ".join(one.aliases) for one in definitions],
    }
    shown = {heading: cells for heading, cells in columns.items() if any(cells)}
    return table([*shown], [*zip(*shown.values(), strict=True)])


def _policies_page() -> str:
    parts = [
        "# Policies",
        (
            "A policy decides which lists are averaged, how equal scores are ordered, which items are relevant, or how "
            "repeated and unjudged items count. It is a parameter of every metric that it affects: "
            "`hit(missing=skip)@10`. A [convention](../conventions.md) sets policies for all of its metrics; "
            "`missing`, `ties`, `weights` and `unjudged` can also be set for a whole call."
        ),
    ]
    for one in catalog().all("policy"):
        parameter = catalog().shared(one.name)
        parts += [f"## {one.name}", _sentence(parameter.summary)]
        rows = [row[1:] for row in _parameter_rows(one.name, parameter)]
        parts += [table(["value", "meaning"], rows[1:] if parameter.choices else rows)]
        if one.name == WEIGHTS:
            parts += _parameters_of_weights()
    return "\n\n".join(parts) + "\n"


def _parameters_of_weights() -> Iterator[str]:
    inner = [(name, parameter) for name, parameter in catalog().with_inner((WEIGHTS,)).items() if name != WEIGHTS]
    yield (
        "Parameters of `ips` and `snips`, as in `recall(weights=snips, propensity=popularity(gamma=2), limit=100)@10`. "
        "[Weights for what could be seen](../propensities.md) explains them."
    )
    yield table(["parameter", "value", "meaning"], [row for pair in inner for row in _parameter_rows(*pair)])
    links = ", ".join(f"[`{name}`]({name}.md)" for name in WITH_WEIGHTS)
    yield f"Metrics that take weights: {links}."


def _aggregates_page() -> str:
    rows = [[f"`{one.name.replace('.', ' ')}`", one.summary] for one in catalog().all("aggregate")]
    told = (
        "How the summary aggregates the values of the [metrics](index.md) of lists: `aggregates=[...]`. The "
        "percentiles p50, p75, p90, p95 and p99 are `quantile(0.5)` to `quantile(0.99)`."
    )
    return "\n\n".join(["# Aggregates", told, table(["aggregate", "what it is"], rows), INTERVALS]) + "\n"


# How often the intervals hold: 2,000 samples from each of four distributions (600 of 1,000 lists), through the SQL.
INTERVALS = """## Intervals

`ci`, `ci_low`, `ci_high` and `standard_error` are those of the mean. After the name of another aggregate they are its
own: `aggregates=["worst(0.1)", "worst(0.1) ci_low", "worst(0.1) ci_high(0.9)"]`. `quantile`, `worst`, `gini` and
`atkinson` have them; the median is `quantile(0.5)`. Metrics of a system have no values of lists, and so none of these.

- **The interval of a quantile** ends at two of the lists, and holds for any distribution, as that of
  `scipy.stats.quantile_test`. The binomial quantiles that say at which lists are approximate: 98 % of 15,000 ends
  were the same, and the others one list off; no interval fell short of its confidence.
- **The other intervals** are normal, by the influence of each list on the number. Over samples of skewed
  distributions (beta, gamma, reciprocal ranks, a third of zeros), 95 % intervals of `gini` and `atkinson` held for 91
  to 95 % of the samples of 50 lists, and 94 to 96 % of 1,000.
- **Those of `worst` need lists**: with 5 lists in the worst tenth, they held for as few as 82 % of the samples; with
  20 lists or more, for 91 % or more. Of few lists, take a larger share."""


def _account_page() -> str:
    rows = [[f"`{one.name}`", one.summary] for one in catalog().all("account")]
    rows.append(["`undefined METRIC`", "lists for which the metric is undefined; not in its mean"])
    told = "The counts that `result.account()` returns. They stand beside the values of the [metrics](index.md)."
    return "\n\n".join(["# The account", told, table(["count", "what it is"], rows)]) + "\n"


# --- Markdown ---------------------------------------------------------------------------------------------------------


def linked(source: str) -> str:
    """A source with a link for its DOI or arXiv number."""
    source = re.sub(r"doi:(\S+?)(?=;?(?:\s|$))", r"[doi:\1](https://doi.org/\1)", source)
    return re.sub(r"arXiv:([\d.]+\d)", r"[arXiv:\1](https://arxiv.org/abs/\1)", source)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
