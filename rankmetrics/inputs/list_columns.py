"""Finds the columns that identify a list of recommendations, and the same columns in the other inputs."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from rankmetrics.errors import ColumnError, Option, choices_for, did_you_mean, names, plain, similar
from rankmetrics.inputs.columns import BY_FOLD, Columns, Schema, check_same, folds_of
from rankmetrics.inputs.sources import (
    CHUNKS,
    DESCRIPTIONS,
    FOLDS,
    IDLE,
    RANKING_ROLES,
    RATING,
    family_of,
    is_same_column,
)

# The options that the messages of this module name.
LISTS, TRUTH_LISTS = Option("lists", is_noun=True), Option("truth_lists", is_noun=True)


def list_columns(recs: Schema, roles: Columns, columns: Columns, lists: Sequence[str] | None) -> tuple[str, ...]:
    """The columns that identify a list: the user's, or every column that has no role and is not a rating."""
    role_of = {value: role for role, value in roles.roles.items()}
    if lists is None:
        idle = {name for name in recs if plain(name) in IDLE | RANKING_ROLES["distance"] or name == columns.rating}
        lists = [name for name in recs if name not in role_of and name not in idle]
        if not lists:
            raise ColumnError(
                f"The recommendations have no column that identifies a list: there were {names(recs)}, all of them "
                "item, rank, score or rating."
            )
    for name in lists:
        if name not in recs:
            raise missing(name, f"named in {LISTS}", "recommendations", recs)
        if name in role_of:
            raise ColumnError(f"Column {name!r} is named in {LISTS} and is the {role_of[name]} column as well.")
    return tuple(lists)


def refuse_descriptions(recs: Schema, lists: Sequence[str], matched: Sequence[str]) -> None:
    """Refuse a column of moments, of chunks or of descriptions of items as a column that identifies lists."""
    for name in lists:
        if plain(name) in CHUNKS:
            raise ColumnError(
                f"Column {name!r} of the recommendations would identify a list, as every column but item, rank, score "
                "and rating does. If the item is a document and the rows are parts of documents, name the column, and "
                f"a document counts once in a list, at its first part: {Option('columns', {'chunk': name})}. If the "
                f"truth holds parts, too, they are the items: {Option('columns', {'item': name})}.",
                page="inputs/#chunks-of-documents",
            )
        is_moment = recs[name].family in ("datetime", "zoned datetime", "other")
        if name not in matched and (is_moment or plain(name) in DESCRIPTIONS):
            rest = [column for column in lists if column != name]
            raise ColumnError(
                f"Column {name!r} of the recommendations would identify a list, as every column but item, rank, score "
                f"and rating does: {recs[name]} values of this name seldom do. Say which columns identify a list: "
                f"{Option('lists', rest or [...])}."
            )


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
    for name, own in own_names.items():
        if name not in lists:
            raise ColumnError(
                f"{name!r} identifies no list of recommendations: those are identified by {choices_for(name, lists)}"
            )
        if own not in schema:
            raise missing(own, f"named as its list column {name!r}", table, schema)
        if own in used:
            raise ColumnError(
                f"Column {own!r} of the {table} is named as the list column {name!r} and has a role already."
            )
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
        raise ColumnError(
            f"The {table} shares no list column with the recommendations: the lists are identified by {names(lists)}, "
            f"the {table} has {names(schema)}."
        )
    return tuple(shared), own_names


def _named(
    table: str, schema: Schema, own_names: Mapping[str, str], lists: tuple[str, ...], stated: Sequence[str]
) -> tuple[str, ...]:
    """The list columns that an input shares, as the user named them."""
    option = Option(f"{table}_lists", is_noun=True)
    for name in stated:
        if name not in lists:
            raise ColumnError(
                f"Column {name!r} is named in {option} and does not identify a list of recommendations: those are "
                f"identified by {choices_for(name, lists)}"
            )
        if own_names.get(name, name) not in schema:
            raise missing(own_names.get(name, name), f"named in {option}", table, schema)
    if not stated and table not in BY_FOLD:
        raise ColumnError(f"{option} is empty: the {table} must share at least one list column.")
    return tuple(name for name in lists if name in stated)


