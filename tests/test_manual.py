"""`rm.help` and `rankmetrics help`: pages, sections, metrics and words lead to text that ships with the package."""

from __future__ import annotations

import pytest

import rankmetrics as rm
from rankmetrics.manual import manual, pages, search
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
        "pyterrier": "# Migrating from PyTerrier",
        "": "# Pages",
    }.items():
        assert first_line(topic) == line, topic


def test_a_section_has_the_sections_below_it_and_names_the_sections_that_it_links_to() -> None:
    text = manual("messages/data")
    assert "### No recommendations" in text
    assert "# Messages" not in text
    assert "](" not in text
    assert "Further: `rankmetrics help warehouse-checks`" in text


def test_formulas_are_code_and_pictures_are_left_out() -> None:
    assert "```text\n\\frac{" in manual("metrics/ndcg")
    assert "- `i`: a rank" in manual("metrics/ndcg")
    assert "![" not in manual("concepts/lists")
    assert "```console\n$ rankmetrics" in manual("splits")  # code stays


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
    "confidence interval": "metrics/aggregates comparing plots tasks",
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
    "threads": "larger-than-memory",
    "memory limit": "larger-than-memory tasks",
    "glob": "inputs lakehouse",
    "parquet": "quickstart/parquet inputs tasks",
    "csv": "inputs plots tasks",
    "latex": "plots comparing tasks",
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
