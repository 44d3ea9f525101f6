-- name_qualified_columns
SELECT lists.a, b FROM lists;

-- clickhouse
SELECT lists.a AS "a", b
FROM lists;
