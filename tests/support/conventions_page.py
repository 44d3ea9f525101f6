"""The page about conventions, written from sql/conventions."""

from __future__ import annotations

from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS, Convention
from tests.support.markdown import convention_anchor, table


def _conventions_table() -> str:
    """A row per convention: the library, and the page that tells its users how to migrate."""
    rows = [
        [
            f"[`{one.name}`]({convention_anchor(one.name)})",
            one.what,
            f"[migrating](migrating/{one.name.partition('-')[0]}.md)",
        ]
        for one in CONVENTIONS
    ]
    return table(["convention", "library", "how to migrate"], rows)


def conventions_page() -> str:
    """The page docs/conventions.md: a table of the conventions, then a section for each."""
    parts = [
        "# The conventions",
        (
            "A convention is a data file of `sql/conventions`: the library's names "
            "of its metrics, the metric of rankmetrics that returns the same number, and the policies that all of its "
            "metrics share. You can set each of these parameters yourself, without the convention. "
            "[reproduction.md](reproduction.md) lists the comparisons with the libraries' own numbers, and the "
            "numbers that were left out. `rm.compare_conventions` says which choice moves your number: "
            "[explaining.md](explaining.md#which-choice-moves-the-number)."
        ),
        _conventions_table(),
        *(_convention_part(one) for one in CONVENTIONS),
    ]
    return "\n\n".join(parts) + "\n"


def _convention_part(convention: Convention) -> str:
    """The policies, names and notes of a convention."""
    policies = []
    for name, value in convention.policies.items():
        parameter = catalog().shared(name)
        policies.append(f"- `{name}={value}`: {parameter.choices.get(str(value), parameter.summary.rstrip('.'))}")
    spellings = [[f"`{theirs}`", f"`{ours}`"] for theirs, ours in convention.spellings.items()]
    aliases = [f"Also called: {', '.join(f'`{one}`' for one in convention.aliases)}.", ""] if convention.aliases else []
    lines = [f"## {convention.name}", "", f"{convention.what}.", "", *aliases, *policies, ""]
    lines += [table(["name in the library", "metric of rankmetrics, under these policies"], spellings), ""]
    lines += [f"- {one}" for one in convention.notes]
    for rule, of in (("without a cutoff", convention.no_cutoff), ("with a cutoff", convention.needs_cutoff)):
        named = [f"`{one}`" for one in convention.spellings if one in of]
        lines += [f"- Accepted only {rule}: {', '.join(named)}."] if named else []
    if convention.refused:
        refused = [[f"`{one}`", instead] for one, instead in convention.refused.items()]
        lines += ["", table(["not available", "use instead"], refused)]
    return "\n".join(lines).rstrip()
