"""Rewrites of texts: joined texts and hashes."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.sqltree import tree


def join_texts_of_array(query: exp.Expr) -> None:
    """`CONCAT_WS(':', a, b)` → `ARRAY_TO_STRING([a, b], ':')`.

    BigQuery has no CONCAT_WS.
    """
    for node in tree.find(query, exp.ConcatWs):
        separator, *texts = node.expressions
        node.replace(exp.ArrayToString(this=exp.Array(expressions=texts), expression=separator))


def write_md5_as_text(query: exp.Expr) -> None:
    """`MD5(a)` → `LOWER(CONVERT(VARCHAR(32), HASHBYTES('MD5', a), 2))`.

    SQL Server returns a hash as bytes.
    """
    for node in tree.find(query, exp.MD5):
        hashed = exp.Anonymous(this="HASHBYTES", expressions=[exp.Literal.string("MD5"), node.this.copy()])
        text = [exp.DataType.build("VARCHAR(32)", dialect="tsql"), hashed, exp.Literal.number(2)]
        node.replace(exp.Lower(this=exp.Anonymous(this="CONVERT", expressions=text)))
