"""The page of the documentation that explains an error or a warning, and the command that prints it.

A page is written as on the site: `inputs/#columns` is the heading Columns of docs/inputs.md. Imports no other module of
the package.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping

# The address of the site, such as https://docs.example/rankmetrics: set it when the site is published.
SITE = ""

# The page for the errors of a module, or of all modules of a sub-package. Errors of other modules have the page of
# their class.
PAGES: Mapping[str, str] = {
    "rankmetrics.arms": "logs/#arms-of-an-experiment",
    "rankmetrics.audits": "audit/",
    "rankmetrics.comparisons": "comparing/",
    "rankmetrics.conventions": "conventions/",
    "rankmetrics.estimates": "sampled/#estimate-the-full-ranking",
    "rankmetrics.export.dbt": "dbt/",
    "rankmetrics.gates": "gates/",
    "rankmetrics.inputs.layout": "messages/#columns-without-a-clear-role",
    "rankmetrics.inputs.negatives": "sampled/",
    "rankmetrics.inputs.shapes": "shapes/",
    "rankmetrics.inputs.columns": "messages/#types-that-do-not-fit",
    "rankmetrics.judges": "judges/",
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
}


def page_of_module(module: str) -> str:
    """The page for the errors of a module, as `splits/`; nothing if they have the page of their class."""
    while module:
        if module in PAGES:
            return PAGES[module]
        module = module.rpartition(".")[0]
    return ""


def calling_module(own: str) -> str:
    """The name of the module that called the module `own`, also by a `with`."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") in (own, __name__, "contextlib"):
        frame = frame.f_back
    return str(frame.f_globals.get("__name__")) if frame is not None else ""


def help_on(page: str) -> str:
    """The command that prints a page, and its address once the site is published."""
    command = f"rankmetrics help {page.replace('/#', '/').rstrip('/')}"
    return f"{command} ({SITE}/{page})" if SITE else command
