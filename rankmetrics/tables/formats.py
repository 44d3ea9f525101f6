"""A leaderboard as text: a Markdown table, a LaTeX table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rankmetrics.tables.display import Rows, are_numbers, shown_value

# What LaTeX does not print as it is.
LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "\n": " ",
    }
)
MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\|*_`<>[]"} | {"\n": " "})


def markdown(columns: Sequence[str], rows: Rows, best: Mapping[str, float | None]) -> str:
    """A table as GitHub reads it: numbers to the right, the best value of a column bold.

    Example:
        >>> rows = [{"system": "als", "rr": 0.5}, {"system": "pop", "rr": 0.25}]
        >>> print(markdown(["system", "rr"], rows, {"rr": 0.5}))
        | system | rr |
        |:---|---:|
        | als | **0.5000** |
        | pop | 0.2500 |
        <BLANKLINE>
    """
    head = [name.translate(MARKDOWN) for name in columns]
    rule = ["---:" if are_numbers(name, rows) else ":---" for name in columns]
    body = _cells(columns, rows, best, lambda text: text.translate(MARKDOWN), lambda text: f"**{text}**")
    return "".join(
        [f"| {' | '.join(head)} |\n", f"|{'|'.join(rule)}|\n", *(f"| {' | '.join(one)} |\n" for one in body)]
    )


def latex(columns: Sequence[str], rows: Rows, best: Mapping[str, float | None]) -> str:
    r"""A table with the rules of the LaTeX package booktabs: numbers to the right, the best value of a column bold.

    Example:
        >>> print(latex(["system", "n_hits"], [{"system": "als", "n_hits": 2.0}], {}))
        \begin{tabular}{lr}
        \toprule
        system & n\_hits \\
        \midrule
        als & 2.0000 \\
        \bottomrule
        \end{tabular}
        <BLANKLINE>
    """
    sides = "".join("r" if are_numbers(name, rows) else "l" for name in columns)
    body = _cells(columns, rows, best, lambda text: text.translate(LATEX), lambda text: f"\\textbf{{{text}}}")
    lines = [
        f"\\begin{{tabular}}{{{sides}}}",
        "\\toprule",
        f"{' & '.join(name.translate(LATEX) for name in columns)} \\\\",
        "\\midrule",
        *(f"{' & '.join(one)} \\\\" for one in body),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _cells(
    columns: Sequence[str],
    rows: Rows,
    best: Mapping[str, float | None],
    escape: Callable[[str], str],
    mark: Callable[[str], str],
) -> list[list[str]]:
    """The cells of the rows as text, the best values marked."""
    return [
        [
            mark(escape(shown_value(row[name])))
            if row[name] is not None and row[name] == best.get(name)
            else escape(shown_value(row[name]))
            for name in columns
        ]
        for row in rows
    ]


FORMATS: Mapping[str, Callable[[Sequence[str], Rows, Mapping[str, float | None]], str]] = {
    "markdown": markdown,
    "latex": latex,
}
