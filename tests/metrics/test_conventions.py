"""Conventions of other libraries: however they are asked for, alone or several at once, and as they are explained."""

from __future__ import annotations

from math import log2
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.errors import plain
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS, Convention, find
from tests.support.commands import printed, refused, table
from tests.support.conventions import EXTRAS, PRECISION, RECS, TRUTH, about, counted, lists, means, result
from tests.support.engines import Engine
from tests.support.refusals import Asking, refusal

# --- one number, however it is asked for ------------------------------------------------------------------------------


def under(convention: str) -> rm.Metric:
    """Precision as a convention has it; the stubs know no `convention`, which every metric takes."""
    settings: dict[str, Any] = {"convention": convention}
    return rm.precision(**settings)


def test_every_convention_that_has_precision_is_here() -> None:
    having = [one.name for one in CONVENTIONS if any(rm.parse(it).name == "precision" for it in one.spellings.values())]
    assert [*PRECISION] == having


@pytest.mark.parametrize("name", PRECISION)
def test_a_convention_gives_one_number_however_it_is_asked_for(engine: Engine, name: str) -> None:
    theirs, value = PRECISION[name]
    asked = f"{theirs}(convention={name})@4"
    assert means(engine, f"{theirs}@4", convention=name) == about({f"{theirs}@4": value})
    assert means(engine, asked) == about({asked: value})
    assert means(engine, [rm.parse(f"{theirs}@4", convention=name)]) == about({f"{theirs}@4": value})
    (ours,) = means(engine, [under(name) @ 4]).values()
    assert ours == pytest.approx(value)


def test_the_command_line_takes_a_convention(tmp_path: Path) -> None:
    RECS.write_csv(tmp_path / "recs.csv")
    TRUTH.write_csv(tmp_path / "truth.csv")
    for name, (theirs, value) in PRECISION.items():
        command = ("evaluate", tmp_path / "recs.csv", tmp_path / "truth.csv", "-m", f"{theirs}@4")
        (row,) = table(printed(*command, "--convention", name))
        assert row[f"{theirs}@4"] == f"{value:.4f}", name


def test_ours_is_none_of_them(engine: Engine) -> None:
    assert means(engine, ["precision@4", "P@4"]) == about({"precision@4": 1 / 6, "P@4": 1 / 6})


@pytest.mark.parametrize("spelled", ["NDCG@2", "ndcg@2", "nDcG@2", "NDCG(gain=binary)@2"])
def test_a_column_is_called_as_the_metric_was_spelled(engine: Engine, spelled: str) -> None:
    value = ((1 / log2(3)) / (1 + 1 / log2(3)) + 1 + 0) / 3
    assert means(engine, spelled, convention="replay") == about({spelled: value})


def test_the_graded_and_the_binary_ndcg_of_elliot_have_their_own_names(engine: Engine) -> None:
    found = lists(engine, ["nDCG@2", "nDCGRendle2020@2"], convention="elliot")
    graded = (2**6 - 1) / log2(3) / ((2**6 - 1) + (2**3 - 1) / log2(3))
    binary = 1 / log2(3) / (1 + 1 / log2(3))
    assert found == [(1, pytest.approx(graded), pytest.approx(binary)), (2, 1.0, 1.0)]


def test_a_metric_that_names_its_own_convention_keeps_it(engine: Engine) -> None:
    asked = ["precision@4", "Precision(convention=lenskit)@4"]
    found = means(engine, asked, convention="capri")
    assert found == about({asked[0]: PRECISION["capri"][1], asked[1]: PRECISION["lenskit"][1]})


def test_a_metric_that_a_convention_does_not_have_is_refused_with_the_way_to_ours(ask: Asking) -> None:
    for metric in ("rr", "MRR", "rr@5"):
        name = metric.partition("@")[0]
        with refusal(
            rm.MetricError, f"no metric '{name}' under capri", "precisionk", f"{name}(convention=rankmetrics)"
        ):
            ask(metrics=metric, convention="capri")
    with refusal(rm.MetricError, "no metric 'rr' under capri", "rr(convention=rankmetrics)"):
        ask(metrics=[rm.rr @ 5], convention="capri")


