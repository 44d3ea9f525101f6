
{% macro ${adapter}__$macro($inputs) -%}
$body
{%- endmacro %}
