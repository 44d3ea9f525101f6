"""The databases, each as one value; a database that speaks the SQL of another is that value with changes.

What several databases share is in `model` and `rewrites`; the rewrites of one database are above its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB

from rankmetrics.dialects import model, rewrites
from rankmetrics.sqltree import tree

TEST_NAN = partial(rewrites.replace_nan_tests, by="CASE WHEN IS_NAN(:x) THEN NULL ELSE :x END")
DROP_NAN_TESTS = partial(rewrites.replace_nan_tests, by=":x")


# --- DuckDB, in whose SQL every query is planned ----------------------------------------------------------------------


class ExplicitDuckDB(DuckDB):
    """DuckDB's SQL that says where NULLs go in a descending order: Polars, which reads it too, has another default."""

    NULL_ORDERING = "nulls_are_large"


# None if several tables or views have this name: which of them is read depends on the search path.
DUCKDB_KEYS = """
SELECT constraint_index, column_name
FROM (
  SELECT
    schema_name, UNNEST(constraint_column_names) AS column_name,
    CASE WHEN constraint_type <> 'NOT NULL' THEN constraint_index END AS constraint_index
  FROM duckdb_constraints()
  WHERE LOWER(table_name) = LOWER({name}) AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'NOT NULL')
)
WHERE LOWER(schema_name) = LOWER(COALESCE({schema}, schema_name)) AND 1 = (
  SELECT COUNT(*) FROM information_schema.tables
  WHERE LOWER(table_name) = LOWER({name}) AND LOWER(table_schema) = LOWER(COALESCE({schema}, table_schema))
)
"""


DUCKDB = model.Dialect(
    called="DuckDB",
    at_once=True,
    ranks_by_sorting=True,
    keeps_materialized=True,
    grammar=ExplicitDuckDB,
    rewrites=(
        partial(rewrites.replace_filters, of_distinct=False),
        rewrites.group_what_is_counted,
        rewrites.round_to_single,
    ),
    digits=(partial(rewrites.sum_in_any_order, add="FSUM"),),
    names=model.Names(keep_labels=True),
    forms=model.FORMS | {"macro"},
    function=model.TableFunction("MACRO"),
    ddl=model.Ddl("statement"),
    writes=model.Writes(
        begin=("BEGIN TRANSACTION",),
        lock=("BEGIN TRANSACTION", "CREATE TABLE {lock} AS SELECT TRUE AS locked"),  # a second job fails at the CREATE
        unlock=("DROP TABLE {lock}", "COMMIT"),
    ),
    drivers=(
        model.Driver(
            "duckdb", schemes=("duckdb",), open=lambda duckdb, path: duckdb.connect(path, read_only=True), is_path=True
        ),
    ),
    unnest=(
        "SELECT *, GENERATE_SUBSCRIPTS(listed, 1) AS place, "
        "UNNEST(CASE WHEN LEN(listed) > 0 THEN listed ELSE [NULL] END) AS element FROM source"
    ),
    raise_error=model.CALL_TO_RAISE.format("error"),
    dbt_adapters=("duckdb",),
)


POLARS = model.Dialect(
    called="Polars",
    at_once=True,
    grammar=ExplicitDuckDB,
    rewrites=(rewrites.replace_filters,),
    digits=(rewrites.divide_by_columns, rewrites.sum_in_any_order),
    lacks=(
        model.Lack(
            exp.MD5,
            "the seeded hash of a split or a sample",
            "its SQL has no MD5",
            "Give the frames themselves, which DuckDB then reads, or take the text for duckdb.",
        ),
    ),
    names=model.Names(keep_labels=True),
    forms=frozenset({"query", "cte", "table", "check"}),
    writes=model.Writes(table="create"),
)


# --- PostgreSQL -------------------------------------------------------------------------------------------------------

