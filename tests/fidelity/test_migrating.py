"""The pages on migrating: their code runs, their tables are the conventions', their numbers are those returned."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from docs.tooling.page_code import blocks
from peers.libraries import data
from peers.problems import EXAMPLE
from peers.reproduction import SHARED
from rankmetrics.errors import plain
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS, Convention, find
from tests.support.library_objects import OBJECTS
from tests.support.shared import needs_shared

FOLDER = Path(__file__).parents[2] / "docs" / "migrating"
INDEX = FOLDER / "README.md"
SPLITS = FOLDER.parents[1] / "sql" / "splits"
PAGES = sorted(set(FOLDER.glob("*.md")) - {INDEX})

# The code of a page that is ours, with the comments before it that name the examples it repeats: of the shared numbers,
# or of those in peers/golden.
BLOCK = re.compile(
    r"((?:<!-- (?:case|golden): [^\n]+ -->\n)*)```python\n((?:(?!```).)*\brm\.(?:(?!```).)*)```", re.DOTALL
)
CASE = re.compile(r"<!-- case: (\S+)(?: \((.+)\))? -->")
KEPT = re.compile(r"<!-- golden: (\w+) \| (\S*) \| (\S+) \| ?(\d*) ?-->")
NUMBER = re.compile(r"^assert .* == ([\d.]+)$", re.MULTILINE)


def rows() -> Iterator[tuple[Convention, str, str]]:
    """The rows of the tables whose headers name conventions: convention, our call, the same in our own terms."""
    for page in PAGES:
        named: dict[int, Convention] = {}
        for line in page.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if len(cells) > 1 and cells[1] == "our call":
                named = {at: find(cell.split("`")[1]) for at, cell in enumerate(cells[2:], 2)}
            elif not cells:
                named = {}
            elif not cells[0].startswith("---"):
                yield from ((one, cells[1].strip("`"), cells[at].strip("`")) for at, one in named.items())


ROWS = [*rows()]


def numbers(pattern: re.Pattern[str]) -> Iterator[tuple[str, str, Sequence[str], str]]:
    """The numbers that pages assert: page, the text before the block, the example that it repeats, the number."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            named = pattern.findall(block[1])
            asserted = NUMBER.findall(block[2]) if named else []
            for example, number in zip(named, asserted, strict=True):
                yield page.stem, text[: block.start()], example, number


PAGES_THAT_RUN = [INDEX, *(pytest.param(page, marks=[pytest.mark.long] * (page.stem != "trec_eval")) for page in PAGES)]


