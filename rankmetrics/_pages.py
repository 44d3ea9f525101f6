"""The page of the documentation that explains an error or a warning, and its address on the site.

A page is written as on the site: `inputs/#columns` is the heading Columns of docs/inputs.md. Imports no other module of
the package.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache

# The page for the errors of a module, or of all modules of a sub-package. Errors of other modules have the page of
# their class.
PAGES: Mapping[str, str] = {
    "rankmetrics.comparisons": "comparing/",
    "rankmetrics.conventions": "conventions/",
    "rankmetrics.estimates": "sampled/#estimate-the-full-ranking",
    "rankmetrics.export.dbt": "dbt/",
    "rankmetrics.gates": "gates/",
    "rankmetrics.inputs.layout": "messages/#columns-without-a-clear-role",
    "rankmetrics.inputs.list_columns": "messages/#list-columns",
    "rankmetrics.inputs.negatives": "sampled/",
    "rankmetrics.inputs.shapes": "shapes/",
    "rankmetrics.inputs.columns": "messages/#types-that-do-not-fit",
    "rankmetrics.metrics.conventions": "conventions/",
    "rankmetrics.metrics.own": "own-metrics/",
    "rankmetrics.engines.lakehouse": "lakehouse/",
    "rankmetrics.engines.selects": "messages/#queries-as-inputs",
    "rankmetrics.engines.text_files": "inputs/#text-files",
    "rankmetrics.faults.fault_query": "warehouse-checks/",
    "rankmetrics.planner.ties": "ties/",
    "rankmetrics.plots": "plots/",
    "rankmetrics.rankings": "models/",
    "rankmetrics.reports": "reports/",
    "rankmetrics.segments": "segments/",
    "rankmetrics.splits": "splits/",
    "rankmetrics.suites": "gates/#suites",
    "rankmetrics.traces": "explaining/",
    "rankmetrics.trackers": "gates/#mlflow-and-other-trackers",
    "rankmetrics.cli.gate": "gates/",
}


def page_of_module(module: str) -> str:
    """The page for the errors of a module; nothing if they have the page of their class.

    >>> page_of_module("rankmetrics.splits.methods"), page_of_module("rankmetrics.api")
    ('splits/', '')
    """
    while module:
        if module in PAGES:
            return PAGES[module]
        module = module.rpartition(".")[0]
    return ""


def calling_module(own: str) -> str:
    """The name of the module that called the module `own`."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") in (own, __name__):
        frame = frame.f_back
    return str(frame.f_globals.get("__name__")) if frame is not None else ""


@cache
def address() -> str:
    """The address of the documentation, from the metadata of the package; nothing where the package has none."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        urls = metadata("rankmetrics").get_all("Project-URL") or []
    except PackageNotFoundError:  # imported from an archive
        return ""
    named = dict(url.split(", ", 1) for url in urls)
    return str(named.get("Documentation", "")).rstrip("/")


def url_of(page: str) -> str:
    """The address of a page; nothing where the address of the documentation is not known."""
    return f"{address()}/{page}" if address() else ""
