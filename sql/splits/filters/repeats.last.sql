-- repeats: the last interaction of each user with each item.
--
-- Of interactions at the same time, the one with the highest rating is kept.
WITH numbered_repeats AS (
  SELECT
    *,
    ROW_NUMBER() OVER (
      PARTITION BY user_id, item_id
      ORDER BY time DESC NULLS LAST, rating DESC NULLS LAST
    ) AS repeat_number
  FROM kept_rows
)
SELECT *
FROM numbered_repeats
WHERE repeat_number = 1
