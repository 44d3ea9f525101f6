"""Mistakes that users make, each over sound data: the wrong call, and the outcome that is expected.

A mistake is refused, warned of with its cause, or does no harm: the numbers are those of the sound call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import polars as pl

import rankmetrics as rm

METRICS = ("ndcg@10", "recall@10", "rr")
Outcome = Literal["refused", "warned", "unharmed"]


@dataclass(frozen=True)
class Data:
    """Sound data: recommendations by (partition, algorithm, user), truth and history by (partition, user).

    Attributes:
        frames: `recs` with scores and without ranks, `truth` with ratings, `history`, `items` with a text each.
        folder: where files may be written.
    """

    frames: Mapping[str, pl.DataFrame]
    folder: Path

    @property
    def recs(self) -> pl.DataFrame:
        """The recommendations."""
        return self.frames["recs"]

    @property
    def truth(self) -> pl.DataFrame:
        """The truth."""
        return self.frames["truth"]

    @property
    def history(self) -> pl.DataFrame:
        """What was known before."""
        return self.frames["history"]

    @cached_property
    def ranked(self) -> pl.DataFrame:
        """The recommendations with ranks in place of scores."""
        ranks = pl.col("score").rank("ordinal", descending=True).over("partition", "algorithm", "user")
        return self.recs.sort("item").with_columns(rank=ranks.cast(pl.Int64)).drop("score")

    @property
    def algorithms(self) -> list[str]:
        """The systems."""
        return sorted(self.recs["algorithm"].unique())

    def of(self, algorithm: str) -> pl.DataFrame:
        """The recommendations of one system, without the column that says which."""
        return self.recs.filter(algorithm=algorithm).drop("algorithm")


@dataclass(frozen=True)
class Call:
    """What evaluate is given."""

    recs: Any
    truth: Any
    metrics: Any = METRICS
    options: Mapping[str, Any] = field(default_factory=dict)

    def given(self, give: Callable[[pl.DataFrame], Any]) -> rm.Result:
        """The Result over inputs as an engine takes them."""

        def put(value: Any) -> Any:
            if isinstance(value, dict) and all(isinstance(one, pl.DataFrame) for one in value.values()):
                return {name: give(one) for name, one in value.items()}
            return give(value) if isinstance(value, pl.DataFrame) else value

        options = {name: put(value) for name, value in self.options.items()}
        metrics = dict(self.metrics) if isinstance(self.metrics, dict) else self.metrics
        return rm.evaluate(put(self.recs), put(self.truth), metrics, **options)


@dataclass(frozen=True)
class Mistake:
    """A mistake and what must come of it.

    Attributes:
        what: what the user did.
        outcome: whether it is refused, warned of, or does no harm.
        says: words of the message; nothing where no harm is done.
        call: the call with the mistake in it.
        sound: the call whose numbers are right, where the mistake does no harm.
    """

    what: str
    outcome: Outcome
    says: str
    call: Callable[[Data], Call]
    sound: Callable[[Data], Call] = lambda data: Call(data.recs, data.truth)

    def __repr__(self) -> str:
        return self.what


def recs(change: Callable[[Data], Any], **options: Any) -> Callable[[Data], Call]:
    """A call over other recommendations and the sound truth."""
    return lambda data: Call(change(data), data.truth, options=options)


def truth(change: Callable[[Data], Any], **options: Any) -> Callable[[Data], Call]:
    """A call over the sound recommendations and another truth."""
    return lambda data: Call(data.recs, change(data), options=options)


def ranked(data: Data) -> Call:
    """The sound call over ranks."""
    return Call(data.ranked, data.truth)


def first_half(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of the lower half of the users."""
    return frame.filter(pl.col("user") <= frame["user"].median())


def written(data: Data, **frames: pl.DataFrame) -> Path:
    """A folder of Parquet files."""
    folder = data.folder / "_".join(frames)
    folder.mkdir(exist_ok=True)
    for name, frame in frames.items():
        frame.write_parquet(folder / f"{name}.parquet")
    return folder


def file_per_model(data: Data) -> Path:
    """A file for each system, none of which says which."""
    return written(data, **{one.replace("-", "_"): data.of(one) for one in data.algorithms})


