
{# A test of a column: $what. #}
{% test $name(model, column_name) %}
{%- set column = $quote(column_name) -%}
select {{ column }} from {{ model }} where $condition
{% endtest %}