def shared_columns(
    recs: Schema,
    lists: tuple[str, ...],
    stated: Sequence[str] | None,
    by: Groupings | None,
    known: Container[str | None],
) -> tuple[str, ...]:
    """The list columns that all systems share, where no truth tells; the others name the system.

    They are those that the user stated. Else they are those with usual names of users, queries, sessions and folds, of
    dates, and those with `known` names, as in a history. Where nothing of this tells, all but those of `by`.
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
        raise ColumnError(
            f"Lists are identified by {names(lists)}, and without a truth nothing tells which of these columns name "
            f"the system, which the summary keeps. Say so: {Option('by', [lists[0]])}."
        )
    grouped = {name for each in by or () for name in ([each] if isinstance(each, str) else each)}
    return tuple(name for name in lists if name not in grouped) or lists


def stated_lists(
    name: str, stated: Mapping[str, Sequence[str]], until: str | None, truth_lists: Sequence[str]
) -> tuple[str, ...] | None:
    """The list columns of an optional input, as the user named them; None where the input's columns tell."""
    columns = stated.get(name)
    if name == "history" and until is not None:
        if until not in truth_lists:
            raise ColumnError(
                f"{Option('history_until', is_noun=True)} names {until!r}, which is not a list column of the truth: "
                f"those are {choices_for(until, truth_lists)}"
            )
        return None if columns is None else tuple(dict.fromkeys((*columns, until)))
    if columns is None or name not in BY_FOLD:
        return None if columns is None else tuple(columns)
    option, folds = Option(f"{name}_lists", is_noun=True), folds_of(truth_lists)
    for column in columns:
        if column not in folds:
            there = f"there are {names(folds)}" if folds else "there are none here"
            raise ColumnError(
                f"{option} names {column!r}: the {name} can differ by folds only, such as a day or a country, and "
                f"{there}."
            )
    return tuple(columns)


def system_columns(lists: Sequence[str], truth_lists: Sequence[str]) -> list[str]:
    """The list columns that identify a system: those that the truth does not have."""
    columns = [column for column in lists if column not in truth_lists]
    if not columns:
        raise ColumnError(
            f"{Option('systems', is_noun=True)} names systems, and there is one: the truth has every list column, "
            f"{names(lists)}."
        )
    return columns


def named_systems(
    named: Sequence[str | int | Mapping[str, str | int]] | None, lists: Sequence[str], truth_lists: Sequence[str]
) -> tuple[tuple[str | int, ...], ...]:
    """The systems that the caller names, each as the values of the list columns that the truth does not have."""
    if not named:
        return ()
    columns, option, rows = system_columns(lists, truth_lists), Option("systems", is_noun=True), []
    for system in named:
        row = system if isinstance(system, Mapping) else {columns[0]: system} if len(columns) == 1 else {}
        if {*row} != {*columns}:
            raise ColumnError(
                f"{option} names {system!r}: a system is identified by {names(columns)}. Give each a value: "
                f"{Option('systems', [dict.fromkeys(columns, '...')])}."
            )
        rows.append(tuple(row[column] for column in columns))
    return tuple(dict.fromkeys(rows))


def rest_of_lists(named: Sequence[str], lists: Sequence[str]) -> list[str]:
    """The list columns but those that name the baseline among the recommendations; refuses other columns."""
    for name in named:
        if name not in lists:
            option = Option("baseline", is_noun=True)
            raise ColumnError(f"{option} names {name!r}, which identifies no list: {choices_for(name, lists)}")
    return [name for name in lists if name not in named]


def check_systems(systems: Schema, recs: Schema, lists: tuple[str, ...], truth_lists: tuple[str, ...]) -> None:
    """Refuse a table of systems without the columns that identify a system."""
    columns = system_columns(lists, truth_lists)
    absent = [column for column in columns if column not in systems]
    if absent:
        raise ColumnError(
            f"{Option('systems', is_noun=True)} is a table of {names(systems)}, and a system is identified by "
            f"{names(columns)}: it needs a column {absent[0]!r}.{did_you_mean(absent[0], systems)}",
            page="messages/#types-that-do-not-fit",
        )
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
            raise ColumnError(
                f"Which column of the {table} is {rivals[0]!r} of the recommendations: {names(candidates)}? The "
                f"recommendations have {names(rivals)}. Say so: {naming(table, 'lists', {rivals[0]: candidates[0]})}."
            )
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
        if shared and family_of(name) and not (has_owner or near or owned):
            raise ColumnError(
                f"The {table} has no column {name!r}: {names(shared)} would tell which rows serve a list, whoever its "
                f"{name} is. If that is meant, say so: {Option('truth_lists', shared)}."
            )
        if not near and not (family_of(name) and owned and not has_owner):
            continue
        own = near[0] if near else owned[0]
        matched = f"are matched by {names(shared)} alone" if shared else "share no list column"
        looks = f"{name!r} looks like its column {own!r}" if near else f"the {table} has {names(free)} instead"
        rest = f"; if not, say so: {Option('truth_lists', shared)}" if shared else ""
        raise ColumnError(
            f"The {table} has no column {name!r}, so that it and the recommendations {matched}: {looks}. If they are "
            f"the same, say so: {naming(table, 'lists', {name: own})}{rest}."
        )


