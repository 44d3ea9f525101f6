-- buckets: one row per value, with its bucket. All buckets have about the same number of lists.
--
-- A value is in the bucket that its first list would be in if the lists were sorted by value and cut into equal parts:
-- equal values are never in two buckets. Where values repeat, there are fewer buckets.
-- segment: the lowest and the highest value of the bucket, as in `3 to 7`; one value alone, as in `3`. Values that are not
-- whole numbers have two decimals, or four where no value is as high as 10. Infinite values are in the last or the first
-- bucket; numbers of 16 digits and infinite values are written as the engine writes them.
WITH value_counts AS (
  SELECT value, COUNT(*) AS n_lists
  FROM known_values
  WHERE value IS NOT NULL
  GROUP BY value
),
running_counts AS (
  SELECT
    value, n_lists,
    SUM(n_lists) OVER (ORDER BY value NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n_up_to,
    SUM(n_lists) OVER () AS n_all,
    CAST(CASE WHEN MAX(ABS(value)) OVER () >= 10 THEN 100 ELSE 10000 END AS DOUBLE) AS scale
  FROM value_counts
),
bucketed AS (
  SELECT value, scale, CAST(FLOOR(CAST((n_up_to - n_lists) * $n_buckets AS DOUBLE) / n_all) AS BIGINT) + 1 AS position
  FROM running_counts
),
ranges AS (
  SELECT position, MIN(value) AS lowest, MAX(value) AS highest, MAX(scale) AS scale
  FROM bucketed
  GROUP BY position
),
range_texts AS (
  SELECT
    position, lowest, highest,
    CASE
      WHEN ABS(lowest) >= 1000000000000000 THEN CAST(lowest AS VARCHAR)
      WHEN lowest = FLOOR(lowest)
        THEN CAST(CAST(CASE WHEN ABS(lowest) < 1000000000000000 THEN lowest END AS BIGINT) AS VARCHAR)
      ELSE CAST(FLOOR(lowest * scale + CAST(0.5 AS DOUBLE)) / scale AS VARCHAR)
    END AS lowest_text,
    CASE
      WHEN ABS(highest) >= 1000000000000000 THEN CAST(highest AS VARCHAR)
      WHEN highest = FLOOR(highest)
        THEN CAST(CAST(CASE WHEN ABS(highest) < 1000000000000000 THEN highest END AS BIGINT) AS VARCHAR)
      ELSE CAST(FLOOR(highest * scale + CAST(0.5 AS DOUBLE)) / scale AS VARCHAR)
    END AS highest_text
  FROM ranges
)
SELECT
  bucketed.value,
  CASE
    WHEN range_texts.lowest = range_texts.highest THEN range_texts.lowest_text
    ELSE range_texts.lowest_text || ' to ' || range_texts.highest_text
  END AS segment,
  bucketed.position
FROM bucketed
JOIN range_texts ON bucketed.position = range_texts.position
