-- Metrics of lists and of systems side by side, from a history, items and a catalogue; deviation, interval.
-- surprisal@10, miscalibration@10, gini@10, personalization@10, coverage@10
WITH "ranked" AS (
  /* ranked: every recommendation with its rank; rows with a NULL id are left out. */
  SELECT
    "algorithm",
    "user",
    "item",
    CAST("rank" AS BIGINT) AS "rank"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
), "recommended" AS (
  /* recommended: the recommendations down to the largest cutoff. */
  SELECT
    "algorithm",
    "user",
    "item",
    "rank"
  FROM "ranked"
  WHERE
    "rank" <= 10
), "history_items" AS (
  /* history_items: the items of each list of the history, each once. */
  SELECT DISTINCT
    "user",
    "item"
  FROM "db"."history"
  WHERE
    "user" IS NOT NULL AND "item" IS NOT NULL
), "popularity" AS (
  /* popularity: the number of users (lists of the history) who have each item, in each fold. */
  SELECT
    "item",
    COUNT(*) AS "n_users"
  FROM "history_items"
  GROUP BY
    "item"
), "recommended_popularity" AS (
  /* recommended_popularity: the recommendations, with the popularity of the item; NULL if no user has the item. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."rank",
    "popularity"."n_users"
  FROM "recommended"
  LEFT JOIN "popularity"
    ON "recommended"."item" = "popularity"."item"
), "history_lists" AS (
  /* history_lists: the lists of the history. */
  SELECT DISTINCT
    "user"
  FROM "db"."history"
  WHERE
    "user" IS NOT NULL AND "item" IS NOT NULL
), "user_counts" AS (
  /* user_counts: the number of users (lists of the history) in each fold. */
  SELECT
    COUNT(*) AS "n_all_users"
  FROM "history_lists"
), "recommended_user_counts" AS (
  /* recommended_user_counts: the recommendations, with the number of users who have the item, and the number of all users. */
  SELECT
    "recommended_popularity"."algorithm" AS "algorithm",
    "recommended_popularity"."user" AS "user",
    "recommended_popularity"."rank",
    "recommended_popularity"."n_users",
    "user_counts"."n_all_users"
  FROM "recommended_popularity"
  CROSS JOIN "user_counts"
), "recommended_user_counts_per_list" AS (
  /* recommended_user_counts_per_list: aggregates over the rows of recommended_user_counts, for each list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "surprises_at_10_count",
    COUNT(
      LN(CAST(NULLIF("n_all_users", 0) AS DOUBLE PRECISION) / COALESCE("n_users", 1)) / NULLIF(LN(NULLIF("n_all_users", 0)), 0)
    ) FILTER(WHERE
      "rank" <= 10) AS "surprises_at_10_count_of_n_all_users_and_n_users",
    SUM(
      LN(CAST(NULLIF("n_all_users", 0) AS DOUBLE PRECISION) / COALESCE("n_users", 1)) / NULLIF(LN(NULLIF("n_all_users", 0)), 0)
    ) FILTER(WHERE
      "rank" <= 10) AS "surprises_at_10_sum_of_n_all_users_and_n_users"
  FROM "recommended_user_counts"
  GROUP BY
    "algorithm",
    "user"
), "recommended_per_list" AS (
  /* recommended_per_list: aggregates over the rows of recommended, for each list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "n_recommended_at_10"
  FROM "recommended"
  GROUP BY
    "algorithm",
    "user"
), "categories" AS (
  /* categories: the categories of each item, each once per fold. */
  SELECT DISTINCT
    "item",
    "genre" AS "category"
  FROM "db"."items"
  WHERE
    "item" IS NOT NULL AND "genre" IS NOT NULL
), "item_category_counts" AS (
  /* item_category_counts: the number of categories of each item. */
  SELECT
    "item",
    COUNT(*) AS "n_categories"
  FROM "categories"
  GROUP BY
    "item"
), "recommended_categories" AS (
  /* recommended_categories: the recommendations, one row per category of the item; items without a category are left out. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."rank",
    "categories"."category",
    "item_category_counts"."n_categories"
  FROM "recommended"
  JOIN "categories"
    ON "recommended"."item" = "categories"."item"
  JOIN "item_category_counts"
    ON "recommended"."item" = "item_category_counts"."item"
), "list_category_weights_k_10" AS (
  /* list_category_weights_k_10: the weight of each category among the first k ranks; an item splits 1 among its categories. */
  SELECT
    "algorithm",
    "user",
    "category",
    SUM(CAST(1 AS DOUBLE PRECISION) / "n_categories") AS "weight"
  FROM "recommended_categories"
  WHERE
    "rank" <= 10
  GROUP BY
    "algorithm",
    "user",
    "category"
), "list_category_shares_k_10" AS (
  /* list_category_shares_k_10: the share of each category among the first k ranks; the shares of a list add up to 1. */
  SELECT
    "algorithm",
    "user",
    "category",
    CAST("weight" AS DOUBLE PRECISION) / SUM("weight") OVER (PARTITION BY "algorithm", "user") AS "share"
  FROM "list_category_weights_k_10"
), "history_category_weights" AS (
  /* history_category_weights: the weight of each category in a list of the history; an item splits 1 among its categories. */
  SELECT
    "history_items"."user" AS "user",
    "categories"."category",
    SUM(CAST(1 AS DOUBLE PRECISION) / "item_category_counts"."n_categories") AS "weight"
  FROM "history_items"
  JOIN "categories"
    ON "history_items"."item" = "categories"."item"
  JOIN "item_category_counts"
    ON "history_items"."item" = "item_category_counts"."item"
  GROUP BY
    "history_items"."user",
    "categories"."category"
), "history_category_shares" AS (
  /* history_category_shares: the share of each category in a list of the history; the shares of a list add up to 1. */
  SELECT
    "user",
    "category",
    CAST("weight" AS DOUBLE PRECISION) / SUM("weight") OVER (PARTITION BY "user") AS "share"
  FROM "history_category_weights"
), "shared_categories_k_10" AS (
  /* shared_categories_k_10: the categories that a list and its history share, with their share in each. */
  SELECT
    "list_category_shares_k_10"."algorithm" AS "algorithm",
    "list_category_shares_k_10"."user" AS "user",
    "history_category_shares"."share" AS "history_share",
    "list_category_shares_k_10"."share" AS "list_share"
  FROM "list_category_shares_k_10"
  JOIN "history_category_shares"
    ON "list_category_shares_k_10"."user" = "history_category_shares"."user"
    AND "list_category_shares_k_10"."category" = "history_category_shares"."category"
), "shared_categories_k_10_per_list" AS (
  /* shared_categories_k_10_per_list: aggregates over the rows of shared_categories_k_10, for each list */
  SELECT
    "algorithm",
    "user",
    SUM(
      "history_share" * (
        LN(
          "history_share" / (
            (
              1 - CAST(0.01 AS DOUBLE PRECISION)
            ) * "list_share" + CAST(0.01 AS DOUBLE PRECISION) * "history_share"
          )
        ) + LN(CAST(0.01 AS DOUBLE PRECISION))
      )
    ) AS "kl_divergence_at_10"
  FROM "shared_categories_k_10"
  GROUP BY
    "algorithm",
    "user"
), "history_category_shares_per_list" AS (
  /* history_category_shares_per_list: aggregates over the rows of history_category_shares, for each list */
  SELECT
    "user",
    COUNT(*) AS "n_history_categories"
  FROM "history_category_shares"
  GROUP BY
    "user"
), "list_category_shares_k_10_per_list" AS (
  /* list_category_shares_k_10_per_list: aggregates over the rows of list_category_shares_k_10, for each list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) AS "n_list_categories_at_10"
  FROM "list_category_shares_k_10"
  GROUP BY
    "algorithm",
    "user"
), "judgments" AS (
  /* judgments: the rows of the truth; a missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT
    "user"
  FROM "db"."truth"
  WHERE
    "user" IS NOT NULL AND "item" IS NOT NULL
), "truth_lists" AS (
  /* truth_lists: the lists of the truth. */
  SELECT DISTINCT
    "user"
  FROM "judgments"
), "systems" AS (
  /* systems: the compared systems of each partition: those that have recommendations in it. */
  SELECT DISTINCT
    "algorithm"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists" AS (
  /* lists: the lists that the means are taken over: every list of the truth, for every system of its partition. */
  SELECT
    "truth_lists"."user" AS "user",
    "systems"."algorithm" AS "algorithm"
  FROM "truth_lists"
  CROSS JOIN "systems"
), "measured" AS (
  /* measured: one row per list, with the aggregates that its metrics need */
  SELECT
    "lists"."algorithm",
    "lists"."user",
    CASE
      WHEN COALESCE("recommended_user_counts_per_list"."surprises_at_10_count", 0) = COALESCE("recommended_user_counts_per_list"."surprises_at_10_count_of_n_all_users_and_n_users", 0)
      THEN COALESCE("recommended_user_counts_per_list"."surprises_at_10_sum_of_n_all_users_and_n_users", 0)
    END AS "surprises_at_10",
    COALESCE("recommended_per_list"."n_recommended_at_10", 0) AS "n_recommended_at_10",
    -LN(CAST(0.01 AS DOUBLE PRECISION)) + COALESCE("shared_categories_k_10_per_list"."kl_divergence_at_10", 0) AS "kl_divergence_at_10",
    COALESCE("history_category_shares_per_list"."n_history_categories", 0) AS "n_history_categories",
    COALESCE("list_category_shares_k_10_per_list"."n_list_categories_at_10", 0) AS "n_list_categories_at_10"
  FROM "lists"
  LEFT JOIN "recommended_user_counts_per_list"
    ON "lists"."algorithm" = "recommended_user_counts_per_list"."algorithm"
    AND "lists"."user" = "recommended_user_counts_per_list"."user"
  LEFT JOIN "recommended_per_list"
    ON "lists"."algorithm" = "recommended_per_list"."algorithm"
    AND "lists"."user" = "recommended_per_list"."user"
  LEFT JOIN "shared_categories_k_10_per_list"
    ON "lists"."algorithm" = "shared_categories_k_10_per_list"."algorithm"
    AND "lists"."user" = "shared_categories_k_10_per_list"."user"
  LEFT JOIN "history_category_shares_per_list"
    ON "lists"."user" = "history_category_shares_per_list"."user"
  LEFT JOIN "list_category_shares_k_10_per_list"
    ON "lists"."algorithm" = "list_category_shares_k_10_per_list"."algorithm"
    AND "lists"."user" = "list_category_shares_k_10_per_list"."user"
), "per_list" AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    "algorithm",
    "user",
    CAST("surprises_at_10" AS DOUBLE PRECISION) / NULLIF("n_recommended_at_10", 0) AS "surprisal_at_10",
    CASE WHEN "n_history_categories" > 0 AND "n_list_categories_at_10" > 0 THEN "kl_divergence_at_10" END AS "miscalibration_at_10"
  FROM "measured"
), "means" AS (
  /* means: the means and other aggregates over lists, for each system */
  SELECT
    "algorithm",
    COUNT(*) AS "n_lists",
    AVG(CAST("surprisal_at_10" AS DOUBLE PRECISION)) AS "surprisal_at_10",
    STDDEV_SAMP(CAST("surprisal_at_10" AS DOUBLE PRECISION)) AS "surprisal_at_10_std",
    CAST(1.9599639845400536 AS DOUBLE PRECISION) * STDDEV_SAMP(CAST("surprisal_at_10" AS DOUBLE PRECISION)) / SQRT(COUNT("surprisal_at_10")) AS "surprisal_at_10_ci_0_95",
    AVG(CAST("miscalibration_at_10" AS DOUBLE PRECISION)) AS "miscalibration_at_10",
    STDDEV_SAMP(CAST("miscalibration_at_10" AS DOUBLE PRECISION)) AS "miscalibration_at_10_std",
    CAST(1.9599639845400536 AS DOUBLE PRECISION) * STDDEV_SAMP(CAST("miscalibration_at_10" AS DOUBLE PRECISION)) / SQRT(COUNT("miscalibration_at_10")) AS "miscalibration_at_10_ci_0_95"
  FROM "per_list"
  GROUP BY
    "algorithm"
), "impressions" AS (
  /* impressions: the recommendations of the lists that the means are taken over: lists of the truth. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."item",
    "recommended"."rank"
  FROM "recommended"
  JOIN "truth_lists"
    ON "recommended"."user" = "truth_lists"."user"
), "catalog_items" AS (
  /* catalog_items: the items that could be recommended, in each fold: the items of the catalogue. */
  SELECT DISTINCT
    "item"
  FROM "db"."catalog"
  WHERE
    "item" IS NOT NULL
), "impressions_in_catalog" AS (
  /* impressions_in_catalog: the impressions of items that could be recommended. */
  SELECT
    "impressions"."algorithm" AS "algorithm",
    "impressions"."user" AS "user",
    "impressions"."item",
    "impressions"."rank"
  FROM "impressions"
  JOIN "catalog_items"
    ON "impressions"."item" = "catalog_items"."item"
), "exposures_k_10" AS (
  /* exposures_k_10: the exposure of each recommended item of the catalogue, among the first k ranks of all lists. */
  SELECT
    "algorithm",
    SUM(CAST("rank" AS DOUBLE PRECISION) / "rank") AS "exposure"
  FROM "impressions_in_catalog"
  WHERE
    "rank" <= 10
  GROUP BY
    "algorithm",
    "item"
), "exposure_levels_k_10" AS (
  /* exposure_levels_k_10: the number of items that have each exposure. */
  SELECT
    "algorithm",
    "exposure",
    COUNT(*) AS "n_items"
  FROM "exposures_k_10"
  GROUP BY
    "algorithm",
    "exposure"
), "exposure_level_order_k_10" AS (
  /* exposure_level_order_k_10: the exposure levels from the lowest up, with the position of the last item of each. */
  SELECT
    "algorithm",
    "exposure",
    "n_items",
    SUM("n_items") OVER (
      PARTITION BY "algorithm"
      ORDER BY "exposure" NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS "last_position"
  FROM "exposure_levels_k_10"
), "exposure_level_order_k_10_per_system" AS (
  /* exposure_level_order_k_10_per_system: aggregates over the rows of exposure_level_order_k_10, for each system */
  SELECT
    "algorithm",
    SUM(
      "exposure" * (
        "n_items" * (
          2 * "last_position" - "n_items" + 1
        ) / CAST(2 AS DOUBLE PRECISION)
      )
    ) AS "exposure_by_position_at_10",
    SUM("exposure" * "n_items") AS "exposure_at_10",
    SUM("n_items") AS "n_exposed_at_10"
  FROM "exposure_level_order_k_10"
  GROUP BY
    "algorithm"
), "catalog_items_per_system" AS (
  /* catalog_items_per_system: aggregates over the rows of catalog_items */
  SELECT
    COUNT(DISTINCT "item") AS "n_distinct_catalog_items"
  FROM "catalog_items"
), "list_lengths_k_10" AS (
  /* list_lengths_k_10: the number of impressions among the first k ranks of each list. */
  SELECT
    "algorithm",
    "user",
    COUNT(*) AS "length"
  FROM "impressions"
  WHERE
    "rank" <= 10
  GROUP BY
    "algorithm",
    "user"
), "summed_list_vectors_k_10" AS (
  /* summed_list_vectors_k_10: the sum of the unit vectors of all lists, one row per item. */
  SELECT
    "impressions"."algorithm" AS "algorithm",
    SUM(1 / SQRT(CAST("list_lengths_k_10"."length" AS DOUBLE PRECISION))) AS "weight"
  FROM "impressions"
  JOIN "list_lengths_k_10"
    ON "impressions"."algorithm" = "list_lengths_k_10"."algorithm"
    AND "impressions"."user" = "list_lengths_k_10"."user"
  WHERE
    "impressions"."rank" <= 10
  GROUP BY
    "impressions"."algorithm",
    "impressions"."item"
), "summed_list_vectors_k_10_per_system" AS (
  /* summed_list_vectors_k_10_per_system: aggregates over the rows of summed_list_vectors_k_10, for each system */
  SELECT
    "algorithm",
    SUM("weight" * "weight") AS "squared_sum_at_10"
  FROM "summed_list_vectors_k_10"
  GROUP BY
    "algorithm"
), "list_lengths_k_10_per_system" AS (
  /* list_lengths_k_10_per_system: aggregates over the rows of list_lengths_k_10, for each system */
  SELECT
    "algorithm",
    COUNT(*) AS "n_nonempty_lists_at_10"
  FROM "list_lengths_k_10"
  GROUP BY
    "algorithm"
), "impressions_in_catalog_per_system" AS (
  /* impressions_in_catalog_per_system: aggregates over the rows of impressions_in_catalog, for each system */
  SELECT
    "algorithm",
    COUNT(DISTINCT "item") FILTER(WHERE
      "rank" <= 10) AS "n_recommended_catalog_items_at_10"
  FROM "impressions_in_catalog"
  GROUP BY
    "algorithm"
)
SELECT
  "means"."algorithm" AS "algorithm",
  "n_lists",
  "surprisal_at_10",
  "surprisal_at_10_std",
  "surprisal_at_10_ci_0_95",
  "miscalibration_at_10",
  "miscalibration_at_10_std",
  "miscalibration_at_10_ci_0_95",
  (
    CAST((
      2 * "exposure_level_order_k_10_per_system"."exposure_by_position_at_10" + (
        COALESCE("catalog_items_per_system"."n_distinct_catalog_items", 0) - 2 * COALESCE("exposure_level_order_k_10_per_system"."n_exposed_at_10", 0) - 1
      ) * "exposure_level_order_k_10_per_system"."exposure_at_10"
    ) AS DOUBLE PRECISION) / NULLIF(
      COALESCE("catalog_items_per_system"."n_distinct_catalog_items", 0) * "exposure_level_order_k_10_per_system"."exposure_at_10",
      0
    )
  ) AS "gini_at_10",
  1 - CAST((
    "summed_list_vectors_k_10_per_system"."squared_sum_at_10" - COALESCE("list_lengths_k_10_per_system"."n_nonempty_lists_at_10", 0)
  ) AS DOUBLE PRECISION) / NULLIF(
    COALESCE("list_lengths_k_10_per_system"."n_nonempty_lists_at_10", 0) * (
      COALESCE("list_lengths_k_10_per_system"."n_nonempty_lists_at_10", 0) - 1
    ),
    0
  ) AS "personalization_at_10",
  (
    COALESCE("impressions_in_catalog_per_system"."n_recommended_catalog_items_at_10", 0) / CAST(NULLIF(COALESCE("catalog_items_per_system"."n_distinct_catalog_items", 0), 0) AS DOUBLE PRECISION)
  ) AS "coverage_at_10"
FROM "means"
LEFT JOIN "exposure_level_order_k_10_per_system"
  ON "means"."algorithm" = "exposure_level_order_k_10_per_system"."algorithm"
CROSS JOIN "catalog_items_per_system"
LEFT JOIN "summed_list_vectors_k_10_per_system"
  ON "means"."algorithm" = "summed_list_vectors_k_10_per_system"."algorithm"
LEFT JOIN "list_lengths_k_10_per_system"
  ON "means"."algorithm" = "list_lengths_k_10_per_system"."algorithm"
LEFT JOIN "impressions_in_catalog_per_system"
  ON "means"."algorithm" = "impressions_in_catalog_per_system"."algorithm"
ORDER BY
  "means"."algorithm"
