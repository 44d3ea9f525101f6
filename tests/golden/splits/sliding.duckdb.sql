-- Two windows of a week, each with all that came before.
WITH "kept_rows" AS (
  /* kept_rows: the interactions that have a user and an item. */
  SELECT "user_id", "item_id", "rating", "timestamp"
  FROM "db"."clicks"
  WHERE "user_id" IS NOT NULL AND "item_id" IS NOT NULL
), "kept_rows_2" AS (
  /* kept_rows: the interactions that have a time, NaN is none. */
  SELECT "user_id", "item_id", "rating", "timestamp"
  FROM "kept_rows"
  WHERE "timestamp" IS NOT NULL
), "windows" AS (
  /* windows: the test windows with their times */
  SELECT
    1 AS "fold",
    CAST('2024-01-01 00:00:00' AS TIMESTAMP) AS "train_until",
    CAST('2024-01-01 00:00:00' AS TIMESTAMP) AS "test_from",
    CAST('2024-01-08 00:00:00' AS TIMESTAMP) AS "test_until"
  UNION ALL
  SELECT
    2 AS "fold",
    CAST('2024-01-08 00:00:00' AS TIMESTAMP) AS "train_until",
    CAST('2024-01-08 00:00:00' AS TIMESTAMP) AS "test_from",
    CAST('2024-01-15 00:00:00' AS TIMESTAMP) AS "test_until"
), "assigned" AS (
  /* assigned: holds out one time window after the other. The rows before a window are its train rows. */
  SELECT
    "kept_rows_2"."user_id",
    "kept_rows_2"."item_id",
    "kept_rows_2"."rating",
    "kept_rows_2"."timestamp",
    "windows"."fold",
    CASE
      WHEN "timestamp" >= "windows"."test_from" AND "timestamp" < "windows"."test_until"
      THEN 'test'
      WHEN "timestamp" < "windows"."train_until"
      THEN 'train'
    END AS "subset"
  FROM "kept_rows_2"
  CROSS JOIN "windows"
)
/* rows: every row with its subset: train, test, history (known of a test user, and not in train), or NULL for neither. */
SELECT "fold" AS "partition", "user_id", "item_id", "rating", "timestamp", "subset"
FROM "assigned"
