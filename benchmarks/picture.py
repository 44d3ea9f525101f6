"""Draw docs/performance.svg from results.json: each job beside the plan written by hand, and how rows add up.

`python benchmarks/picture.py [RESULTS [PICTURE]]`. Sets that were not measured are left out of the picture.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

HERE = Path(__file__).resolve().parent
PICTURE = HERE.parent / "docs" / "performance.svg"
ENGINES = {"duckdb": "DuckDB", "polars": "Polars"}
BY = {
    "bare join": "the bare join",
    "hand": "best plan by hand",
    "rankmetrics": "rankmetrics",
    "first": "first SQL by hand",
}
OURS, OTHERS, PEERS = "rankmetrics", "by hand", "other libraries"
COLORS = {OURS: "#1f6feb", OTHERS: "#9aa4b2", PEERS: "#d29922"}
LINES = {"DuckDB": "#b8860b", "Polars": "#1f6feb"}
ROWS = {"1M": 1e6, "10M": 1e7, "100M": 1e8}
LOWEST = 0.5  # where the bars begin: a logarithm has no 0
INK = "#24292f"


def cpu(found: dict[str, Any], job: str, of_rounds: str = "median") -> float:
    """The CPU seconds of a job."""
    return float(found["jobs"][job]["cpu_s"][of_rounds])


def beside_hand(results: dict[str, Any]) -> list[dict[str, Any]]:
    """The CPU of each job, and of each library, over that of the plan written by hand."""
    ranked = results["ranked"]
    rows = [
        {
            "what": f"{called}: {told}",
            "times": cpu(ranked, f"{job} {engine}") / cpu(ranked, f"hand {engine}"),
            "kind": OURS if job == "rankmetrics" else OTHERS,
        }
        for engine, called in ENGINES.items()
        for job, told in BY.items()
    ]
    ours = cpu(ranked, "rankmetrics duckdb") / cpu(ranked, "hand duckdb")
    ratios = results.get("peers", {}).get("ratios", {})  # these are beside rankmetrics on DuckDB
    peers = [{"what": peer, "times": one["cpu"]["median"] * ours, "kind": PEERS} for peer, one in ratios.items()]
    return rows + sorted(peers, key=lambda row: float(row["times"]))


def per_row(results: dict[str, Any]) -> list[dict[str, Any]]:
    """The nanoseconds of CPU that a row takes, without the start of the process, at each size."""
    growth = results.get("growth")
    return [
        {"engine": called, "rows": rows, "ns": 1e9 * (job_cpu - start) / rows}
        for engine, called in ENGINES.items()
        if growth
        for start in [cpu(growth, f"rankmetrics {engine}, one list", "lowest")]
        for size, rows in ROWS.items()
        for job_cpu in [cpu(growth, f"rankmetrics {engine}, {size}", "lowest")]
    ]


def label(times: float) -> str:
    """A number in as many places as tell something."""
    return f"{times:.0f}" if times >= 10 else f"{times:.1f}" if times >= 1 else f"{times:.2f}"


def bars(rows: list[dict[str, Any]]) -> Any:
    """Horizontal bars over a logarithmic scale."""
    domain = [LOWEST, max(10, 1.7 * max(row["times"] for row in rows))]
    base = alt.Chart(pl.DataFrame([{**row, "from": LOWEST, "label": label(row["times"])} for row in rows])).encode(
        y=alt.Y(
            "what:N",
            sort=[row["what"] for row in rows],
            title=None,
            axis=alt.Axis(ticks=False, grid=False, labelLimit=220),
        )
    )
    kinds = [kind for kind in COLORS if any(row["kind"] == kind for row in rows)]
    drawn = base.mark_bar(height=13).encode(
        x=alt.X(
            "from:Q",
            scale=alt.Scale(type="log", domain=domain, nice=False),
            axis=alt.Axis(values=[1, 2, 5, 10, 20, 50, 100, 200, 500], ticks=False),
            title="times the CPU of the best plan by hand (log scale)",
        ),
        x2="times:Q",
        color=alt.Color("kind:N", scale=alt.Scale(domain=kinds, range=[COLORS[kind] for kind in kinds]), legend=None),
    )
    labels = base.mark_text(align="left", dx=4, color=INK).encode(x="times:Q", text="label:N")
    one = alt.Chart(pl.DataFrame({"one": [1]})).mark_rule(color=INK).encode(x="one:Q")
    return alt.layer(one, drawn, labels).properties(width=360, height=alt.Step(19))


def lines(rows: list[dict[str, Any]]) -> Any:
    """A line for each engine over the number of rows."""
    base = alt.Chart(pl.DataFrame(rows)).encode(
        x=alt.X(
            "rows:Q",
            scale=alt.Scale(type="log"),
            title="recommendations",
            axis=alt.Axis(values=[*ROWS.values()], format="~s"),
        ),
        y=alt.Y("ns:Q", scale=alt.Scale(zero=True), title="CPU per row, ns, without the start"),
        color=alt.Color("engine:N", scale=alt.Scale(domain=[*LINES], range=[*LINES.values()]), legend=None),
    )
    ends = (
        base.transform_filter(f"datum.rows == {max(ROWS.values())}")
        .mark_text(align="left", dx=7)
        .encode(text="engine:N")
    )
    return alt.layer(base.mark_line(point=True), ends).properties(width=230, height=190)


def picture(results: dict[str, Any]) -> Any:
    """Both, side by side, on a white card that is read in the dark, too."""
    data = results["ranked"]["data"]["ranked"]
    title = f"Six metrics at 5, 10, 20 of {data['recs'] / 1e6:.0f} million recommendations, from Parquet, whole process"
    growth = per_row(results)
    charts = [bars(beside_hand(results)), *([lines(growth)] if growth else [])]
    return (
        alt.hconcat(*charts, spacing=40, background="white", padding=14)
        .resolve_scale(color="independent")
        .properties(title=alt.Title(title, anchor="start", fontSize=13, color=INK))
        .configure(font="sans-serif")
        .configure_view(stroke=None)
        .configure_axis(labelColor=INK, titleColor=INK, titleFontWeight="normal", gridColor="#e6e8eb", domain=False)
    )


def main() -> None:
    """Draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs="?", default=HERE / "results.json")
    parser.add_argument("picture", type=Path, nargs="?", default=PICTURE)
    given = parser.parse_args()
    picture(json.loads(given.results.read_text(encoding="utf-8"))).save(str(given.picture), format="svg")


if __name__ == "__main__":
    main()
