
{% macro ${adapter}__measure_$name($inputs) -%}
$body
{%- endmacro %}