Groupings = Sequence[str] | Sequence[Sequence[str]]


def groupings(
    by: Groupings | None, rollup: bool, lists: tuple[str, ...], matched: tuple[str, ...]
) -> list[tuple[str, ...]]:
    """The columns that the summary keeps, then those of each total: the user's, or the list columns of systems."""
    by = tuple(name for name in lists if name not in matched) if by is None else by
    are_several = any(not isinstance(name, str) for name in by)
    chosen = [tuple(columns) for columns in by] if are_several else [tuple(map(str, by))]
    for name in (name for columns in chosen for name in columns):
        if name not in lists:
            raise ColumnError(f"Cannot summarise by {name!r}: lists are identified by {choices_for(name, lists)}")
    first = chosen[0]
    for columns in chosen:
        refuse_repeated(Option("by", is_noun=True), columns)
    if rollup and are_several:
        raise ColumnError(
            f"{Option('rollup', True)} adds totals to one list of columns, and {Option('by', is_noun=True)} has its "
            "own: leave out one of them."
        )
    left = sorted({name for columns in chosen for name in columns} - {*first})
    if left:
        every = [*first, *left]
        raise ColumnError(
            f"{Option('by', is_noun=True)} begins with {names(first)}, and a total keeps {left[0]!r}: totals are of "
            f"the rows of the first, which has all columns: {Option('by', [every, ...])}."
        )
    if rollup:
        chosen = [first[:n] for n in range(len(first), -1, -1)]
    in_order = [tuple(name for name in first if name in columns) for columns in chosen]
    return list(dict.fromkeys(in_order))


def without_over(
    over: str, by: tuple[str, ...], lists: tuple[str, ...], *, is_named: bool, has_totals: bool
) -> tuple[str, ...]:
    """The columns of the summary without the column over whose values it takes means."""
    if over not in lists:
        raise ColumnError(
            f"{Option('over', is_noun=True)} names {over!r}, and lists are identified by {choices_for(over, lists)}"
        )
    if has_totals:
        raise ColumnError(
            f"{Option('over', over)} and totals do not go together: leave out {Option('rollup')}, and give "
            f"{Option('by', is_noun=True)} one list of columns."
        )
    if is_named and over in by:
        raise ColumnError(
            f"{Option('over', over)} takes means over {over!r}, and {Option('by', is_noun=True)} keeps it apart: name "
            "it in one of them."
        )
    return tuple(name for name in by if name != over)


def refuse_lists_of_systems(name: str, shared: Sequence[str], truth_lists: Sequence[str]) -> None:
    """Refuse candidates that differ between the systems: each system would be ranked among other items."""
    strange = [column for column in shared if column not in truth_lists]
    if name == "candidates" and strange:
        raise ColumnError(
            f"The candidates have the column {strange[0]!r}, which the truth does not have: systems would be ranked "
            f"among different items. Leave it out; the lists of the truth are identified by {names(truth_lists)}."
        )


# --- messages ---------------------------------------------------------------------------------------------


def naming(table: str, role: str, column: str | Mapping[str, str]) -> Option:
    """The option that names a column of a table, or its list columns, without a change of other tables' columns."""
    if (table, role) == ("truth", "item"):
        return Option("truth_columns", {role: column})
    if table in ("recommendations", "truth"):
        return Option("columns", {role: column})
    return Option("extra_columns", {role: column}, of=table)


def missing(name: str, why: str, table: str, schema: Schema) -> ColumnError:
    """The error for a named column that the input does not have."""
    return ColumnError(f"No column {name!r} in the {table} ({why}): there were {choices_for(name, schema)}")


def refuse_repeated(what: str | Option, chosen: Sequence[str] | None) -> None:
    """Refuse an option that names a column twice."""
    twice = sorted({name for name in chosen or () if list(chosen or ()).count(name) > 1})
    if twice:
        raise ColumnError(f"{what} names {names(twice)} more than once.")
