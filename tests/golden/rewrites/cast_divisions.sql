-- cast_divisions
SELECT a / b, LN(a) / b;

-- mysql, snowflake
SELECT CAST(a AS DOUBLE) / b, LN(a) / b;
