"""Assigns the columns of the inputs to roles and lists, from their schemas, or refuses them with the reason."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count

from rankmetrics.errors import ColumnError, Option, choices_for, did_you_mean, names, plain, similar
from rankmetrics.inputs.columns import (
    BY_FOLD,
    BY_LIST,
    NUMBERS,
    Columns,
    ColumnType,
    Family,
    Layout,
    Schema,
    Side,
    check_numbers,
    check_same,
    check_types,
    folds_of,
    lists_in_cells,
    naming,
)
from rankmetrics.inputs.negatives import Negatives
from rankmetrics.inputs.roles import (
    ADDED,
    BY_INPUT,
    CHUNKS,
    DESCRIPTIONS,
    FOLDS,
    IDLE,
    LABELS,
    LIKELY_ITEM,
    OF_TRUTH,
    POLICY_ROLES,
    RATING,
    TECHNICAL,
    USUAL,
    family_of,
    is_same_column,
)
from rankmetrics.messages import refused

# The options that the messages of this module name.
noun = partial(Option, is_noun=True)
LISTS, TRUTH_LISTS = noun("lists"), noun("truth_lists")

Groupings = Sequence[str] | Sequence[Sequence[str]]

# The families of types that the kind of a role needs.
FITTING: Mapping[str, frozenset[Family]] = {
    "id": frozenset({"integer", "string", "other"}),
    "number": NUMBERS,
    "label": NUMBERS | {"boolean"},
    "nested": frozenset({"nested"}),
}


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
    unnamed: Collection[str] = (),
    labels: Mapping[str, float | None] | None = None,
) -> Layout:
    """The role of every column of the inputs, from their schemas; most options are those of evaluate.

    `in_order`: the order of the rows may replace a rank. `inferred_roles`: the columns of roles that follow from the
    shapes of the inputs, by the name of the input. `systems_types`: the schema of a table of systems. `subtopics`: a
    metric reads the subtopics of the truth; otherwise, only a column that the user names has this role. `unnamed`: the
    inputs that are mappings from lists to items, whose list column has no name of the caller's. `labels`: the label
    columns of recommendations that are the truth, too, each with its gain.
    """
    recs_columns, shaped = columns or Columns(), inferred_roles or {}
    refuse_repeated(LISTS, lists)
    refuse_repeated(TRUTH_LISTS, truth_lists)
    recs_given = replace(recs_columns.without(OF_TRUTH), lists={}).filled(shaped.get("recs"))
    has_log = "log" in (extras or {})
    of_truth = recs_columns.only(OF_TRUTH if labels is not None else ()).roles.values()
    taken = [*(lists or ()), *(labels or ()), *of_truth]
    recs_roles = _roles("recommendations", recs, recs_given, taken, without=() if has_log else POLICY_ROLES)
    recs_roles = replace(recs_roles, position=recs_roles.position if recs_roles.probability else None)
    recs_roles = _ranking(recs_roles, lower_is_better=lower_is_better)
    labelled = recs_roles
    if labels is not None:
        labels, truth, labelled = _labelled(recs, recs_roles, recs_columns, labels, taken, subtopics=subtopics)
    chosen = list_columns(recs, labelled, recs_columns, lists, is_nested="recs" in shaped, labels=labels or ())
    if recs_columns.rank and not recs_columns.score and not recs_columns.distance:
        # Who names the rank alone may have the right to read no other column, and has an order without one.
        recs_roles = recs_roles.without(("score", "distance"))
    if truth is not None and labels is not None:
        truth_roles, matched = labelled.only(["item", *OF_TRUTH]), chosen
    elif truth is None:
        truth, truth_roles = {}, Columns()
        of_lists = {column for name, schema in (extras or {}).items() if name in BY_LIST for column in schema}
        matched = shared_columns(recs, chosen, truth_lists, by, {*of_lists, history_until})
    else:
        own, of_all = truth_columns or Columns(), recs_columns.only([*OF_TRUTH, "item"])
        named = own.filled(of_all.without([] if of_all.item in truth else ["item"]).roles)
        named = replace(named, lists=own.lists or recs_columns.lists)
        if truth_columns is None and truth_lists is None:
            _refuse_run(truth, named, recs, recs_roles, chosen)
        own_lists = [named.lists.get(column, column) for column in truth_lists or chosen]
        without = () if subtopics or named.subtopic else ("subtopic",)
        truth_roles = _roles("truth", truth, named.filled(shaped.get("truth")), own_lists, without)
        owners, theirs = ([name for name in columns if family_of(name)] for columns in (chosen, truth))
        if unnamed and not named.lists and len(owners) == len(theirs) == 1 and not is_same_column(*owners, *theirs):
            named = replace(named, lists={owners[0]: theirs[0]})
        truth_roles = replace(truth_roles, lists=named.lists)
        matched, own_names = match("truth", truth, truth_roles, chosen, truth_lists)
        truth_roles = replace(truth_roles, lists=own_names)
    if recs_roles.rank is None and recs_roles.score is None and recs_roles.probability is None and not in_order:
        raise _unranked(recs, truth)
    are_named = {"lists": lists is not None, "rating": (truth_columns or recs_columns).rating}
    base = Layout(
        lists=chosen,
        truth_lists=matched,
        by=(),
        recs=recs_roles,
        truth=truth_roles,
        recs_types=recs,
        truth_types=truth,
        inferred=frozenset(name for name, is_named in are_named.items() if not is_named),
        rank_from=rank_from,
        ranks=ranks,
        cold_start=cold_start,
        history_until=history_until,
        negatives=negatives,
        labels=labels,
    )
    check_types(base)
    if systems_types is not None:
        check_systems(systems_types, recs, chosen, matched)
    if lists is None:
        of_days = {"day", "date", *_grouped(by)}  # a truth that is a table of its own tells by its columns
        known = matched if labels is None else [name for name in chosen if {name, plain(name)} & of_days]
        refuse_descriptions(recs, chosen, known)
        for flag in (name for name in chosen if labels is not None and recs[name].family == "boolean"):
            rest = Option("lists", [name for name in chosen if name != flag])
            raise refused("label_or_list", name=flag, values="true or false", label=Option("label", flag), rest=rest)

    def side(name: str, schema: Schema) -> Side:
        own = (extra_columns or {}).get(name) or Columns(item=recs_roles.item if recs_roles.item in schema else None)
        own, stated = own.filled(shaped.get(name)), (extra_lists or {}).get(name)
        return _extra(base, name, schema, own, stated, lower_is_better=lower_is_better)

    first, *totals = groupings(by, rollup, chosen, matched)
    if over is not None:
        first = without_over(over, first, chosen, is_named=by is not None, has_totals=bool(totals))
    refuse_unknown(cluster or (), [name for name in chosen if name in matched], "not_shared", option=noun("cluster"))
    return replace(
        base,
        by=first,
        totals=tuple(totals),
        over=over,
        cluster=cluster if cluster is None else tuple(cluster),
        extras={name: side(name, schema) for name, schema in (extras or {}).items()},
        named_systems=named_systems(systems, chosen, matched),
    )


# --- roles ------------------------------------------------------------------------------------------------------------


def _roles(
    table: str, schema: Schema, named_roles: Columns, lists: Sequence[str], without: Collection[str] = ()
) -> Columns:
    """The column of each role of a table: the one that the user named, else one with a usual name, else a rarer one."""
    roles, columns = BY_INPUT[table], dict(named_roles.roles)
    refuse_repeated("Columns(...)", [*columns.values()])
    for role in columns:
        if role not in roles and table not in ("recommendations", "truth"):
            raise refused("no_role", table=table, role=role, known=[*roles])
        if role in without:
            raise refused("beside_a_log", table=table, role=role)
    columns = {role: column for role, column in columns.items() if role in roles}
    for role, column in columns.items():
        if column not in schema:
            raise missing(column, f"named as the {role} column", table, schema)
    free = [name for name in schema if name not in {*lists, *columns.values()}]
    for is_usual in (True, False):
        taken = set() if is_usual else {*columns.values()}  # a usual name may have two roles, as a rank and a position
        for known in (known for name, known in roles.items() if name not in columns and name not in without):
            usual = (known.usual if is_usual else known.rarer).split()
            found = [name for name in free if plain(name) in usual and name not in taken]
            if not is_usual:
                found = [name for name in found if schema[name].family in FITTING[known.kind]]
                found = [name for name in found if "score" not in columns or not TECHNICAL.fullmatch(name)]
            if len(found) > 1:
                by_name = naming(table, known.name, found[0])
                raise refused("which", table=table, role=known.name, found=found, naming=by_name)
            if found:
                columns[known.name] = found[0]
    if "item" not in columns:
        near = [name for name in free if plain(name) in LIKELY_ITEM]
        near += [name for usual in ("item", "item_id", "product_id") for name in similar(usual, free, least=0.7)]
        looks, cells = f" {near[0]!r} looks like one." if near else "", lists_in_cells(schema)
        by_name = naming(table, "item", near[0] if near else "...")
        raise refused("no_item", table=table, schema=[*schema], looks=looks, naming=by_name, cells=cells)
    return Columns(**columns)  # type: ignore[arg-type]  # every role is the name of a column


def _labelled(
    recs: Schema,
    roles: Columns,
    named: Columns,
    labels: Mapping[str, float | None],
    taken: Sequence[str],
    *,
    subtopics: bool,
) -> tuple[Mapping[str, float | None], Schema, Columns]:
    """The labels of what was shown, and the columns and roles of a table that is recommendations and truth.

    The gains of several labels are in a column of their own, which the query computes.
    """
    usual = BY_INPUT["truth"]["rating"]
    free = [name for name in recs if name not in {*taken, *roles.roles.values()}]
    fitting = [name for name in free if recs[name].family in FITTING["label"]]
    if not labels:
        known = (
            filter(None, [named.rating]),
            *([name for name in fitting if plain(name) in names.split()] for names in (usual.usual, usual.rarer)),
        )
        found = next(filter(None, map(list, known)), [])
        if len(found) != 1:
            likely = found or [name for name in fitting if recs[name].family == "boolean"] or fitting or free
            raise refused("no_label", found=likely, label=Option("label", likely[0] if likely else "..."))
        labels = {found[0]: None}
    for label in labels:
        if label not in recs:
            raise missing(label, f"named in {noun('label')}", "table", recs)
        check_numbers("table", recs, Columns(rating=label))
    types, rating = recs, next(iter(labels))
    if labels[rating] is not None:
        rating = next(name for name in chain(["gain"], (f"gain_{n}" for n in count(2))) if name not in recs)
        types = {**recs, rating: ColumnType("float", "DOUBLE")}
    own = Columns(item=roles.item, rating=rating).filled(named.only(OF_TRUTH).without(["rating"]).roles)
    without = () if subtopics or named.subtopic else ("subtopic",)
    of_truth = _roles("truth", types, own, [*taken, *roles.roles.values(), *labels], without)
    return labels, types, roles.filled(of_truth.only(OF_TRUTH).roles)


def _ranking(roles: Columns, *, lower_is_better: bool = False) -> Columns:
    """The roles, with a distance as the score too; beside a probability, a rank is the position that it is for."""
    if roles.probability is not None:
        roles = replace(roles, position=roles.position or roles.rank, rank=None)
    if lower_is_better and roles.score and not roles.distance:
        roles = replace(roles, distance=roles.score)
    if roles.distance and roles.score and roles.score != roles.distance:
        by = {f"by_{role}": Option("columns", {role: getattr(roles, role)}) for role in ("score", "distance")}
        raise refused("score_or_distance", score=roles.score, distance=roles.distance, **by)
    return replace(roles, score=roles.distance) if roles.distance else roles


def _refuse_run(truth: Schema, named: Columns, recs: Schema, roles: Columns, lists: Sequence[str]) -> None:
    """Refuse a truth that has the columns of ranked recommendations, unless its columns were named."""
    free = [name for name in truth if name not in {*lists, *named.roles.values()}]
    ranks = [name for name in free if plain(name) in USUAL["baseline"]["rank"]]
    # whole numbers beside scores that are none are judgments, as in the files of BEIR
    is_scored = roles.score is not None and plain(roles.score) == "score"
    families = {recs[str(roles.score)].family, "float"} if is_scored else {}
    scores = [name for name in free if plain(name) == "score" and truth[name].family in families]
    for name, what in [*((column, "a rank") for column in ranks), *((score, "a score") for score in scores)]:
        labels = [column for column in free if plain(column) in LABELS and column not in {name, roles.score}]
        if {*truth} == {*recs} and labels:
            raise refused("table_twice", label=Option("label", labels[0]), name=name)
        columns = {"item": named.item or "item", **({"rating": name} if what == "a score" else {})}
        raise refused("truth_is_ranked", what=what, name=name, naming=Option("truth_columns", columns))


def _unranked(recs: Schema, truth: Schema) -> ColumnError:
    usual = {name for role in ("rank", "score", "distance") for name in USUAL["baseline"][role]}
    ranked = [name for name in truth if plain(name) in usual]
    rated = [name for name in recs if plain(name) in RATING and recs[name].family in NUMBERS]
    swapped = f" The truth has {names(ranked)}: were the two inputs swapped?" if ranked else ""
    by_name = naming("recommendations", "score", rated[0] if rated else "...")
    return refused("unranked", schema=[*recs], swapped=swapped, cells=lists_in_cells(recs), naming=by_name)


# --- further inputs ---------------------------------------------------------------------------------------------------


def _extra(
    base: Layout, name: str, schema: Schema, columns: Columns, stated: Sequence[str] | None, *, lower_is_better: bool
) -> Side:
    """The roles and list columns of an optional input, beyond those of recommendations and truth.

    `stated` are its list columns, as the user named them; None where the input's columns tell.
    """
    lists, truth_lists, until = base.lists, base.truth_lists, base.history_until
    is_listed, own_folds = name in BY_LIST, folds_of(truth_lists) if name in BY_FOLD else ()
    if name == "history" and until is not None:
        refuse_unknown([until], truth_lists, "until")
        stated = None if stated is None else [*stated, until]
    for column in stated or () if name in BY_FOLD else ():
        if column not in own_folds:
            there = f"are {names(own_folds)}" if own_folds else "are none here"
            raise refused("no_fold", option=noun(f"{name}_lists"), name=column, table=name, folds=there)
    folds = [fold for fold in own_folds if columns.lists.get(fold, fold) in schema]
    roles = _roles(name, schema, columns, [column for column in lists if column in schema] if is_listed else folds)
    roles = _ranking(replace(roles, lists=columns.lists), lower_is_better=lower_is_better)
    shared = tuple(column for column in folds if columns.lists.get(column, column) not in roles.roles.values())
    if is_listed or stated is not None:
        shared, own_names = match(name, schema, roles, lists, stated, truth_lists)
        if name == "history" and until is not None and until not in shared:
            raise missing(until, f"named in {noun('history_until')}", name, schema)
        roles = replace(roles, lists=own_names)
    if name == "candidates" and (strange := [column for column in shared if column not in truth_lists]):
        raise refused("candidates_of_systems", name=strange[0], known=[*truth_lists])
    for role in ("other", "similarity") if name == "similarity" else ():
        if getattr(roles, role) is None:
            raise refused("no_role_column", role=role, table=name, schema=[*schema], naming=naming(name, role, "..."))
    if name == "baseline" and roles.rank is None and roles.score is None:
        raise refused("baseline_unranked", schema=[*schema])
    if name == "log" and base.recs.probability and (base.recs.position is None) != (roles.position is None):
        has, lacks = ("log", "recommendations") if roles.position else ("recommendations", "log")
        columns_there = [*(base.recs_types if roles.position else schema)]
        raise refused("positions", has=has, lacks=lacks, schema=columns_there, naming=naming(lacks, "position", "..."))
    check_numbers(name, schema, roles)
    side = Side(roles, shared, schema, base.rank_from)
    item = base.recs.item
    same = [("item", item, roles.item), *((f"list column {column!r}", column, side.own(column)) for column in shared)]
    check_same(name, base.recs_types, schema, same)
    if roles.other:
        check_same(name, base.recs_types, schema, [("other item", item, roles.other)])
    return side


# --- list columns -----------------------------------------------------------------------------------------------------


def list_columns(
    recs: Schema,
    roles: Columns,
    columns: Columns,
    lists: Sequence[str] | None,
    *,
    is_nested: bool = False,
    labels: Collection[str] = (),
) -> tuple[str, ...]:
    """The columns that identify a list: the user's, or every column that has no role and is not a rating.

    If the items were in lists in cells (`is_nested`), further lists in cells identify nothing. Nor do columns that
    tools add, such as `__index_level_0__`; `index` and the like are such columns if there is a user, query or session.
    """
    role_of = {value: role for role, value in roles.roles.items()}
    if lists is None:
        rarer = BY_INPUT["truth"]["rating"].rarer.split()
        idle = {name for name in recs if plain(name) in IDLE or name == columns.rating or name in labels}
        idle |= {name for name in recs if plain(name) in rarer and recs[name].family in FITTING["label"]}
        idle |= {name for name in recs if is_nested and recs[name].family == "nested"}
        lists = [name for name in recs if name not in role_of and name not in idle]
        is_owned = any(map(family_of, lists))
        added = {name for name in lists if TECHNICAL.fullmatch(name) and (is_owned or ADDED.match(name))}
        lists = [name for name in lists if name not in added] or lists
        if not lists:
            raise refused("no_lists", schema=[*recs])
    for name in lists:
        if name not in recs:
            raise missing(name, f"named in {LISTS}", "recommendations", recs)
        if name in role_of:
            raise refused("list_with_a_role", name=name, role=role_of[name])
    return tuple(lists)


def refuse_descriptions(recs: Schema, lists: Sequence[str], matched: Sequence[str]) -> None:
    """Refuse a column of moments, of chunks or of descriptions of items as a column that identifies lists."""
    for name in lists:
        if plain(name) in CHUNKS:
            by = {f"as_{role}": Option("columns", {role: name}) for role in ("chunk", "item")}
            raise refused("chunks", name=name, **by)
        is_moment = recs[name].family in ("datetime", "zoned datetime", "other")
        if name not in matched and (is_moment or plain(name) in DESCRIPTIONS):
            rest = [column for column in lists if column != name]
            raise refused("description", name=name, kind=recs[name], rest=Option("lists", rest or [...]))


def match(
    table: str,
    schema: Schema,
    roles: Columns,
    lists: tuple[str, ...],
    stated: Sequence[str] | None,
    expected: Sequence[str] | None = None,
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Match the list columns of the recommendations with the columns of another input.

    `stated` are the list columns that the input shares, if the user named them; `expected` those that it should have,
    by default all. Returns the list columns that it shares, in the order of `lists`; and from each list column that has
    another name in the input to that name.
    """
    own_names = dict(roles.lists)
    used = set(roles.roles.values())
    refuse_unknown(own_names, lists, "no_list")
    for name, own in own_names.items():
        if own not in schema:
            raise missing(own, f"named as its list column {name!r}", table, schema)
        if own in used:
            raise refused("own_name_with_a_role", own=own, table=table, name=name)
    if stated is not None:
        return _named(table, schema, own_names, lists, stated), own_names
    shared = [name for name in lists if name in own_names or (name in schema and name not in used)]
    free = [name for name in schema if name not in used and name not in {*shared, *own_names.values()}]
    required = lists if expected is None else expected
    own_names |= _renamed(table, [name for name in required if name not in shared], free)
    shared = [name for name in lists if name in {*shared, *own_names}]
    described = DESCRIPTIONS | RATING
    left = [name for name in free if name not in own_names.values() and plain(name) not in described]
    _refuse_unmatched(table, schema, [name for name in required if name not in shared], left, lists)
    if not shared:
        raise refused("nothing_shared", table=table, known=[*lists], schema=[*schema])
    return tuple(shared), own_names


