-- median_low: middle value; of two middle values, the lower
SELECT QUANTILE_DISC(value, 0.5) AS median_low
FROM per_list
