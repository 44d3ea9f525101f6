-- Metrics of lists and of systems side by side, from a history, items and a catalogue; deviation, interval.
-- surprisal@10, gini@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, history db.history, items db.items, catalog db.catalog, a list for each algorithm, user.
-- surprisal@10: mean self-information of the first k recommendations: the fewer users have the item in their history, the higher.
-- gini@10: Gini coefficient of the exposure of items among the first k recommendations of all lists.
WITH "ranked" AS NOT MATERIALIZED (
  /* ranked: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT "algorithm", "user", "item", CAST("rank" AS BIGINT) AS "rank"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL AND "rank" <= 10
), "recommended" AS (
  /* recommended: one row per recommendation down to the largest cutoff. */
  SELECT "algorithm", "user", "item", "rank"
  FROM "ranked"
  WHERE "rank" <= 10
), "history_items" AS (
  /* history_items: one row per list of the history and item. */
  SELECT DISTINCT "user", "item"
  FROM "db"."history"
  WHERE "user" IS NOT NULL AND "item" IS NOT NULL
), "popularity" AS (
  /* popularity: one row per fold and item, with the number of users (lists of the history) who have it. */
  SELECT "item", COUNT(*) AS "n_users"
  FROM "history_items"
  GROUP BY "item"
), "recommended_popularity" AS (
  /* recommended_popularity: one row per recommendation, with the popularity of the item: NULL if no user has the item. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."rank",
    "popularity"."n_users"
  FROM "recommended"
  LEFT JOIN "popularity" ON "recommended"."item" = "popularity"."item"
), "history_lists" AS (
  /* history_lists: one row per list of the history. */
  SELECT DISTINCT "user"
  FROM "db"."history"
  WHERE "user" IS NOT NULL AND "item" IS NOT NULL
), "user_counts" AS (
  /* user_counts: one row per fold, with the number of users (lists of the history). */
  SELECT COUNT(*) AS "n_all_users"
  FROM "history_lists"
), "recommended_user_counts" AS (
  /* recommended_user_counts: one row per recommendation, with the number of users who have the item in their history, and the number of all users. */
  SELECT
    "recommended_popularity"."algorithm" AS "algorithm",
    "recommended_popularity"."user" AS "user",
    "recommended_popularity"."rank",
    "recommended_popularity"."n_users",
    "user_counts"."n_all_users"
  FROM "recommended_popularity"
  CROSS JOIN "user_counts"
), "recommended_user_counts_per_list" AS (
  /* recommended_user_counts_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "algorithm",
    "user",
    COUNT(CASE WHEN "rank" <= 10 THEN 1 END) AS "surprises@10 count",
    COUNT(
      CASE
        WHEN "rank" <= 10
        THEN LN(CAST(NULLIF("n_all_users", 0) AS DOUBLE) / COALESCE("n_users", 1)) / NULLIF(LN(NULLIF("n_all_users", 0)), 0)
      END
    ) AS "surprises@10 count of n_all_users and n_users",
    SUM(
      CASE
        WHEN "rank" <= 10
        THEN LN(CAST(NULLIF("n_all_users", 0) AS DOUBLE) / COALESCE("n_users", 1)) / NULLIF(LN(NULLIF("n_all_users", 0)), 0)
      END
    ) AS "surprises@10 sum of n_all_users and n_users"
  FROM "recommended_user_counts"
  GROUP BY "algorithm", "user"
), "recommended_per_list" AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "algorithm", "user", COUNT(CASE WHEN "rank" <= 10 THEN 1 END) AS "n_recommended@10"
  FROM "recommended"
  GROUP BY "algorithm", "user"
), "judgments" AS NOT MATERIALIZED (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT "user"
  FROM "db"."truth"
  WHERE "user" IS NOT NULL AND "item" IS NOT NULL
), "truth_lists" AS (
  /* truth_lists: one row per truth list. */
  SELECT DISTINCT "user"
  FROM "judgments"
), "systems" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "algorithm"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists" AS (
  /* lists: one row per scored list: every list of the truth, for every system of its partition. */
  SELECT "truth_lists"."user" AS "user", "systems"."algorithm" AS "algorithm"
  FROM "truth_lists"
  CROSS JOIN "systems"
), "measured" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "lists"."algorithm",
    "lists"."user",
    CASE
      WHEN COALESCE("recommended_user_counts_per_list"."surprises@10 count", 0) = COALESCE("recommended_user_counts_per_list"."surprises@10 count of n_all_users and n_users", 0)
      THEN COALESCE("recommended_user_counts_per_list"."surprises@10 sum of n_all_users and n_users", 0)
    END AS "surprises@10",
    COALESCE("recommended_per_list"."n_recommended@10", 0) AS "n_recommended@10"
  FROM "lists"
  LEFT JOIN "recommended_user_counts_per_list"
    ON "lists"."algorithm" = "recommended_user_counts_per_list"."algorithm"
    AND "lists"."user" = "recommended_user_counts_per_list"."user"
  LEFT JOIN "recommended_per_list"
    ON "lists"."algorithm" = "recommended_per_list"."algorithm"
    AND "lists"."user" = "recommended_per_list"."user"
), "per_list" AS (
  /* per_list: one row per scored list, with its metrics */
  SELECT "algorithm", "user", "surprises@10" / NULLIF("n_recommended@10", 0) AS "surprisal@10"
  FROM "measured"
), "moments" AS (
  /* moments: one row per system, with the aggregates that the intervals of means are computed from */
  SELECT
    "algorithm",
    COUNT(*) AS "n_lists",
    AVG(CAST("surprisal@10" AS DOUBLE)) AS "surprisal@10",
    STDDEV_SAMP(CAST("surprisal@10" AS DOUBLE)) AS "surprisal@10 std",
    COUNT("surprisal@10") AS "surprisal@10: n_clusters",
    STDDEV_SAMP(CAST("surprisal@10" AS DOUBLE)) / SQRT(COUNT("surprisal@10")) AS "surprisal@10: error",
    COUNT("surprisal@10") AS "surprisal@10: n_values",
    1 / CAST(NULLIF(COUNT("surprisal@10"), 0) AS DOUBLE) AS "surprisal@10: concentration",
    SUM(CAST("surprisal@10" AS DOUBLE) * "surprisal@10" * "surprisal@10") - 3 * AVG(CAST("surprisal@10" AS DOUBLE)) * STDDEV_SAMP(CAST("surprisal@10" AS DOUBLE)) * STDDEV_SAMP(CAST("surprisal@10" AS DOUBLE)) * (
      COUNT("surprisal@10") - 1
    ) - AVG(CAST("surprisal@10" AS DOUBLE)) * AVG(CAST("surprisal@10" AS DOUBLE)) * SUM(CAST("surprisal@10" AS DOUBLE)) AS "surprisal@10: cubes",
    MIN("surprisal@10") AS "surprisal@10: lowest",
    MAX("surprisal@10") AS "surprisal@10: highest"
  FROM "per_list"
  GROUP BY "algorithm"
), "skewed" AS (
  /* skewed: the same with the skewness of the values, and the quantile of Student's t */
  SELECT
    "algorithm",
    "n_lists",
    "surprisal@10",
    "surprisal@10 std",
    "surprisal@10: n_clusters",
    "surprisal@10: error",
    "surprisal@10: n_values",
    "surprisal@10: concentration",
    "surprisal@10: lowest",
    "surprisal@10: highest",
    CASE
      WHEN "surprisal@10: n_clusters" >= 6
      THEN CAST(1.9599639845400536 AS DOUBLE) + (
        CAST(2.3722712302985607 AS DOUBLE) + (
          CAST(2.8224986157396086 AS DOUBLE) + (
            CAST(2.555849679507719 AS DOUBLE) + CAST(1.5895340533938196 AS DOUBLE) / (
              "surprisal@10: n_clusters" - CAST(1 AS DOUBLE)
            )
          ) / (
            "surprisal@10: n_clusters" - CAST(1 AS DOUBLE)
          )
        ) / (
          "surprisal@10: n_clusters" - CAST(1 AS DOUBLE)
        )
      ) / (
        "surprisal@10: n_clusters" - CAST(1 AS DOUBLE)
      )
    END AS "surprisal@10: student",
    CASE
      WHEN "surprisal@10: error" > CAST(1e-9 AS DOUBLE) * ABS("surprisal@10")
      AND ABS("surprisal@10: cubes") > CAST(1e-12 AS DOUBLE) * "surprisal@10: n_values" * ABS("surprisal@10" * "surprisal@10" * "surprisal@10")
      THEN "surprisal@10: cubes" * "surprisal@10: cubes" / POWER(
        "surprisal@10: error" * "surprisal@10: error" * "surprisal@10: n_values" * "surprisal@10: n_values" * (
          "surprisal@10: n_clusters" - CAST(1 AS DOUBLE)
        ) / "surprisal@10: n_clusters",
        3
      )
      ELSE CAST(0 AS DOUBLE)
    END AS "surprisal@10: skewness"
  FROM "moments"
), "effective" AS (
  /* effective: the same with the effective number of lists */
  SELECT
    "algorithm",
    "n_lists",
    "surprisal@10",
    "surprisal@10 std",
    "surprisal@10: lowest",
    "surprisal@10: highest",
    CASE
      WHEN "surprisal@10: error" * "surprisal@10: error" * (
        "surprisal@10: n_values" - 1
      ) < "surprisal@10" * (
        1 - "surprisal@10"
      ) * CAST(0.999999999 AS DOUBLE)
      THEN "surprisal@10: student"
      WHEN "surprisal@10: student" IS NOT NULL
      THEN CAST(1.9599639845400536 AS DOUBLE)
    END AS "surprisal@10: quantile",
    CASE
      WHEN "surprisal@10: error" > CAST(1e-9 AS DOUBLE) * ABS("surprisal@10")
      AND "surprisal@10: error" * "surprisal@10: error" * (
        "surprisal@10: n_values" - 1
      ) < "surprisal@10" * (
        1 - "surprisal@10"
      ) * CAST(0.999999999 AS DOUBLE)
      THEN "surprisal@10" * (
        1 - "surprisal@10"
      ) / (
        "surprisal@10: error" * "surprisal@10: error" + GREATEST(
          "surprisal@10" * (
            1 - "surprisal@10"
          ) * "surprisal@10: concentration" - "surprisal@10: error" * "surprisal@10: error",
          CAST(0 AS DOUBLE)
        ) * LEAST(CAST(1.5 AS DOUBLE) * "surprisal@10: skewness", CAST(1 AS DOUBLE))
      )
      ELSE 1 / "surprisal@10: concentration"
    END AS "surprisal@10: effective_lists",
    CASE
      WHEN "surprisal@10: n_clusters" >= 100
      AND "surprisal@10: error" > CAST(1e-9 AS DOUBLE) * ABS("surprisal@10")
      THEN "surprisal@10" - "surprisal@10: student" * "surprisal@10: error" * SQRT(1 + 3 * "surprisal@10: skewness")
    END AS "surprisal@10: ci_low",
    CASE
      WHEN "surprisal@10: n_clusters" >= 100
      AND "surprisal@10: error" > CAST(1e-9 AS DOUBLE) * ABS("surprisal@10")
      THEN "surprisal@10" + "surprisal@10: student" * "surprisal@10: error" * SQRT(1 + 3 * "surprisal@10: skewness")
    END AS "surprisal@10: ci_high"
  FROM "skewed"
), "counted" AS (
  /* counted: the same with the effective numbers of lists with the value 1 and 0 */
  SELECT
    "algorithm",
    "n_lists",
    "surprisal@10",
    "surprisal@10 std",
    "surprisal@10: lowest",
    "surprisal@10: highest",
    "surprisal@10: quantile",
    "surprisal@10: effective_lists",
    "surprisal@10: ci_low",
    "surprisal@10: ci_high",
    CASE
      WHEN "surprisal@10" > CAST(1e-12 AS DOUBLE)
      THEN "surprisal@10" * "surprisal@10: effective_lists"
      ELSE CAST(0 AS DOUBLE)
    END AS "surprisal@10: hits",
    CASE
      WHEN 1 - "surprisal@10" > CAST(1e-12 AS DOUBLE)
      THEN (
        1 - "surprisal@10"
      ) * "surprisal@10: effective_lists"
      ELSE CAST(0 AS DOUBLE)
    END AS "surprisal@10: misses"
  FROM "effective"
), "bounds" AS (
  /* bounds: the same with the bounds of the intervals */
  SELECT
    "algorithm",
    "n_lists",
    "surprisal@10",
    "surprisal@10 std",
    "surprisal@10: lowest",
    "surprisal@10: highest",
    "surprisal@10: ci_low",
    "surprisal@10: ci_high",
    CASE
      WHEN "surprisal@10: quantile" IS NOT NULL
      THEN LEAST(
        CASE
          WHEN "surprisal@10: hits" = 0
          THEN CAST(0 AS DOUBLE)
          ELSE (
            "surprisal@10: hits" + "surprisal@10: quantile" * "surprisal@10: quantile" / 2 - "surprisal@10: quantile" * SQRT(
              "surprisal@10: hits" * "surprisal@10: misses" / "surprisal@10: effective_lists" + "surprisal@10: quantile" * "surprisal@10: quantile" / 4
            )
          ) / (
            "surprisal@10: effective_lists" + "surprisal@10: quantile" * "surprisal@10: quantile"
          )
        END,
        CASE
          WHEN "surprisal@10: hits" = 0 OR "surprisal@10: misses" = 0
          THEN CAST(1 AS DOUBLE)
          WHEN 9 * "surprisal@10: hits" > 1
          AND POWER(9 * "surprisal@10: hits" - 1, 2) > POWER(CAST(0.9598066137854914 AS DOUBLE) * "surprisal@10: quantile", 2) * 9 * "surprisal@10: hits"
          AND POWER(9 * "surprisal@10: misses" + 8, 2) > POWER(CAST(0.9598066137854914 AS DOUBLE) * "surprisal@10: quantile", 2) * (
            9 * "surprisal@10: misses" + 9
          )
          THEN 1 / (
            1 + (
              "surprisal@10: misses" + 1
            ) / "surprisal@10: hits" * POWER(
              9 * "surprisal@10: hits" * (
                POWER(9 * "surprisal@10: misses" + 8, 2) - POWER(CAST(0.9598066137854914 AS DOUBLE) * "surprisal@10: quantile", 2) * (
                  9 * "surprisal@10: misses" + 9
                )
              ) / (
                (
                  9 * "surprisal@10: misses" + 9
                ) * (
                  (
                    9 * "surprisal@10: hits" - 1
                  ) * (
                    9 * "surprisal@10: misses" + 8
                  ) - CAST(0.9598066137854914 AS DOUBLE) * "surprisal@10: quantile" * SQRT(
                    GREATEST(
                      9 * "surprisal@10: hits" * POWER(9 * "surprisal@10: misses" + 8, 2) + (
                        9 * "surprisal@10: misses" + 9
                      ) * POWER(9 * "surprisal@10: hits" - 1, 2) - POWER(CAST(0.9598066137854914 AS DOUBLE) * "surprisal@10: quantile", 2) * 9 * "surprisal@10: hits" * (
                        9 * "surprisal@10: misses" + 9
                      ),
                      CAST(0 AS DOUBLE)
                    )
                  )
                )
              ),
              3
            )
          )
          ELSE CAST(0 AS DOUBLE)
        END
      )
    END AS "surprisal@10: ci_low bounded",
    1 - (
      CASE
        WHEN "surprisal@10: quantile" IS NOT NULL
        THEN LEAST(
          CASE
            WHEN "surprisal@10: misses" = 0
            THEN CAST(0 AS DOUBLE)
            ELSE (
              "surprisal@10: misses" + "surprisal@10: quantile" * "surprisal@10: quantile" / 2 - "surprisal@10: quantile" * SQRT(
                "surprisal@10: misses" * "surprisal@10: hits" / "surprisal@10: effective_lists" + "surprisal@10: quantile" * "surprisal@10: quantile" / 4
              )
            ) / (
              "surprisal@10: effective_lists" + "surprisal@10: quantile" * "surprisal@10: quantile"
            )
          END,
          CASE
            WHEN "surprisal@10: misses" = 0 OR "surprisal@10: hits" = 0
            THEN CAST(1 AS DOUBLE)
            WHEN 9 * "surprisal@10: misses" > 1
            AND POWER(9 * "surprisal@10: misses" - 1, 2) > POWER(CAST(0.9598066137854914 AS DOUBLE) * "surprisal@10: quantile", 2) * 9 * "surprisal@10: misses"
            AND POWER(9 * "surprisal@10: hits" + 8, 2) > POWER(CAST(0.9598066137854914 AS DOUBLE) * "surprisal@10: quantile", 2) * (
              9 * "surprisal@10: hits" + 9
            )
            THEN 1 / (
              1 + (
                "surprisal@10: hits" + 1
              ) / "surprisal@10: misses" * POWER(
                9 * "surprisal@10: misses" * (
                  POWER(9 * "surprisal@10: hits" + 8, 2) - POWER(CAST(0.9598066137854914 AS DOUBLE) * "surprisal@10: quantile", 2) * (
                    9 * "surprisal@10: hits" + 9
                  )
                ) / (
                  (
                    9 * "surprisal@10: hits" + 9
                  ) * (
                    (
                      9 * "surprisal@10: misses" - 1
                    ) * (
                      9 * "surprisal@10: hits" + 8
                    ) - CAST(0.9598066137854914 AS DOUBLE) * "surprisal@10: quantile" * SQRT(
                      GREATEST(
                        9 * "surprisal@10: misses" * POWER(9 * "surprisal@10: hits" + 8, 2) + (
                          9 * "surprisal@10: hits" + 9
                        ) * POWER(9 * "surprisal@10: misses" - 1, 2) - POWER(CAST(0.9598066137854914 AS DOUBLE) * "surprisal@10: quantile", 2) * 9 * "surprisal@10: misses" * (
                          9 * "surprisal@10: hits" + 9
                        ),
                        CAST(0 AS DOUBLE)
                      )
                    )
                  )
                ),
                3
              )
            )
            ELSE CAST(0 AS DOUBLE)
          END
        )
      END
    ) AS "surprisal@10: ci_high bounded"
  FROM "counted"
), "means" AS (
  /* means: one row per system, with the means and other aggregates over its lists */
  SELECT
    "algorithm",
    "n_lists",
    "surprisal@10",
    "surprisal@10 std",
    (
      CASE
        WHEN "surprisal@10: lowest" >= 0 AND "surprisal@10: highest" <= 1
        THEN "surprisal@10: ci_high bounded"
        ELSE "surprisal@10: ci_high"
      END - CASE
        WHEN "surprisal@10: lowest" >= 0 AND "surprisal@10: highest" <= 1
        THEN "surprisal@10: ci_low bounded"
        ELSE "surprisal@10: ci_low"
      END
    ) / 2 AS "surprisal@10 ci(0.95)"
  FROM "bounds"
), "impressions" AS (
  /* impressions: one row per recommendation of a scored list: a list that the truth has. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."item",
    "recommended"."rank"
  FROM "recommended"
  JOIN "truth_lists" ON "recommended"."user" = "truth_lists"."user"
), "catalog_items" AS (
  /* catalog_items: one row per fold and item that could be recommended: an item of the catalogue. */
  SELECT DISTINCT "item"
  FROM "db"."catalog"
  WHERE "item" IS NOT NULL
), "impressions_in_catalog" AS (
  /* impressions_in_catalog: one row per recommendation of a catalogue item in a scored list. */
  SELECT
    "impressions"."algorithm" AS "algorithm",
    "impressions"."user" AS "user",
    "impressions"."item",
    "impressions"."rank"
  FROM "impressions"
  JOIN "catalog_items" ON "impressions"."item" = "catalog_items"."item"
), "exposures_k_10" AS (
  /* exposures_k_10: one row per system and recommended item of the catalogue, with its exposure among the first k ranks of all lists. */
  SELECT "algorithm", SUM(CAST("rank" AS DOUBLE) / "rank") AS "exposure"
  FROM "impressions_in_catalog"
  WHERE "rank" <= 10
  GROUP BY "algorithm", "item"
), "exposure_levels_k_10" AS (
  /* exposure_levels_k_10: one row per system and exposure level (a value that items have as their exposure), with the number of these items. */
  SELECT "algorithm", "exposure", COUNT(*) AS "n_items"
  FROM "exposures_k_10"
  GROUP BY "algorithm", "exposure"
), "exposure_level_order_k_10" AS (
  /* exposure_level_order_k_10: one row per system and exposure level, the lowest first, with the position of the last item of the level. */
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
  /* exposure_level_order_k_10_per_system: one row per system, with aggregates that metrics are computed from */
  SELECT
    "algorithm",
    SUM("exposure" * (
      "n_items" * (
        2 * "last_position" - "n_items" + 1
      ) / CAST(2 AS DOUBLE)
    )) AS "exposure_by_position@10",
    SUM("exposure" * "n_items") AS "exposure@10",
    SUM("n_items") AS "n_exposed@10"
  FROM "exposure_level_order_k_10"
  GROUP BY "algorithm"
), "catalog_items_per_system" AS (
  /* catalog_items_per_system: one row, with aggregates that metrics are computed from */
  SELECT COUNT(DISTINCT "item") AS "n_distinct_catalog_items"
  FROM "catalog_items"
)
SELECT
  "means"."algorithm" AS "algorithm",
  "means"."n_lists" AS "n_lists",
  "means"."surprisal@10" AS "surprisal@10",
  "means"."surprisal@10 std" AS "surprisal@10 std",
  "means"."surprisal@10 ci(0.95)" AS "surprisal@10 ci(0.95)",
  (
    (
      2 * "exposure_level_order_k_10_per_system"."exposure_by_position@10" + (
        COALESCE("catalog_items_per_system"."n_distinct_catalog_items", 0) - 2 * COALESCE("exposure_level_order_k_10_per_system"."n_exposed@10", 0) - 1
      ) * "exposure_level_order_k_10_per_system"."exposure@10"
    ) / NULLIF(
      COALESCE("catalog_items_per_system"."n_distinct_catalog_items", 0) * "exposure_level_order_k_10_per_system"."exposure@10",
      0
    )
  ) AS "gini@10"
FROM "means"
LEFT JOIN "exposure_level_order_k_10_per_system"
  ON "means"."algorithm" = "exposure_level_order_k_10_per_system"."algorithm"
CROSS JOIN "catalog_items_per_system"
ORDER BY "means"."algorithm"