def inputs() -> Iterator[Mistake]:
    """Inputs that are not what they should be."""
    yield Mistake(
        "swapped the two arguments", "refused", "were the two inputs swapped?", lambda d: Call(d.truth, d.recs)
    )
    yield Mistake(
        "swapped the two arguments, where both have a column that could be a score",
        "refused",
        "The truth has a score column 'score'",
        lambda d: Call(d.truth.rename({"rating": "score"}), d.recs),
    )
    yield Mistake(
        "gave the run of another system as the truth",
        "refused",
        "The truth has a score column 'score'",
        lambda d: Call(d.of(d.algorithms[0]), d.of(d.algorithms[1])),
    )
    yield Mistake(
        "gave ranked recommendations as the truth",
        "refused",
        "The truth has a rank column 'rank'",
        lambda d: Call(d.ranked, d.ranked.drop("algorithm")),
    )
    yield Mistake(
        "gave the training data as the truth",
        "warned",
        "than the truth of other lists",
        lambda d: Call(d.recs, d.history.drop("rating", strict=False)),
    )
    yield Mistake(
        "left the training rows in the truth",
        "warned",
        "rows that are also in the history",
        lambda d: Call(d.recs, pl.concat([d.truth, d.history], how="diagonal_relaxed"), options={"history": d.history}),
    )
    yield Mistake(
        "read one file per model as one table",
        "refused",
        "Several files hold the same item of the same list",
        lambda d: Call(f"{file_per_model(d)}/*.parquet", d.truth),
    )
    yield Mistake(
        "read the folder of those files",
        "refused",
        "Several files hold the same item of the same list",
        lambda d: Call(str(file_per_model(d)), d.truth),
    )
    yield Mistake(
        "put the systems into one table without a column for the system",
        "warned",
        "repeat an item of their list",
        recs(lambda d: d.recs.drop("algorithm")),
    )
    yield Mistake(
        "did the same with ranks", "refused", "repeat within their list", recs(lambda d: d.ranked.drop("algorithm"))
    )
    yield Mistake(
        "appended the recommendations twice",
        "warned",
        "repeat an item of their list",
        recs(lambda d: pl.concat([d.recs, d.recs])),
    )
    yield Mistake("appended the truth twice", "unharmed", "", truth(lambda d: pl.concat([d.truth, d.truth])))
    yield Mistake("gave an empty truth", "refused", "There is no truth", truth(lambda d: d.truth.clear()))
    yield Mistake("gave no recommendations", "refused", "no recommendations", recs(lambda d: d.recs.clear()))
    yield Mistake(
        "gave a dict of columns",
        "refused",
        "pl.DataFrame(columns)",
        recs(lambda d: d.recs.head(100).to_dict(as_series=False)),
    )