def test_our_own_metric_may_be_named_under_a_convention(engine: Engine) -> None:
    # capri leaves out user 3, who has no list, and takes any row of the truth; our own takes user 3, too
    asked = ["precisionk@2", "rr(convention=rankmetrics)", "rr(convention=rankmetrics, missing=skip, relevance=any)"]
    assert lists(engine, asked, convention="capri") == [
        (1, 1 / 2, 1 / 2, 1 / 2),
        (2, 1 / 2, 1.0, 1.0),
        (3, None, 0.0, None),
    ]
    assert rm.parse("gini(convention=rankmetrics)@5") == rm.parse("gini@5")


def test_the_convention_of_rankmetrics_is_none(engine: Engine) -> None:
    assert lists(engine, ["precision@4"], convention="rankmetrics") == lists(engine, ["precision@4"])


def test_our_own_metric_still_wants_its_rating_under_a_convention(ask: Asking) -> None:
    unrated = pl.DataFrame({"user": [1], "item": [1]})
    with refusal(rm.ColumnError, "gain=linear)@5 reads ratings, and the truth has no rating column"):
        ask(truth=unrated, metrics="ndcg(convention=rankmetrics, gain=linear)@5", convention="replay")


def test_ours_of_a_name_stands_for_the_first_of_theirs(engine: Engine) -> None:
    asked = ["precision@4", "P@4", "TP@4"]
    assert under("recometrics") @ 4 == rm.parse("P(convention=recometrics)@4")
    assert means(engine, asked, convention="recometrics") == about(
        {"precision@4": 3 / 8, "P@4": 3 / 8, "TP@4": (2 / 3 + 1) / 2}
    )


# --- conventions that there are not -----------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["hit", "hit(convention=repaly)"])
def test_an_unknown_convention_is_refused_with_the_near_names(ask: Asking, metric: str) -> None:
    asked: dict[str, Any] = {} if "(" in metric else {"convention": "repaly"}
    with refusal(rm.MetricError, "no convention 'repaly'", "'replay', 'replay-0.10'", "Did you mean 'replay'"):
        ask(metrics=metric, **asked)


def test_an_unknown_spelling_is_refused_with_the_near_names_and_those_of_the_convention(ask: Asking) -> None:
    with refusal(rm.MetricError, "no metric 'NDGCK' under capri", "Did you mean 'ndcgk'", "Under capri", "novelty"):
        ask(metrics="NDGCK@5", convention="capri")


def test_a_spelling_of_one_convention_is_none_of_another(ask: Asking) -> None:
    assert rm.parse("TAP@5", convention="recometrics").name == "ap"
    with refusal(rm.MetricError, "no metric 'TAP' under replay", "Under replay"):
        ask(metrics="TAP@5", convention="replay")
    with refusal(rm.MetricError, "no metric 'TAP'"):
        ask(metrics="TAP@5")


def test_a_metric_under_a_convention_that_calls_something_else_so_is_refused() -> None:
    metric = rm.parse("AUC@5")
    assert metric.name == "auc"
    with refusal(rm.MetricError, "AUC under elliot is pooled_auc, and not auc"):
        metric(convention="elliot")


def test_the_command_line_refuses_an_unknown_convention(tmp_path: Path) -> None:
    RECS.write_csv(tmp_path / "recs.csv")
    files = (tmp_path / "recs.csv", tmp_path / "recs.csv")
    assert "Did you mean 'lenskit'" in refused("evaluate", *files, "-m", "hit", "--convention", "lenskti")


def test_a_convention_that_is_no_text_is_refused(ask: Asking) -> None:
    with refusal(rm.MetricError, "5"):
        ask(convention=5)


# --- what the conventions hold ----------------------------------------------------------------------------------------


def test_the_names_of_conventions_differ() -> None:
    names = [plain(name) for one in CONVENTIONS for name in (one.name, *one.aliases)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.name)
