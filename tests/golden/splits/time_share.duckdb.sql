-- The latest tenth of the interactions, without the day before.
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
), "times" AS (
  SELECT "timestamp" AS "moment", COUNT(*) AS "n"
  FROM "kept_rows_2"
  GROUP BY "timestamp"
), "running_counts" AS (
  SELECT "moment", SUM("n") OVER (ORDER BY "moment" DESC NULLS LAST) AS "n_since", SUM("n") OVER () AS "n_rows"
  FROM "times"
), "cut" AS (
  SELECT MIN("moment") AS "test_from"
  FROM "running_counts"
  WHERE "n_since" <= "n_rows" * CAST(0.1 AS DOUBLE)
), "assigned" AS (
  /* assigned: holds out the latest share of the interactions. */
  SELECT
    "kept_rows_2"."user_id",
    "kept_rows_2"."item_id",
    "kept_rows_2"."rating",
    "kept_rows_2"."timestamp",
    CASE
      WHEN "timestamp" >= "cut"."test_from"
      THEN 'test'
      WHEN "timestamp" < (
        "cut"."test_from" - INTERVAL '86400' SECOND
      )
      THEN 'train'
    END AS "subset"
  FROM "kept_rows_2"
  CROSS JOIN "cut"
), "user_knowledge" AS (
  SELECT
    "user_id",
    "item_id",
    "rating",
    "timestamp",
    "subset",
    MAX(CASE WHEN "subset" = 'test' THEN 0 ELSE 1 END) OVER (PARTITION BY "user_id") AS "is_known_user"
  FROM "assigned"
  WHERE "subset" IS NOT NULL
), "assigned_2" AS (
  /* assigned: the split without test rows of users who have no other rows. */
  SELECT "user_id", "item_id", "rating", "timestamp", "subset"
  FROM "user_knowledge"
  WHERE "subset" <> 'test' OR "is_known_user" = 1
)
/* rows: every row with its subset: train, test, history (known of a test user, and not in train), or NULL for neither. */
SELECT "user_id", "item_id", "rating", "timestamp", "subset"
FROM "assigned_2"