def columns() -> Iterator[Mistake]:
    """Columns that are called otherwise, are missing, or are too many."""
    yield Mistake(
        "called the user user_id in the truth", "unharmed", "", truth(lambda d: d.truth.rename({"user": "user_id"}))
    )
    yield Mistake(
        "called the user userId in the recommendations, customer in the truth",
        "unharmed",
        "",
        lambda d: Call(d.recs.rename({"user": "userId"}), d.truth.rename({"user": "customer"})),
    )
    yield Mistake(
        "called the user reader in the truth",
        "refused",
        "the truth has 'reader' instead",
        truth(lambda d: d.truth.rename({"user": "reader"})),
    )
    yield Mistake(
        "called the fold otherwise in the truth", "unharmed", "", truth(lambda d: d.truth.rename({"partition": "fold"}))
    )
    yield Mistake(
        "misspelled the fold in the truth",
        "refused",
        "'partition' looks like its column 'partiton'",
        truth(lambda d: d.truth.rename({"partition": "partiton"})),
    )
    yield Mistake(
        "called the item otherwise in the truth",
        "refused",
        "No item column was found in the truth",
        truth(lambda d: d.truth.rename({"item": "film"})),
    )
    yield Mistake(
        "called the score otherwise",
        "refused",
        "neither a rank nor a score",
        recs(lambda d: d.recs.rename({"score": "y_hat"}).cast({"y_hat": pl.String})),
    )
    yield Mistake(
        "called the score otherwise, and a number",
        "refused",
        "neither a rank nor a score",
        recs(lambda d: d.recs.rename({"score": "y_hat"})),
    )
    yield Mistake(
        "dropped the user from the truth",
        "refused",
        "The truth has no column 'user'",
        truth(lambda d: d.truth.drop("user")),
    )
    yield Mistake(
        "dropped the fold from the truth, so that two folds are mixed",
        "warned",
        "the same truth serves every partition",
        truth(lambda d: d.truth.drop("partition")),
    )
    yield Mistake(
        "dropped the fold from the recommendations, so that two folds are mixed",
        "warned",
        "'partition' of the truth is not used",
        recs(lambda d: d.recs.drop("partition")),
    )
    yield Mistake("called the rating label", "unharmed", "", truth(lambda d: d.truth.rename({"rating": "label"})))
    yield Mistake(
        "rated irrelevant items 0 in a column called clicked",
        "unharmed",
        "",
        truth(lambda d: with_negatives(d).rename({"rating": "clicked"})),
    )
    yield Mistake(
        "gave relevance as yes and no",
        "unharmed",
        "",
        truth(lambda d: with_negatives(d).with_columns(target=pl.col("rating") > 0).drop("rating")),
    )
    yield Mistake(
        "had two columns that could be the rating",
        "refused",
        "Which column of the truth is the rating",
        truth(lambda d: d.truth.with_columns(weight=1.0)),
    )
    yield Mistake(
        "left the truth's rating among the recommendations",
        "unharmed",
        "",
        recs(lambda d: d.recs.with_columns(label=(pl.col("item") % 2))),
    )
    yield Mistake(
        "left a column of the items' genres among the recommendations",
        "refused",
        "'genre' of the recommendations would identify a list",
        recs(lambda d: d.recs.with_columns(genre=pl.format("genre {}", pl.col("item") % 7))),
    )
    yield Mistake(
        "left a column of the items' titles among the recommendations",
        "refused",
        "has one value for each item",
        recs(lambda d: d.recs.with_columns(title=pl.format("title of {}", "item"))),
    )
    yield Mistake(
        "left the time of each recommendation among the columns",
        "refused",
        "would identify a list",
        recs(lambda d: d.recs.with_row_index("timestamp")),
    )
    yield Mistake(
        "left a number of each row among the columns",
        "refused",
        "Most of the",
        recs(lambda d: d.recs.with_row_index("event").cast({"event": pl.Int64})),
    )
    yield Mistake(
        "left a number that is a fraction among the columns",
        "refused",
        "would identify a list",
        recs(lambda d: d.recs.with_columns(affinity=pl.col("score") / 2)),
    )
    yield Mistake(
        "asked for lists that pool the systems",
        "warned",
        "repeat an item of their list",
        recs(lambda d: d.recs, lists=["partition", "user"]),
    )
    yield Mistake(
        "asked for one row over all systems",
        "warned",
        "averaged for each list of the truth",
        recs(lambda d: d.recs, by=[]),
        lambda d: Call(d.recs, d.truth, options={"by": []}),
    )
    yield Mistake(
        "named the columns in a dict",
        "refused",
        "rm.Columns(",
        recs(lambda d: d.recs, columns={"item": "item"}),
    )
    yield Mistake(
        "had a column twice",
        "refused",
        "item",
        recs(lambda d: _doubled(d.recs)),
    )


def orders() -> Iterator[Mistake]:
    """Ranks and scores that do not order as they should."""
    yield Mistake(
        "ranked from 0", "refused", "do not start at 1", recs(lambda d: d.ranked.with_columns(pl.col("rank") - 1))
    )
    yield Mistake(
        "ranked all lists as one",
        "refused",
        "do not start at 1",
        recs(lambda d: d.ranked.with_columns(rank=pl.int_range(1, pl.len() + 1))),
    )
    yield Mistake(
        "gave whole ranks as floating-point numbers",
        "unharmed",
        "",
        recs(lambda d: d.ranked.cast({"rank": pl.Float64})),
        ranked,
    )
    yield Mistake(
        "gave ranks as text", "refused", "is not a number", recs(lambda d: d.ranked.cast({"rank": pl.String}))
    )
    yield Mistake(
        "left some recommendations without a rank",
        "refused",
        "have no rank",
        recs(lambda d: d.ranked.with_columns(rank=pl.when(pl.col("rank") != 3).then("rank"))),
    )
    yield Mistake(
        "ranked the worst first",
        "warned",
        "stand lower in their lists",
        recs(lambda d: d.ranked.with_columns(_reversed())),
    )
    yield Mistake(
        "gave distances for scores",
        "warned",
        "stand lower in their lists",
        recs(lambda d: d.recs.with_columns(score=10 - pl.col("score"))),
    )
    yield Mistake(
        "gave distances as a distance column",
        "unharmed",
        "",
        recs(lambda d: d.recs.with_columns(distance=-pl.col("score")).drop("score")),
    )
    yield Mistake(
        "gave scores as text", "refused", "is not a number", recs(lambda d: d.recs.cast({"score": pl.String}))
    )
    yield Mistake("gave scores in 64 bits", "unharmed", "", recs(lambda d: d.recs.cast({"score": pl.Float64})))
    yield Mistake("shuffled the rows", "unharmed", "", recs(lambda d: d.recs.sample(fraction=1, shuffle=True, seed=1)))


