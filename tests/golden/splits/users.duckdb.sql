-- Some items of some users, by seeded hashes, of interactions without repeats and without rare items.
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
), "numbered_repeats" AS (
  SELECT
    "user_id",
    "item_id",
    "rating",
    "timestamp",
    ROW_NUMBER() OVER (PARTITION BY "user_id", "item_id" ORDER BY "timestamp" DESC NULLS LAST, "rating" DESC NULLS LAST) AS "repeat_number"
  FROM "kept_rows_2"
), "kept_rows_3" AS (
  /* kept_rows: the last interaction of each user with each item. */
  SELECT "user_id", "item_id", "rating", "timestamp"
  FROM "numbered_repeats"
  WHERE "repeat_number" = 1
), "user_counts" AS (
  SELECT "user_id", "item_id", "rating", "timestamp", COUNT(*) OVER (PARTITION BY "user_id") AS "n_of_user"
  FROM "kept_rows_3"
), "of_kept_users" AS (
  SELECT "user_id", "item_id", "rating", "timestamp", "n_of_user"
  FROM "user_counts"
  WHERE "n_of_user" >= 5
), "item_counts" AS (
  SELECT "user_id", "item_id", "rating", "timestamp", "n_of_user", COUNT(*) OVER (PARTITION BY "item_id") AS "n_of_item"
  FROM "of_kept_users"
), "kept_rows_4" AS (
  /* kept_rows: one round: drops users with too few interactions, then items with too few of the interactions that are left. */
  SELECT "user_id", "item_id", "rating", "timestamp"
  FROM "item_counts"
  WHERE "n_of_item" >= 5
), "row_counts" AS (
  SELECT COUNT(*) AS "n_rows"
  FROM "db"."clicks"
), "hashed_users" AS (
  SELECT
    "kept_rows_4"."user_id",
    "kept_rows_4"."item_id",
    "kept_rows_4"."rating",
    "kept_rows_4"."timestamp",
    MD5('7' || ':' || 'users' || ':' || CAST("n_rows" AS TEXT) || ':' || CAST("user_id" AS TEXT)) AS "user_hash"
  FROM "kept_rows_4"
  CROSS JOIN "row_counts"
), "hashed" AS (
  /* hashed: every interaction with the hash of its user, and the hash of its user and item. */
  SELECT
    "user_id",
    "item_id",
    "rating",
    "timestamp",
    "user_hash",
    MD5("user_hash" || ':' || CAST("item_id" AS TEXT)) AS "row_hash"
  FROM "hashed_users"
), "user_items" AS (
  SELECT "user_hash", COUNT(DISTINCT "row_hash") AS "n_items"
  FROM "hashed"
  GROUP BY "user_hash"
), "data_sizes" AS (
  SELECT COUNT(DISTINCT "user_hash") AS "n_users", COUNT(DISTINCT "item_id") AS "n_data_items"
  FROM "hashed"
), "users_to_take" AS (
  SELECT "n_data_items", CAST("n_users" AS DOUBLE) * CAST(0.1 AS DOUBLE) AS "users_to_take"
  FROM "data_sizes"
), "rounded_users" AS (
  SELECT
    "n_data_items",
    CASE
      WHEN "users_to_take" - FLOOR("users_to_take") = 0.5
      THEN 2 * FLOOR("users_to_take" / 2 + 0.5)
      ELSE FLOOR("users_to_take" + 0.5)
    END AS "n_users_to_take"
  FROM "users_to_take"
), "user_sizes" AS (
  SELECT "user_hash", "n_items", FLOOR("n_items" * CAST(0.3 AS DOUBLE) + 0.5) AS "n_test"
  FROM "user_items"
), "eligible_users" AS (
  SELECT "user_hash", "n_test", "n_users_to_take", ROW_NUMBER() OVER (ORDER BY "user_hash" NULLS FIRST) AS "user_number"
  FROM "user_sizes"
  CROSS JOIN "rounded_users"
  WHERE
    "n_test" >= 1
    AND "n_data_items" - (
      "n_items" - "n_test"
    ) >= 2
    AND "n_items" + 1 < "n_data_items"
    AND (
      "n_test" < "n_items" OR 0 = 1
    )
), "test_users" AS (
  SELECT "user_hash" AS "test_user_hash", "n_test"
  FROM "eligible_users"
  WHERE "user_number" <= LEAST(1000, CASE WHEN "n_users_to_take" < 1 THEN 1 ELSE "n_users_to_take" END)
), "numbered_items" AS (
  SELECT
    "user_id",
    "item_id",
    "rating",
    "timestamp",
    "user_hash",
    "row_hash",
    DENSE_RANK() OVER (PARTITION BY "user_id" ORDER BY "row_hash" NULLS FIRST) AS "item_number"
  FROM "hashed"
), "assigned" AS (
  /* assigned: holds out some items of some random users. */
  SELECT
    "numbered_items"."user_id",
    "numbered_items"."item_id",
    "numbered_items"."rating",
    "numbered_items"."timestamp",
    CASE
      WHEN "test_users"."n_test" IS NULL
      THEN 'train'
      WHEN "numbered_items"."item_number" <= "test_users"."n_test"
      THEN 'test'
      ELSE 'train'
    END AS "subset"
  FROM "numbered_items"
  LEFT JOIN "test_users" ON "numbered_items"."user_hash" = "test_users"."test_user_hash"
)
/* rows: every row with its subset: train, test, history (known of a test user, and not in train), or NULL for neither. */
SELECT "user_id", "item_id", "rating", "timestamp", "subset"
FROM "assigned"
