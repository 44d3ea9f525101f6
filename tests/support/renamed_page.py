"""docs/renamed.md, written from sql/renamed.toml."""

from __future__ import annotations

from rankmetrics.metrics.renamed import former_names

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
