"""The code of every page: a page with Python is run here, or by a test of its own; commands have flags that exist.

Blocks marked `py` are not run: they need a trained model, a cluster or a database. Their syntax is checked, and so are
the names and keywords of `rm.…(…)` in them.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from docs.tooling.metric_examples import examples
from docs.tooling.page_code import (
    blocks,
    commands,
    pages,
    parse,
    pipes,
    run_code,
    sample_folder,
    shell_commands,
    wrong_calls,
)
from rankmetrics.metrics.catalog import catalog
from tests import ROOT
from tests.support.commands import run

# Pages whose tests check more than that the code runs, or run it on data of their own.
OWN_TESTS = {
    **{
        f"docs/{name}.md": "tests/docs/test_followed_pages.py"
        for name in "comparing explaining gates judges lakehouse models sampled segments splits ties".split()
    },
    "docs/tutorials/model.md": "tests/docs/test_followed_pages.py",
    "docs/orchestration.md": "tests/export/test_increments.py",
    "docs/plots.md": "tests/plots/test_charts.py",
    "docs/shapes.md": "tests/engines/test_shapes_page.py",
}
# tests/fidelity/test_migrating.py runs docs/migrating, tests/test_notebooks.py the notebooks, test_site.py and
# test_quickstarts.py the folders of their names.
FOLDERS = ("docs/migrating/", "docs/notebooks/", "docs/concepts/", "docs/quickstart/")
# The pages of metrics are written with the numbers of their examples, so one of them is run in the short tests.
LONG = {page for page in pages() if page.startswith("docs/metrics/")} - {"docs/metrics/ndcg.md"} | {
    f"docs/{name}.md" for name in ("audit", "logs", "propensities", "reports")
}
PYTHON = [page for page in pages() if blocks(page, "python", "pycon")]
HERE = [page for page in PYTHON if page not in OWN_TESTS and not page.startswith(FOLDERS)]
METRICS = {definition.name: definition for definition in catalog().metrics()}
CONSOLE = [page for page in pages() if commands(page)]


def names(page: str) -> dict[str, Any]:
    """What the code of a page may use without saying so: the package, Polars, and the sample or the page's example."""
    metric = page.removeprefix("docs/metrics/").removesuffix(".md")
    if metric in METRICS:
        example = examples(METRICS[metric])[0]
        return {"rm": rm, "recs": example.recs, "truth": example.truth, **example.inputs}
    sample = {name: pl.scan_parquet(f"data/{name}.parquet") for name in ("recs", "truth", "history")}
    return {"rm": rm, "pl": pl, **sample}


@pytest.mark.parametrize("page", [pytest.param(page, marks=pytest.mark.long if page in LONG else ()) for page in HERE])
def test_the_python_of_a_page_runs_from_top_to_bottom(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample_folder(tmp_path))
    found = names(page)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rm.RankMetricsWarning)
        for block in blocks(page, "python", "pycon"):
            run_code(block, page, found)


def test_a_page_with_a_test_of_its_own_has_python_that_this_test_runs() -> None:
    for page, file in OWN_TESTS.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        assert page in PYTHON, page
        assert page in text or f'"{Path(page).name}"' in text, page


def test_python_that_is_not_run_has_names_and_keywords_that_exist() -> None:
    wrong = {page: found for page in pages() for block in blocks(page, "py") if (found := [*wrong_calls(block)])}
    assert wrong == {}


def test_the_commands_of_pages_have_flags_that_exist() -> None:
    for page in CONSOLE:
        for words in commands(page):
            parse(words)


def test_a_command_without_such_a_flag_and_a_call_without_such_a_keyword_are_found() -> None:
    with pytest.raises(Exception, match="no-such-flag"):
        parse(["evaluate", "a.parquet", "b.parquet", "-m", "ndcg@10", "--no-such-flag"])
    with pytest.raises(AssertionError, match="no command"):
        parse(["evaluates", "a.parquet"])
    assert [*wrong_calls("rm.evaluate(a, b, metric=1)\nrm.no_such_name()")] == [
        "rm.evaluate has no parameter metric",
        "rm.no_such_name does not exist",
    ]


def test_a_block_that_is_copied_has_code_alone() -> None:
    texts = {page: (ROOT / page).read_text(encoding="utf-8") for page in pages()}
    assert [page for page, text in texts.items() if re.search(r"^ *```console|^ *\$ \w", text, re.MULTILINE)] == []
    assert shell_commands("a \\\n  b 'c\nd'\n\ne # f") == ["a    b 'c\nd'", "e # f"]


@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in CONSOLE if page not in OWN_TESTS and not pipes(page)])
def test_the_commands_of_a_page_that_read_the_sample_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample_folder(tmp_path))
    of_sample = [words for words in commands(page) if any(word.startswith("data/") for word in words)]
    assert {" ".join(words): code for words in of_sample if (code := run(*words)[0])} == {}
