
{# $name, as a mean over lists: $summary `table` names the values per list among joined tables. #}
{% macro $name(k=none, table=none) -%}
  {{ return($package.mean_over_lists('$name', k, kwargs, table, {$columns})) }}
{%- endmacro %}
