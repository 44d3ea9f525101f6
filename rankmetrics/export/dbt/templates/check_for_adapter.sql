
{% macro ${adapter}__check_$name($inputs) -%}
$body
{%- endmacro %}
