"""What is measured, as data: the sets, the jobs of each, and the numbers that are made of what the jobs took."""

from __future__ import annotations

from dataclasses import dataclass, replace

ENGINES = ("duckdb", "polars")
SIX = tuple(f"{name}@5,10,20" for name in ("ndcg", "recall", "precision", "ap", "rr", "hit"))

# All metrics of the catalogue that need nothing but recommendations and truth.
ACCURACY = (
    *("ndcg", "recall", "precision", "ap", "rr", "hit", "auc", "bpref", "dcg", "err", "f_beta", "ideal_dcg"),
    *("mean_recall", "n_hits", "n_recommended", "r_precision", "rbp", "unjudged", "weighted_precision"),
)
CATALOGUE = (*(f"{name}@1,5,10,20,50,100" for name in ACCURACY), "n_relevant")
THIRTY = (
    *(f"{name}@10" for name in ACCURACY),
    *("n_relevant", "recall(divisor=capped)@10", "precision(divisor=list)@10", "ap(divisor=relevant)@10"),
    *("ndcg(discount=lenskit)@10", "ndcg(discount=geometric)@10", "dcg(discount=lenskit)@10", "rbp(p=0.5)@10"),
    *("f_beta(beta=2)@10", "err(stop=graded)@10", "ndcg(share=full)@10"),
)
TWENTY_CUTOFFS = tuple(f"{metric.split('@')[0]}@1..20" for metric in SIX)
GRADED = ("ndcg(gain=exponential)@5,10,20",)


@dataclass(frozen=True)
class Job:
    """A process: a script of jobs/, what it is given besides the folder, and the data of that folder."""

    script: str
    arguments: tuple[str, ...]
    data: str  # a set of generate.py
    lists: int | None = None  # how many; without it, as many as there are by default


@dataclass(frozen=True)
class Number:
    """What is told: what a job took, or a ratio of what two took, both less what others took.

    It is met where it is at most so much; what is only hoped for is shown beside it, without a verdict.
    """

    what: str
    job: str
    to: str = ""
    field: str = "cpu_s"  # or what the job printed under this name
    at_most: float | None = None
    hoped: float | None = None
    less: str = ""  # taken off what the job took
    to_less: str = ""  # taken off what the other took
    times: float = 1


NAMES = ("what", "job", "to", "less", "to_less")  # fields of a number in which an engine is named


@dataclass(frozen=True)
class Set:
    """Jobs that take turns, and what is told of them."""

    jobs: dict[str, Job]
    numbers: tuple[Number, ...]
    rounds: int = 5
    same: tuple[tuple[str, ...], ...] = ()  # jobs whose numbers must be the same


def per_engine(jobs: dict[str, Job]) -> dict[str, Job]:
    """Jobs for each engine, which takes the place of the `*` in their names and ends those of the scripts."""
    return {
        name.replace("*", engine): replace(job, script=f"{job.script}_{engine}")
        for engine in ENGINES
        for name, job in jobs.items()
    }


def numbers(*told: Number) -> tuple[Number, ...]:
    """Numbers for each engine, which takes the place of every `*`."""
    return tuple(
        replace(one, **{field: getattr(one, field).replace("*", engine) for field in NAMES})
        for one in told
        for engine in ENGINES
    )


def same(*names: str) -> tuple[str, ...]:
    """Jobs of all engines, which must all agree."""
    return tuple(name.replace("*", engine) for engine in ENGINES for name in names)


def ratio(job: str, to: str, at_most: float | None = None, hoped: float | None = None) -> Number:
    """The CPU seconds of a job over those of another."""
    return Number(f"{job} / {to}", job, to, at_most=at_most, hoped=hoped)


def memory(job: str, to: str, at_most: float | None = None) -> Number:
    """The peak of the memory of a job over that of another."""
    return Number(f"{job} / {to}, memory", job, to, "memory_mb", at_most)


def by_hand(data: str, *arguments: str, tag: str = "") -> dict[str, Job]:
    """The bare join, the plan written by hand and ours over the same data."""
    return per_engine(
        {
            f"bare join *{tag}": Job("bare_join", arguments, data),
            f"hand *{tag}": Job("hand", arguments, data),
            f"rankmetrics *{tag}": Job("rankmetrics", SIX, data),
        }
    )


