"""Mistakes that users make, each over sound data: the wrong call, and the outcome that is expected.

A mistake is refused, warned of with its cause, or does no harm: the numbers are those of the sound call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl
from deltalake import write_deltalake

import rankmetrics as rm
from tests.support import flat

METRICS = ("ndcg@10", "recall@10", "rr")
LIST = ("partition", "algorithm", "user")
ITEM, RANK, SCORE, USER = (pl.col(name) for name in ("item", "rank", "score", "user"))


@dataclass(frozen=True)
class Call:
    """The arguments of evaluate, and what is asked of the result."""

    recs: Any
    truth: Any
    metrics: Any = METRICS
    options: Mapping[str, Any] = field(default_factory=dict)
    labels: pl.DataFrame | None = None  # of people, by which `corrected` corrects the truth of a judge
    compared: Mapping[str, Any] | None = None  # the options of `compare`

    def given(self, give: Callable[[pl.DataFrame], Any]) -> rm.Result | rm.Comparison | rm.Corrected:
        recs, truth, *options = (
            give(value) if isinstance(value, pl.DataFrame) else value
            for value in (self.recs, self.truth, *self.options.values())
        )
        result = flat.evaluate(recs, truth, self.metrics, **dict(zip(self.options, options, strict=True)))
        if self.labels is not None:
            return result.corrected(give(self.labels))
        return result if self.compared is None else result.compare(**self.compared)


@dataclass(frozen=True)
class Data:
    """Sound data: recommendations by (partition, algorithm, user), truth and history by (partition, user).

    Attributes:
        recs, truth, history: with scores and without ranks, with ratings, and the items that were known before.
        folder: where files may be written.
    """

    recs: pl.DataFrame
    truth: pl.DataFrame
    history: pl.DataFrame
    folder: Path

    @cached_property
    def ranked(self) -> pl.DataFrame:
        ranks = SCORE.rank("ordinal", descending=True).over(LIST)
        return self.recs.sort("item").with_columns(rank=ranks.cast(pl.Int64)).drop("score")

    @property
    def algorithms(self) -> list[str]:
        return sorted(self.recs["algorithm"].unique())

    @property
    def first(self) -> pl.Expr:
        return pl.col("algorithm") == self.algorithms[0]

    def of(self, algorithm: str) -> pl.DataFrame:
        """The recommendations of one system, without the column that says which."""
        return self.recs.filter(algorithm=algorithm).drop("algorithm")

    def with_recs(self, recs: Any, **options: Any) -> Call:
        """A call over other recommendations and the sound truth."""
        return Call(recs, self.truth, options=options)

    def with_truth(self, truth: Any) -> Call:
        """A call over the sound recommendations and another truth."""
        return Call(self.recs, truth)

    @property
    def with_negatives(self) -> pl.DataFrame:
        """The truth, and as many items more that are rated 0."""
        return pl.concat([self.truth, self.truth.with_columns(ITEM + 10_000_000, rating=pl.lit(0.0))])

    @property
    def log(self) -> pl.DataFrame:
        """A logged action of each user: the best item of the first system, which half of the users liked."""
        best = self.ranked.filter(self.first, RANK == 1).select("partition", "user", "item")
        return best.with_columns(reward=(USER % 2).cast(pl.Float64), propensity=pl.lit(0.5))

    @property
    def policy(self) -> pl.DataFrame:
        """The recommendations as a policy that shows each item of a list with the same probability."""
        probability = 1 / pl.len().over(LIST).cast(pl.Float64)
        return self.recs.drop("score").with_columns(probability=probability, expected_reward=pl.lit(0.4))

    def logged(self, metric: str, policy: pl.DataFrame, log: pl.DataFrame) -> Call:
        """A call that estimates the reward of a policy from a log."""
        return Call(policy, None, metric, {"log": log})

    def labelled(self, labels: Callable[[pl.DataFrame], pl.DataFrame]) -> Call:
        """A call that corrects a judge, who rates 1 and 0, by labels of people for a third of the users."""
        shown = self.recs.select("partition", "user", "item").unique()
        judge = shown.with_columns(rating=(ITEM % 3 == 0).cast(pl.Float64))
        people = judge.filter(USER % 3 == 0).with_columns(rating=(ITEM % 2 == 0).cast(pl.Float64))
        return Call(self.recs, judge, "precision@10", labels=labels(people))

    @property
    def file_per_model(self) -> Path:
        """A folder with a file for each system, none of which says which."""
        for algorithm in self.algorithms:
            self.of(algorithm).write_parquet(self.folder / f"{algorithm}.parquet")
        return self.folder

    @property
    def overwritten(self) -> Path:
        """The folder of a Delta table whose recommendations replaced those of the shortened lists."""
        for recs in (self.shortened, self.recs):
            write_deltalake(self.folder / "delta", recs, mode="overwrite")
        return self.folder / "delta"

    @property
    def renumbered(self) -> pl.Series:
        """Other numbers for the recommended items: the lowest for the first that comes."""
        first = self.recs["item"].unique(maintain_order=True)
        return self.recs["item"].replace_strict(first, first.sort())

    def numbered(self, frame: pl.DataFrame, column: str) -> pl.DataFrame:
        """An input with a column numbered from 0 in the order in which its ids come, as factorize() does."""
        ids = frame[column].unique(maintain_order=True)
        return frame.with_columns(pl.col(column).replace_strict(ids, [*range(len(ids))]))

    def with_ids(self, column: str, write: Callable[[pl.Expr], pl.Expr]) -> Call:
        """A call over ids as texts, half of which the recommendations write in another way."""
        number = pl.col(column)
        text = pl.format("{}a", number)
        other = pl.when(number % 2 == 0).then(write(text)).otherwise(text)
        return Call(self.recs.with_columns(other.alias(column)), self.truth.with_columns(text.alias(column)))

    @property
    def with_history_on_top(self) -> pl.DataFrame:
        """The recommendations below three items of the history of each list."""
        first = self.history.group_by("partition", "user", maintain_order=True).head(3)
        lists = self.recs.select(LIST).unique(maintain_order=True)
        known = lists.join(first.select("partition", "user", "item"), on=["partition", "user"])
        return pl.concat([known.with_columns(score=pl.lit(1e6, pl.Float32)), self.recs])

    @property
    def shortened(self) -> pl.DataFrame:
        """The recommendations, of the first system only the best three of each list."""
        return self.recs.filter(~self.first | (SCORE.rank("ordinal", descending=True).over(LIST) <= 3))

    @property
    def turned(self) -> pl.Expr:
        """The scores, turned round within each list."""
        return SCORE.max().over(LIST) + SCORE.min().over(LIST) - SCORE

    def where(self, is_wrong: pl.Expr, score: Any) -> Call:
        """The arguments of evaluate, with the scores of some rows replaced."""
        return self.with_recs(self.recs.with_columns(score=pl.when(is_wrong).then(score).otherwise("score")))

    @property
    def with_negated_rankings(self) -> Call:
        """A call over rankings of all items of a partition by the users who know them, the most popular item last."""
        truth, history = (
            frame.filter(partition=self.truth["partition"][0]).drop("partition") for frame in (self.truth, self.history)
        )
        items, n_users = history["item"].value_counts().select("item", -pl.col("count").cast(pl.Float64))
        users = truth["user"].unique()
        recs = rm.rank_scores(lambda ids: [n_users.to_list()] * len(ids), users, items, truth)
        return Call(recs, truth)

    @property
    def wrapped(self) -> pl.DataFrame:
        """The truth with users in 8 bits; those beyond are wrapped around."""
        return self.truth.with_columns(user=pl.Series(self.truth["user"].to_numpy().astype("int8")))

    @property
    def popularities(self) -> pl.DataFrame:
        """The items with their popularities, the first item twice."""
        items = self.recs.group_by("item").agg(popularity=pl.len().cast(pl.Float64)).sort("item")
        return pl.concat([items, items.head(1).with_columns(pl.col("popularity") + 1)])

    @property
    def doubled(self) -> Any:
        """The recommendations as an Arrow table that has its item column twice."""
        table = self.recs.to_arrow()
        return table.append_column("item", table.column("item"))


@dataclass(frozen=True)
class Mistake:
    """A mistake and what must come of it.

    Attributes:
        what: what the user did.
        outcome: refused, warned or unharmed.
        says: words of the message; nothing where no harm is done.
        call: the call with the mistake in it.
    """

    what: str
    outcome: str
    says: str
    call: Callable[[Data], Call]

    def __repr__(self) -> str:
        return self.what


HALF = USER % 2 == 1  # half of the lists

LOW = "warned: rank below chance"
LOW_IN_SOME = "warned: whose scores bunch at the high end"
NO_SCORES = "warned: All scores of a list are equal, or none is a number"
SWAPPED_FILES = "refused: Several files hold the same item of the same list"
REPEATS = "warned: repeat an item of their list"
OF_OTHERS = "warned: than the truth of other lists"
NO_ORDER = "refused: neither a rank nor a score"
ALIKE = "warned: differ from another id only in"
ITEM_COLUMN = "refused: has one value for each item"
LIST_COLUMN = "refused: would identify a list"

# By what the user did: the outcome with words of the message, and a function that makes the call over sound data.
MISTAKES: Mapping[str, tuple[str, Callable[[Data], Call]]] = {
    # inputs that are not what they should be
    "swapped the two arguments": ("refused: were the two inputs swapped?", lambda d: Call(d.truth, d.recs)),
    "swapped the two arguments, where both have a column that could be a score": (
        "refused: The truth has a score column 'score'",
        lambda d: Call(d.truth.rename({"rating": "score"}), d.recs),
    ),
    "gave the run of another system as the truth": (
        "refused: The truth has a score column 'score'",
        lambda d: Call(d.of(d.algorithms[0]), d.of(d.algorithms[1])),
    ),
    "gave ranked recommendations as the truth": (
        "refused: The truth has a rank column 'rank'",
        lambda d: Call(d.ranked, d.ranked.drop("algorithm")),
    ),
    "gave the training data as the truth": (OF_OTHERS, lambda d: d.with_truth(d.history.drop("rating", strict=False))),
    "left the training rows in the truth": (
        "warned: rows that are also in the history",
        lambda d: Call(d.recs, pl.concat([d.truth, d.history], how="diagonal_relaxed"), options={"history": d.history}),
    ),
    "read one file per model as one table": (SWAPPED_FILES, lambda d: d.with_recs(f"{d.file_per_model}/*.parquet")),
    "read the folder of those files": (SWAPPED_FILES, lambda d: d.with_recs(str(d.file_per_model))),
    "gave the folder of a Delta table that was overwritten": ("", lambda d: d.with_recs(d.overwritten)),
    "gave the files in that folder": (
        "refused: also hold rows of old versions",
        lambda d: d.with_recs(f"{d.overwritten}/*.parquet"),
    ),
    "put the systems into one table without a column for the system": (
        REPEATS,
        lambda d: d.with_recs(d.recs.drop("algorithm")),
    ),
    "did the same with ranks": ("refused: repeat within a list", lambda d: d.with_recs(d.ranked.drop("algorithm"))),
    "appended the recommendations twice": (REPEATS, lambda d: d.with_recs(pl.concat([d.recs, d.recs]))),
    "appended the truth twice": ("", lambda d: d.with_truth(pl.concat([d.truth, d.truth]))),
    "gave an empty truth": ("refused: There is no truth", lambda d: d.with_truth(d.truth.clear())),
    "gave no recommendations": ("refused: no recommendations", lambda d: d.with_recs(d.recs.clear())),
    "gave a dict of columns": (
        "refused: pl.DataFrame(columns)",
        lambda d: d.with_recs(d.recs.head(100).to_dict(as_series=False)),
    ),
    # columns that are called otherwise, are missing, or are too many
    "called the user user_id in the truth": ("", lambda d: d.with_truth(d.truth.rename({"user": "user_id"}))),
    "called the user userId in the recommendations, customer in the truth": (
        "",
        lambda d: Call(d.recs.rename({"user": "userId"}), d.truth.rename({"user": "customer"})),
    ),
    "called the user reader in the truth": (
        "refused: the truth has 'reader' instead",
        lambda d: d.with_truth(d.truth.rename({"user": "reader"})),
    ),
    "called the fold otherwise in the truth": ("", lambda d: d.with_truth(d.truth.rename({"partition": "fold"}))),
    "misspelled the fold in the truth": (
        "refused: 'partition' looks like its column 'partiton'",
        lambda d: d.with_truth(d.truth.rename({"partition": "partiton"})),
    ),
    "called the item otherwise in the truth": (
        "refused: No item column was found in the truth",
        lambda d: d.with_truth(d.truth.rename({"item": "film"})),
    ),
    "called the score otherwise": (
        NO_ORDER,
        lambda d: d.with_recs(d.recs.rename({"score": "strength"}).cast({"strength": pl.String})),
    ),
    "called the score otherwise, and a number": (NO_ORDER, lambda d: d.with_recs(d.recs.rename({"score": "strength"}))),
    "dropped the user from the truth": (
        "refused: The truth has no column 'user'",
        lambda d: d.with_truth(d.truth.drop("user")),
    ),
    "dropped the fold from the truth, so that two folds are mixed": (
        "warned: the same truth serves every partition",
        lambda d: d.with_truth(d.truth.drop("partition")),
    ),
    "dropped the fold from the recommendations, so that two folds are mixed": (
        "warned: 'partition' of the truth is not used",
        lambda d: d.with_recs(d.recs.drop("partition")),
    ),
    "called the rating label": ("", lambda d: d.with_truth(d.truth.rename({"rating": "label"}))),
    "rated irrelevant items 0 in a column called clicked": (
        "",
        lambda d: d.with_truth(d.with_negatives.rename({"rating": "clicked"})),
    ),
    "gave relevance as yes and no": (
        "",
        lambda d: d.with_truth(d.with_negatives.with_columns(target=pl.col("rating") > 0).drop("rating")),
    ),
    "had two columns that could be the rating": (
        "refused: Which column of the truth is the rating",
        lambda d: d.with_truth(d.truth.with_columns(weight=1.0)),
    ),
    "left the truth's rating among the recommendations": (
        "",
        lambda d: d.with_recs(d.recs.with_columns(label=ITEM % 2)),
    ),
    "left a column of the items' genres among the recommendations": (
        "refused: 'genre' of the recommendations would identify a list",
        lambda d: d.with_recs(d.recs.with_columns(genre=pl.format("genre {}", ITEM % 7))),
    ),
    "left a column of the items' titles among the recommendations": (
        ITEM_COLUMN,
        lambda d: d.with_recs(d.recs.with_columns(title=pl.format("title of {}", "item"))),
    ),
    "left the time of each recommendation among the columns": (
        LIST_COLUMN,
        lambda d: d.with_recs(d.recs.with_row_index("timestamp")),
    ),
    "left a number of each row among the columns": (
        "refused: Most of the",
        lambda d: d.with_recs(d.recs.with_row_index("event").cast({"event": pl.Int64})),
    ),
    "left a number that is a fraction among the columns": (
        LIST_COLUMN,
        lambda d: d.with_recs(d.recs.with_columns(affinity=SCORE / 2)),
    ),
    "asked for lists that pool the systems": (REPEATS, lambda d: d.with_recs(d.recs, lists=["partition", "user"])),
    "asked for one row over all systems": (
        "warned: averaged for each list of the truth",
        lambda d: d.with_recs(d.recs, by=[]),
    ),
    "named the columns in a dict": (
        "",
        lambda d: d.with_recs(d.recs, columns=rm.Input(d.recs, columns={"item": "item"}).columns),
    ),
    "had a column twice": ("refused: item", lambda d: d.with_recs(d.doubled)),
    # ranks and scores that do not order as they should
    "ranked from 0": ("refused: do not start at 1", lambda d: d.with_recs(d.ranked.with_columns(RANK - 1))),
    "ranked all lists as one": (
        "refused: do not start at 1",
        lambda d: d.with_recs(d.ranked.with_columns(rank=pl.int_range(1, pl.len() + 1))),
    ),
    "gave whole ranks as floating-point numbers": ("", lambda d: d.with_recs(d.ranked.cast({"rank": pl.Float64}))),
    "gave ranks as text": ("refused: is not a number", lambda d: d.with_recs(d.ranked.cast({"rank": pl.String}))),
    "left some recommendations without a rank": (
        "refused: have no rank",
        lambda d: d.with_recs(d.ranked.with_columns(rank=pl.when(RANK != 3).then("rank"))),
    ),
    "ranked the worst first": (
        LOW,
        lambda d: d.with_recs(d.ranked.with_columns(rank=RANK.max().over(LIST) + 1 - RANK)),
    ),
    "gave distances for scores": (LOW, lambda d: d.with_recs(d.recs.with_columns(score=10 - SCORE))),
    "gave distances as a distance column": (
        "",
        lambda d: d.with_recs(d.recs.with_columns(distance=-SCORE).drop("score")),
    ),
    "gave rank_scores negated scores": (LOW, lambda d: d.with_negated_rankings),
    "turned the scores of one system round": (LOW, lambda d: d.where(d.first, d.turned)),
    "turned the scores of half of the lists round": (LOW_IN_SOME, lambda d: d.where(HALF, d.turned)),
    "negated the scores of half of the lists of one system": (LOW_IN_SOME, lambda d: d.where(d.first & HALF, -SCORE)),
    "gave all items of one system the same score": (NO_SCORES, lambda d: d.where(d.first, 1.0)),
    "lost the scores of half of the lists": (NO_SCORES, lambda d: d.where(HALF, None)),
    "left scores of another order beside the ranks": (
        "warned: Ranks and scores contradict each other",
        lambda d: d.with_recs(d.ranked.with_columns(score=RANK / 2)),
    ),
    "gave scores as text": ("refused: is not a number", lambda d: d.with_recs(d.recs.cast({"score": pl.String}))),
    "gave scores in 64 bits": ("", lambda d: d.with_recs(d.recs.cast({"score": pl.Float64}))),
    "shuffled the rows": ("", lambda d: d.with_recs(d.recs.sample(fraction=1, shuffle=True, seed=1))),
    # ids of lists and items that do not match, and lists that are not there
    "gave items as text in one input": (
        "refused: Cast one of them",
        lambda d: d.with_recs(d.recs.cast({"item": pl.String})),
    ),
    "gave items as fractions": (
        "refused: cannot identify anything",
        lambda d: Call(d.recs.cast({"item": pl.Float64}), d.truth.cast({"item": pl.Float64})),
    ),
    "gave users as integers of another size": ("", lambda d: d.with_truth(d.truth.cast({"user": pl.Int64}))),
    "padded the ids in one input": (
        "refused: No item is in both",
        lambda d: Call(d.recs.cast({"item": pl.String}), d.truth.with_columns(ITEM.cast(pl.String).str.zfill(9))),
    ),
    "numbered the items from 1 in one input, from 0 in the other": (
        OF_OTHERS,
        lambda d: d.with_recs(d.recs.with_columns(ITEM + 1)),
    ),
    "renumbered the items in one input": (OF_OTHERS, lambda d: d.with_recs(d.recs.with_columns(item=d.renumbered))),
    "renumbered the items of one system": (
        OF_OTHERS,
        lambda d: d.with_recs(d.recs.with_columns(item=pl.when(d.first).then(d.renumbered).otherwise("item"))),
    ),
    "renumbered the users in one input": (OF_OTHERS, lambda d: d.with_truth(d.truth.with_columns(USER + 1))),
    "numbered the items of each input by itself": (
        OF_OTHERS,
        lambda d: Call(d.numbered(d.recs, "item"), d.numbered(d.truth.reverse(), "item")),
    ),
    "numbered the users of each input by itself": (
        OF_OTHERS,
        lambda d: Call(d.numbered(d.recs, "user"), d.numbered(d.truth.reverse(), "user")),
    ),
    "wrote half of the items with a blank": (ALIKE, lambda d: d.with_ids("item", lambda x: pl.format("{} ", x))),
    "wrote half of the items in capitals": (ALIKE, lambda d: d.with_ids("item", lambda x: x.str.to_uppercase())),
    "wrote half of the items with zeros before them": (
        ALIKE,
        lambda d: d.with_ids("item", lambda x: pl.format("00{}", x)),
    ),
    "wrote half of the users with a blank": (ALIKE, lambda d: d.with_ids("user", lambda x: pl.format(" {}", x))),
    "gave the truth of other users": (
        "refused: No list is in both",
        lambda d: d.with_truth(d.truth.with_columns(USER + 1_000_000)),
    ),
    "left half of the users out of one system": (
        "warned: missing unequally",
        lambda d: d.with_recs(d.recs.filter(~d.first | (USER.median() >= USER))),
    ),
    "gave half of the users of one system rows without an item": (
        "warned: missing unequally",
        lambda d: d.with_recs(d.recs.with_columns(item=pl.when(~(d.first & HALF)).then("item"))),
    ),
    "wrapped the users around in 8 bits": ("warned: may have been wrapped around", lambda d: d.with_truth(d.wrapped)),
    "recommended to half of the users only": (
        "warned: lists of the truth have no recommendations",
        lambda d: d.with_recs(d.recs.filter(USER.median() >= USER)),
    ),
    "cut all lists short and measured further down": (
        "warned: 'recall@100' reads further",
        lambda d: Call(d.ranked.filter(RANK <= 3), d.truth, ["recall@100", "rr"]),
    ),
    "lost some ratings": (
        "warned: rows of the truth have no rating",
        lambda d: d.with_truth(d.truth.with_columns(rating=pl.when(ITEM % 7 > 0).then("rating"))),
    ),
    "asked for a rating that nobody gave": (
        "warned: No rating of the truth reaches 9",
        lambda d: Call(d.recs, d.truth, ["precision(rel=9)@10", "recall@10"]),
    ),
    "rated all items 0": ("warned: is above 0", lambda d: d.with_truth(d.truth.with_columns(rating=0.0))),
    "gave an item two popularities": (
        "warned: 1 item has several popularities",
        lambda d: Call(d.recs, d.truth, ["popularity@10"], {"items": d.popularities}),
    ),
    "cut the lists of one system short": ("warned: differ in length", lambda d: d.with_recs(d.shortened)),
    "left out the items of rank 2": ("warned: have gaps", lambda d: d.with_recs(d.ranked.filter(RANK != 2))),
    "left out the items of rank 2 by a condition": (
        "warned: leaves out recommendations",
        lambda d: d.with_recs(d.ranked, where="recs: rank <> 2"),
    ),
    "left out the items of rank 1 by a condition": (
        "refused: leaves out recommendations",
        lambda d: d.with_recs(d.ranked, where="recs: rank > 1"),
    ),
    # a history that does not belong to the recommendations
    "left items of the history on top of the lists": (
        "warned: are items of the history",
        lambda d: d.with_recs(d.with_history_on_top, history=d.history),
    ),
    "gave the history of a few users": (
        "warned: has rows of only",
        lambda d: d.with_recs(d.recs, history=d.history.filter(USER % 50 == 1)),
    ),
    "gave a history without the users of one system": (
        "warned: of algorithm=",
        lambda d: d.with_recs(
            d.recs.filter(~d.first | (USER.median() >= USER)), history=d.history.filter(USER.median() < USER)
        ),
    ),
    # metrics that are asked for in another way
    "named the metrics in a dict": ("", lambda d: Call(d.recs, d.truth, {one: one for one in METRICS})),
    "wrote two metrics into one text": (
        "refused: cutoff of ndcg",
        lambda d: Call(d.recs, d.truth, "ndcg@10,recall@10"),
    ),
    "asked for a metric of graded relevance without ratings": (
        "refused: reads ratings, and the truth",
        lambda d: Call(d.recs, d.truth.drop("rating"), ["ndcg(gain=linear)@10"]),
    ),
    "misspelled a metric": ("refused: Did you mean 'ndcg'?", lambda d: Call(d.recs, d.truth, ["ndgc@10"])),
    # estimates from a log, and labels of a judge that people's labels correct
    "gave dm a policy with only the items of the log": (
        "warned: do not add up to 1",
        lambda d: d.logged(
            "dm",
            d.policy.filter(d.first).drop("algorithm").join(d.log, on=["partition", "user", "item"], how="semi"),
            d.log,
        ),
    ),
    "gave expected rewards in percent": (
        "warned: expected rewards are outside of this range",
        lambda d: d.logged("dr", d.policy.with_columns(expected_reward=40.0), d.log),
    ),
    "measured replay over a log of unequal propensities": (
        "warned: replay is right if every action",
        lambda d: d.logged("replay", d.policy, d.log.with_columns(propensity=0.2 + USER % 4 / 5)),
    ),
    "logged the probabilities of the new policy as propensities": (
        "warned: are all nearly 1",
        lambda d: d.logged(
            "ips",
            d.policy.filter(d.first),
            d.log.drop("propensity").join(
                d.policy.filter(d.first).select("partition", "user", "item", propensity="probability"),
                on=["partition", "user", "item"],
            ),
        ),
    ),
    "let people label one list": (
        "refused: an interval needs two or more",
        lambda d: d.labelled(lambda people: people.filter(pl.struct("partition", "user").rank("dense") == 1)),
    ),
    "numbered the items that people labelled otherwise": (
        "refused: None of the items that people labelled",
        lambda d: d.labelled(lambda people: people.with_columns(ITEM + 10_000_000)),
    ),
    "copied the labels of the judge": (
        "warned: labels of people equal those of the judge",
        lambda d: d.labelled(lambda people: people.with_columns(rating=(ITEM % 3 == 0).cast(pl.Float64))),
    ),
    "let people label some items of a list": (
        "warned: An item without a label counts as not relevant",
        lambda d: d.labelled(lambda people: people.filter(ITEM % 5 == 0)),
    ),
    "let people label on another scale": (
        "warned: Give both on the same scale",
        lambda d: d.labelled(lambda people: people.with_columns(pl.col("rating") * 5)),
    ),
    "gave people's labels without zeros": (
        "warned: All ratings of people are above 0",
        lambda d: d.labelled(lambda people: people.with_columns(rating=pl.lit(1.0))),
    ),
    # comparisons
    "paired systems that were shown to different users": (
        "refused: this looks like an experiment with arms",
        lambda d: replace(d.with_recs(d.recs.filter(d.first == (USER % 2 == 1))), compared={}),
    ),
    "gave a margin of 5 for 5 %": (
        "refused: For a percentage of the mean, write",
        lambda d: replace(d.with_recs(d.recs), compared={"margin": 5}),
    ),
    "compared with a baseline that is no system": (
        "refused: and the systems are",
        lambda d: replace(d.with_recs(d.recs), compared={"baseline": "nobody"}),
    ),
}


def every() -> list[Mistake]:
    parts = {what: (outcome or "unharmed: ").partition(": ") for what, (outcome, _) in MISTAKES.items()}
    return [Mistake(what, parts[what][0], parts[what][2], call) for what, (_, call) in MISTAKES.items()]
