"""What a column may be for, in which inputs, and by which names: the one table of roles, and the names of list columns.

Names are compared without case and separators: `movieId`, `movie_id` and `Movie ID` are one name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rankmetrics.errors import plain
from rankmetrics.inputs.sources import CALLED


@dataclass(frozen=True)
class Role:
    """A role that columns of some inputs have, and the names by which a column has it without the caller's word."""

    name: str
    inputs: str  # the inputs that may have it
    usual: str = ""  # if several columns have such a name, the caller is asked which
    # names of data sets and libraries: they count if no column has a usual name, and if the type of the column fits
    rarer: str = ""
    kind: str = "id"  # the type that it needs: id, number, label (a number or a boolean), nested
    is_needed: bool = False  # True if a stage cannot do without it; the column of another role may be missing: NULL


ITEMS = "item itemid itemidx iid movieid productid articleid trackid docid docno documentid corpusid"
RARER_ITEMS = (
    "sku skuid asin parentasin isbn isbn13 ean gtin aid newsid bookid songid trackuri albumid videoid gameid appid "
    "adid businessid hotelid propid venueid recipeid beerid courseid jobid postid listingid offerid contentid"
)
RATINGS = "rating relevance gain grade label score clicked click rel target weight relevant"
RARER_RATINGS = (
    "ratings stars starrating overall bookrating reviewrating userrating ytrue labels judgment judgement relevancy "
    "relevancelabel relevancegrade relevancescore gradedrelevance isrelevant isclick isclicked clickbool bookingbool "
    "isbooked booked purchase purchased ispurchase ispurchased bought isbought ordered isordered reordered converted "
    "isconverted liked like islike isliked interacted ispositive positive response feedback reward addtocart "
    "addedtocart"
)
SCORES = (
    "scores predictions predicted predscore predictedscore predictedrating estimatedrating est ypred yscore yhat pred "
    "logit relevancescore rerankscore rankingscore similarityscore cosinesimilarity similarity bm25 probability prob "
    "proba predictedprobability pctr"
)

# Every role. One that has other names in other inputs has several rows.
TABLE = (
    Role("item", "recs truth history baseline items catalog candidates log", ITEMS, RARER_ITEMS),
    Role("item", "similarity", f"{ITEMS} itema item1 left", RARER_ITEMS),
    Role("score", "recs baseline", "score prediction relevance", SCORES, "number"),
    Role("distance", "recs baseline", "distance dist", "cosinedistance l2distance euclideandistance", "number"),
    Role("rank", "recs baseline", "rank position", "ranking rn rownumber itemrank documentposition", "number"),
    Role("rating", "truth", RATINGS, RARER_RATINGS, "label"),
    Role("rating", "history", RATINGS, kind="label"),
    Role("pool", "recs", "pool poolsize", kind="number"),
    Role("chunk", "recs"),  # only by the name that the caller gives
    Role("position", "recs log", "position rank", kind="number"),
    Role("probability", "recs", "probability prob actionprobability policyprobability", "", "number", True),
    Role("expected_reward", "recs", "expectedreward predictedreward estimatedreward qhat", "", "number", True),
    Role("propensity", "truth items", "propensity propensityscore", "", "number", True),
    Role("subtopic", "truth", "subtopic subtopicid intent aspect", is_needed=True),
    Role("category", "items", "category categories genre genres topic topics", is_needed=True),
    Role("embedding", "items", "embedding embeddings vector factors", "", "nested", True),
    Role("popularity", "items", "popularity nusers count", "", "number", True),
    Role(
        "other",
        "similarity",
        "other otheritem otheritemid otherid neighbor neighbour itemb item2 right",
        "",
        "id",
        True,
    ),
    Role("similarity", "similarity", "similarity sim cosine score", "", "number", True),
    Role("reward", "log", "reward click clicks clicked rating gain", "", "label", True),
    Role("propensity", "log", "propensity pscore propensityscore loggingprobability", "", "number", True),
    Role("impression", "log", "impression impressionid slate slateid"),
    Role("logger", "log", "logger loggerid loggingpolicy behaviorpolicy", is_needed=True),
)

