{# $mark #}

$comment{% macro $macro($inputs) -%}
  {{ return(adapter.dispatch('$macro', '$package')($inputs)) }}
{%- endmacro %}

{% macro default__$macro($inputs) -%}
  {{ $package.refuse('rankmetrics has written no SQL of $name for the adapter ' ~ target.type) }}
{%- endmacro %}
