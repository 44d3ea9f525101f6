"""`rm.help`, and the pages of errors and warnings: each is a page and a heading of docs/, and can be printed."""

from __future__ import annotations

import importlib.util
import re
import tomllib
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import rankmetrics as rm
from docs.tooling.markdown import site_anchors
from rankmetrics import errors
from rankmetrics.faults.checks import read_check
from rankmetrics.manual import manual, pages, search
from rankmetrics.metrics.catalog import catalog
from tests import ROOT
from tests.support.commands import printed
from tests.support.refusals import refusal


def first_line(topic: str) -> str:
    return manual(topic).partition("\n")[0]


def test_pages_sections_metrics_and_commands_have_names() -> None:
    for topic, line in {
        "messages/ranks-missing": "### Ranks missing",
        "messages/#ranks-missing": "### Ranks missing",
        "docs/messages.md#ranks-missing": "### Ranks missing",
        "splits": "# Splits",
        "ndcg(gain=exponential)@10": "# ndcg",
        "MAP": "# ap",
        "recall@50": "# recall",
        "ndcg10": "# ndcg",
        "pyterrier": "# Migrating from PyTerrier",
        "": "# Pages",
    }.items():
        assert first_line(topic) == line, topic


def test_a_section_has_the_sections_below_it_and_names_its_links() -> None:
    text = manual("messages/data")
    assert "### No recommendations" in text
    assert "# Messages" not in text
    assert "](" not in text
    assert "Further: `rankmetrics help warehouse-checks`" in text


def test_formulas_are_code_and_pictures_are_left_out() -> None:
    assert "```text\n\\frac{" in manual("metrics/ndcg")
    assert "- `i`: a rank" in manual("metrics/ndcg")
    assert "![" not in manual("concepts/lists")
    assert "```sh\nrankmetrics" in manual("splits")  # code stays


def test_words_lead_to_sections() -> None:
    for words, name in {
        "holm": "comparing/corrections-holm-and-others",
        "leave one out": "splits/methods-random-leave-one-out-time-folds",
        "novelty@10": "metrics/novelty-and-serendipity",
        "threads": "larger-than-memory/threads",
        "missing lists": "warnings/missing-lists",
        "airflow": "orchestration",
    }.items():
        assert name in [section.name for section in search(words)[:3]], words
        assert f"- `{name}`: " in manual(words), words


# What people look for, and pages of which one must be among the first three.
WORDS = {
    "leaderboard": "dbt tasks quickstart/parquet",
    "significance": "comparing reports",
    "holm": "comparing",
    "p-value": "comparing api/compare",
    "confidence interval": "intervals metrics/aggregates comparing plots tasks",
    "bootstrap": "comparing",
    "leave one out": "splits tasks",
    "time split": "splits",
    "k-fold": "splits",
    "cold start": "splits messages inputs",
    "novelty": "metrics metrics/surprisal tasks",
    "diversity": "metrics metrics/list_diversity tasks",
    "coverage": "metrics/coverage metrics",
    "recall@50": "metrics/recall",
    "MAP": "metrics/ap migrating",
    "mrr": "metrics/rr",
    "ndcg": "metrics/ndcg",
    "which metric": "which-metric",
    "p90": "metrics/aggregates tasks",
    "kaggle": "tasks",
    "optuna": "tasks",
    "slide": "tasks",
    "threads": "larger-than-memory",
    "memory limit": "larger-than-memory tasks",
    "glob": "inputs lakehouse",
    "parquet": "quickstart/parquet inputs tasks",
    "csv": "inputs plots tasks",
    "latex": "plots comparing tasks api/compare",
    "snowflake": "tasks dialects",
    "bigquery": "dialects tasks",
    "dbt": "dbt",
    "airflow": "orchestration",
    "spark": "spark dialects migrating/spark",
    "ties": "ties concepts/ties metrics/policies",
    "missing lists": "warnings",
    "undefined": "concepts/undefined metrics/policies",
    "duplicates": "metrics/policies warnings messages",
    "segments": "segments",
    "worst lists": "explaining tasks cli/worst",
    "trace": "explaining cli/trace",
    "gate": "gates cli/gate",
    "github actions": "gates",
    "mlflow": "gates migrating/mlflow",
    "trec_eval": "migrating/trec_eval conventions",
    "ranx": "migrating/ranx conventions",
    "install": "quickstart/sql quickstart/parquet quickstart/python",
    "partition": "plots tasks warehouse-sql",
    "which engine": "which-engine",
}


def test_forty_words_find_their_page_among_the_first_three() -> None:
    assert len(WORDS) >= 40
    for words, expected in WORDS.items():
        first = [section.page for section in search(words)[:3]]
        assert {*first} & {*expected.split()}, (words, first)


def test_questions_of_which_metric_lead_to_the_page_that_answers_them() -> None:
    assert first_line("which metric") == "# Which metric should I use?"
    for words in ("which metric should I use?", "how to choose a metric", "MAP or nDCG"):
        assert search(words)[0].page == "which-metric", words


def test_a_topic_that_nothing_has_is_refused_with_near_names() -> None:
    with refusal(rm.InputError, "no section 'rank-missing'", "Did you mean 'messages/ranks-missing'"):
        rm.help("messages/rank-missing")
    with refusal(rm.InputError, "No page", "Did you mean 'messages/ranks-missing'"):
        rm.help("mesages/ranks-missing")
    with refusal(rm.InputError, "No page of the documentation has 'qwertyuiop'."):
        rm.help("qwertyuiop")


