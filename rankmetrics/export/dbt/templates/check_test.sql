{# $mark #}
$settings{{ $package.check_$name($relations) }}
