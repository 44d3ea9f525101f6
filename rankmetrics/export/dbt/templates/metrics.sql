{# $mark #}

{# The mean over lists of a metric, by its name, cutoff and parameters. #}
{% macro mean_over_lists(name, k, parameters, table, columns) -%}
  {%- set given = [] -%}
  {%- for parameter, value in parameters | dictsort %}{% do given.append(parameter ~ '=' ~ value) %}{% endfor -%}
  {%- set label = name ~ ('(' ~ given | join(', ') ~ ')' if given else '') ~ ('@' ~ k if k is not none else '') -%}
  {%- if label not in columns -%}
    {{ return($package.refuse(label ~ ' is in no leaderboard with per_list: true, or two of them name its column differently; there are ' ~ columns | join(', '))) }}
  {%- endif -%}
  {%- set column = (table ~ '.' if table else '') ~ columns[label] -%}
  {{ return({$means}[target.type] | replace('$value', column)) }}
{%- endmacro %}
