{# $mark #}
{{ $package.measure_$name($relations) }}
