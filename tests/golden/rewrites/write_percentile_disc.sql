-- write_percentile_disc
SELECT QUANTILE_DISC(x, 0.5);

-- databricks, spark
SELECT
  PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY
    x);