def ids() -> Iterator[Mistake]:
    """Ids of lists and items that do not match, and lists that are not there."""
    yield Mistake(
        "gave items as text in one input",
        "refused",
        "Cast one of them",
        recs(lambda d: d.recs.cast({"item": pl.String})),
    )
    yield Mistake(
        "gave items as fractions",
        "refused",
        "cannot identify anything",
        lambda d: Call(d.recs.cast({"item": pl.Float64}), d.truth.cast({"item": pl.Float64})),
    )
    yield Mistake(
        "gave users as integers of another size", "unharmed", "", truth(lambda d: d.truth.cast({"user": pl.Int64}))
    )
    yield Mistake(
        "padded the ids in one input",
        "refused",
        "No item is in both",
        lambda d: Call(
            d.recs.with_columns(pl.col("item").cast(pl.String)),
            d.truth.with_columns(pl.col("item").cast(pl.String).str.zfill(9)),
        ),
    )
    yield Mistake(
        "numbered the items from 1 in one input, from 0 in the other",
        "warned",
        "than the truth of other lists",
        recs(lambda d: d.recs.with_columns(item=pl.col("item") + 1)),
    )
    yield Mistake(
        "renumbered the items in one input",
        "warned",
        "than the truth of other lists",
        recs(lambda d: d.recs.with_columns(item=_renumbered(d.recs["item"]))),
    )
    yield Mistake(
        "renumbered the items of one system",
        "warned",
        "than the truth of other lists",
        recs(
            lambda d: d.recs.with_columns(
                item=pl.when(algorithm=d.algorithms[0]).then(_renumbered(d.recs["item"])).otherwise("item")
            )
        ),
    )
    yield Mistake(
        "renumbered the users in one input",
        "warned",
        "than the truth of other lists",
        truth(lambda d: d.truth.with_columns(user=pl.col("user") + 1)),
    )
    yield Mistake(
        "gave the truth of other users",
        "refused",
        "No list is in both",
        truth(lambda d: d.truth.with_columns(user=pl.col("user") + 1_000_000)),
    )
    yield Mistake(
        "left half of the users out of one system",
        "warned",
        "missing unequally",
        recs(
            lambda d: d.recs.filter(
                (pl.col("algorithm") != d.algorithms[0]) | (pl.col("user") <= d.recs["user"].median())
            )
        ),
    )
    yield Mistake(
        "recommended to half of the users only",
        "warned",
        "lists of the truth have no recommendations",
        recs(lambda d: first_half(d.recs)),
    )
    yield Mistake(
        "cut the lists of one system short",
        "warned",
        "differ in length",
        recs(lambda d: _shortened(d, d.algorithms[0], 3)),
    )


def metrics() -> Iterator[Mistake]:
    """Metrics that are asked for in another way."""
    yield Mistake(
        "named the metrics in a dict",
        "unharmed",
        "",
        lambda d: Call(d.recs, d.truth, {one: one for one in METRICS}),
    )
    yield Mistake(
        "wrote two metrics into one text",
        "refused",
        "cutoff of ndcg",
        lambda d: Call(d.recs, d.truth, "ndcg@10,recall@10"),
    )
    yield Mistake(
        "asked for a metric of graded relevance without ratings",
        "refused",
        "reads ratings, and the truth",
        lambda d: Call(d.recs, d.truth.drop("rating"), ["ndcg(gain=linear)@10"]),
    )
    yield Mistake(
        "misspelled a metric", "refused", "Did you mean 'ndcg'?", lambda d: Call(d.recs, d.truth, ["ndgc@10"])
    )


def with_negatives(data: Data) -> pl.DataFrame:
    """The truth, and as many items more that are rated 0."""
    negatives = data.truth.with_columns(item=pl.col("item") + 10_000_000, rating=pl.lit(0.0))
    return pl.concat([data.truth, negatives])


def _renumbered(items: pl.Series) -> pl.Series:
    """Other numbers for the same items: the lowest for the first that comes."""
    first = items.unique(maintain_order=True)
    return items.replace_strict(first, first.sort())


def _reversed() -> pl.Expr:
    last = pl.col("rank").max().over("partition", "algorithm", "user")
    return (last + 1 - pl.col("rank")).alias("rank")


def _shortened(data: Data, algorithm: str, length: int) -> pl.DataFrame:
    """The recommendations, of one system only the best of each list."""
    place = pl.col("score").rank("ordinal", descending=True).over("partition", "algorithm", "user")
    return data.recs.filter((pl.col("algorithm") != algorithm) | (place <= length))


def _doubled(frame: pl.DataFrame) -> Any:
    """An Arrow table that has its item column twice."""
    table = frame.to_arrow()
    return table.append_column("item", table.column("item"))


def every() -> list[Mistake]:
    """All mistakes."""
    return [*inputs(), *columns(), *orders(), *ids(), *metrics()]
