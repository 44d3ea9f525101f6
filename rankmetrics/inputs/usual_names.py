"""The usual names of columns: of each role, of users and queries, of folds, and of columns that identify no list."""

from __future__ import annotations

from collections.abc import Mapping

from rankmetrics.errors import plain

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
RANKED = {
    "item": ITEM,
    "rank": frozenset("rank position".split()),
    "score": frozenset("score prediction relevance".split()),
    "distance": frozenset("distance dist".split()),
}
USUAL: Mapping[str, Mapping[str, frozenset[str]]] = {
    "recommendations": {**RANKED, "pool": frozenset("pool poolsize".split())},
    "truth": {"item": ITEM, "rating": RATING},
    "history": {"item": ITEM, "rating": RATING},
    "baseline": RANKED,
    "items": {
        "item": ITEM,
        "category": frozenset("category categories genre genres topic topics".split()),
        "embedding": frozenset("embedding embeddings vector factors".split()),
        "popularity": frozenset("popularity nusers count".split()),
    },
    "similarity": {
        "item": ITEM | frozenset("itema item1 left".split()),
        "other": frozenset("other otheritem otheritemid otherid neighbor neighbour itemb item2 right".split()),
        "similarity": frozenset("similarity sim cosine score".split()),
    },
    "catalog": {"item": ITEM},
    "candidates": {"item": ITEM},
}

# Names of the time of an interaction.
TIME = frozenset("time timestamp ts datetime date day createdat occurredat eventtime eventtimestamp ratedat".split())

# Columns of recommendations that have no role and identify no list: copies of the rating in the truth, and columns of
# TREC's runs that no tool reads.
IDLE = RATING - RANKED["score"] | frozenset("trecrank treciteration".split())

# Names of columns that say for whom or for what a list is (its owner). Two names of a family mean the same column.
OWNERS: Mapping[str, frozenset[str]] = {
    "user": frozenset(
        "user userid useridx uid customer customerid member memberid visitor visitorid account accountid "
        "person personid client clientid".split()
    ),
    "query": frozenset("query queryid qid topicid searchid requestid request".split()),
    "session": frozenset("session sessionid sid".split()),
}

# Names of the folds of an experiment. Each fold evaluates every user anew.
FOLDS = frozenset("fold foldid partition partitionid split splitid".split())

# Names of columns that describe an item or a moment. They identify no list, unless the truth has them too.
DESCRIPTIONS = frozenset("timestamp ts datetime createdat updatedat genre genres description price url".split())


def family_of(name: str) -> str | None:
    """The family of OWNERS that a name belongs to; None if it belongs to none.

    >>> family_of("customer_id"), family_of("fold")
    ('user', None)
    """
    return next((family for family, names in OWNERS.items() if plain(name) in names), None)


def is_same_column(name: str, other: str) -> bool:
    """Whether two names usually mean the same list column.

    >>> is_same_column("userId", "user_id"), is_same_column("partition", "fold"), is_same_column("user", "query")
    (True, True, False)
    """
    are_folds = plain(name) in FOLDS and plain(other) in FOLDS
    family = family_of(name)
    return plain(name) == plain(other) or are_folds or (family is not None and family == family_of(other))