def _named(
    table: str, schema: Schema, own_names: Mapping[str, str], lists: tuple[str, ...], stated: Sequence[str]
) -> tuple[str, ...]:
    """The list columns that an input shares, as the user named them."""
    option = noun(f"{table}_lists")
    refuse_unknown(stated, lists, "stated_no_list", option=option)
    for own in (own_names.get(name, name) for name in stated):
        if own not in schema:
            raise missing(own, f"named in {option}", table, schema)
    if not stated and table not in BY_FOLD:
        raise refused("nothing_stated", option=option, table=table)
    return tuple(name for name in lists if name in stated)


def shared_columns(
    recs: Schema,
    lists: tuple[str, ...],
    stated: Sequence[str] | None,
    by: Groupings | None,
    known: Container[str | None],
) -> tuple[str, ...]:
    """The list columns that all systems share, where no truth tells; the others name the system.

    The user may state them. Otherwise, they are the columns with a usual name of a user, query or session, or with a
    `known` name, as in a history; beside these, folds and dates. If there are none, they are all columns but those of
    `by`.
    """
    if stated is not None:
        return _named("truth", recs, {}, lists, stated)
    if any(family_of(name) or name in known for name in lists):
        return tuple(
            name
            for name in lists
            if family_of(name) or name in known or plain(name) in FOLDS or recs[name].family == "date"
        )
    if len(lists) > 1 and by is None:
        raise refused("which_system", known=[*lists], naming=Option("by", [lists[0]]))
    grouped = _grouped(by)
    return tuple(name for name in lists if name not in grouped) or lists


