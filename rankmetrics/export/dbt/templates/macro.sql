{# $mark #}

{% macro measure_$name($inputs) -%}
  {{ return(adapter.dispatch('measure_$name', '$package')($inputs)) }}
{%- endmacro %}

{% macro default__measure_$name($inputs) -%}
  {{ $package.refuse('rankmetrics has written no SQL of $name for the adapter ' ~ target.type) }}
{%- endmacro %}