def test_a_convention_is_found_under_its_aliases_whatever_their_case(convention: Convention) -> None:
    for name in (convention.name, *convention.aliases):
        assert find(name) is find(name.upper()) is find(name.replace("-", " ")) is convention


def test_an_alias_gives_the_number_of_the_convention(engine: Engine) -> None:
    asked = "Precision(convention=LensKit-2025)@4"
    assert means(engine, asked) == about({asked: PRECISION["lenskit"][1]})
    assert rm.parse(asked) == rm.parse("Precision(convention=lenskit)@4")


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.name)
def test_every_spelling_of_a_convention_is_a_metric_at_10_where_it_takes_a_cutoff(convention: Convention) -> None:
    assert len({plain(one) for one in convention.spellings}) == len(convention.spellings)
    for theirs, ours in convention.spellings.items():
        target = rm.parse(ours)
        assert target.k is None
        takes_a_cutoff = "k" in catalog().parameters(target.name) and theirs not in convention.no_cutoff
        text = f"{theirs}@10" if takes_a_cutoff else theirs
        read = convention.rewrite(text)  # a name may have another definition at a cutoff
        found = rm.parse(text, convention=convention.name)
        assert found.name == target.name
        assert found.label == read
        for name, value in {**convention.policies, **target.settings}.items():
            assert read != text or found.values.get(name, value) == value, (theirs, name)


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.name)
def test_every_spelling_of_a_convention_is_measured(engine: Engine, convention: Convention) -> None:
    targets = {theirs: rm.parse(ours).name for theirs, ours in convention.spellings.items()}
    takes_a_cutoff = [one for one, target in targets.items() if "k" in catalog().parameters(target)]
    asked = [f"{one}@2" if one in takes_a_cutoff and one not in convention.no_cutoff else one for one in targets]
    found = result(engine, asked, convention=convention.name, **EXTRAS)
    assert engine.read(found.summary()).columns == ["n_lists", *map(convention.rewrite, asked)]


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.name)
def test_the_notes_of_a_convention_are_sentences(convention: Convention) -> None:
    assert convention.notes
    assert all(one.endswith(".") and "\n" not in one for one in convention.notes)


# --- several conventions in one call ----------------------------------------------------------------------------------

MIXED = [
    "precision@4",
    "Precision(convention=lenskit)@4",
    "P(convention=trec_eval)@4",
    "recall(convention=lenskit-0.14)@4",
]


def test_metrics_of_several_conventions_are_each_averaged_over_their_own_lists(engine: Engine) -> None:
    assert lists(engine, MIXED) == [
        (1, 1 / 4, 2 / 4, 1 / 4, 2 / 3),
        (2, 1 / 4, 1 / 2, 1 / 4, 1.0),
        (3, 0.0, None, None, None),
        (4, None, 0.0, None, None),
    ]
    found = means(engine, MIXED, aggregates=["mean", "n"])
    assert [found[one] for one in MIXED] == [pytest.approx(one) for one in (1 / 6, 1 / 3, 1 / 4, 5 / 6)]
    assert [found[f"{one} n"] for one in MIXED] == [3, 3, 2, 2]


def test_the_account_counts_as_undefined_only_lists_that_a_metric_is_taken_over(engine: Engine) -> None:
    found = result(engine, MIXED)
    account = counted(engine, found)
    assert [account[f"undefined {one}"] for one in MIXED] == [0, 0, 0, 1]
    assert {name: account[name] for name in ("lists_scored", "lists_missing", "lists_without_truth")} == {
        "lists_scored": 4,
        "lists_missing": 1,
        "lists_without_truth": 1,
    }
    notes = found.notes()
    assert notes[0] == "4 lists in the means"
    assert f"1 list for which {MIXED[3]} is undefined; not in its mean" in notes
    assert not [one for one in notes if MIXED[0] in one or MIXED[1] in one or MIXED[2] in one]


