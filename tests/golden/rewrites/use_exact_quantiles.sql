-- use_exact_quantiles
SELECT MEDIAN(x), QUANTILE_DISC(x, 0.5);

-- clickhouse
SELECT quantileExactInclusive(0.5)(x), quantileExactLow(0.5)(x);
