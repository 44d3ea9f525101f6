"""The picture of `make demo`, docs/demo.svg."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from rankmetrics.cli.commands import show_demo


def demo_picture() -> str:
    """The terminal after `make demo`, as the README shows it."""
    screen = Console(record=True, width=100, file=StringIO(), force_terminal=True, highlight=False)
    show_demo(screen)
    return screen.export_svg(title="make demo", unique_id="demo")
