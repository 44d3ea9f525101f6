-- Two windows of a week, each with all that came before.
WITH "KEPT_ROWS" AS (
  /* kept_rows: the interactions that have a user and an item. */
  SELECT "USER_ID", "ITEM_ID", "RATING", "TIMESTAMP"
  FROM "DB"."CLICKS"
  WHERE "USER_ID" IS NOT NULL AND "ITEM_ID" IS NOT NULL
), "KEPT_ROWS_2" AS (
  /* kept_rows: the interactions that have a time. */
  SELECT "USER_ID", "ITEM_ID", "RATING", "TIMESTAMP"
  FROM "KEPT_ROWS"
  WHERE "TIMESTAMP" IS NOT NULL
), "WINDOWS" AS (
  /* windows: the test windows with their times */
  SELECT
    1 AS "FOLD",
    CAST('2024-01-01 00:00:00' AS TIMESTAMP) AS "TRAIN_UNTIL",
    CAST('2024-01-01 00:00:00' AS TIMESTAMP) AS "TEST_FROM",
    CAST('2024-01-08 00:00:00' AS TIMESTAMP) AS "TEST_UNTIL"
  UNION ALL
  SELECT
    2 AS "FOLD",
    CAST('2024-01-08 00:00:00' AS TIMESTAMP) AS "TRAIN_UNTIL",
    CAST('2024-01-08 00:00:00' AS TIMESTAMP) AS "TEST_FROM",
    CAST('2024-01-15 00:00:00' AS TIMESTAMP) AS "TEST_UNTIL"
), "ASSIGNED" AS (
  /* assigned: holds out one time window after the other. The rows before a window are its train rows. */
  SELECT
    "KEPT_ROWS_2"."USER_ID",
    "KEPT_ROWS_2"."ITEM_ID",
    "KEPT_ROWS_2"."RATING",
    "KEPT_ROWS_2"."TIMESTAMP",
    "WINDOWS"."FOLD",
    CASE
      WHEN "TIMESTAMP" >= "WINDOWS"."TEST_FROM" AND "TIMESTAMP" < "WINDOWS"."TEST_UNTIL"
      THEN 'test'
      WHEN "TIMESTAMP" < "WINDOWS"."TRAIN_UNTIL"
      THEN 'train'
    END AS "SUBSET"
  FROM "KEPT_ROWS_2"
  CROSS JOIN "WINDOWS"
)
/* rows: every row with its subset: train, test, history (known of a test user, and not in train), or NULL for neither. */
SELECT "FOLD" AS "PARTITION", "USER_ID", "ITEM_ID", "RATING", "TIMESTAMP", "SUBSET"
FROM "ASSIGNED"
