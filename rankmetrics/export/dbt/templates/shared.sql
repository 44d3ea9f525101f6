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

{# The first and the last partition to compute: those of --vars, else from the newest of a table, or `lookback` before it, on. #}
{% macro partition_range(table, column, lookback) -%}
  {%- set given = [var('${package}_from', none), var('${package}_until', none)] -%}
  {%- if given != [none, none] or table is none or not execute %}{{ return(given) }}{% endif -%}
  {%- set query -%}
select min({{ column }}) as first_partition
from (select {{ column }}, dense_rank() over (order by {{ column }} desc) as newness from {{ table }}) as partitions
where newness <= {{ lookback + 1 }}
  {%- endset -%}
  {{ return([run_query(query).columns[0].values()[0], none]) }}
{%- endmacro %}

{# An input within a range of partitions; the whole input without one. Literals let the warehouse skip other partitions. #}
{% macro within_range(relation, column, range) -%}
  {%- set conditions = [] -%}
  {%- for operator, end in [(' >= ', range[0]), (' <= ', range[1])] if end is not none -%}
    {%- if end is number -%}
      {%- set value = end -%}
    {%- elif end is string -%}
      {%- set value = dbt.string_literal(dbt.escape_single_quotes(end)) -%}
    {%- else -%}
      {%- set value = "cast('" ~ end ~ "' as " ~ ('date' if end.hour is not defined else dbt.type_timestamp()) ~ ")" -%}
    {%- endif -%}
    {%- do conditions.append(column ~ operator ~ value) -%}
  {%- endfor -%}
  {%- if not conditions %}{{ return(relation) }}{% endif -%}
  {{ return('(select * from ' ~ relation ~ ' where ' ~ conditions | join(' and ') ~ ')') }}
{%- endmacro %}