def _grouped(by: Groupings | None) -> set[str]:
    """The columns of `by`, of all of its lists."""
    return {name for each in by or () for name in ([each] if isinstance(each, str) else each)}


def system_columns(lists: Sequence[str], truth_lists: Sequence[str]) -> list[str]:
    """The list columns that identify a system: those that the truth does not have."""
    if columns := [column for column in lists if column not in truth_lists]:
        return columns
    raise refused("one_system", known=[*lists])


def named_systems(
    named: Sequence[str | int | Mapping[str, str | int]] | None, lists: Sequence[str], truth_lists: Sequence[str]
) -> tuple[tuple[str | int, ...], ...]:
    """The systems that the caller names, each as the values of the list columns that the truth does not have."""
    if not named:
        return ()
    columns, rows = system_columns(lists, truth_lists), []
    for system in named:
        row = system if isinstance(system, Mapping) else {columns[0]: system} if len(columns) == 1 else {}
        if {*row} != {*columns}:
            example = Option("systems", [dict.fromkeys(columns, "...")])
            raise refused("system_in_part", system=repr(system), known=columns, naming=example)
        rows.append(tuple(row[column] for column in columns))
    return tuple(dict.fromkeys(rows))


def rest_of_lists(named: Sequence[str], lists: Sequence[str]) -> list[str]:
    """The list columns but those that name the baseline among the recommendations; refuses other columns."""
    refuse_unknown(named, lists, "no_list_of_baseline")
    return [name for name in lists if name not in named]


