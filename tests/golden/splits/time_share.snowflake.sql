-- The latest tenth of the interactions, without the day before.
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
), "TIMES" AS (
  SELECT "TIMESTAMP" AS "MOMENT", COUNT(*) AS "N"
  FROM "KEPT_ROWS_2"
  GROUP BY "TIMESTAMP"
), "RUNNING_COUNTS" AS (
  SELECT "MOMENT", SUM("N") OVER (ORDER BY "MOMENT" DESC NULLS LAST) AS "N_SINCE", SUM("N") OVER () AS "N_ROWS"
  FROM "TIMES"
), "CUT" AS (
  SELECT MIN("MOMENT") AS "TEST_FROM"
  FROM "RUNNING_COUNTS"
  WHERE "N_SINCE" <= "N_ROWS" * CAST(0.1 AS DOUBLE)
), "ASSIGNED" AS (
  /* assigned: holds out the latest share of the interactions. */
  SELECT
    "KEPT_ROWS_2"."USER_ID",
    "KEPT_ROWS_2"."ITEM_ID",
    "KEPT_ROWS_2"."RATING",
    "KEPT_ROWS_2"."TIMESTAMP",
    CASE
      WHEN "TIMESTAMP" >= "CUT"."TEST_FROM"
      THEN 'test'
      WHEN "TIMESTAMP" < (
        "CUT"."TEST_FROM" - INTERVAL '86400 SECOND'
      )
      THEN 'train'
    END AS "SUBSET"
  FROM "KEPT_ROWS_2"
  CROSS JOIN "CUT"
), "USER_KNOWLEDGE" AS (
  SELECT
    "USER_ID",
    "ITEM_ID",
    "RATING",
    "TIMESTAMP",
    "SUBSET",
    MAX(CASE WHEN "SUBSET" = 'test' THEN 0 ELSE 1 END) OVER (PARTITION BY "USER_ID") AS "IS_KNOWN_USER"
  FROM "ASSIGNED"
  WHERE "SUBSET" IS NOT NULL
), "ASSIGNED_2" AS (
  /* assigned: the split without test rows of users who have no other rows. */
  SELECT "USER_ID", "ITEM_ID", "RATING", "TIMESTAMP", "SUBSET"
  FROM "USER_KNOWLEDGE"
  WHERE "SUBSET" <> 'test' OR "IS_KNOWN_USER" = 1
)
/* rows: every row with its subset: train, test, history (known of a test user, and not in train), or NULL for neither. */
SELECT "USER_ID", "ITEM_ID", "RATING", "TIMESTAMP", "SUBSET"
FROM "ASSIGNED_2"
