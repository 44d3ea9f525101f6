"""Rewrites of texts: joined texts and hashes."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.sqltree import tree


def write_hex_digest(query: exp.Expr) -> None:
    """`MD5(x)` → `LOWER(CONVERT(VARCHAR(32), HASHBYTES('MD5', CAST(x AS VARCHAR(MAX))), 2))`.

    HASHBYTES returns bytes, and the bytes of NVARCHAR are UTF-16. A cast to VARCHAR under a collation of UTF-8 makes
    them UTF-8, as in other databases.
    """
    for node in tree.find(query, exp.MD5)[::-1]:  # inner ones first: a hash may be of a hash
        text = exp.cast(node.this.copy(), exp.DType.TEXT)
        digest = exp.func("HASHBYTES", exp.Literal.string("MD5"), text)
        kind = exp.DataType(this=exp.DType.VARCHAR, expressions=[exp.DataTypeParam(this=tree.literal(32))])
        converted = exp.Anonymous(this="CONVERT", expressions=[kind, digest, tree.literal(2)])
        node.replace(exp.Lower(this=converted))


def join_texts_of_array(query: exp.Expr) -> None:
    """`CONCAT_WS(':', a, b)` → `ARRAY_TO_STRING([a, b], ':')`.

    BigQuery has no CONCAT_WS.
    """
    for node in tree.find(query, exp.ConcatWs):
        separator, *texts = node.expressions
        node.replace(exp.ArrayToString(this=exp.Array(expressions=texts), expression=separator))