def test_numbers_of_a_system_are_taken_over_the_lists_of_their_own_convention(engine: Engine) -> None:
    asked = [
        "user_coverage(unit=count)@4",
        "user_coverage(missing=listed, unit=count)@4",
        "user_coverage@4",
        "user_coverage(missing=listed, least=k)@4",
        "ItemCoverage(convention=elliot)@1",
        "coverage(unit=count, missing=listed)@2",
        "hit@4",
    ]
    found = means(engine, asked, **EXTRAS)
    assert found == about(dict(zip(asked, (2, 3, 2 / 3, 1 / 3, 1, 3, 2 / 3), strict=True)))


def test_lists_of_several_kinds_may_be_summarized_by_system(engine: Engine) -> None:
    other = RECS.filter(pl.col("user") != 2).with_columns(algorithm=pl.lit("B"))
    recs = pl.concat([RECS.with_columns(algorithm=pl.lit("A")), other])
    rows = engine.read(result(engine, MIXED[:3], recs).summary()).rows()
    assert rows == [
        ("A", 4, pytest.approx(1 / 6), pytest.approx(1 / 3), pytest.approx(1 / 4)),
        ("B", 4, pytest.approx(1 / 12), pytest.approx(1 / 4), pytest.approx(1 / 4)),
    ]


# --- explain ----------------------------------------------------------------------------------------------------------


def test_the_explanation_of_a_metric_under_a_convention_names_it_and_its_choices() -> None:
    lines = rm.explain("MAP(convention=replay-0.12)@10").splitlines()
    assert lines[0].startswith("MAP(convention=replay-0.12)@10: average precision")
    assert f"convention = replay-0.12: {find('replay-0.12').what}" in lines
    assert "divisor = k: the number that the sum of precisions is divided by." in lines
    chosen = [line.strip() for line in lines if line.startswith("    * ")]
    assert sorted(line.partition(":")[0] for line in chosen) == ["* any", "* first", "* hits", "* item_desc", "* k"]


def test_the_explanation_of_the_metrics_of_a_result_under_a_convention_names_it() -> None:
    metrics = rm.evaluate(RECS, TRUTH, ["Recall@10", "nDCG(rel=4)@10"], convention="elliot").metrics
    text = "\n".join(map(rm.explain, metrics))
    assert text.count("convention = elliot: Elliot 0.3.1") == 2
    assert "gain = excess: " in text
    assert "rel = 4: " in text
    assert "rel = 0: " in text


@pytest.mark.parametrize("metric", ["coverage@5", "Coverage(convention=replay)@5", "user_coverage", "pop_reo"])
def test_a_number_of_a_system_is_explained(metric: str) -> None:
    assert rm.explain(metric).startswith(f"{metric}: {rm.parse(metric).definition.summary}")
    assert printed("metrics", metric).startswith(f"{metric}: ")


def test_the_explanation_without_a_convention_names_none() -> None:
    assert "convention" not in rm.explain("ap@10")


# --- f_beta -----------------------------------------------------------------------------------------------------------


def test_a_metric_without_data_is_told_as_each_convention_takes_it() -> None:
    text = printed("conventions", "precision(rel=4)@4")
    assert "P@4" not in text  # recometrics takes any row for relevant: rel=4 has no effect there
    assert "P(rel=4)@4" in text  # trec_eval
    assert "rel=4 has no effect" in text
    assert "divisor=list: the number of recommendations" in printed("conventions", "precision@4")


def test_what_is_neither_convention_nor_metric_is_told_to_be_neither() -> None:
    said = refused("conventions", "eliot")
    assert "no metric 'eliot'" in said
    assert "Did you mean 'elliot'" in said


def test_the_list_of_conventions_is_a_frame_with_every_spelling() -> None:
    frame = rm.list_conventions()
    assert frame["convention"].to_list() == [one.name for one in CONVENTIONS]
    capri = frame.row(by_predicate=pl.col("convention") == "capri", named=True)
    assert "mapk = ap(divisor=fixed, cap=10)" in capri["spellings"]
    assert "missing=skip" in capri["policies"]
