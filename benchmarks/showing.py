"""What was measured, as tables in the terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table


def show(name: str, found: dict[str, Any]) -> None:
    """Print the results of a set: what each process took, what that comes to beside its targets, and where."""
    jobs = table(name, "CPU s", "of the rounds", "wall s", "peak MB")
    for job, took in found["jobs"].items():
        wall, memory = took["wall_s"]["median"], took["memory_mb"]["median"]
        jobs.add_row(job, *range_of(took["cpu_s"]), f"{wall:.2f}", f"{memory:.0f}")
    told = table("what", "median", "of the rounds", "target", "")
    for what, one in found["numbers"].items():
        told.add_row(what, *range_of(one), *target_of(one))
    console = Console(width=110, highlight=False)
    console.print(jobs, "", told, "", sep="\n")
    console.print(", ".join(f"{package} {number}" for package, number in found["versions"].items()))
    machine = found["machine"]
    console.print(f"{found['rounds']} rounds, {machine['cpus']} CPUs, load {machine['load_before']} before")
    for data, sizes in found["data"].items():
        console.print(f"{data}: " + ", ".join(f"{number:,} {of}" for of, number in sizes.items()))
    console.print()


def table(*headings: str) -> Table:
    """A table of a column of words and columns of numbers."""
    made = Table(*headings, show_edge=False, pad_edge=False)
    for column in made.columns[1:]:
        column.justify = "right"
    return made


def range_of(one: dict[str, float]) -> tuple[str, str]:
    """The median, and the lowest and the highest round, in as many places as tell something."""
    places = 0 if one["median"] >= 100 else 2 if one["median"] >= 0.1 else 3
    return f"{one['median']:.{places}f}", f"{one['lowest']:.{places}f} to {one['highest']:.{places}f}"


def target_of(one: dict[str, Any]) -> tuple[str, str]:
    """What a number should be, and whether it is."""
    if "at_most" in one:
        return f"<= {one['at_most']}", "[green]met[/green]" if one["met"] else "[red]not met[/red]"
    return (f"({one['hoped']} hoped for)", "") if "hoped" in one else ("", "")
