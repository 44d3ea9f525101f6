"""Conventions of other libraries: however they are asked for, alone or several at once, and as they are explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.errors import plain
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS, find
from tests.support import flat
from tests.support.commands import printed, refused
from tests.support.conventions import EXTRAS, PRECISION, RECS, TRUTH, about, counted, harmonic, lists, means, result
from tests.support.engines import LOCAL, Engine, each_engine
from tests.support.refusals import Asking, refusal

# --- one number, however it is asked for ------------------------------------------------------------------------------


def under(convention: str) -> rm.Metric:
    """Precision as a convention has it; the stubs know no `convention`, which every metric takes."""
    settings: dict[str, Any] = {"convention": convention}
    return rm.precision(**settings)


def test_every_convention_that_has_precision_is_here() -> None:
    having = [one.name for one in CONVENTIONS if any(rm.parse(it).name == "precision" for it in one.spellings.values())]
    assert [*PRECISION] == having


@each_engine
def test_a_convention_gives_its_number_whichever_others_are_asked_for(engine: Engine) -> None:
    expected = {f"{theirs}(convention={name})@4": value for name, (theirs, value) in PRECISION.items()}
    assert means(engine, [*expected, "precision@4", "P@4"]) == about({**expected, "precision@4": 1 / 6, "P@4": 1 / 6})


def test_a_convention_is_the_same_however_it_is_asked_for() -> None:
    for name, (theirs, _) in PRECISION.items():
        asked = rm.parse(f"{theirs}(convention={name})@4")
        (found,) = rm.evaluate(RECS, TRUTH, f"{theirs}@4", convention=name).metrics
        assert asked == found == rm.parse(f"{theirs}@4", convention=name) == under(name) @ 4, name


def test_a_column_is_called_as_the_metric_was_spelled(engine: Engine) -> None:
    value = ((1 / log2(3)) / (1 + 1 / log2(3)) + 1 + 0) / 3
    for spelling in ("NDCG@2", "ndcg@2", "nDcG@2", "NDCG(gain=binary)@2"):
        assert means(engine, spelling, convention="replay") == about({spelling: value})


def test_our_own_metric_may_be_named_under_a_convention(engine: Engine) -> None:
    # capri leaves out user 3, who has no list, and takes any row of the truth; our own takes user 3, too
    asked = ["precisionk@2", "rr(convention=rankmetrics)", "rr(convention=rankmetrics, missing=skip, relevance=any)"]
    assert lists(engine, asked, convention="capri") == [
        (1, 1 / 2, 1 / 2, 1 / 2),
        (2, 1 / 2, 1.0, 1.0),
        (3, None, 0.0, None),
    ]
    assert rm.parse("gini(convention=rankmetrics)@5") == rm.parse("gini@5")
    assert lists(engine, ["precision@4"], convention="rankmetrics") == lists(engine, ["precision@4"])


def test_a_metric_of_ones_own_is_taken_over_the_lists_of_a_convention(engine: Engine) -> None:
    rm.define("SELECT n_hits / 2.0 AS half_hits FROM metrics")
    asked = ["half_hits@4", "half_hits(convention=rankmetrics)@4"]
    # under capri user 3 is left out, and what is rated 0 is relevant, too
    found = means(engine, asked, convention="capri")
    assert found == about({asked[0]: (2 / 2 + 1 / 2) / 2, asked[1]: (1 / 2 + 1 / 2 + 0) / 3})


def test_ours_of_a_name_means_the_first_of_theirs(engine: Engine) -> None:
    asked = ["precision@4", "P@4", "TP@4"]
    assert under("recometrics") @ 4 == rm.parse("P(convention=recometrics)@4")
    assert means(engine, asked, convention="recometrics") == about(
        {"precision@4": 3 / 8, "P@4": 3 / 8, "TP@4": (2 / 3 + 1) / 2}
    )


def test_a_label_rated_0_is_not_the_true_one_of_sklearn(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": ["a", "b"], "score": [2.0, 1.0]})
    truth = pl.DataFrame({"user": [1, 1], "item": ["a", "b"], "rating": [0, 1]})
    metrics = ["top_k_accuracy_score@1", "top_k_accuracy_score@2", "dcg_score@1"]
    assert means(engine, metrics, recs, truth, convention="sklearn") == about(
        dict(zip(metrics, (0, 1, 0), strict=True))
    )


def test_a_metric_may_be_written_as_the_library_writes_it() -> None:
    calls = {
        "Precision(k=10, r_precision=True)": "Precision(divisor=relevant)@10",
        "MAP(divide_by_k=True)@10": "MAP(divisor=k)@10",
        "F1Beta(k=10, beta=2)": "F1Beta(beta=2)@10",
        "PAP(k=10, insufficient_handling='exclude')": "PAP(insufficient=undefined)@10",
        "Intersection(k=10, ref_k=5)": "Intersection(baseline_k=5)@10",
        "SufficientReco(k=10, deep=True)": "SufficientReco(per=position)@10",
    }
    sets = {
        "SetP(relative=True, rel=2)": "SetRelP(rel=2)",
        "SetP(rel=2, relative=True, judged_only=False)": "SetRelP(rel=2)",
        "SetP(relative=False)": "SetP",
        "nDCG(dcg='log2', judged_only=False)@10": "nDCG@10",
        "Precision(judged_only=True, rel=2)@5": "P(unjudged=removed_negative, rel=2)@5",
        "MAP(rel=2, judged_only=True)": "AP(rel=2, unjudged=removed_negative)",
        "SetP(rel=2, judged_only=True, relative=True)": "SetRelP(rel=2, unjudged=removed_negative)",
        "IPrec(judged_only=True)@0.1": "IPrec(at_recall=0.1, unjudged=removed_negative)",
        "Compat(p=0.9, normalize=True)": "Compat(p=0.9)@1000",
        "nDCG(dcg='exp-log2')": "nDCG(gain=exponential, relevance=rated, ties=item_desc)",
    }
    for convention, spellings in (("rectools", calls), ("ir_measures", sets)):
        for call, ours in spellings.items():
            assert rm.parse(call, convention=convention) == rm.parse(ours, convention=convention), call
    asked = ["ndcg_cut_10", "P_5", "map_cut.5,10", "recip_rank", "recall.100", "recall_1000(rel=2)"]
    found = [repr(one) for one in rm.evaluate(RECS, TRUTH, asked, convention="trec_eval").metrics]
    assert found == ["ndcg_cut@10", "P@5", "map_cut@5", "map_cut@10", "recip_rank", "recall@100", "recall(rel=2)@1000"]


# --- what goes before what --------------------------------------------------------------------------------------------


def test_what_is_set_on_a_metric_goes_before_its_convention(engine: Engine) -> None:
    asked = ["Precision(divisor=k)@4", "Precision(missing=skip)@4", "Precision(relevance=rated, divisor=k)@4"]
    found = means(engine, asked, convention="lenskit")
    assert found == about({asked[0]: 3 / 4 / 3, asked[1]: (2 / 4 + 1 / 2) / 2, asked[2]: (1 / 4 + 1 / 4) / 3})
    asked = ["Recall(rel=2)@4", "HR(rel=5)@4"]
    assert means(engine, asked, convention="elliot") == about({asked[0]: (1 / 2 + 1) / 2, asked[1]: 1.0})
    found_lists = lists(engine, ["P@2", "P(min_relevant=2)@2", "P(min_relevant=4)@2"], convention="recometrics")
    assert found_lists == [(1, 1 / 2, 1 / 2, None), (2, 1 / 2, None, None), (4, None, None, None)]


def test_missing_of_the_call_goes_before_the_convention_and_after_the_metric(engine: Engine) -> None:
    asked = ["Precision@4", "Precision(convention=lenskit)@4", "Precision(missing=listed)@4"]
    found = means(engine, asked, convention="replay", missing="skip")
    assert found == about({asked[0]: 3 / 4 / 2, asked[1]: (2 / 4 + 1 / 2) / 2, asked[2]: 3 / 4 / 3})


def test_ties_of_the_call_go_before_the_convention_and_after_the_metric(engine: Engine) -> None:
    recs = pl.DataFrame({"user": [1, 1], "item": ["a", "b"], "score": [0.5, 0.5]})
    truth = pl.DataFrame({"user": [1], "item": ["b"]})
    assert means(engine, "MRR", recs, truth) == {"MRR": 1 / 2}
    assert means(engine, "MRR", recs, truth, convention="replay") == {"MRR": 1.0}
    asked = ["MRR", "MRR(convention=replay)", "MRR(ties=item_desc)"]
    assert [*means(engine, asked, recs, truth, convention="replay", ties="item").values()] == [1 / 2, 1 / 2, 1.0]


# --- what a convention does not have ----------------------------------------------------------------------------------

# A metric, the options beside it, and words of the message.
REFUSED: list[tuple[Any, Mapping[str, Any], tuple[str, ...]]] = [
    *(
        (metric, {"convention": "capri"}, (f"no metric '{name}' under capri", f"{name}(convention=rankmetrics)"))
        for metric, name in (("rr", "rr"), ("MRR", "MRR"), ("rr@5", "rr"), ([rm.rr @ 5], "rr"))
    ),
    ("rr", {"convention": "capri"}, ("precisionk",)),
    ("NDGCK@5", {"convention": "capri"}, ("no metric 'NDGCK' under capri", "'ndcgk'", "Under capri", "novelty")),
    ("TAP@5", {"convention": "replay"}, ("no metric 'TAP' under replay", "Under replay")),
    ("TAP@5", {}, ("no metric 'TAP'",)),
    ("hit", {"convention": "repaly"}, ("no convention 'repaly'", "'replay', 'replay-0.10'", "Did you mean 'replay'")),
    ("hit(convention=repaly)", {}, ("no convention 'repaly'", "'replay', 'replay-0.10'", "Did you mean 'replay'")),
    ("hit", {"convention": 5}, ("5",)),
    ("Precision(rel=4)@5", {"convention": "replay"}, ("rel=4 has no effect on precision", "'relevance=rated'")),
    ("ndcg_cut(rel=2)@2", {"convention": "trec_eval"}, ("rel=2 has no effect on ndcg",)),
    ("gm_map", {"convention": "trec_eval"}, ("does not measure gm_map of trec_eval", "aggregates=geometric_mean")),
    ("relstring", {"convention": "trec_eval"}, ("does not measure relstring", "a text of ratings")),
    ("num_q", {"convention": "trec_eval"}, ("does not measure num_q", "the column n_lists")),
    ("Rprec@10", {"convention": "trec_eval"}, ("Rprec has no cutoff", "r_precision(convention=rankmetrics)@10")),
    ("P", {"convention": "trec_eval"}, ("P always has a cutoff", "P@10", "precision(convention=rankmetrics)")),
    ("rbp(p=0.5)@10", {"convention": "ranx"}, ("rbp has no cutoff under ranx",)),
    ("MRR", {"convention": "rectools"}, ("MRR always has a cutoff under rectools",)),
    ("Precision(debias_config=1)@10", {"convention": "rectools"}, ("no parameter 'debias_config'",)),
    ("coverage_error", {"convention": "sklearn"}, ("does not measure coverage_error",)),
]


def test_what_a_convention_does_not_have_is_refused_with_the_way_to_ours() -> None:
    for metric, options, parts in REFUSED:
        with refusal(rm.MetricError, *parts):
            flat.evaluate(RECS, TRUTH, metric, **options)
    assert rm.parse("TAP@5", convention="recometrics").name == "ap"
    with refusal(rm.MetricError, "AUC under elliot is pooled_auc, and not auc"):
        rm.parse("AUC@5")(convention="elliot")
    with refusal(rm.ColumnError, "gain=linear)@5 reads ratings, and the truth has no rating column"):
        asked = "ndcg(convention=rankmetrics, gain=linear)@5"
        rm.evaluate(RECS, TRUTH.select("user", "item"), asked, convention="replay")


# --- what the conventions hold ----------------------------------------------------------------------------------------


def test_a_convention_is_found_under_its_aliases_whatever_their_case(engine: Engine) -> None:
    names = [plain(name) for one in CONVENTIONS for name in (one.name, *one.aliases)]
    assert len(set(names)) == len(names)
    for convention in CONVENTIONS:
        for name in (convention.name, *convention.aliases):
            assert find(name) is find(name.upper()) is find(name.replace("-", " ")) is convention
    asked = "Precision(convention=LensKit-2025)@4"
    assert means(engine, asked) == about({asked: PRECISION["lenskit"][1]})


def test_every_spelling_of_a_convention_is_a_metric_at_10_where_it_takes_a_cutoff() -> None:
    for convention in CONVENTIONS:
        assert len({plain(one) for one in convention.spellings}) == len(convention.spellings)
        for theirs, ours in convention.spellings.items():
            target = rm.parse(ours)
            takes_a_cutoff = "k" in catalog().parameters(target.name) and theirs not in convention.no_cutoff
            text = f"{theirs}@10" if takes_a_cutoff else theirs
            read = convention.rewrite(text)  # a name may have another definition at a cutoff
            found = rm.parse(text, convention=convention.name)
            assert (target.k, found.name, found.label) == (None, target.name, read), (convention.name, theirs)
            for name, value in {**convention.policies, **target.settings}.items():
                assert read != text or found.values.get(name, value) == value, (convention.name, theirs, name)


@pytest.mark.long
def test_every_spelling_of_a_convention_is_measured() -> None:
    for convention in CONVENTIONS:
        targets = {theirs: rm.parse(ours).name for theirs, ours in convention.spellings.items()}
        takes_a_cutoff = {one for one, target in targets.items() if "k" in catalog().parameters(target)}
        asked = [f"{one}@2" if one in takes_a_cutoff - convention.no_cutoff else one for one in targets]
        truth = TRUTH.with_columns(propensity=0.5, subtopic=pl.lit("s"))
        found = result(LOCAL[1], asked, RECS, truth, convention=convention.name, **EXTRAS).summary().collect()
        assert found.columns == ["n_lists", *map(convention.rewrite, asked)], convention.name


def test_the_notes_of_a_convention_are_sentences() -> None:
    for convention in CONVENTIONS:
        assert convention.notes, convention.name
        assert all(one.endswith(".") and "\n" not in one for one in convention.notes), convention.name


# --- several conventions in one call ----------------------------------------------------------------------------------

MIXED = [
    "precision@4",
    "Precision(convention=lenskit)@4",
    "P(convention=trec_eval)@4",
    "recall(convention=lenskit-0.14)@4",
]


@each_engine
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
    assert [account[name] for name in ("lists_scored", "lists_missing", "lists_without_truth")] == [4, 1, 1]
    notes = found.notes()
    assert notes[0] == "4 lists in the means"
    assert f"1 list for which {MIXED[3]} is undefined; not in its mean (†)" in notes
    assert not [one for one in notes if MIXED[0] in one or MIXED[1] in one or MIXED[2] in one]


def test_numbers_of_a_system_are_taken_over_the_lists_of_their_own_convention(engine: Engine) -> None:
    expected = {
        "user_coverage(unit=count)@4": 2,
        "user_coverage(missing=listed, unit=count)@4": 3,
        "user_coverage@4": 2 / 3,
        "user_coverage(missing=listed, least=k)@4": 1 / 3,
        "ItemCoverage(convention=elliot)@1": 1,
        "coverage(unit=count, missing=listed)@2": 3,
        "hit@4": 2 / 3,
    }
    assert means(engine, [*expected], **EXTRAS) == about(expected)


# --- what is said of conventions --------------------------------------------------------------------------------------


def test_the_explanation_of_a_metric_under_a_convention_names_it_and_its_choices() -> None:
    lines = rm.explain("MAP(convention=replay-0.12)@10").splitlines()
    assert lines[0].startswith("MAP(convention=replay-0.12)@10: average precision")
    assert f"convention = replay-0.12: {find('replay-0.12').what}" in lines
    assert "divisor = k: the number that the sum of precisions is divided by." in lines
    chosen = [line.strip() for line in lines if line.startswith("    * ")]
    assert sorted(line.partition(":")[0] for line in chosen) == ["* any", "* first", "* hits", "* item_desc", "* k"]
    assert "convention" not in rm.explain("ap@10")


def test_a_number_of_a_system_is_explained() -> None:
    for metric in ("coverage@5", "Coverage(convention=replay)@5", "user_coverage", "pop_reo"):
        assert rm.explain(metric).startswith(f"{metric}: {rm.parse(metric).definition.summary}")
    assert printed("metrics", "coverage@5").startswith("coverage@5: ")


def test_the_command_line_tells_how_each_convention_takes_a_metric() -> None:
    text = printed("conventions", "precision(rel=4)@4")
    assert "P@4" not in text  # recometrics takes any row for relevant: rel=4 has no effect there
    assert "P(rel=4)@4" in text  # trec_eval
    assert "rel=4 has no effect" in text
    assert "divisor=list: the number of recommendations" in printed("conventions", "precision@4")
    said = refused("conventions", "eliot")
    assert "no metric 'eliot'" in said
    assert "Did you mean 'elliot'" in said


def test_the_list_of_conventions_is_a_frame_with_every_spelling() -> None:
    frame = rm.list_conventions()
    assert frame["convention"].to_list() == [one.name for one in CONVENTIONS]
    capri = frame.row(by_predicate=pl.col("convention") == "capri", named=True)
    assert "mapk = ap(divisor=fixed, cap=10)" in capri["spellings"]
    assert "missing=skip" in capri["policies"]


# --- f_beta over metrics instead of precision and recall --------------------------------------------------------------


def test_f_beta_takes_metrics_instead_of_precision_and_recall(engine: Engine) -> None:
    expected: dict[str, Sequence[float | None]] = {
        "f_beta(metric_0=precision(divisor=list), metric_1=rr)@4": [harmonic(1 / 4, 1 / 2), harmonic(1 / 2, 1)],
        "f_beta(metric_0=hit)@4": [harmonic(1, 1 / 2), harmonic(1, 1)],
        "f_beta(metric_1=P, metric_0=R)@4": [harmonic(1 / 4, 1 / 2), harmonic(1 / 4, 1)],
        "f_beta(metric_0=recall(divisor=capped), metric_1=recall)@1": [0.0, 1.0],
        "f_beta(metric_0=hit, rel=3)@4": [1.0, 1.0],  # it hands its threshold to its metrics
        "f_beta(metric_0=hit(rel=3), rel=6)@4": [None, None],
    }
    inner = "ndcg(discount=geometric(p=0.5), gain=linear)"  # whose choices have settings of their own
    expected[f"f_beta(metric_0={inner}, metric_1={inner})@2"] = [5 * 0.5 / (5 + 2 * 0.5), 1.0]
    found = lists(engine, [*expected], missing="skip")
    for place in (0, 1):
        values = {metric: of_users[place] for metric, of_users in expected.items()}
        assert dict(zip(expected, found[place][1:], strict=True)) == about(values)
    swapped = "ndcg(gain=linear, discount=geometric(p=0.5))"
    assert rm.parse(f"f_beta(metric_0={swapped}, metric_1=recall)@2").settings["metric_0"] == swapped


def test_f_beta_takes_the_spellings_and_settings_of_a_convention(engine: Engine) -> None:
    # user 1 finds two of three, at ranks 2 and 4: the recalls are 0, 1/3, 1/3, 2/3; user 2 finds its item at once
    value = (harmonic(1 / 3, 1) + 1) / 2
    asked, own = "F1(metric_0=MAR, metric_1=HR)@4", "F1(convention=elliot, metric_0=MAR, metric_1=HR)@4"
    assert means(engine, asked, convention="elliot") == about({asked: value})
    inner = "metric_0=Precision(convention=lenskit), metric_1=Recall(convention=lenskit)"
    other = f"f_beta(missing=listed, undefined=zero, {inner})@2"
    # divided by what was recommended and by min(k, relevant): of user 1 1/2 and 1/2, of user 2 1/2 and 1, of user 4 0
    assert means(engine, [own, other]) == about({own: value, other: (1 / 2 + harmonic(1 / 2, 1) + 0) / 3})
    # set_P is divided by what was recommended: of user 1 1 of 4, of user 2 1 of 2
    value = (5 * 1 / 4 * 1 / 2 / (4 * 1 / 4 + 1 / 2) + 5 * 1 / 2 * 1 / (4 * 1 / 2 + 1)) / 2
    assert means(engine, "set_F(beta=2)", convention="trec_eval") == about({"set_F(beta=2)": value})
    with refusal(rm.MetricError, "no metric 'f_beta' under lenskit", "f_beta(convention=rankmetrics)"):
        rm.parse("f_beta@2", convention="lenskit")


@pytest.mark.parametrize(
    ("inner", "parts"),
    [
        ("recall@5", ("metric_0 of f_beta", "without a cutoff of its own", "'recall@5'")),
        ("coverage", ("metric_0 of f_beta", "without a cutoff of its own", "'coverage'")),
        ("gini(form=equality)", ("metric_0 of f_beta", "without a cutoff of its own", "'gini(form=equality)'")),
        ("recal", ("no metric 'recal'", "Did you mean 'recall'")),
        ("TAP", ("no metric 'TAP'",)),
    ],
)
def test_f_beta_refuses_what_is_no_metric_of_a_list_without_cutoff(ask: Asking, inner: str, parts: list[str]) -> None:
    with refusal(rm.MetricError, *parts):
        ask(metrics=f"f_beta(metric_0={inner})")
    with refusal(rm.MetricError, *parts):
        rm.f_beta(metric_0=inner)


# --- names of Elliot that were read from its source -------------------------------------------------------------------

# The metrics that Elliot registers, in elliot/evaluation/metrics/__init__.py.
REGISTERED = """
nDCG nDCGRendle2020 Precision Recall HR MRR MAP MAR F1 ExtendedF1 DSC LAUC GAUC AUC ItemCoverage UserCoverage
UserCoverageAtN NumRetrieved Gini SEntropy
EFD ExtendedEFD EPC ExtendedEPC MAE MSE RMSE UserMADrating ItemMADrating UserMADranking
ItemMADranking BiasDisparityBR BiasDisparityBS BiasDisparityBD SRecall ARP APLT ACLT PopRSP PopREO ExtendedPopRSP
ExtendedPopREO RSP REO
"""


def test_every_metric_of_elliot_is_measured_or_refused_with_the_reason() -> None:
    elliot = find("elliot")
    assert {*REGISTERED.split()} == {*elliot.spellings, *elliot.refused}
    assert all(elliot.refused.values())


# Items 1 to 4 are of cluster a, 5 to 8 of cluster b. User 3 has training data only.
CLUSTERS = pl.DataFrame({"item": [*range(1, 9)], "category": ["a"] * 4 + ["b"] * 4})
TRAINED = pl.DataFrame({"group": ["x"] * 2 + ["y"] * 2, "user": [1, 1, 2, 3], "item": [4, 8, 8, 7]})
TESTED = pl.DataFrame(
    {"group": ["x", "x", "x", "y"], "user": [1, 1, 1, 2], "item": [1, 2, 5, 6], "rating": [1.0, 0.0, 2.0, 1.0]}
)
RANKED = pl.DataFrame(
    {"group": ["x"] * 3 + ["y"] * 2, "user": [1] * 3 + [2] * 2, "item": [1, 5, 3, 6, 1], "score": [3, 2, 1, 2, 1]}
)
# Gains are 2^(rating + 1) - 1. Of cluster a, 1 of 2 relevant items is recommended, and 3 of 3 + 4 items that users do
# not have in training; of cluster b, 2 of 2 and 2 of 3 + 3. Item 1 has gain 3 once in 2, item 3 0, items 5 and 6 7, 3.
REO_OF, RSP_OF = (1 / 2, 1.0), (3 / 7, 2 / 6)
OF_ELLIOT = {
    "REO@3": (REO_OF[1] - REO_OF[0]) / sum(REO_OF),
    "RSP@3": (RSP_OF[0] - RSP_OF[1]) / sum(RSP_OF),
    "SRecall@3": (2 / 2 + 1 / 2) / 2,
    "SRecall@1": 1 / 2,
    "ItemMADranking@3": abs((3 / 2 + 0) / 2 - (7 + 3) / 2),
}


@each_engine
def test_fairness_under_elliot_is_what_its_source_says(engine: Engine) -> None:
    inputs = {"history": TRAINED, "items": CLUSTERS, "catalog": CLUSTERS.select("item")}
    options: dict[str, Any] = {"convention": "elliot", "ties": "item", **inputs}
    assert means(engine, [*OF_ELLIOT], RANKED, TESTED, by=[], **options) == about(OF_ELLIOT)
    biases = {f"BiasDisparity{of}": f"BiasDisparity{of}(category=a)@3" for of in ("BS", "BR", "BD")}
    rows = engine.read(result(engine, biases, RANKED, TESTED, by=["group"], **options).summary())
    expected = {
        "x": (1 / 2 / 0.5, 2 / 3 / 0.5),
        "y": (0.0, 1 / 2 / 0.5),
    }  # shares of a in training and in lists, by 4 / 8
    for row in rows.to_dicts():
        source, recommended = expected[row["group"]]
        assert row["BiasDisparityBS"] == pytest.approx(source)
        assert row["BiasDisparityBR"] == pytest.approx(recommended)
        assert row["BiasDisparityBD"] == (pytest.approx(recommended / source - 1) if source else None)