def check_systems(systems: Schema, recs: Schema, lists: tuple[str, ...], truth_lists: tuple[str, ...]) -> None:
    """Refuse a table of systems without the columns that identify a system."""
    columns = system_columns(lists, truth_lists)
    for column in columns:
        if column not in systems:
            near = did_you_mean(column, systems)
            raise refused("system_column", schema=[*systems], known=columns, name=column, near=near)
    check_same("systems", recs, systems, [(f"list column {column!r}", column, column) for column in columns])


def _renamed(table: str, lists: Sequence[str], free: Sequence[str]) -> dict[str, str]:
    """The list columns that an input has under another usual name: `userId` in lists, `user_id` in the input."""
    own_names: dict[str, str] = {}
    for name in lists:
        candidates = [own for own in free if is_same_column(name, own)]
        rivals = [column for column in lists if any(is_same_column(column, own) for own in candidates)]
        if len(candidates) == 1 and len(rivals) == 1:
            own_names[name] = candidates[0]
        elif candidates:
            by_name = naming(table, "lists", {rivals[0]: candidates[0]})
            raise refused("which_list", table=table, name=rivals[0], found=candidates, rivals=rivals, naming=by_name)
    return own_names


def _refuse_unmatched(
    table: str, schema: Schema, lists: Sequence[str], free: Sequence[str], all_lists: Sequence[str]
) -> None:
    """Refuse to ignore a column that is probably a list column under another name."""
    owned = [name for name in free if schema[name].family in ("integer", "string", "other")]
    shared = [column for column in all_lists if column in schema]
    has_owner = any(map(family_of, shared))
    for name in lists:
        near = similar(name, free)
        by_shared = Option("truth_lists", shared)
        if shared and family_of(name) and not (has_owner or near or owned):
            raise refused("no_owner", table=table, name=name, shared=shared, naming=by_shared)
        if not near and not (family_of(name) and owned and not has_owner):
            continue
        own = near[0] if near else owned[0]
        texts = {
            "matched": f"are matched by {names(shared)} alone" if shared else "share no list column",
            "looks": f"{name!r} looks like its column {own!r}" if near else f"the {table} has {names(free)} instead",
            "rest": f"; if not, say so: {by_shared}" if shared else "",
        }
        raise refused("unmatched", table=table, name=name, naming=naming(table, "lists", {name: own}), **texts)


