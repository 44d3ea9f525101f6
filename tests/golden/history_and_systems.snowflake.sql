-- Metrics of lists and of systems side by side, from a history, items and a catalogue; deviation, interval.
-- surprisal@10, miscalibration@10, gini@10, personalization@10, coverage@10
-- Written by rankmetrics 0.1.0 for recommendations DB.RECS, truth DB.TRUTH, history DB.HISTORY, items DB.ITEMS, catalog DB.CATALOG, a list for each ALGORITHM, USER.
-- surprisal@10: mean self-information of the first k recommendations: the fewer users have the item in their history, the higher.
-- miscalibration@10: divergence between the category distribution of the first k recommendations and that of the list's history, 0 if they are equal.
-- gini@10: Gini coefficient of the exposure of items among the first k recommendations of all lists.
-- personalization@10: 1 - mean cosine similarity of all pairs of lists, by the items of their first k recommendations.
-- coverage@10: catalogue coverage: distinct items among the first k recommendations of all lists, as a share of the catalogue.
WITH "HISTORY_ITEMS" AS (
  /* history_items: one row per list of the history and item. */
  SELECT DISTINCT "USER", "ITEM"
  FROM "DB"."HISTORY"
  WHERE "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "POPULARITY" AS (
  /* popularity: one row per fold and item, with the number of users (lists of the history) who have it. */
  SELECT "ITEM", COUNT(*) AS "N_USERS"
  FROM "HISTORY_ITEMS"
  GROUP BY "ITEM"
), "HISTORY_LISTS" AS (
  /* history_lists: one row per list of the history. */
  SELECT DISTINCT "USER"
  FROM "DB"."HISTORY"
  WHERE "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "USER_COUNTS" AS (
  /* user_counts: one row per fold, with the number of users (lists of the history). */
  SELECT COUNT(*) AS "N_ALL_USERS"
  FROM "HISTORY_LISTS"
), "RECOMMENDED_USER_COUNTS_PER_LIST" AS (
  /* recommended_user_counts_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "RECS"."ALGORITHM",
    "RECS"."USER",
    COUNT(*) AS "SURPRISES_AT_10_COUNT",
    COUNT(
      LN(CAST(NULLIF("USER_COUNTS"."N_ALL_USERS", 0) AS DOUBLE) / COALESCE("POPULARITY"."N_USERS", 1)) / NULLIF(LN(NULLIF("USER_COUNTS"."N_ALL_USERS", 0)), 0)
    ) AS "SURPRISES_AT_10_COUNT_OF_N_ALL_USERS_AND_N_USERS",
    SUM(
      LN(CAST(NULLIF("USER_COUNTS"."N_ALL_USERS", 0) AS DOUBLE) / COALESCE("POPULARITY"."N_USERS", 1)) / NULLIF(LN(NULLIF("USER_COUNTS"."N_ALL_USERS", 0)), 0)
    ) AS "SURPRISES_AT_10_SUM_OF_N_ALL_USERS_AND_N_USERS"
  FROM "DB"."RECS"
  LEFT JOIN "POPULARITY" ON "RECS"."ITEM" = "POPULARITY"."ITEM"
  CROSS JOIN "USER_COUNTS"
  WHERE
    "RECS"."ALGORITHM" IS NOT NULL
    AND "RECS"."USER" IS NOT NULL
    AND "RECS"."ITEM" IS NOT NULL
    AND "RECS"."RANK" <= 10
  GROUP BY "RECS"."ALGORITHM", "RECS"."USER"
), "RECOMMENDED_PER_LIST" AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "ALGORITHM", "USER", COUNT(*) AS "N_RECOMMENDED_AT_10"
  FROM "DB"."RECS"
  WHERE "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL AND "ITEM" IS NOT NULL AND "RANK" <= 10
  GROUP BY "ALGORITHM", "USER"
), "CATEGORIES" AS (
  /* categories: one row per fold, item and category. */
  SELECT DISTINCT "ITEM", "GENRE" AS "CATEGORY"
  FROM "DB"."ITEMS"
  WHERE "ITEM" IS NOT NULL AND "GENRE" IS NOT NULL
), "ITEM_CATEGORY_COUNTS" AS (
  /* item_category_counts: one row per fold and item, with the number of its categories. */
  SELECT "ITEM", COUNT(*) AS "N_CATEGORIES"
  FROM "CATEGORIES"
  GROUP BY "ITEM"
), "LIST_CATEGORY_WEIGHTS_K_10" AS (
  /* list_category_weights_k_10: one row per list and category, with its weight among the first k ranks. Each item splits a weight of 1 among its categories. */
  SELECT
    "RECS"."ALGORITHM",
    "RECS"."USER",
    "CATEGORIES"."CATEGORY",
    SUM(CAST(1 AS DOUBLE) / "ITEM_CATEGORY_COUNTS"."N_CATEGORIES") AS "WEIGHT"
  FROM "DB"."RECS"
  JOIN "CATEGORIES" ON "RECS"."ITEM" = "CATEGORIES"."ITEM"
  JOIN "ITEM_CATEGORY_COUNTS" ON "RECS"."ITEM" = "ITEM_CATEGORY_COUNTS"."ITEM"
  WHERE "RECS"."ALGORITHM" IS NOT NULL AND "RECS"."USER" IS NOT NULL AND "RECS"."RANK" <= 10
  GROUP BY "RECS"."ALGORITHM", "RECS"."USER", "CATEGORIES"."CATEGORY"
), "LIST_CATEGORY_SHARES_K_10" AS (
  /* list_category_shares_k_10: one row per list and category, with its share among the first k ranks. The shares of a list add up to 1. */
  SELECT
    "ALGORITHM",
    "USER",
    "CATEGORY",
    CAST("WEIGHT" AS DOUBLE) / SUM("WEIGHT") OVER (PARTITION BY "ALGORITHM", "USER") AS "SHARE"
  FROM "LIST_CATEGORY_WEIGHTS_K_10"
), "HISTORY_CATEGORY_WEIGHTS" AS (
  /* history_category_weights: one row per list of the history and category, with the category's weight. Each item splits a weight of 1 among its categories. */
  SELECT
    "HISTORY_ITEMS"."USER" AS "USER",
    "CATEGORIES"."CATEGORY",
    SUM(CAST(1 AS DOUBLE) / "ITEM_CATEGORY_COUNTS"."N_CATEGORIES") AS "WEIGHT"
  FROM "HISTORY_ITEMS"
  JOIN "CATEGORIES" ON "HISTORY_ITEMS"."ITEM" = "CATEGORIES"."ITEM"
  JOIN "ITEM_CATEGORY_COUNTS" ON "HISTORY_ITEMS"."ITEM" = "ITEM_CATEGORY_COUNTS"."ITEM"
  GROUP BY "HISTORY_ITEMS"."USER", "CATEGORIES"."CATEGORY"
), "HISTORY_CATEGORY_SHARES" AS (
  /* history_category_shares: one row per list of the history and category, with the category's share. The shares of a list add up to 1. */
  SELECT "USER", "CATEGORY", CAST("WEIGHT" AS DOUBLE) / SUM("WEIGHT") OVER (PARTITION BY "USER") AS "SHARE"
  FROM "HISTORY_CATEGORY_WEIGHTS"
), "SHARED_CATEGORIES_K_10_PER_LIST" AS (
  /* shared_categories_k_10_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "LIST_CATEGORY_SHARES_K_10"."ALGORITHM",
    "LIST_CATEGORY_SHARES_K_10"."USER",
    SUM(
      "HISTORY_CATEGORY_SHARES"."SHARE" * (
        LN(
          "HISTORY_CATEGORY_SHARES"."SHARE" / (
            (
              1 - CAST(0.01 AS DOUBLE)
            ) * "LIST_CATEGORY_SHARES_K_10"."SHARE" + CAST(0.01 AS DOUBLE) * "HISTORY_CATEGORY_SHARES"."SHARE"
          )
        ) + LN(CAST(0.01 AS DOUBLE))
      )
    ) AS "KL_DIVERGENCE_AT_10"
  FROM "LIST_CATEGORY_SHARES_K_10"
  JOIN "HISTORY_CATEGORY_SHARES"
    ON "LIST_CATEGORY_SHARES_K_10"."USER" = "HISTORY_CATEGORY_SHARES"."USER"
    AND "LIST_CATEGORY_SHARES_K_10"."CATEGORY" = "HISTORY_CATEGORY_SHARES"."CATEGORY"
  GROUP BY "LIST_CATEGORY_SHARES_K_10"."ALGORITHM", "LIST_CATEGORY_SHARES_K_10"."USER"
), "HISTORY_CATEGORY_SHARES_PER_LIST" AS (
  /* history_category_shares_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT "USER", COUNT(*) AS "N_HISTORY_CATEGORIES"
  FROM "HISTORY_CATEGORY_SHARES"
  GROUP BY "USER"
), "LIST_CATEGORY_SHARES_K_10_PER_LIST" AS (
  /* list_category_shares_k_10_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "ALGORITHM", "USER", COUNT(*) AS "N_LIST_CATEGORIES_AT_10"
  FROM "LIST_CATEGORY_SHARES_K_10"
  GROUP BY "ALGORITHM", "USER"
), "TRUTH_LISTS" AS (
  /* truth_lists: one row per truth list. */
  SELECT DISTINCT "USER"
  FROM "DB"."TRUTH"
  WHERE "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "SYSTEMS" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "ALGORITHM"
  FROM "DB"."RECS"
  WHERE "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL
), "PER_LIST" AS (
  /* per_list: one row per scored list, with its metrics */
  SELECT
    "SYSTEMS"."ALGORITHM",
    "TRUTH_LISTS"."USER",
    CAST(CASE
      WHEN COALESCE("RECOMMENDED_USER_COUNTS_PER_LIST"."SURPRISES_AT_10_COUNT", 0) = COALESCE("RECOMMENDED_USER_COUNTS_PER_LIST"."SURPRISES_AT_10_COUNT_OF_N_ALL_USERS_AND_N_USERS", 0)
      THEN COALESCE("RECOMMENDED_USER_COUNTS_PER_LIST"."SURPRISES_AT_10_SUM_OF_N_ALL_USERS_AND_N_USERS", 0)
    END AS DOUBLE) / NULLIF(COALESCE("RECOMMENDED_PER_LIST"."N_RECOMMENDED_AT_10", 0), 0) AS "SURPRISAL_AT_10",
    CASE
      WHEN COALESCE("HISTORY_CATEGORY_SHARES_PER_LIST"."N_HISTORY_CATEGORIES", 0) > 0
      AND COALESCE("LIST_CATEGORY_SHARES_K_10_PER_LIST"."N_LIST_CATEGORIES_AT_10", 0) > 0
      THEN -LN(CAST(0.01 AS DOUBLE)) + COALESCE("SHARED_CATEGORIES_K_10_PER_LIST"."KL_DIVERGENCE_AT_10", 0)
    END AS "MISCALIBRATION_AT_10"
  FROM "TRUTH_LISTS"
  CROSS JOIN "SYSTEMS"
  LEFT JOIN "RECOMMENDED_USER_COUNTS_PER_LIST"
    ON "SYSTEMS"."ALGORITHM" = "RECOMMENDED_USER_COUNTS_PER_LIST"."ALGORITHM"
    AND "TRUTH_LISTS"."USER" = "RECOMMENDED_USER_COUNTS_PER_LIST"."USER"
  LEFT JOIN "RECOMMENDED_PER_LIST"
    ON "SYSTEMS"."ALGORITHM" = "RECOMMENDED_PER_LIST"."ALGORITHM"
    AND "TRUTH_LISTS"."USER" = "RECOMMENDED_PER_LIST"."USER"
  LEFT JOIN "SHARED_CATEGORIES_K_10_PER_LIST"
    ON "SYSTEMS"."ALGORITHM" = "SHARED_CATEGORIES_K_10_PER_LIST"."ALGORITHM"
    AND "TRUTH_LISTS"."USER" = "SHARED_CATEGORIES_K_10_PER_LIST"."USER"
  LEFT JOIN "HISTORY_CATEGORY_SHARES_PER_LIST" ON "TRUTH_LISTS"."USER" = "HISTORY_CATEGORY_SHARES_PER_LIST"."USER"
  LEFT JOIN "LIST_CATEGORY_SHARES_K_10_PER_LIST"
    ON "SYSTEMS"."ALGORITHM" = "LIST_CATEGORY_SHARES_K_10_PER_LIST"."ALGORITHM"
    AND "TRUTH_LISTS"."USER" = "LIST_CATEGORY_SHARES_K_10_PER_LIST"."USER"
), "MEANS" AS (
  /* means: one row per system, with the means and other aggregates over its lists */
  SELECT
    "ALGORITHM",
    COUNT(*) AS "N_LISTS",
    AVG(CAST("SURPRISAL_AT_10" AS DOUBLE)) AS "SURPRISAL_AT_10",
    STDDEV_SAMP(CAST("SURPRISAL_AT_10" AS DOUBLE)) AS "SURPRISAL_AT_10_STD",
    CAST(1.9599639845400536 AS DOUBLE) * STDDEV_SAMP(CAST("SURPRISAL_AT_10" AS DOUBLE)) / SQRT(COUNT("SURPRISAL_AT_10")) AS "SURPRISAL_AT_10_CI_0_95",
    AVG(CAST("MISCALIBRATION_AT_10" AS DOUBLE)) AS "MISCALIBRATION_AT_10",
    STDDEV_SAMP(CAST("MISCALIBRATION_AT_10" AS DOUBLE)) AS "MISCALIBRATION_AT_10_STD",
    CAST(1.9599639845400536 AS DOUBLE) * STDDEV_SAMP(CAST("MISCALIBRATION_AT_10" AS DOUBLE)) / SQRT(COUNT("MISCALIBRATION_AT_10")) AS "MISCALIBRATION_AT_10_CI_0_95"
  FROM "PER_LIST"
  GROUP BY "ALGORITHM"
), "IMPRESSIONS" AS (
  /* impressions: one row per recommendation of a scored list: a list that the truth has. */
  SELECT
    "RECS"."ALGORITHM" AS "ALGORITHM",
    "RECS"."USER" AS "USER",
    "RECS"."ITEM" AS "ITEM",
    CAST("RECS"."RANK" AS BIGINT) AS "RANK"
  FROM "DB"."RECS"
  JOIN "TRUTH_LISTS" ON "RECS"."USER" = "TRUTH_LISTS"."USER"
  WHERE "RECS"."ALGORITHM" IS NOT NULL AND "RECS"."ITEM" IS NOT NULL AND "RECS"."RANK" <= 10
), "CATALOG_ITEMS" AS (
  /* catalog_items: one row per fold and item that could be recommended: an item of the catalogue. */
  SELECT DISTINCT "ITEM"
  FROM "DB"."CATALOG"
  WHERE "ITEM" IS NOT NULL
), "IMPRESSIONS_IN_CATALOG" AS (
  /* impressions_in_catalog: one row per recommendation of a catalogue item in a scored list. */
  SELECT
    "IMPRESSIONS"."ALGORITHM" AS "ALGORITHM",
    "IMPRESSIONS"."USER" AS "USER",
    "IMPRESSIONS"."ITEM",
    "IMPRESSIONS"."RANK"
  FROM "IMPRESSIONS"
  JOIN "CATALOG_ITEMS" ON "IMPRESSIONS"."ITEM" = "CATALOG_ITEMS"."ITEM"
), "EXPOSURES_K_10" AS (
  /* exposures_k_10: one row per system and recommended item of the catalogue, with its exposure among the first k ranks of all lists. */
  SELECT "ALGORITHM", SUM(CAST("RANK" AS DOUBLE) / "RANK") AS "EXPOSURE"
  FROM "IMPRESSIONS_IN_CATALOG"
  GROUP BY "ALGORITHM", "ITEM"
), "EXPOSURE_LEVELS_K_10" AS (
  /* exposure_levels_k_10: one row per system and exposure level (a value that items have as their exposure), with the number of these items. */
  SELECT "ALGORITHM", "EXPOSURE", COUNT(*) AS "N_ITEMS"
  FROM "EXPOSURES_K_10"
  GROUP BY "ALGORITHM", "EXPOSURE"
), "EXPOSURE_LEVEL_ORDER_K_10" AS (
  /* exposure_level_order_k_10: one row per system and exposure level, the lowest first, with the position of the last item of the level. */
  SELECT
    "ALGORITHM",
    "EXPOSURE",
    "N_ITEMS",
    SUM("N_ITEMS") OVER (
      PARTITION BY "ALGORITHM"
      ORDER BY "EXPOSURE" NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS "LAST_POSITION"
  FROM "EXPOSURE_LEVELS_K_10"
), "EXPOSURE_LEVEL_ORDER_K_10_PER_SYSTEM" AS (
  /* exposure_level_order_k_10_per_system: one row per system, with aggregates that metrics are computed from */
  SELECT
    "ALGORITHM",
    SUM("EXPOSURE" * (
      "N_ITEMS" * (
        2 * "LAST_POSITION" - "N_ITEMS" + 1
      ) / CAST(2 AS DOUBLE)
    )) AS "EXPOSURE_BY_POSITION_AT_10",
    SUM("EXPOSURE" * "N_ITEMS") AS "EXPOSURE_AT_10",
    SUM("N_ITEMS") AS "N_EXPOSED_AT_10"
  FROM "EXPOSURE_LEVEL_ORDER_K_10"
  GROUP BY "ALGORITHM"
), "CATALOG_ITEMS_PER_SYSTEM" AS (
  /* catalog_items_per_system: one row, with aggregates that metrics are computed from */
  SELECT COUNT(DISTINCT "ITEM") AS "N_DISTINCT_CATALOG_ITEMS"
  FROM "CATALOG_ITEMS"
), "LIST_LENGTHS_K_10" AS (
  /* list_lengths_k_10: one row per list, with the number of its impressions among the first k ranks. */
  SELECT "ALGORITHM", "USER", COUNT(*) AS "LENGTH"
  FROM "IMPRESSIONS"
  GROUP BY "ALGORITHM", "USER"
), "SUMMED_LIST_VECTORS_K_10" AS (
  /* summed_list_vectors_k_10: one row per system and item, with the item's number in the sum of the unit vectors of all lists. */
  SELECT
    "IMPRESSIONS"."ALGORITHM" AS "ALGORITHM",
    SUM(1 / SQRT(CAST("LIST_LENGTHS_K_10"."LENGTH" AS DOUBLE))) AS "WEIGHT"
  FROM "IMPRESSIONS"
  JOIN "LIST_LENGTHS_K_10"
    ON "IMPRESSIONS"."ALGORITHM" = "LIST_LENGTHS_K_10"."ALGORITHM"
    AND "IMPRESSIONS"."USER" = "LIST_LENGTHS_K_10"."USER"
  GROUP BY "IMPRESSIONS"."ALGORITHM", "IMPRESSIONS"."ITEM"
), "SUMMED_LIST_VECTORS_K_10_PER_SYSTEM" AS (
  /* summed_list_vectors_k_10_per_system: one row per system, with aggregates that metrics are computed from */
  SELECT "ALGORITHM", SUM("WEIGHT" * "WEIGHT") AS "SQUARED_SUM_AT_10"
  FROM "SUMMED_LIST_VECTORS_K_10"
  GROUP BY "ALGORITHM"
), "LIST_LENGTHS_K_10_PER_SYSTEM" AS (
  /* list_lengths_k_10_per_system: one row per system, with aggregates that metrics are computed from */
  SELECT "ALGORITHM", COUNT(*) AS "N_NONEMPTY_LISTS_AT_10"
  FROM "LIST_LENGTHS_K_10"
  GROUP BY "ALGORITHM"
), "IMPRESSIONS_IN_CATALOG_PER_SYSTEM" AS (
  /* impressions_in_catalog_per_system: one row per system, with aggregates that metrics are computed from */
  SELECT "ALGORITHM", COUNT(DISTINCT "ITEM") AS "N_RECOMMENDED_CATALOG_ITEMS_AT_10"
  FROM "IMPRESSIONS_IN_CATALOG"
  GROUP BY "ALGORITHM"
)
SELECT
  "MEANS"."ALGORITHM" AS "ALGORITHM",
  "MEANS"."N_LISTS" AS "N_LISTS",
  "MEANS"."SURPRISAL_AT_10" AS "SURPRISAL_AT_10",
  "MEANS"."SURPRISAL_AT_10_STD" AS "SURPRISAL_AT_10_STD",
  "MEANS"."SURPRISAL_AT_10_CI_0_95" AS "SURPRISAL_AT_10_CI_0_95",
  "MEANS"."MISCALIBRATION_AT_10" AS "MISCALIBRATION_AT_10",
  "MEANS"."MISCALIBRATION_AT_10_STD" AS "MISCALIBRATION_AT_10_STD",
  "MEANS"."MISCALIBRATION_AT_10_CI_0_95" AS "MISCALIBRATION_AT_10_CI_0_95",
  (
    CAST((
      2 * "EXPOSURE_LEVEL_ORDER_K_10_PER_SYSTEM"."EXPOSURE_BY_POSITION_AT_10" + (
        COALESCE("CATALOG_ITEMS_PER_SYSTEM"."N_DISTINCT_CATALOG_ITEMS", 0) - 2 * COALESCE("EXPOSURE_LEVEL_ORDER_K_10_PER_SYSTEM"."N_EXPOSED_AT_10", 0) - 1
      ) * "EXPOSURE_LEVEL_ORDER_K_10_PER_SYSTEM"."EXPOSURE_AT_10"
    ) AS DOUBLE) / NULLIF(
      COALESCE("CATALOG_ITEMS_PER_SYSTEM"."N_DISTINCT_CATALOG_ITEMS", 0) * "EXPOSURE_LEVEL_ORDER_K_10_PER_SYSTEM"."EXPOSURE_AT_10",
      0
    )
  ) AS "GINI_AT_10",
  1 - CAST((
    "SUMMED_LIST_VECTORS_K_10_PER_SYSTEM"."SQUARED_SUM_AT_10" - COALESCE("LIST_LENGTHS_K_10_PER_SYSTEM"."N_NONEMPTY_LISTS_AT_10", 0)
  ) AS DOUBLE) / NULLIF(
    COALESCE("LIST_LENGTHS_K_10_PER_SYSTEM"."N_NONEMPTY_LISTS_AT_10", 0) * (
      COALESCE("LIST_LENGTHS_K_10_PER_SYSTEM"."N_NONEMPTY_LISTS_AT_10", 0) - 1
    ),
    0
  ) AS "PERSONALIZATION_AT_10",
  (
    COALESCE("IMPRESSIONS_IN_CATALOG_PER_SYSTEM"."N_RECOMMENDED_CATALOG_ITEMS_AT_10", 0) / CAST(NULLIF(COALESCE("CATALOG_ITEMS_PER_SYSTEM"."N_DISTINCT_CATALOG_ITEMS", 0), 0) AS DOUBLE)
  ) AS "COVERAGE_AT_10"
FROM "MEANS"
LEFT JOIN "EXPOSURE_LEVEL_ORDER_K_10_PER_SYSTEM"
  ON "MEANS"."ALGORITHM" = "EXPOSURE_LEVEL_ORDER_K_10_PER_SYSTEM"."ALGORITHM"
CROSS JOIN "CATALOG_ITEMS_PER_SYSTEM"
LEFT JOIN "SUMMED_LIST_VECTORS_K_10_PER_SYSTEM"
  ON "MEANS"."ALGORITHM" = "SUMMED_LIST_VECTORS_K_10_PER_SYSTEM"."ALGORITHM"
LEFT JOIN "LIST_LENGTHS_K_10_PER_SYSTEM" ON "MEANS"."ALGORITHM" = "LIST_LENGTHS_K_10_PER_SYSTEM"."ALGORITHM"
LEFT JOIN "IMPRESSIONS_IN_CATALOG_PER_SYSTEM" ON "MEANS"."ALGORITHM" = "IMPRESSIONS_IN_CATALOG_PER_SYSTEM"."ALGORITHM"
ORDER BY "MEANS"."ALGORITHM"