def test_the_command_takes_words_and_prints_what_python_prints(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed("help", "leave", "one", "out")
    rm.help("leave one out")
    assert text == capsys.readouterr().out
    assert text == f"{manual('leave one out')}\n"


def test_each_section_of_a_page_has_a_name_of_its_own_where_it_is_linked_to() -> None:
    assert len(pages()) > 100
    assert "api" not in {name.partition("/")[0] for name in pages()}


# --- The pages of errors and warnings: each is a page and a heading of docs/, and can be printed ----------------------


FAMILIES: list[type[errors.Message]] = [
    rm.RankMetricsWarning,
    errors.RankMetricsError,
    *errors.RankMetricsError.__subclasses__(),
]


def file_of(page: str) -> Path:
    """The Markdown file of a page: docs/NAME.md or docs/NAME/index.md."""
    name = page.partition("#")[0].strip("/")
    files = [ROOT / "docs" / f"{name}.md", ROOT / "docs" / name / "index.md"]
    return next((file for file in files if file.exists()), files[0])


EVERY_PAGE = {
    *errors.PAGES.values(),
    *(family.PAGE for family in FAMILIES),
    *(read_check(file).page for file in catalog().all("check") if "say" in file.fields),
    *tomllib.loads((ROOT / "sql" / "messages.toml").read_text("utf-8")),
    *(
        page
        for path in (ROOT / "rankmetrics").rglob("*.py")
        for page in re.findall(r'\bpage="([^"]+)"', path.read_text(encoding="utf-8"))
    ),
}


def test_links_lead_to_pages_and_headings_and_modules_with_pages_exist() -> None:
    assert {"warnings/#missing-lists", "segments/#systems-that-change-their-order"} <= EVERY_PAGE
    for page in EVERY_PAGE:
        path, anchor = file_of(page), page.partition("#")[2]
        assert path.exists(), page
        assert re.fullmatch(r"[a-z-]+/(#[a-z0-9-]+)?", page)
        assert not anchor or anchor in site_anchors(path.read_text(encoding="utf-8")), page
    assert [module for module in errors.PAGES if importlib.util.find_spec(module) is None] == []
    assert [family for family in FAMILIES if "PAGE" not in vars(family)] == []


def test_every_heading_of_the_warnings_is_the_page_of_a_warning() -> None:
    headings = re.findall(r"^### (.+)$", (ROOT / "docs" / "warnings.md").read_text(encoding="utf-8"), re.MULTILINE)
    linked = {page.partition("#")[2] for page in EVERY_PAGE if page.startswith("warnings/#")}
    assert {heading.lower().replace(" ", "-") for heading in headings} == linked


CALLS: list[tuple[str, Callable[[], object]]] = [
    ("metrics/", lambda: rm.evaluate({1: ["a"]}, {1: ["a"]}, "ndgc@10")),
    ("messages/#no-list-in-common", lambda: rm.evaluate({1: ["a"]}, {2: ["a"]}, "ndcg@10").collect()),
    ("messages/#types-that-do-not-fit", lambda: rm.evaluate({1: ["a"]}, {1: [7]}, "ndcg@10").collect()),
    ("dialects/", lambda: rm.to_sql("recs", "truth", "hit", lists="user", dialect="oracle7")),
    ("inputs/", lambda: rm.evaluate("absent.parquet", "absent.parquet", "ndcg@10")),
    ("comparing/", lambda: rm.evaluate({1: ["a"]}, {1: ["a"]}, "ndcg@10").compare(baseline="x")),
]


def test_the_last_line_of_a_traceback_is_a_command_that_prints_the_page() -> None:
    for page, call in CALLS:
        with pytest.raises(rm.RankMetricsError) as caught:
            call()
        assert caught.value.page == page
        assert "".join(traceback.format_exception(caught.value)).endswith(f"\n{caught.value.more}\n")
        assert "rankmetrics help" not in str(caught.value)
        topic = caught.value.more.removeprefix("More: rankmetrics help ")
        assert manual(topic).startswith("#"), topic


def test_every_page_of_a_message_can_be_printed() -> None:
    for page in EVERY_PAGE:
        assert manual(page).startswith("#"), page


def test_a_warning_ends_with_the_command_for_its_page() -> None:
    recs = {user: ["a"] for user in range(100)}
    result = rm.evaluate(recs, {user: ["a"] for user in range(120)}, "hit@1")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result.collect()
    more = "More: rankmetrics help warnings/missing-lists"
    assert [str(warning.message).splitlines()[-1] for warning in caught if "no recommend" in str(warning.message)] == [
        more
    ]
    assert [note for note in result.notes() if note.startswith("Warning: 20 of 120") and note.endswith(f" {more}")]


def test_once_the_site_is_published_a_message_has_its_address_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "SITE", "https://docs.example")
    error = rm.InputError("There is no such file.", page="inputs/#columns")
    assert error.more == "More: rankmetrics help inputs/columns (https://docs.example/inputs/#columns)"
    assert error.__notes__ == [error.more]


def test_the_project_names_the_address_of_its_documentation() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["urls"]["Documentation"].startswith("https://")