@pytest.mark.parametrize("page", PAGES_THAT_RUN, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs(page: Path) -> None:
    blocks = [block[2] for block in BLOCK.finditer(page.read_text(encoding="utf-8"))]
    namespace: dict[str, object] = {}
    for code in blocks:
        exec(compile(code, page.name, "exec"), namespace)
    assert blocks


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_begins_with_lines_that_measure_the_objects_of_the_library(page: Path) -> None:
    first = next(iter(blocks(f"docs/migrating/{page.name}", "py", "python")))
    *lines, last = ast.parse(first).body
    assert isinstance(last, ast.Expr)
    names: dict[str, Any] = {"rm": rm, "pl": pl, **OBJECTS[page.stem]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rm.RankMetricsWarning)
        exec(compile(ast.Module(lines, []), page.name, "exec"), names)
        values = eval(compile(ast.Expression(last.value), page.name, "eval"), names).collect()
    assert values.width > 2
    assert values.null_count().row(0) == (0,) * values.width


def test_the_index_names_every_convention() -> None:
    text = INDEX.read_text(encoding="utf-8")
    assert [one.name for one in CONVENTIONS if f"| `{one.name}` |" not in text] == []
    assert [page.name for page in PAGES if f"]({page.name}" not in text] == []


def test_every_spelling_of_a_convention_is_in_its_table() -> None:
    there: dict[str, set[str]] = {one.name: set() for one in CONVENTIONS}
    for table, call, _ in ROWS:
        for convention in CONVENTIONS:
            if convention.spellings == table.spellings:
                there[convention.name].add(plain(rm.parse(call, convention.name).spelling))
    assert there == {one.name: {plain(spelling) for spelling in one.spellings} for one in CONVENTIONS}


def test_a_row_of_a_table_says_the_same_twice() -> None:
    assert ROWS
    for convention, call, own in ROWS:
        ours = rm.parse(own).under(decided=convention.policies)
        assert rm.parse(call, convention.name) == ours, (convention.name, call)


def test_a_page_says_what_its_conventions_decide_of_all_metrics() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        is_recomputed = page.stem == "competitions"  # tests/metrics/test_competitions.py has their scripts
        assert is_recomputed or CASE.search(text) or KEPT.search(text), page  # a number that the library returned
        for convention in {one.name: one for one in CONVENTIONS if f"`{one.name}`" in text}.values():
            for name, value in convention.policies.items():
                said = f'`{name}="{value}"`' if name in ("missing", "ties") else f"`{name}={value}`"
                assert said in text, (convention.name, said)


def test_a_number_of_a_page_is_what_the_library_returned_here() -> None:
    for page, before, (library, setting, metric, k), number in numbers(KEPT):
        rows = data(library).filter(pl.col("user").is_null(), problem=EXAMPLE, setting=setting, metric=metric)
        (value,) = rows.filter(pl.col("k").fill_null(0) == int(k or 0))["value"]
        assert abs(value - float(number)) <= 0.51 * 10.0 ** -len(number.partition(".")[2]), (page, metric)
        assert number in before, page  # what the page says that the library returns


@needs_shared
def test_a_number_of_a_page_is_what_the_library_returned() -> None:
    every = json.loads((SHARED / "golden" / "cases.json").read_text(encoding="utf-8"))
    examples = {one["id"]: one for one in every}
    for page, before, (case, release), number in numbers(CASE):
        found = examples[case]
        returned = found["observed"][release] if release else found.get("observed_value", found["expected"])
        values = returned if isinstance(returned, list) else [returned]
        near = 0.51 * 10.0 ** -len(number.partition(".")[2]) if len(number) > 5 else 1e-9
        assert any(abs(value - ast.literal_eval(number)) <= near for value in values), (page, case, returned)
        assert number in before, page  # what the page says that the library returns


# The metrics, modes and arguments that the documentation of five libraries names, by the page that must have them.
WORDS = {
    "replay": """
        HitRate Precision MAP Recall RocAuc MRR NDCG Surprisal Unexpectedness Coverage Novelty CategoricalDiversity
        Mean Median PerUser ConfidenceInterval OfflineMetrics Experiment NCISPrecision
    """,
    "elliot": """
        cutoffs top_k relevance_threshold simple_metrics complex_metrics beta metric_0 metric_1 pop_ratio
        clustering_file user_clustering_file feature_data paired_ttest wilcoxon_test ProxyRecommender
    """,
    "recometrics": """
        precision trunc_precision recall average_precision trunc_average_precision ndcg hit rr roc_auc pr_auc
        all_metrics rename_k break_ties_with_noise min_pos_test min_items_pool consider_cold_start cumulative nthreads
        seed item_biases
    """,
    "capri": """
        precisionk recallk mapk ndcgk listDiversity novelty catalogCoverage personalization
    """,
    "lenskit": """
        Precision Recall Hit RecipRank AveragePrecision NDCG DCG RBP MeanPopRank ListGini ExposureGini ListLength
        TestItemCount entropy rank_biased_entropy rank_biased_overlap least_item_promoted GeometricRankWeight
        LogRankWeight RMSE MAE RunAnalysis precision recall hit recip_rank ndcg dcg RecListAnalysis include_missing
        rmse mae
    """,
}


@pytest.mark.parametrize("page", WORDS)
def test_a_page_has_every_word_of_the_documentation_of_the_library(page: str) -> None:
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    assert [word for word in WORDS[page].split() if not re.search(rf"\b{word}\b", text)] == []


# The words of a paragraph or a row that denies a metric; so do the rows of a table below "refused with an error:".
DENIED = re.compile(r"\b(?:not here|[Nn]ot supported|no metric here|[Rr]efused are|(?:is|are) refused)\b")
A_NAME = re.compile(r"\b(?:[A-Z]{2,}[\w-]*|[A-Z]\w*[A-Z]\w*|[a-z]+_\w+)\b")
POINTS = re.compile(r"convention[=s]|rm\.|result\.|rankmetrics |\]\(")


def denials() -> Iterator[tuple[str, str, str]]:
    """The denials of pages: page, words, and each name in them that the page's own conventions do not have."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        own = {plain(name) for one in CONVENTIONS if f"`{one.name}`" in text for name in one.spellings}
        is_refused = False
        for part in text.split("\n\n"):
            lines = part.splitlines() if part.startswith("|") else [part]
            for line in lines:
                if (is_refused and part.startswith("|")) or DENIED.search(line):
                    yield from ((page.stem, line, name) for name in A_NAME.findall(line) if plain(name) not in own)
            is_refused = part.endswith("refused with an error:")


def test_a_page_that_denies_what_exists_says_where_it_is() -> None:
    elsewhere = {plain(name) for one in CONVENTIONS for name in one.spellings}
    elsewhere |= {plain(name) for metric in catalog().metrics() for name in (metric.name, *metric.aliases)}
    elsewhere |= {plain(name) for path in SPLITS.rglob("*.sql") for name in A_NAME.findall(path.read_text("utf-8"))}
    found = [*denials()]
    assert len(found) > 20
    assert [(page, name) for page, line, name in found if plain(name) in elsewhere and not POINTS.search(line)] == []
