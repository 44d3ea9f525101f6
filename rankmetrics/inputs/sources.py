"""The inputs of an evaluation: their names, and the usual names of their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from rankmetrics.errors import plain

# The columns that an engine adds to an input, under their names in sql/. input_row: the number of a row in the input,
# for ties="input". input_rank: the rank by score, then item, from engines that rank faster than their SQL does.
# dimension: the position of a number in an embedding. If the input already has a column of that name, the added column
# gets another name: see Layout.added.
INPUT_ROW, INPUT_RANK, DIMENSION = "input_row", "input_rank", "dimension"

# The rank column of the recommendations as the input has it, as a floating-point number, under this name in sql/: to
# find ranks that are not whole numbers.
RANK_AS_FLOAT = "rank_as_float"

# The column that holds the path of the file that a row was read from.
INPUT_FILE = "input_file"

# The optional inputs, each with its meaning and its columns. Errors about a missing input quote these texts.
EXTRAS: Mapping[str, str] = {
    "history": "the items that each list's user knew before, one row each: some of the list columns, item",
    "baseline": "the recommendations to compare with: some of the list columns, item, rank or score",
    "items": "what is known of each item: item, and category, embedding, popularity or propensity",
    "similarity": "how alike two items are, one row per pair: item, other, similarity",
    "catalog": "the items that could be recommended, one row each: item",
    "candidates": "the items that each list is ranked among, one row each: some of the list columns, item",
    "log": "what was shown, one row per item that was shown: some of the list columns, item, reward, propensity and, "
    "where several items were shown at once, position and impression",
}

# The meaning and the columns of the truth, for errors about a missing one.
TRUTH = "the relevant items, one row each: some of the list columns, item and, where graded, a rating"

# The input with the systems that are scored in every partition: the list columns that the truth does not have.
SYSTEMS = "systems"

# The embeddings of the items, one row per number. An engine derives this input from a list column of the items.
EMBEDDINGS = "embeddings"

# The error for a text that reads embeddings where no engine has made them rows.
NO_EMBEDDINGS = (
    "Embeddings are made rows by an engine, and no text for a warehouse has them: leave them out. A text for DuckDB "
    "has them if the items are read from a file or a table."
)

# The inputs that an engine derives from other inputs.
MADE = (EMBEDDINGS,)

# The inputs that hold ranked lists.
RANKED = ("recs", "baseline")

# Every input, by the name that the files of sql/ read it under.
SOURCES = ("recs", "truth", *EXTRAS, EMBEDDINGS)

# The roles that a stage cannot do without. The column of any other role may be missing, and is NULL then.
NEEDED = frozenset(
    "category embedding popularity other similarity reward propensity logger probability expected_reward "
    "subtopic".split()
)

# The names of the inputs in messages.
CALLED = {"recs": "recommendations", "truth": "truth", **{name: name for name in (*EXTRAS, EMBEDDINGS, SYSTEMS)}}


def called(name: str) -> str:
    """The name of an input in messages; the input of one of several systems is passed by that name already."""
    return CALLED.get(name, name)


# Names are compared without case and separators: `movieId`, `movie_id` and `Movie ID` are one name.
ITEM = frozenset("item itemid itemidx iid movieid productid articleid trackid docid docno documentid".split())
# Names of list columns and of numbered columns (`rec_1`, `rec_2`) that hold items, without the `s` of the plural.
LISTED_ITEM = ITEM | frozenset(
    "rec recommendation recommended recommendeditem recommendeditemid relevantitem relevantitemid topitem top "
    "doc document movie product article track".split()
)
# Names that an error offers where a table has no usual name of an item: they are not taken without the caller's word.
LIKELY_ITEM = LISTED_ITEM | frozenset(
    "sku asin isbn ean gtin content contentid video videoid song songid offer offerid listing listingid".split()
)
RATING = frozenset("rating relevance gain grade label score clicked click rel target weight relevant".split())
PROPENSITY = frozenset("propensity propensityscore".split())
RANKING_ROLES = {
    "item": ITEM,
    "rank": frozenset("rank position".split()),
    "score": frozenset("score prediction relevance".split()),
    "distance": frozenset("distance dist".split()),
}
# The roles of recommendations that are a policy. If there is a log, they may be actions with probabilities.
POLICY_ROLES = {
    "position": frozenset("position rank".split()),
    "probability": frozenset("probability prob actionprobability policyprobability".split()),
    "expected_reward": frozenset("expectedreward predictedreward estimatedreward qhat".split()),
}
USUAL: Mapping[str, Mapping[str, frozenset[str]]] = {
    "recommendations": {
        **RANKING_ROLES,
        "pool": frozenset("pool poolsize".split()),
        "chunk": frozenset(),  # only by the name that the caller gives
        **POLICY_ROLES,
    },
    "truth": {
        "item": ITEM,
        "rating": RATING,
        "propensity": PROPENSITY,
        "subtopic": frozenset("subtopic subtopicid intent aspect".split()),
    },
    "history": {"item": ITEM, "rating": RATING},
    "baseline": RANKING_ROLES,
    "items": {
        "item": ITEM,
        "category": frozenset("category categories genre genres topic topics".split()),
        "embedding": frozenset("embedding embeddings vector factors".split()),
        "popularity": frozenset("popularity nusers count".split()),
        "propensity": PROPENSITY,
    },
    "similarity": {
        "item": ITEM | frozenset("itema item1 left".split()),
        "other": frozenset("other otheritem otheritemid otherid neighbor neighbour itemb item2 right".split()),
        "similarity": frozenset("similarity sim cosine score".split()),
    },
    "catalog": {"item": ITEM},
    "candidates": {"item": ITEM},
    "log": {
        "item": ITEM,
        "reward": frozenset("reward click clicks clicked rating gain".split()),
        "propensity": frozenset("propensity pscore propensityscore loggingprobability".split()),
        "position": POLICY_ROLES["position"],
        "impression": frozenset("impression impressionid slate slateid".split()),
        "logger": frozenset("logger loggerid loggingpolicy behaviorpolicy".split()),
    },
}


def roles_of(name: str) -> frozenset[str]:
    """The roles that columns of an input may have; any other column is the user's own."""
    return frozenset(USUAL.get(CALLED[name], set[str]().union(*USUAL.values())))


