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

{# A test of a column: no value is below 0 or above 1. #}
{% test from_0_to_1(model, column_name) %}
{%- set column = $package.quoted(column_name) -%}
select {{ column }} from {{ model }} where {{ column }} < 0 or {{ column }} > 1.000000001
{% endtest %}
