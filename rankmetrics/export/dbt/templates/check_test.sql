{# $mark #}
{{ $package.check_$name($relations) }}
