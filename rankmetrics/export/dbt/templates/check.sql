{# $mark #}

{# No rows if the data is sound; otherwise a row for each fault: its name, the number, a sample of keys, a sentence. #}
{% macro check_$name($inputs) -%}
  {{ return(adapter.dispatch('check_$name', '$package')($inputs)) }}
{%- endmacro %}

{% macro default__check_$name($inputs) -%}
  {{ $package.refuse('rankmetrics has written no SQL of $name for the adapter ' ~ target.type) }}
{%- endmacro %}