def groupings(
    by: Groupings | None, rollup: bool, lists: tuple[str, ...], matched: tuple[str, ...]
) -> list[tuple[str, ...]]:
    """The columns that the summary keeps, then those of each total: the user's, or the list columns of systems."""
    by = tuple(name for name in lists if name not in matched) if by is None else by
    are_several = any(not isinstance(name, str) for name in by)
    chosen = [tuple(columns) for columns in by] if are_several else [tuple(map(str, by))]
    first, every = chosen[0], [name for columns in chosen for name in columns]
    refuse_unknown(every, lists, "by_no_list")
    for columns in chosen:
        refuse_repeated(noun("by"), columns)
    if rollup and are_several:
        raise refused("two_totals")
    if left := sorted({*every} - {*first}):
        wider = Option("by", [[*first, *left], ...])
        raise refused("wider_total", first=[*first], name=left[0], naming=wider)
    if rollup:
        chosen = [first[:n] for n in range(len(first), -1, -1)]
    in_order = [tuple(name for name in first if name in columns) for columns in chosen]
    return list(dict.fromkeys(in_order))


def without_over(
    over: str, by: tuple[str, ...], lists: tuple[str, ...], *, is_named: bool, has_totals: bool
) -> tuple[str, ...]:
    """The columns of the summary without the column over whose values it takes means."""
    refuse_unknown([over], lists, "over_no_list")
    if has_totals:
        raise refused("over_and_totals", over_it=Option("over", over))
    if is_named and over in by:
        raise refused("over_and_by", over_it=Option("over", over), name=over)
    return tuple(name for name in by if name != over)


# --- messages ---------------------------------------------------------------------------------------------


def missing(name: str, why: str, table: str, schema: Schema) -> ColumnError:
    """The error for a named column that the input does not have."""
    return refused("missing", name=name, why=why, table=table, choices=choices_for(name, schema))


def refuse_unknown(chosen: Iterable[str], known: Collection[str], message: str, **values: object) -> None:
    """Refuse the first of some columns that is not among those that are known."""
    for name in chosen:
        if name not in known:
            raise refused(message, name=name, choices=choices_for(name, known), **values)


def refuse_repeated(what: str | Option, chosen: Sequence[str] | None) -> None:
    """Refuse an option that names a column twice."""
    if twice := sorted({name for name in chosen or () if list(chosen or ()).count(name) > 1}):
        raise refused("twice", what=what, found=twice)