# The roles of each input, by its name in messages, and their usual names.
BY_INPUT: Mapping[str, Mapping[str, Role]] = {
    CALLED[name]: {role.name: role for role in TABLE if name in role.inputs.split()}
    for name in dict.fromkeys(" ".join(role.inputs for role in TABLE).split())
}
USUAL: Mapping[str, Mapping[str, frozenset[str]]] = {
    table: {name: frozenset(role.usual.split()) for name, role in roles.items()} for table, roles in BY_INPUT.items()
}
NEEDED = frozenset(role.name for role in TABLE if role.is_needed)

# The input that has the column of a role that a file may need: the last of these that has the role.
HOMES = {role.name: name for name in ("truth", "items", "log", "recs") for role in TABLE if name in role.inputs.split()}

# The roles whose columns hold numbers.
NUMBERED = tuple(dict.fromkeys(role.name for role in TABLE if role.kind in ("number", "label")))

# The roles of the truth in addition to the item. Where the columns of the truth are not named, those that are named for
# all inputs have them.
OF_TRUTH = tuple(name for name in BY_INPUT["truth"] if name != "item")

# The roles that rank, and those of recommendations that are a policy: if there is a log, they may be actions with
# probabilities.
RANKING_ROLES = tuple(BY_INPUT["baseline"])
POLICY_ROLES = ("position", "probability", "expected_reward")

ITEM, RATING = USUAL["recommendations"]["item"], USUAL["truth"]["rating"]
LABELS = frozenset(f"{RATINGS} {RARER_RATINGS}".split())
# Names of list columns and of numbered columns (`rec_1`, `rec_2`) that hold items, without the `s` of the plural.
LISTED_ITEM = ITEM | frozenset(
    "rec recommendation recommended recommendeditem recommendeditemid relevantitem relevantitemid topitem top "
    "doc document movie product article track".split()
)
# Names that an error offers where a table has no usual name of an item: they are not taken without the caller's word.
LIKELY_ITEM = LISTED_ITEM | frozenset([*RARER_ITEMS.split(), *"id content video song offer listing book news".split()])


def roles_of(name: str) -> frozenset[str]:
    """The roles that columns of an input may have; any other column is the user's own."""
    return frozenset(BY_INPUT.get(CALLED[name], {role.name for role in TABLE}))


# Names of the time of an interaction.
TIME = frozenset("time timestamp ts datetime date day createdat occurredat eventtime eventtimestamp ratedat".split())

# Parts of the names of lists, where a table holds both the recommended and the relevant items of a list.
LISTS_OF: Mapping[str, re.Pattern[str]] = {
    "recs": re.compile("retriev|recommend|predict|^recs?|^top|result|ranked|suggest|candidate|y_?pred"),
    "truth": re.compile("truth|relevant|reference|gold|expected|actual|label|positive|target|purchase|bought|y_?true"),
}

# Columns of recommendations that have no role and identify no list: copies of the rating in the truth, and columns of
# TREC's runs that no tool reads.
IDLE = frozenset(f"{RATINGS} distance dist trecrank treciteration".split()) - USUAL["baseline"]["score"]

# Columns that storage and tools add, by their whole names: they identify no list. Those that are `ADDED` for certain
# have such a name in no table of a person.
TECHNICAL = re.compile(
    r"__\w+__|__v|_id|_index|_?rowid_?|unnamed: ?\d+\w*|dbt_(scd|updated|valid)_\w+|id|index|level_0|pk|ctid|uuid|guid|"
    r"_(airbyte|fivetran|dlt|sdc|hoodie|dbt|rescued|partition|metadata|commit|change|ingested|loaded|synced|file|source|"
    r"table_suffix)_?\w*|row_?(id|nr|num|number|index)|rn",
    re.IGNORECASE,
)
ADDED = re.compile("__|_[a-z]|unnamed|ctid|dbt_", re.IGNORECASE)

# Names of columns that say for whom or for what a list is (its owner). Two names of a family mean the same column.
OWNERS: Mapping[str, frozenset[str]] = {
    "user": frozenset(
        "user userid useridx uid customer customerid member memberid visitor visitorid account accountid "
        "person personid client clientid reviewer reviewerid subscriber subscriberid profileid msno".split()
    ),
    "query": frozenset("query queryid qid topicid searchid srchid requestid request question questionid".split()),
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
