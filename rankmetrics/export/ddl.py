"""CREATE TABLE for the rows of a result: names, types and comments of its columns, and how it is stored."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from rankmetrics.dialects import base as dialects
from rankmetrics.export.writing import ResultColumn, Script, Target
from rankmetrics.inputs.types import ColumnType, Family
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.metric import Metric
from rankmetrics.planner.model import Question
from rankmetrics.sqltree import tree

TYPES: Mapping[Family, exp.DType] = {
    "integer": exp.DType.BIGINT,
    "date": exp.DType.DATE,
    "datetime": exp.DType.TIMESTAMP,
    "zoned datetime": exp.DType.TIMESTAMPTZ,
    "boolean": exp.DType.BOOLEAN,
}


def result_columns(question: Question, *, per_list: bool) -> list[ResultColumn]:
    """The columns of the summary, or of the rows per list, in their order."""
    layout = question.layout
    keys = layout.lists if per_list else layout.by
    found = [
        ResultColumn(
            name,
            _type(layout.recs_types[name]),
            "a column of the partition" if name in layout.partitions else _meaning(name, layout.systems),
            is_key=True,
            is_partition=name in layout.partitions,
        )
        for name in keys
    ]
    if per_list:
        return [
            *found,
            *(ResultColumn(metric.label, exp.DType.DOUBLE, _comment(metric)) for metric in question.of_lists),
        ]
    found.append(
        ResultColumn(N_LISTS, exp.DType.BIGINT, "the number of lists that the means are taken over", is_key=True)
    )
    for metric in question.metrics:
        labels = (
            [metric.label] if metric.is_run else [aggregate.label(metric.label) for aggregate in question.aggregates]
        )
        found += [ResultColumn(label, exp.DType.DOUBLE, _comment(metric)) for label in labels]
    return found


def _type(known: ColumnType) -> exp.DType:
    return TYPES.get(known.family, exp.DType.TEXT)


def _meaning(name: str, systems: tuple[str, ...]) -> str:
    return "the system" if name in systems else "a column that identifies lists"


def _comment(metric: Metric) -> str:
    return f"{metric.label}: {metric.definition.summary}"


def as_ddl(select: exp.Select, target: Target) -> exp.Expr:
    """CREATE TABLE with the columns that the query returns in the dialect."""
    final = select.copy()
    dialects.rewrite(final, target.dialect, target.job)  # names of columns are made plain, or shorter, by the dialect
    outputs = tree.outputs(final)
    counts = [ResultColumn(name, exp.DType.BIGINT, "a number of lists") for name in outputs[len(target.columns) :]]
    columns = [*target.columns, *counts]
    names = dict(zip((column.name for column in columns), outputs, strict=True))
    definitions = [_definition(column, names[column.name]) for column in columns]
    partition = [names[column.name] for column in target.columns if column.is_partition]
    keys = [names[column.name] for column in target.columns if column.is_key and column.name != N_LISTS]
    day = next(
        (names[column.name] for column in target.columns if column.is_partition and column.type == exp.DType.DATE), None
    )
    stored = target.known.ddl.storage(partition, keys, day)
    return exp.Create(
        this=exp.Schema(this=target.table, expressions=definitions),
        kind="TABLE",
        exists=target.known.ddl.if_not_exists,
        properties=exp.Properties(expressions=stored) if stored else None,
    )


def _definition(column: ResultColumn, name: str) -> exp.ColumnDef:
    kind = exp.DataType(this=column.type)
    constraints = [exp.ColumnConstraint(kind=exp.CommentColumnConstraint(this=exp.Literal.string(column.comment)))]
    if column.is_key:
        kind.set("nullable", False)
        constraints.insert(0, exp.ColumnConstraint(kind=exp.NotNullColumnConstraint()))
    return exp.ColumnDef(this=exp.to_identifier(name, quoted=True), kind=kind, constraints=constraints)


def with_comments(target: Target, statement: exp.Expr) -> Script:
    """The comments on columns, moved to where the dialect has them: beside the column, or statements of their own."""
    comments = target.known.ddl.comments
    after: list[exp.Expr] = []
    for one in tree.find(statement, exp.CommentColumnConstraint) if comments != "column" else []:
        constraint, text = one.parent, one.this
        assert constraint is not None
        definition = constraint.parent
        assert isinstance(definition, exp.ColumnDef)
        if comments == "options":
            option = exp.Property(this=exp.var("description"), value=text)
            constraint.set("kind", exp.Properties(expressions=[option]))
            continue
        constraint.pop()
        if comments == "statement":
            table = target.table
            column = exp.Column(this=definition.this.copy(), table=table.this.copy())
            column.set("db", table.args.get("db") and table.args["db"].copy())
            after.append(exp.Comment(this=column, kind="COLUMN", expression=text))
    return Script(after=after)
