{# $mark #}
$settings{{ $package.measure_$name($relations) }}
