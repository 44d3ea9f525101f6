"""The query for warehouse jobs.

`query_text`: `to_sql`; `statements`: the conditions of `where=`; view, table, INSERT, macro; columns of counts; `dbt`:
the package of dbt.
"""