# Names of the time of an interaction.
TIME = frozenset("time timestamp ts datetime date day createdat occurredat eventtime eventtimestamp ratedat".split())

# Columns of recommendations that have no role and identify no list: copies of the rating in the truth, and columns of
# TREC's runs that no tool reads.
IDLE = RATING - RANKING_ROLES["score"] | frozenset("trecrank treciteration".split())

# Names of columns that say for whom or for what a list is (its owner). Two names of a family mean the same column.
OWNERS: Mapping[str, frozenset[str]] = {
    "user": frozenset(
        "user userid useridx uid customer customerid member memberid visitor visitorid account accountid "
        "person personid client clientid".split()
    ),
    "query": frozenset("query queryid qid topicid searchid requestid request".split()),
    "session": frozenset("session sessionid sid".split()),
}

# Names of the folds of an experiment. Each fold evaluates every user again.
FOLDS = frozenset("fold foldid partition partitionid split splitid".split())

# Names of columns that describe an item or a moment. They identify no list, unless the truth has them too.
DESCRIPTIONS = frozenset("timestamp ts datetime createdat updatedat genre genres description price url".split())

# Names of parts of documents. Their ids repeat in no list, so each would be a system: the caller says what they are.
CHUNKS = frozenset("chunk chunkid passage passageid".split())


def family_of(name: str) -> str | None:
    """The family of OWNERS that a name belongs to; None if it belongs to none."""
    return next((family for family, names in OWNERS.items() if plain(name) in names), None)


def default_cluster(columns: Sequence[str]) -> tuple[str, ...]:
    """The column whose lists are not independent: the user (query, session) if other columns split the user's lists.

    Args:
        columns: the columns that identify a list, without those of systems and those whose values stay apart.

    >>> default_cluster(["day", "userId"]), default_cluster(["userId"]), default_cluster(["day", "store"])
    (('userId',), (), ())
    """
    owners = (name for family in OWNERS for name in columns if family_of(name) == family)
    return tuple(islice(owners, 1)) if len(columns) > 1 else ()


def is_same_column(name: str, other: str) -> bool:
    """True if two names usually mean the same list column: `userId` and `user_id`, `partition` and `fold`."""
    are_folds = plain(name) in FOLDS and plain(other) in FOLDS
    family = family_of(name)
    return plain(name) == plain(other) or are_folds or (family is not None and family == family_of(other))