SHAPES = {
    "strings": ("rank", "user"),
    "three_columns": ("rank", "fold,user", "algorithm"),
    "long_lists": ("rank", "user"),
    "shuffled_ranked": ("rank", "user"),
}
DIALECT = "sqlglot.dialects.duckdb"  # which our files are written in, and both engines read
PLANNED = {"modules": None, "cold": 100, "warm": 100, "repeated": None}  # as planning.py tells; milliseconds at most
SIZES: dict[str, tuple[int, int | None]] = {"1M": (1, 10_000), "10M": (10, None), "100M": (100, 1_000_000)}

# What grows, to how many, from how many: `jobs/many.py` measures both.
MANY = {"systems": (200, 50), "metrics": (30, 6), "segments": (1000, 250), "hours": (24, 6)}

SETS = {
    # what users run, whole processes: a summary with all checks, the first number, a mistyped command
    "collected": Set(
        jobs={
            name: job
            for data in ("ranked", "scored")
            for name, job in per_engine(
                {
                    f"bare join *, {data}": Job("bare_join", ("rank" if data == "ranked" else "score", "user"), data),
                    f"summary *, {data}": Job("rankmetrics", SIX, data),
                    f"collect *, {data}": Job("collected", SIX, data),
                }
            ).items()
        },
        numbers=(
            *numbers(
                *(ratio(f"collect *, {data}", f"summary *, {data}", at_most=1.3) for data in ("ranked", "scored")),
                memory("collect *, ranked", "bare join *, ranked", 1.5),
            ),
            *(
                Number(
                    f"collect {engine} / bare join {engine}, wall",
                    *(f"collect {engine}, ranked", f"bare join {engine}, ranked"),
                    field="wall_s",
                    at_most=at_most,
                )
                for engine, at_most in (("duckdb", 2.2), ("polars", 2.5))
            ),
        ),
        rounds=3,
        same=tuple(same(f"collect *, {data}", f"summary *, {data}") for data in ("ranked", "scored")),
    ),
    "first": Set(
        jobs={
            "one query": Job("one_query", (), "ranked", 1_000),
            "summary": Job("rankmetrics_duckdb", ("ndcg@10",), "ranked", 1_000),
            "collect": Job("collected_duckdb", ("ndcg@10",), "ranked", 1_000),
            "command line": Job("rankmetrics_cli", ("ndcg@10",), "ranked", 1_000),
            "mistyped command": Job("mistyped_command", (), "ranked", 1_000),
        },
        numbers=(
            Number("summary, less one query, CPU s", "summary", at_most=0.15, less="one query"),
            ratio("command line", "one query", at_most=3),
            ratio("collect", "one query"),
            Number("mistyped command, wall s", "mistyped command", field="wall_s", at_most=0.3),
        ),
    ),
    "warm": Set(
        jobs={call: Job("warm", (call,), "ranked", 1) for call in ("collect", "summary", "print", "pytrec_eval")},
        numbers=(
            Number("warm collect / pytrec_eval", "collect", "pytrec_eval", field="call_ms", at_most=1),
            Number("warm summary / pytrec_eval", "summary", "pytrec_eval", field="call_ms"),
            Number("print after collect / collect", "print", "collect", field="call_ms", at_most=0.2),
        ),
        rounds=3,
    ),
    "rank_factors": Set(
        jobs={job: Job("rank_factors", (job,), "ranked", 1) for job in ("product", "ranks", "collected")},
        numbers=(
            Number("rank_factors and collect / product", "collected", "product", field="cpu", at_most=1.5),
            Number("ranks of rank_factors / product", "ranks", "product", field="cpu"),
            Number("rank_factors and collect / product, memory", "collected", "product", "peak_mb", at_most=2),
        ),
        rounds=3,
    ),
    "many": Set(
        jobs={
            f"{number:,} {what}": Job("many", (what, str(number)), "ranked", 1)
            for what, counts in MANY.items()
            for number in counts
        },
        numbers=tuple(
            Number(
                f"each of {most:,} {what} / each of {fewer:,}",
                *(f"{most:,} {what}", f"{fewer:,} {what}"),
                field="seconds",
                at_most=1,
                times=fewer / most,
            )
            for what, (most, fewer) in MANY.items()
        ),
        rounds=3,
    ),
    "ranked": Set(
        jobs=by_hand("ranked", "rank", "user")
        | per_engine(
            {
                "bare scan *": Job("bare_scan", (), "ranked"),
                "per list *": Job("per_list", ("rows",), "ranked"),
                "per list, once *": Job("per_list", ("once",), "ranked"),
                "first *": Job("first", ("rank", "user"), "ranked"),
            }
        )
        | {"rankmetrics cli": Job("rankmetrics_cli", SIX, "ranked")},
        numbers=(
            *numbers(
                ratio("rankmetrics *", "hand *", at_most=1.25),
                ratio("rankmetrics *", "per list *", at_most=1.25),
                ratio("rankmetrics *", "per list, once *", at_most=1.25),
                ratio("rankmetrics *", "first *", at_most=0.55),
                memory("rankmetrics *", "per list, once *", 1.2),
                ratio("rankmetrics *", "bare join *", hoped=1.5),
                ratio("hand *", "bare join *"),
            ),
            ratio("rankmetrics cli", "bare join duckdb"),
        ),
        same=(same("hand *", "per list *", "per list, once *", "first *", "rankmetrics *"),),
    ),
    "ranked_50m": Set(
        jobs=by_hand("ranked_50m", "rank", "user")
        | per_engine(
            {
                "per list *": Job("per_list", ("rows",), "ranked_50m"),
                "per list, once *": Job("per_list", ("once",), "ranked_50m"),
            }
        ),
        numbers=numbers(
            ratio("rankmetrics *", "hand *", at_most=1.1),
            ratio("rankmetrics *", "per list *", at_most=1.1),
            ratio("rankmetrics *", "per list, once *", at_most=1.1),
            memory("rankmetrics *", "per list, once *", 1.2),
            ratio("rankmetrics *", "bare join *", hoped=1.5),
        ),
        rounds=3,
        same=(same("hand *", "per list *", "per list, once *", "rankmetrics *"),),
    ),
    "scored": Set(
        jobs={
            **by_hand("scored", "score", "user"),
            **per_engine({"rank only *": Job("rank_only", ("score",), "scored")}),
        },
        numbers=numbers(
            ratio("rankmetrics *", "rank only *", at_most=2),
            ratio("rankmetrics *", "hand *"),
            memory("rankmetrics *", "hand *"),
        ),
        same=(same("hand *", "rankmetrics *"),),
    ),
    "shuffled": Set(
        jobs={
            **by_hand("shuffled", "sorted", "user"),
            **per_engine({"rank only *": Job("rank_only", ("sorted",), "shuffled")}),
        },
        numbers=numbers(
            ratio("rankmetrics *", "rank only *", at_most=1.3),
            ratio("rankmetrics *", "hand *"),
            memory("rankmetrics *", "hand *"),
        ),
        same=(same("hand *", "rankmetrics *"),),
    ),
    "shapes": Set(
        jobs={
            name: job for data, words in SHAPES.items() for name, job in by_hand(data, *words, tag=f", {data}").items()
        },
        numbers=numbers(*(ratio(f"rankmetrics *, {data}", f"hand *, {data}") for data in SHAPES)),
        rounds=3,
        same=tuple(same(f"hand *, {data}", f"rankmetrics *, {data}") for data in SHAPES),
    ),
    "large_truth": Set(
        jobs={
            **by_hand("large_truth", "rank", "user"),
            **per_engine(
                {
                    "rankmetrics *, skip": Job(
                        "rankmetrics", tuple(metric.replace("@", "(missing=skip)@") for metric in SIX), "large_truth"
                    )
                }
            ),
        },
        numbers=numbers(
            ratio("rankmetrics *", "hand *"),
            ratio("rankmetrics *, skip", "bare join *"),
            memory("rankmetrics *", "hand *"),
        ),
        rounds=3,
        same=(same("hand *", "rankmetrics *"),),
    ),
    "growth": Set(
        jobs=per_engine(
            {
                "rankmetrics *, one list": Job("rankmetrics", SIX, "ranked", 1),
                **{
                    f"rankmetrics *, {rows}": Job("rankmetrics", SIX, "ranked", lists)
                    for rows, (_, lists) in SIZES.items()
                },
            }
        ),
        numbers=numbers(
            *(
                Number(
                    f"* per row, {most} / {fewest}, less one list",
                    *(f"rankmetrics *, {most}", f"rankmetrics *, {fewest}"),
                    at_most=1.3,
                    less="rankmetrics *, one list",
                    to_less="rankmetrics *, one list",
                    times=SIZES[fewest][0] / SIZES[most][0],
                )
                for fewest, most in (("1M", "10M"), ("1M", "100M"), ("10M", "100M"))
            ),
            Number(
                "* per row, 100M / 1M, whole process",
                *("rankmetrics *, 100M", "rankmetrics *, 1M"),
                times=1 / 100,
            ),
        ),
        rounds=3,
    ),
    "metrics": Set(
        jobs=per_engine(
            {
                "one *": Job("rankmetrics", ("ndcg@10",), "ranked"),
                "thirty *": Job("rankmetrics", THIRTY, "ranked"),
                "one cutoff *": Job("rankmetrics", tuple(f"{one.split('@')[0]}@20" for one in SIX), "ranked"),
                "twenty cutoffs *": Job("rankmetrics", TWENTY_CUTOFFS, "ranked"),
                "binary *": Job("rankmetrics", ("ndcg@5,10,20",), "ranked"),
                "graded *": Job("rankmetrics", GRADED, "ranked"),
                "six *": Job("rankmetrics", SIX, "ranked"),
                "catalogue *": Job("rankmetrics", CATALOGUE, "ranked"),
            }
        ),
        numbers=numbers(
            Number(
                "each of 29 more metrics / the first, *", "thirty *", "one *", at_most=0.05, less="one *", times=1 / 29
            ),
            ratio("twenty cutoffs *", "one cutoff *", at_most=1.3),
            ratio("graded *", "binary *", at_most=1.4),
            ratio("catalogue *", "six *", at_most=3),
        ),
        rounds=3,
    ),
    "starting": Set(
        jobs={
            **{f"imports {engine}": Job("imports", (engine, DIALECT), "ranked", 1) for engine in ENGINES},
            **{
                f"imports and rankmetrics {engine}": Job(
                    "imports",
                    (
                        engine,
                        DIALECT,
                        "rankmetrics.api",
                        "rankmetrics.results.result",
                        f"rankmetrics.engines.{engine}",
                    ),
                    *("ranked", 1),
                )
                for engine in ENGINES
            },
            "import rankmetrics": Job("imports", ("rankmetrics",), "ranked", 1),
            "planning six": Job("planning", SIX, "ranked", 1),
            "planning catalogue": Job("planning", CATALOGUE, "ranked", 1),
        },
        numbers=(
            *numbers(ratio("imports and rankmetrics *", "imports *", at_most=1.2)),
            Number("import rankmetrics, CPU s", "import rankmetrics"),
            *(Number(f"planning six, {when}, ms", "planning six", field=when) for when in PLANNED),
            *(
                Number(f"planning catalogue, {when}, ms", "planning catalogue", field=when, at_most=at_most)
                for when, at_most in PLANNED.items()
            ),
        ),
    ),
    "systems": Set(
        jobs=per_engine(
            {
                "bare group *": Job("bare_group", (), "systems"),
                "gini *": Job("gini", (), "systems"),
                "personalization *": Job("personalization", (), "systems"),
            }
        ),
        numbers=numbers(ratio("gini *", "bare group *"), ratio("personalization *", "bare group *")),
        rounds=3,
    ),
    "embeddings": Set(
        jobs={
            "bare sum duckdb": Job("bare_embeddings_duckdb", (), "embeddings"),
            "embedding_diversity duckdb": Job("embedding_diversity_duckdb", (), "embeddings"),
        },
        numbers=(ratio("embedding_diversity duckdb", "bare sum duckdb"),),
        rounds=3,
    ),
}

# These import all that others do.
WARMING = tuple(Job(f"rankmetrics_{by}", SIX, "ranked", 1) for by in (*ENGINES, "cli"))
