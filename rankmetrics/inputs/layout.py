"""Finds the role of every column of the inputs from their schemas, or refuses them with the reason."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from rankmetrics.errors import ColumnError, Option, choices_for, names, plain, similar
from rankmetrics.inputs.columns import (
    BY_FOLD,
    BY_LIST,
    OF_TRUTH,
    ROLES,
    Columns,
    Layout,
    Schema,
    Side,
    check_numbers,
    check_same,
    check_types,
    folds_of,
    lists_in_cells,
)
from rankmetrics.inputs.list_columns import (
    LISTS,
    TRUTH_LISTS,
    Groupings,
    check_systems,
    groupings,
    list_columns,
    match,
    missing,
    named_systems,
    naming,
    refuse_descriptions,
    refuse_lists_of_systems,
    refuse_repeated,
    shared_columns,
    stated_lists,
    without_over,
)
from rankmetrics.inputs.negatives import Negatives
from rankmetrics.inputs.sources import LIKELY_ITEM, POLICY_ROLES, RANKING_ROLES, USUAL


def layout(
    recs: Schema,
    truth: Schema | None,
    *,
    columns: Columns | None = None,
    truth_columns: Columns | None = None,
    lists: Sequence[str] | None = None,
    truth_lists: Sequence[str] | None = None,
    by: Groupings | None = None,
    rollup: bool = False,
    over: str | None = None,
    cluster: Sequence[str] | None = None,
    in_order: bool = False,
    extras: Mapping[str, Schema] | None = None,
    extra_columns: Mapping[str, Columns] | None = None,
    extra_lists: Mapping[str, Sequence[str]] | None = None,
    history_until: str | None = None,
    systems: Sequence[str | int | Mapping[str, str | int]] | None = None,
    systems_types: Schema | None = None,
    lower_is_better: bool = False,
    rank_from: int = 1,
    ranks: str = "checked",
    cold_start: bool = False,
    inferred_roles: Mapping[str, Mapping[str, str]] | None = None,
    negatives: Negatives | None = None,
    subtopics: bool = False,
) -> Layout:
    """The role of every column of the inputs, from their schemas; most options are those of evaluate.

    `in_order`: the order of the rows may replace a rank. `inferred_roles`: the columns of roles that follow from the
    shapes of the inputs, by the name of the input. `systems_types`: the schema of a table of systems. `subtopics`: a
    metric reads the subtopics of the truth; otherwise, only a column that the user names has this role.
    """
    recs_columns, shaped = columns or Columns(), inferred_roles or {}
    refuse_repeated(LISTS, lists)
    refuse_repeated(TRUTH_LISTS, truth_lists)
    recs_given = replace(recs_columns.without(OF_TRUTH), lists={}).filled(shaped.get("recs"))
    has_log = "log" in (extras or {})
    recs_roles = _roles("recommendations", recs, recs_given, lists or (), without=() if has_log else POLICY_ROLES)
    recs_roles = _ranking(_as_policy(recs_roles), lower_is_better=lower_is_better)
    chosen = list_columns(recs, recs_roles, recs_columns, lists)
    if truth is None:
        truth, truth_roles = {}, Columns()
        of_lists = {column for name, schema in (extras or {}).items() if name in BY_LIST for column in schema}
        matched = shared_columns(recs, chosen, truth_lists, by, {*of_lists, history_until})
    else:
        truth_roles = _truth_roles(
            truth,
            recs_columns,
            truth_columns,
            recs_roles,
            chosen,
            truth_lists,
            shaped.get("truth"),
            subtopics=subtopics,
        )
        matched, own_names = match("truth", truth, truth_roles, chosen, truth_lists)
        truth_roles = replace(truth_roles, lists=own_names)
    if recs_roles.rank is None and recs_roles.score is None and recs_roles.probability is None and not in_order:
        raise _unranked(recs, truth)
    named = {"lists": lists is not None, "rating": (truth_columns or recs_columns).rating}
    base = Layout(
        lists=chosen,
        truth_lists=matched,
        by=(),
        recs=recs_roles,
        truth=truth_roles,
        recs_types=recs,
        truth_types=truth,
        inferred=frozenset(name for name, is_named in named.items() if not is_named),
        rank_from=rank_from,
        ranks=ranks,
        cold_start=cold_start,
        history_until=history_until,
        negatives=negatives,
    )
    check_types(base)
    if systems_types is not None:
        check_systems(systems_types, recs, chosen, matched)
    if lists is None:
        refuse_descriptions(recs, chosen, matched)

    def side(name: str, schema: Schema) -> Side:
        stated = stated_lists(name, extra_lists or {}, history_until, matched)
        own = (extra_columns or {}).get(name) or Columns(item=recs_roles.item if recs_roles.item in schema else None)
        return _extra(base, name, schema, own, shaped.get(name), stated, lower_is_better=lower_is_better)

    first, *totals = groupings(by, rollup, chosen, matched)
    if over is not None:
        first = without_over(over, first, chosen, is_named=by is not None, has_totals=bool(totals))
    _refuse_cluster(cluster or (), base)
    return replace(
        base,
        by=first,
        totals=tuple(totals),
        over=over,
        cluster=cluster if cluster is None else tuple(cluster),
        extras={name: side(name, schema) for name, schema in (extras or {}).items()},
        named_systems=named_systems(systems, chosen, matched),
    )


def _refuse_cluster(cluster: Sequence[str], layout: Layout) -> None:
    """Refuse a column of clusters that is none of the lists that systems share."""
    known = [name for name in layout.lists if name not in layout.systems]
    for name in cluster:
        if name not in known:
            raise ColumnError(
                f"{Option('cluster', is_noun=True)} names {name!r}, which is not a list column that all systems share: "
                f"{choices_for(name, known)}"
            )


# --- roles ------------------------------------------------------------------------------------------------------------


def _roles(
    table: str, schema: Schema, named_roles: Columns, lists: Sequence[str], without: Collection[str] = ()
) -> Columns:
    """The column of each role of a table: the column that the user named, else the column with a usual name."""
    roles: dict[str, str | None] = {}
    refuse_repeated("Columns(...)", list(named_roles.roles.values()))
    strange = [role for role in named_roles.roles if role not in USUAL[table]]
    if strange and table not in ("recommendations", "truth"):
        raise ColumnError(f"The {table} has no role {strange[0]!r}: its columns are {names(USUAL[table])}.")
    if idle := [role for role in named_roles.roles if role in without]:
        raise ColumnError(f"The {idle[0]} of {table} is read beside a log, and none was given. Give {Option('log')}.")
    used = {*lists, *named_roles.roles.values()}
    for role in ROLES:
        named: str | None = getattr(named_roles, role)
        usual = USUAL[table].get(role)
        if usual is None or role in without:
            continue
        if named is not None and named not in schema:
            raise missing(named, f"named as the {role} column", table, schema)
        candidates = [named] if named else [name for name in schema if plain(name) in usual and name not in used]
        if len(candidates) > 1:
            raise ColumnError(
                f"Which column of the {table} is the {role}: {names(candidates)}? Say so: "
                f"{naming(table, role, candidates[0])}; a column that identifies lists goes into "
                f"{Option('lists', [...])}."
            )
        roles[role] = candidates[0] if candidates else None
    if roles["item"] is None:
        free = [name for name in schema if name not in used]
        near = [name for name in free if plain(name) in LIKELY_ITEM]
        near += [name for usual in ("item", "item_id", "product_id") for name in similar(usual, free, least=0.7)]
        looks = f" {near[0]!r} looks like one." if near else ""
        raise ColumnError(
            f"No item column was found in the {table}: there were {names(schema)}.{looks} Name it: "
            f"{naming(table, 'item', near[0] if near else '...')}.{lists_in_cells(schema)}"
        )
    return Columns(**roles)  # type: ignore[arg-type]  # every role is the name of a column


def _as_policy(roles: Columns) -> Columns:
    """The roles of recommendations: if they have probabilities, a rank is the position that a probability is for."""
    if roles.probability is None:
        return replace(roles, position=None)
    return replace(roles, position=roles.position or roles.rank, rank=None)


def _ranking(roles: Columns, *, lower_is_better: bool = False) -> Columns:
    """The roles, with a distance column as the score too."""
    if lower_is_better and roles.score and not roles.distance:
        roles = replace(roles, distance=roles.score)
    if roles.distance and roles.score and roles.score != roles.distance:
        raise ColumnError(
            f"Which column ranks the lists: the score {roles.score!r} or the distance {roles.distance!r}? Name one and "
            f"leave out the other: {Option('columns', {'score': roles.score})} or "
            f"{Option('columns', {'distance': roles.distance})}."
        )
    return replace(roles, score=roles.distance) if roles.distance else roles


def _truth_roles(
    truth: Schema,
    recs_columns: Columns,
    truth_columns: Columns | None,
    recs: Columns,
    lists: Sequence[str],
    truth_lists: Sequence[str] | None,
    inferred: Mapping[str, str] | None,
    *,
    subtopics: bool,
) -> Columns:
    """The column of each role of the truth; refuses a truth that looks like recommendations."""
    named = truth_columns or Columns(item=recs_columns.item if recs_columns.item in truth else None)
    named = replace(named.filled(recs_columns.only(OF_TRUTH).roles), lists=named.lists or recs_columns.lists)
    if truth_columns is None and truth_lists is None:
        _refuse_run(truth, named, recs, lists)
    own_names = {named.lists.get(column, column) for column in truth_lists or lists}
    without = () if subtopics or named.subtopic else ("subtopic",)
    return replace(_roles("truth", truth, named.filled(inferred), [*own_names], without), lists=named.lists)


def _refuse_run(truth: Schema, named: Columns, recs: Columns, lists: Sequence[str]) -> None:
    """Refuse a truth that has the columns of ranked recommendations, unless its columns were named."""
    free = [name for name in truth if name not in {*lists, *named.roles.values()}]
    ranks = [name for name in free if plain(name) in RANKING_ROLES["rank"]]
    scores = [name for name in free if plain(name) == "score" and recs.score and plain(recs.score) == "score"]
    for name, what in [*((column, "a rank") for column in ranks), *((score, "a score") for score in scores)]:
        columns = {"item": named.item or "item", **({"rating": name} if what == "a score" else {})}
        raise ColumnError(
            f"The truth has {what} column {name!r}, as ranked recommendations have. Does it hold the relevant items, "
            f"and do the recommendations come first? If so, name its columns: {Option('truth_columns', columns)}."
        )


def _unranked(recs: Schema, truth: Schema) -> ColumnError:
    usual = frozenset().union(*(RANKING_ROLES[role] for role in ("rank", "score", "distance")))
    ranked = [name for name in truth if plain(name) in usual]
    swapped = f" The truth has {names(ranked)}: were the two inputs swapped?" if ranked else ""
    return ColumnError(
        f"The recommendations have neither a rank nor a score column: there were {names(recs)}.{swapped} Name one, "
        f"{Option('columns', {'score': '...'})}, or take the rows as they come with "
        f"{Option('ties', 'input')}.{lists_in_cells(recs)}"
    )


# --- further inputs ---------------------------------------------------------------------------------------------------


def _extra(
    base: Layout,
    name: str,
    schema: Schema,
    columns: Columns,
    inferred: Mapping[str, str] | None,
    stated: Sequence[str] | None,
    *,
    lower_is_better: bool,
) -> Side:
    """The roles and list columns of an optional input, beyond those of recommendations and truth."""
    lists, truth_lists, until = base.lists, base.truth_lists, base.history_until
    is_listed = name in BY_LIST
    folds = (
        [fold for fold in folds_of(truth_lists) if columns.lists.get(fold, fold) in schema] if name in BY_FOLD else []
    )
    roles = _roles(
        name, schema, columns.filled(inferred), [column for column in lists if column in schema] if is_listed else folds
    )
    roles = _ranking(replace(roles, lists=columns.lists), lower_is_better=lower_is_better)
    shared = tuple(column for column in folds if columns.lists.get(column, column) not in roles.roles.values())
    if is_listed or stated is not None:
        shared, own_names = match(name, schema, roles, lists, stated, truth_lists)
        if name == "history" and until is not None and until not in shared:
            raise missing(until, f"named in {Option('history_until', is_noun=True)}", name, schema)
        roles = replace(roles, lists=own_names)
    refuse_lists_of_systems(name, shared, truth_lists)
    for role in ("other", "similarity"):
        if name == "similarity" and getattr(roles, role) is None:
            raise ColumnError(
                f"No {role} column was found in the {name}: there were {names(schema)}. Name it: "
                f"{naming(name, role, '...')}."
            )
    if name == "baseline" and roles.rank is None and roles.score is None:
        raise ColumnError(f"The baseline has neither a rank nor a score column: there were {names(schema)}.")
    if name == "log" and base.recs.probability and (base.recs.position is None) != (roles.position is None):
        has, lacks = ("log", "recommendations") if roles.position else ("recommendations", "log")
        raise ColumnError(
            f"Positions are in the {has} and not in the {lacks}, so nothing tells which position a probability is for: "
            f"there were {names(base.recs_types if roles.position else schema)}. Name the column: "
            f"{naming(lacks, 'position', '...')}."
        )
    check_numbers(name, schema, roles)
    side = Side(roles, shared, schema, base.rank_from)
    item = base.recs.item
    same = [("item", item, roles.item), *((f"list column {column!r}", column, side.own(column)) for column in shared)]
    check_same(name, base.recs_types, schema, same)
    if roles.other:
        check_same(name, base.recs_types, schema, [("other item", item, roles.other)])
    return side
