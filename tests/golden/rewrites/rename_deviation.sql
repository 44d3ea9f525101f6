-- rename_deviation
SELECT STDDEV_SAMP(x);

-- clickhouse
SELECT stddevSampStable(x);

-- tsql
SELECT STDEV(x);
