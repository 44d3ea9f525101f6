{# $mark #}

{# A column of a leaderboard, in the case in which the warehouse keeps names that were written without quotes. #}
{% macro quoted(name) -%}
  {% if target.type in [$upper] %}{{ return(adapter.quote(name | upper)) }}{% endif %}
  {{ return(adapter.quote(name | lower if target.type in [$lower] else name)) }}
{%- endmacro %}

{# An error where the SQL would stand, once that is to run: a project may hold what one of its targets has not. #}
{% macro refuse(reason) -%}
  {% if execute %}{{ exceptions.raise_compiler_error(reason) }}{% endif %}
{%- endmacro %}

{# The first partition that an incremental model computes again: the newest that it has, or `lookback` before that. #}
{% macro first_partition(column, lookback) -%}
  {%- if not is_incremental() %}{{ return(none) }}{% endif -%}
  {%- set query -%}
select min({{ column }}) as first_partition
from (select {{ column }}, dense_rank() over (order by {{ column }} desc) as newness from {{ this }}) as partitions
where newness <= {{ lookback + 1 }}
  {%- endset -%}
  {{ return(run_query(query).columns[0].values()[0]) }}
{%- endmacro %}

{# An input from a partition on; the whole input without one. A literal lets the warehouse skip older partitions. #}
{% macro from_partition(relation, column, first) -%}
  {%- if first is none %}{{ return(relation) }}{% endif -%}
  {%- if first is number -%}
    {%- set value = first -%}
  {%- elif first is string -%}
    {%- set value = dbt.string_literal(dbt.escape_single_quotes(first)) -%}
  {%- else -%}
    {%- set value = "cast('" ~ first ~ "' as " ~ ('date' if first.hour is not defined else dbt.type_timestamp()) ~ ")" -%}
  {%- endif -%}
  {{ return('(select * from ' ~ relation ~ ' where ' ~ column ~ ' >= ' ~ value ~ ')') }}
{%- endmacro %}