# The columns of what the search path finds: a table, a view, a materialized view, a foreign or temporary table.
POSTGRES_COLUMNS = """
SELECT a.attname, CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod)
ELSE format_type(a.atttypid, a.atttypmod) END
FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
WHERE a.attrelid = to_regclass({path}) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""

# No keys of a table that others inherit from, whose rows they may repeat, nor those that are not tested yet, or only at
# a COMMIT.
POSTGRES_DEFINITION = """
SELECT CAST(CAST(i.indexrelid AS REGCLASS) AS TEXT), a.attname, NULL
FROM pg_catalog.pg_index AS i
JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
WHERE i.indrelid = to_regclass({path}) AND i.indisunique AND i.indimmediate AND i.indisvalid
AND i.indpred IS NULL AND i.indexprs IS NULL AND (c.relkind = 'p' OR NOT c.relhassubclass)
UNION ALL
SELECT NULL, a.attname, NULL
FROM pg_catalog.pg_attribute AS a
JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
WHERE a.attrelid = to_regclass({path}) AND a.attnum > 0 AND a.attnotnull AND (c.relkind = 'p' OR NOT c.relhassubclass)
AND NOT EXISTS (
  SELECT 1 FROM pg_catalog.pg_constraint AS k
  WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated AND a.attnum = ANY(k.conkey)
)
UNION ALL
SELECT NULL, a.attname, format_type(a.atttypid, a.atttypmod)
FROM pg_catalog.pg_attribute AS a
WHERE a.attrelid = to_regclass({path}) AND a.attnum > 0 AND NOT a.attisdropped
"""


def keep_joined_groups(query: exp.Expr) -> None:
    """`WITH hits_per_list AS (... GROUP BY user)` → `... AS MATERIALIZED (...)`, for groups that are joined.

    PostgreSQL expects far fewer groups than there are, and then compares every list of a system with every other. Of a
    step that it keeps, it knows the number of rows.
    """
    joined = {join.this.name for join in tree.find(query, exp.Join) if isinstance(join.this, exp.Table)}
    for cte in tree.find(query, exp.CTE):
        if cte.alias in joined and tree.groups(cte.this):
            cte.set("materialized", True)


POSTGRES = model.Dialect(
    called="PostgreSQL",
    at_once=True,
    rewrites=(
        rewrites.bound_powers,
        rewrites.name_powers,
        rewrites.round_to_single,
        keep_joined_groups,
        partial(rewrites.collate_text, collation="C"),
    ),
    forms=model.FORMS | {"function"},
    function=model.TableFunction(
        properties=[exp.LanguageProperty(this=exp.var("SQL")), exp.StabilityProperty(this=exp.Literal.string("STABLE"))]
    ),
    names=model.Names(longest=63, in_bytes=True, folds_to="lower"),
    ddl=model.Ddl("statement"),
    writes=model.Writes(  # before the first snapshot of the transaction: other jobs wait, readers do not
        table="drop in transaction", lock=("BEGIN", "LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
    ),
    drivers=(
        model.Driver("adbc_driver_postgresql", "adbc-driver-postgresql"),
        model.Driver("pg8000", "pg8000"),
        model.Driver(  # `prepare` leaves nothing in the server
            "psycopg", extra="postgres", execute={"prepare": False}, schemes=("postgres", "postgresql")
        ),
        model.Driver("psycopg2", "psycopg2"),
    ),
    vendors=("postgresql",),
    catalog=model.CatalogQueries(POSTGRES_COLUMNS, tables=model.TABLES, definition=POSTGRES_DEFINITION),
    error_ends_transaction=True,
    unnest=(
        "SELECT source.*, spread.place, spread.element FROM source "
        "LEFT JOIN LATERAL UNNEST(source.listed) WITH ORDINALITY AS spread(element, place) ON TRUE"
    ),
    raise_error=model.CAST_TO_RAISE,
    dbt_adapters=("postgres",),
)


# --- Amazon Redshift: PostgreSQL of an older release, in columns ------------------------------------------------------


def _sort_by_key(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    columns = [exp.to_identifier(key, quoted=True) for key in keys]
    return [exp.SortKeyProperty(this=columns, compound=False)] if keys else []


REDSHIFT = replace(
    POSTGRES,
    called="Redshift",
    at_once=False,  # not tried
    rewrites=(
        rewrites.replace_filters,
        rewrites.bound_powers,
        rewrites.name_powers,
        rewrites.round_to_single,
        partial(rewrites.replace_nan_tests, by="CASE WHEN :x = :x AND :x <> :nan THEN :x END"),
        rewrites.replace_values,
    ),
    lacks=model.median_lacks("all medians of a query would have to be of one value"),
    forms=model.FORMS,
    names=replace(POSTGRES.names, longest=127),
    ddl=model.Ddl("statement", _sort_by_key),
    writes=replace(POSTGRES.writes, lock=("BEGIN", "LOCK {table}")),
    drivers=(model.Driver("redshift_connector", "redshift_connector"),),
    vendors=("redshift",),
    sqlalchemy={"redshift": "sqlalchemy-redshift redshift_connector"},
    catalog=model.CatalogQueries(model.COLUMNS, tables=model.TABLES),
    unnest="",
    dbt_adapters=("redshift",),
)


# --- Apache DataFusion, which reads PostgreSQL's grammar --------------------------------------------------------------


def _list_datafusion_tables(context: Any) -> list[str]:
    """The names of the tables of a context; its SQL has no catalogue unless it is switched on."""
    catalog = context.catalog()
    return [name for schema in catalog.names() for name in catalog.schema(schema).names()]


def add_zero_to_scores(query: exp.Expr) -> None:
    """`ORDER BY score` → `ORDER BY (score + 0)`, and `CAST(score AS REAL)` → `(CAST(score AS REAL) + 0)`.

    DataFusion orders -0 below 0; the sum of -0 and 0 is 0. A small negative number is -0 in 32 bits.
    """
    scores = [node for node in tree.find(query, exp.Column) if node.is_type(exp.DType.DOUBLE)]
    for kind, nodes in (
        (exp.DType.DOUBLE, scores),
        (exp.DType.FLOAT, [node for node in tree.find(query, exp.Cast) if node.is_type(exp.DType.FLOAT)]),
    ):
        for node in nodes:
            zero = exp.cast(exp.Literal.number(0), kind)
            node.replace(exp.Paren(this=exp.Add(this=node.copy(), expression=zero)))


DATAFUSION = model.Dialect(
    called="DataFusion",
    grammar="postgres",
    rewrites=(add_zero_to_scores, rewrites.group_what_is_counted, rewrites.name_powers),
    lacks=(
        model.Lack(exp.PercentileDisc, "the aggregate median_low", "it has no percentile that is one of the values"),
        model.Lack(exp.StrPosition, "a sample by popularity", "its planner fails at the order of the draws"),
    ),
    names=model.Names(folds_to="lower"),
    writes=model.Writes(
        "insert",
        begin=(),
        commit="",
        note="DataFusion deletes no rows of a table: a second run adds the rows again.",
        has_temporary_tables=False,
    ),
    drivers=(
        model.Driver(
            "datafusion",
            extra="datafusion",
            read=lambda context, sql: context.sql(sql).to_arrow_table(),
            tables=_list_datafusion_tables,
        ),
    ),
    raise_error=model.CAST_TO_RAISE,
    unnest=(
        "SELECT *, UNNEST(range(1, CAST(coalesce(nullif(array_length(listed), 0), 1) AS BIGINT) + 1)) AS place, "
        "UNNEST(CASE WHEN array_length(listed) > 0 THEN listed ELSE make_array(NULL) END) AS element FROM source"
    ),
)


# --- MySQL, and MariaDB, which reads the same text --------------------------------------------------------------------

MYSQL_DEFINITION = """
SELECT index_name, column_name, NULL FROM information_schema.statistics
WHERE non_unique = 0 AND table_name = {name} AND table_schema = COALESCE({schema}, DATABASE())
UNION ALL
SELECT NULL, column_name, NULL FROM information_schema.columns
WHERE is_nullable = 'NO' AND table_name = {name} AND table_schema = COALESCE({schema}, DATABASE())
UNION ALL
SELECT NULL, column_name, column_type FROM information_schema.columns
WHERE table_name = {name} AND table_schema = COALESCE({schema}, DATABASE())
"""


def qualify_window_columns(query: exp.Expr) -> None:
    """`SELECT x AS rank, SUM(y) OVER (ORDER BY rank) FROM recs` → `... OVER (ORDER BY recs.rank) ...`.

    MySQL reads a bare name in a window as the new column of the same SELECT.
    """
    for select, source in _reading_one_table(query):
        for window in [window for expression in select.expressions for window in tree.find(expression, exp.Window)]:
            for column in tree.find(window, exp.Column):
                if not column.table:
                    column.set("table", exp.to_identifier(source, quoted=True))


def _reading_one_table(query: exp.Expr) -> list[tuple[exp.Select, str]]:
    """The SELECTs that read one table, each with the name of the table."""
    return [
        (select, select.args["from_"].this.alias_or_name)
        for select in tree.find(query, exp.Select)
        if select.args.get("from_") and not select.args.get("joins")
    ]


# The name of a lock: names may have 64 characters only.
MYSQL_LOCK = "MD5(CONCAT(COALESCE({schema}, DATABASE(), ''), '.', {name}))"


MYSQL = model.Dialect(
    called="MySQL",
    rewrites=(
        rewrites.union_grouping_sets,
        rewrites.replace_filters,
        rewrites.cast_divisions,
        DROP_NAN_TESTS,
        partial(rewrites.replace_infinity, by="NULL"),
        rewrites.replace_values,
        qualify_window_columns,
        rewrites.round_to_single,
        rewrites.cast_counts,
        rewrites.compare_extremes,
        partial(rewrites.collate_text, collation="utf8mb4_bin", charset="utf8mb4"),
    ),
    lacks=model.median_lacks("it has no such aggregate"),
    names=model.Names(longest=64),
    max_steps=64,
    # A lock by the table's name, from before the transaction until after it: other jobs wait, for up to a year. Rows
    # that are not there yet cannot be locked, or both jobs lock the gap, and one of them ends in a deadlock.
    writes=model.Writes(
        table="drop",
        begin=("START TRANSACTION",),
        lock=(f"SELECT GET_LOCK({MYSQL_LOCK}, {365 * 24 * 60 * 60})", "START TRANSACTION"),
        unlock=("COMMIT", f"SELECT RELEASE_LOCK({MYSQL_LOCK})"),
        has_temporary_tables=False,
    ),
    ddl=model.Ddl("column"),
    drivers=(
        model.Driver("MySQLdb", "mysqlclient"),
        model.Driver("mariadb", "mariadb"),
        model.Driver("mysql", "mysql-connector-python"),
        model.Driver("pymysql", extra="mysql"),
    ),
    vendors=("mariadb", "mysql"),
    sqlalchemy={"mariadb": "pymysql", "mysql": "pymysql"},
    catalog=model.CatalogQueries(tables=f"{model.TABLES} WHERE table_schema = DATABASE()", definition=MYSQL_DEFINITION),
)


# --- SQLite -----------------------------------------------------------------------------------------------------------


def _open_sqlite_to_read(sqlite3: Any, path: str) -> Any:
    """A file, opened to be read: sqlite3 would make an empty database of a name that is mistyped."""
    if path != ":memory:":
        path = f"{Path(path).resolve().as_uri()}?mode=ro"
    return sqlite3.connect(path, uri=True, check_same_thread=False)  # the command line computes in a thread of its own


SQLITE_COLUMNS = "SELECT name, type FROM pragma_table_info({name}, {schema})"

# The columns of a primary key may be NULL in SQLite, unless they say NOT NULL.
SQLITE_DEFINITION = """
SELECT i.name AS key_name, c.name AS column_name, NULL AS column_type
FROM pragma_index_list({name}, {schema}) AS i JOIN pragma_index_info(i.name, {schema}) AS c
WHERE i."unique" = 1 AND i.partial = 0
UNION ALL
SELECT NULL, name, NULL FROM pragma_table_info({name}, {schema}) WHERE "notnull" = 1
UNION ALL
SELECT NULL, name, type FROM pragma_table_info({name}, {schema})
"""


SQLITE = model.Dialect(
    called="SQLite",
    at_once=True,
    keeps_materialized=True,
    rewrites=(
        rewrites.union_grouping_sets,
        rewrites.compare_extremes,
        DROP_NAN_TESTS,
        rewrites.round_to_single,
        partial(rewrites.replace_infinity, by="9e999"),
        rewrites.replace_values,
    ),
    lacks=(
        *model.median_lacks("it has no such function"),
        model.Lack(exp.StddevSamp, "the aggregates std and ci", "it has no standard deviation"),
        model.Lack(
            exp.MD5,
            "the seeded hash of a split or a sample",
            "it has no MD5",
            "Split by time or sliding, which need no hash; rank among candidates that you give, and not a sample.",
        ),
        model.NO_GAP,
    ),
    names=model.Names(keep_labels=True),
    replaces_views=False,
    writes=model.Writes(table="drop in transaction", begin=("BEGIN IMMEDIATE",)),
    drivers=(
        model.Driver("adbc_driver_sqlite", "adbc-driver-sqlite"),
        model.Driver(
            "sqlite3",
            schemes=("sqlite",),
            open=_open_sqlite_to_read,
            is_path=True,
            open_to_write=lambda sqlite3, path: sqlite3.connect(path),
        ),
    ),
    vendors=("sqlite",),
    catalog=model.CatalogQueries(
        SQLITE_COLUMNS,
        values_have_types=True,
        tables="SELECT name FROM pragma_table_list",
        definition=SQLITE_DEFINITION,
    ),
    dbt_adapters=("sqlite",),
)


# --- Microsoft SQL Server, Azure SQL and Fabric -----------------------------------------------------------------------


def cast_powers(query: exp.Expr) -> None:
    """`POWER(2, x)` → `POWER(CAST(2 AS DOUBLE), x)`.

    SQL Server returns a power in the type of its base: a power of a whole number is a whole number.
    """
    for node in tree.find(query, exp.Pow):
        node.set("this", exp.cast(node.this, exp.DType.DOUBLE, copy=False))


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


TSQL = model.Dialect(
    called="SQL Server",
    rewrites=(
        rewrites.replace_filters,
        partial(rewrites.compare_extremes, of_numbers=True),
        cast_powers,
        DROP_NAN_TESTS,
        partial(rewrites.replace_infinity, by="NULL"),
        partial(rewrites.rename_deviation, name="STDEV"),
        rewrites.round_to_single,
        write_hex_digest,
        partial(rewrites.collate_text, collation="Latin1_General_100_BIN2_UTF8"),
    ),
    lacks=(*model.median_lacks("its percentiles are window functions"), model.NO_GAP),
    names=model.Names(longest=128),
    ddl=model.Ddl(if_not_exists=False),
    writes=model.Writes(
        table="drop in transaction",
        begin=("SET XACT_ABORT ON", "BEGIN TRANSACTION"),
        commit="COMMIT TRANSACTION",
        # locks on the rows that the transaction did not find: of two jobs at once, one waits or is ended
        lock=("SET XACT_ABORT ON", "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", "BEGIN TRANSACTION"),
        unlock=("COMMIT TRANSACTION", "SET TRANSACTION ISOLATION LEVEL READ COMMITTED"),
    ),
    drivers=(model.Driver("mssql_python", "mssql-python"), model.Driver("pymssql", "pymssql")),
    vendors=("microsoft sql server",),
    sqlalchemy={"mssql": "pyodbc"},
    catalog=model.CatalogQueries(model.COLUMNS, tables=model.TABLES),
    ibis_backend="mssql",
    raise_error=model.CAST_TO_RAISE,
    dbt_adapters=("fabric", "sqlserver"),
)


# --- Google BigQuery --------------------------------------------------------------------------------------------------


def partition_by_text(query: exp.Expr, *, columns: tuple[str, ...]) -> None:
    """`PARTITION BY x` → `PARTITION BY CAST(x AS TEXT)`, for columns that hold floating-point numbers.

    BigQuery refuses to partition a window by a floating-point number.
    """
    for window in tree.find(query, exp.Window):
        keys = window.args.get("partition_by") or []
        window.set("partition_by", [exp.cast(key, exp.DType.TEXT) if key.name in columns else key for key in keys])


def qualify_columns_named_as_tables(query: exp.Expr) -> None:
    """`SELECT hits FROM hits` → `SELECT hits.hits FROM hits`.

    BigQuery reads a bare name that is also the table's name as the whole row.
    """
    for select, source in _reading_one_table(query):
        for column in tree.find(select, exp.Column):
            if column.name == source and not column.table and column.parent_select is select:
                column.set("table", exp.to_identifier(source, quoted=True))


def join_texts_of_array(query: exp.Expr) -> None:
    """`CONCAT_WS(':', a, b)` → `ARRAY_TO_STRING([a, b], ':')`.

    BigQuery has no CONCAT_WS.
    """
    for node in tree.find(query, exp.ConcatWs):
        separator, *texts = node.expressions
        node.replace(exp.ArrayToString(this=exp.Array(expressions=texts), expression=separator))


def _partition_by_date(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """PARTITION BY the column of dates, and CLUSTER BY the first four other keys."""
    dated = [] if day is None else [exp.PartitionedByProperty(this=exp.to_identifier(day, quoted=True))]
    return [*dated, *model.cluster_by(partition, [key for key in keys if key != day][:4], day)]


BIGQUERY = model.Dialect(
    called="BigQuery",
    rewrites=(
        rewrites.replace_filters,
        rewrites.compare_extremes,
        TEST_NAN,
        qualify_columns_named_as_tables,
        rewrites.round_to_single,
        partial(partition_by_text, columns=("n_users", "score")),
        join_texts_of_array,
    ),
    lacks=model.median_lacks("its percentiles are window functions"),
    forms=model.FORMS | {"function"},
    function=model.TableFunction("TABLE FUNCTION", exp.Subquery, properties=None),
    names=model.Names(longest=300, are_plain=True),
    ddl=model.Ddl("options", _partition_by_date),
    writes=model.Writes(begin=("BEGIN TRANSACTION",), commit="COMMIT TRANSACTION"),
    drivers=(model.Driver("google", "google-cloud-bigquery"),),
    sqlalchemy={"bigquery": "sqlalchemy-bigquery"},
    catalog=model.CatalogQueries(
        "SELECT column_name, data_type FROM {dataset}.INFORMATION_SCHEMA.COLUMNS WHERE table_name = {name} "
        "ORDER BY ordinal_position"
    ),
    raise_error=model.CALL_TO_RAISE.format("ERROR"),
    dbt_adapters=("bigquery",),
)


SNOWFLAKE = model.Dialect(
    called="Snowflake",
    rewrites=(rewrites.replace_filters, rewrites.round_to_single, rewrites.cast_divisions),
    forms=model.FORMS | {"function"},
    names=model.Names(longest=255, folds_to="upper"),
    ddl=model.Ddl("column", model.cluster_by),
    writes=model.Writes(
        begin=("BEGIN TRANSACTION",), note=f"Snowflake locks no rows that are not there yet. {model.ONE_JOB}"
    ),
    drivers=(
        model.Driver("adbc_driver_snowflake", "adbc-driver-snowflake"),
        model.Driver("fakesnow", "fakesnow"),
        model.Driver("snowflake", "snowflake-connector-python"),
    ),
    vendors=("snowflake",),
    sqlalchemy={"snowflake": "snowflake-sqlalchemy"},
    catalog=model.CatalogQueries("DESCRIBE TABLE {table}", tables=model.TABLES),
    raise_error=model.CAST_TO_RAISE,
    dbt_adapters=("snowflake",),
)


# --- ClickHouse: the server, and chDB within this process -------------------------------------------------------------


def _read_chdb(connection: Any, sql: str) -> Any:
    try:
        return connection.query(sql, "ArrowTable")
    except Exception:
        with suppress(Exception):  # the rows that chDB had written before the error would begin the next answer
            connection.query("SELECT 1", "ArrowTable")
        raise


def use_exact_quantiles(query: exp.Expr) -> None:
    """`MEDIAN(x)` → `quantileExactInclusive(0.5)(x)`, and `QUANTILE_DISC(x, 0.5)` → `quantileExactLow(0.5)(x)`.

    ClickHouse's own MEDIAN is an estimate from a sample.
    """
    for node in tree.find(query, exp.Median, exp.PercentileDisc):
        name = "quantileExactInclusive" if isinstance(node, exp.Median) else "quantileExactLow"
        level = exp.Literal.number("0.5")
        node.replace(exp.CombinedParameterizedAgg(this=name, expressions=[level], params=[node.this.copy()]))


def add_settings(query: exp.Expr, **values: int | str) -> None:
    """`SELECT ...` → `SELECT ... SETTINGS join_use_nulls = 1, ...`.

    Under ClickHouse's defaults, the missing side of a LEFT JOIN holds 0 where other databases have NULL, and a join of
    two Distributed tables is refused.
    """
    inner = query if isinstance(query, exp.Select) else query.find(exp.Select)
    if inner is None:
        return  # a statement without a query: DELETE, DROP
    inner.set("settings", [exp.EQ(this=exp.var(name), expression=exp.convert(value)) for name, value in values.items()])


def name_qualified_columns(query: exp.Expr) -> None:
    """`SELECT lists.user` → `SELECT lists.user AS user`.

    ClickHouse would call the returned column `lists.user`.
    """
    for select in tree.find(query, exp.Select):
        for node in select.expressions:
            if isinstance(node, exp.Column) and node.table:
                node.replace(tree.named(node.copy(), node.name))


def _merge_tree(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    order = exp.Ordered(this=exp.Tuple(expressions=[tree.column(key) for key in keys]), nulls_first=False)
    return [exp.EngineProperty(this=exp.to_identifier("MergeTree")), exp.Order(expressions=[order])]


CLICKHOUSE = model.Dialect(
    called="ClickHouse",
    rewrites=(
        rewrites.union_grouping_sets,
        TEST_NAN,
        use_exact_quantiles,
        partial(rewrites.rename_deviation, name="stddevSampStable"),
        rewrites.cast_counts,
        rewrites.compare_extremes,
        name_qualified_columns,
        partial(
            add_settings,
            join_use_nulls=1,
            aggregate_functions_null_for_empty=1,
            prefer_column_name_to_alias=1,
            distributed_product_mode="global",
            query_plan_max_optimizations_to_apply=1000000,
        ),
    ),
    table_properties=exp.Properties(
        expressions=[exp.EngineProperty(this=exp.var("MergeTree")), exp.Order(expressions=[exp.Tuple()])]
    ),
    ddl=model.Ddl("column", _merge_tree),
    writes=model.Writes(
        begin=(),
        commit="",
        note=f"ClickHouse runs each statement by itself: if one fails, run all of them again. {model.ONE_JOB}",
    ),
    drivers=(
        model.Driver("chdb", extra="chdb", read=_read_chdb, schemes=("chdb",), is_path=True),
        model.Driver(
            "clickhouse_connect",
            extra="clickhouse",
            read=lambda client, sql: client.query_arrow(sql),
            schemes=("clickhouse",),
            open=lambda clickhouse_connect, address: clickhouse_connect.get_client(dsn=address),
        ),
        model.Driver("clickhouse_driver", "clickhouse-driver"),
    ),
    vendors=("clickhouse",),
    catalog=model.CatalogQueries(describes_queries=True, tables="SHOW TABLES"),
    unnest=(
        "SELECT *, elements.1 AS place, elements.2 AS element FROM (SELECT *, arrayJoin(if(empty(listed), [(0, NULL)], "
        "arrayZip(arrayEnumerate(listed), arrayMap(x -> toNullable(x), listed)))) AS elements FROM source)"
    ),
    raise_error="toInt64(COALESCE(:message, '1'))",  # its CAST returns NULL where it fails
    dbt_adapters=("clickhouse",),
)


# --- Apache Spark -----------------------------------------------------------------------------------------------------


def write_percentile_disc(query: exp.Expr) -> None:
    """`QUANTILE_DISC(x, 0.5)` → `PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x NULLS FIRST)`.

    sqlglot would write an approximate quantile for Spark and Databricks.
    """
    for node in tree.find(query, exp.PercentileDisc):
        order = exp.Order(expressions=[exp.Ordered(this=node.this.copy(), nulls_first=True)])
        quantile = exp.Anonymous(this="PERCENTILE_DISC", expressions=[node.expression.copy()])
        node.replace(exp.WithinGroup(this=quantile, expression=order))


def broadcast_cross_joins(query: exp.Expr) -> None:
    """`SELECT ... FROM lists CROSS JOIN cutoffs` → `SELECT /*+ BROADCAST(cutoffs) */ ...`.

    Spark and Databricks cannot know that the table crossed with every list has only a few rows.
    """
    for select in tree.find(query, exp.Select):
        crossed = [join.this for join in select.args.get("joins") or [] if join.kind == "CROSS"]
        tables = [exp.to_identifier(join.alias_or_name, quoted=True) for join in crossed if isinstance(join, exp.Table)]
        if tables:
            hint = exp.Anonymous(this="BROADCAST", expressions=tables)
            select.set("hint", exp.Hint(expressions=[hint]))


def _partition_parquet(partition: Sequence[str], keys: Sequence[str], day: str | None) -> list[exp.Expr]:
    """USING PARQUET PARTITIONED BY the columns of the partitions: INSERT OVERWRITE replaces such partitions."""
    columns = [exp.to_identifier(name, quoted=True) for name in partition]
    partitioned = [exp.PartitionedByProperty(this=exp.Schema(expressions=columns))] if columns else []
    return [exp.FileFormatProperty(this=exp.var("PARQUET")), *partitioned]


SPARK = model.Dialect(
    called="Spark",
    at_once=True,
    rewrites=(write_percentile_disc, broadcast_cross_joins),
    forms=model.FORMS | {"function"},  # from Spark 4.0
    function=model.TableFunction(body=exp.Return),
    ddl=model.Ddl("column", _partition_parquet),
    writes=model.Writes(
        "overwrite",
        table="drop",
        begin=("SET spark.sql.sources.partitionOverwriteMode = dynamic",),
        commit="",
        note="The table must be partitioned by these columns. Spark replaces those of its partitions that get rows. "
        + model.ONE_JOB,
        has_temporary_tables=False,
    ),
    drivers=(
        model.Driver(
            "pyspark",
            extra="spark",
            schemes=("sc",),
            open=lambda pyspark, address: pyspark.sql.SparkSession.builder.remote(address).getOrCreate(),
        ),
    ),
    unnest=(
        "SELECT *, elements + 1 AS place FROM source LATERAL VIEW OUTER POSEXPLODE(listed) spread AS elements, element"
    ),
    ibis_backend="pyspark",
    raise_error=model.CALL_TO_RAISE.format("raise_error"),
    dbt_adapters=("spark",),
)


DATABRICKS = replace(
    SPARK,
    called="Databricks",
    names=model.Names(longest=255, are_plain=True),
    ddl=model.Ddl("column", model.cluster_by),
    writes=model.Writes("replace where", begin=(), commit="", has_temporary_tables=False),
    drivers=(model.Driver("databricks", "databricks-sql-connector"), model.Driver("pyspark", extra="spark")),
    vendors=("databricks",),
    sqlalchemy={"databricks": "databricks-sqlalchemy"},
    dbt_adapters=("databricks",),
)


TRINO = model.Dialect(
    called="Trino",
    rewrites=(rewrites.compare_extremes, TEST_NAN),
    lacks=model.median_lacks("its percentiles are estimates"),
    names=model.Names(folds_to="lower"),
    ddl=model.Ddl("column"),
    writes=model.Writes(
        table="drop",
        begin=(),
        commit="",
        note=f"Trino runs each statement by itself: if one fails, run all of them again. {model.ONE_JOB}",
        has_temporary_tables=False,
    ),
    drivers=(model.Driver("trino", "trino"),),
    sqlalchemy={"trino": "trino[sqlalchemy]"},
    unnest=(
        "SELECT source.*, spread.place, spread.element FROM source "
        "LEFT JOIN UNNEST(source.listed) WITH ORDINALITY AS spread(element, place) ON TRUE"
    ),
    raise_error=model.CALL_TO_RAISE.format("fail"),
    dbt_adapters=("trino",),
)


ATHENA = replace(
    TRINO,
    called="Athena",
    names=model.Names(are_plain=True, folds_to="lower"),
    forms=TRINO.forms - {"ddl"},  # a table needs a place in S3
    ddl=model.Ddl(),
    writes=replace(
        TRINO.writes,
        note="Athena runs each statement by itself: if one fails, run all again. DELETE needs an Iceberg table. "
        + model.ONE_JOB,
    ),
    drivers=(model.Driver("pyathena", "pyathena"),),
    sqlalchemy={"athena": "PyAthena[SQLAlchemy]", "awsathena": "PyAthena[SQLAlchemy]"},
    catalog=model.CatalogQueries(model.COLUMNS),
    unnest="",
    dbt_adapters=("athena",),
)


# The dialects by name, each after the one that it is made of.
DATABASES: dict[str, model.Dialect] = {
    "duckdb": DUCKDB,
    "polars": POLARS,
    "postgres": POSTGRES,
    "redshift": REDSHIFT,
    "datafusion": DATAFUSION,
    "mysql": MYSQL,
    "sqlite": SQLITE,
    "tsql": TSQL,
    "bigquery": BIGQUERY,
    "snowflake": SNOWFLAKE,
    "clickhouse": CLICKHOUSE,
    "spark": SPARK,
    "databricks": DATABRICKS,
    "trino": TRINO,
    "athena": ATHENA,
}
