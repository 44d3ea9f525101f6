-- median_low: median over lists; the lower of the two middle values, if there are two
SELECT QUANTILE_DISC(value, 0.5) AS median_low
FROM per_list
