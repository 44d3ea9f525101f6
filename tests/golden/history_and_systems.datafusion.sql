-- Metrics of lists and of systems side by side, from a history, items and a catalogue; deviation, interval.
-- surprisal@10, miscalibration@10, gini@10, personalization@10, coverage@10
WITH "ranked" AS (
  /* ranked: every recommendation with its rank. */
  SELECT
    "algorithm",
    "user",
    "item",
    CAST("rank" AS BIGINT) AS "rank"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
), "recommended" AS (
  /* recommended: the recommendations that can matter: those up to the deepest cutoff asked for. */
  SELECT
    "algorithm",
    "user",
    "item",
    "rank"
  FROM "ranked"
  WHERE
    "rank" <= 10
), "consumed" AS (
  /* consumed: what each list's owner knew before, each item once. */
  SELECT DISTINCT
    "user",
    "item"
  FROM "db"."history"
  WHERE
    "user" IS NOT NULL AND "item" IS NOT NULL
), "popularity" AS (
  /* popularity: how many lists' owners know each item, by the history, in each fold anew. */
  SELECT
    "item",
    COUNT(*) AS "n_users"
  FROM "consumed"
  GROUP BY
    "item"
), "familiarity" AS (
  /* familiarity: the recommendations with how many users know each item; NULL where nobody does. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."rank",
    "popularity"."n_users"
  FROM "recommended"
  LEFT JOIN "popularity"
    ON "recommended"."item" = "popularity"."item"
), "history_lists" AS (
  /* history_lists: the lists that have a history. */
  SELECT DISTINCT
    "user"
  FROM "db"."history"
  WHERE
    "user" IS NOT NULL AND "item" IS NOT NULL
), "population" AS (
  /* population: how many lists' owners the history knows, in each fold. */
  SELECT
    COUNT(*) AS "n_all"
  FROM "history_lists"
), "surprises" AS (
  /* surprises: the recommendations with how many users know each item, and how many users there are. */
  SELECT
    "familiarity"."algorithm" AS "algorithm",
    "familiarity"."user" AS "user",
    "familiarity"."rank",
    "familiarity"."n_users",
    "population"."n_all"
  FROM "familiarity"
  CROSS JOIN "population"
), "surprises_per_list" AS (
  /* surprises_per_list: sums over the rows of surprises, for each list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "surprises_of_places@10 count",
    COUNT("each surprises_of_places") FILTER(WHERE
      "rank" <= 10) AS "surprises_of_places@10 count of n_all and n_users",
    SUM("each surprises_of_places") FILTER(WHERE
      "rank" <= 10) AS "surprises_of_places@10 sum of n_all and n_users"
  FROM (
    SELECT
      "algorithm",
      "user",
      "rank",
      LN(CAST(NULLIF("n_all", 0) AS DOUBLE PRECISION) / COALESCE("n_users", 1)) / NULLIF(LN(NULLIF("n_all", 0)), 0) AS "each surprises_of_places"
    FROM "surprises"
  ) AS "surprises"
  GROUP BY
    "algorithm",
    "user"
), "recommended_per_list" AS (
  /* recommended_per_list: sums over the rows of recommended, for each list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "n_recommended@10"
  FROM "recommended"
  GROUP BY
    "algorithm",
    "user"
), "categories" AS (
  /* categories: the categories of each item, each once, in each fold anew. */
  SELECT DISTINCT
    "item",
    "genre" AS "category"
  FROM "db"."items"
  WHERE
    "item" IS NOT NULL AND "genre" IS NOT NULL
), "category_counts" AS (
  /* category_counts: how many categories each item has. */
  SELECT
    "item",
    COUNT(*) AS "n_categories"
  FROM "categories"
  GROUP BY
    "item"
), "tagged" AS (
  /* tagged: the recommendations with each category of their item; an item without a category is left out. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."rank",
    "categories"."category",
    "category_counts"."n_categories"
  FROM "recommended"
  JOIN "categories"
    ON "recommended"."item" = "categories"."item"
  JOIN "category_counts"
    ON "recommended"."item" = "category_counts"."item"
), "list_parts_k_10" AS (
  /* list_parts_k_10: what part each category has of the first k places of a list; an item is divided among its categories. */
  SELECT
    "algorithm",
    "user",
    "category",
    SUM(CAST(1 AS DOUBLE PRECISION) / "n_categories") AS "mass"
  FROM "tagged"
  WHERE
    "rank" <= 10
  GROUP BY
    "algorithm",
    "user",
    "category"
), "list_profile_k_10" AS (
  /* list_profile_k_10: the categories of the first k places of a list, as shares that add up to 1. */
  SELECT
    "algorithm",
    "user",
    "category",
    CAST("mass" AS DOUBLE PRECISION) / SUM("mass") OVER (PARTITION BY "algorithm", "user") AS "share"
  FROM "list_parts_k_10"
), "history_parts" AS (
  /* history_parts: what part each category has of what a list's owner knew; an item is divided among its categories. */
  SELECT
    "consumed"."user" AS "user",
    "categories"."category",
    SUM(CAST(1 AS DOUBLE PRECISION) / "category_counts"."n_categories") AS "mass"
  FROM "consumed"
  JOIN "categories"
    ON "consumed"."item" = "categories"."item"
  JOIN "category_counts"
    ON "consumed"."item" = "category_counts"."item"
  GROUP BY
    "consumed"."user",
    "categories"."category"
), "history_profile" AS (
  /* history_profile: the categories of what a list's owner knew, as shares that add up to 1. */
  SELECT
    "user",
    "category",
    CAST("mass" AS DOUBLE PRECISION) / SUM("mass") OVER (PARTITION BY "user") AS "share"
  FROM "history_parts"
), "shared_categories_k_10" AS (
  /* shared_categories_k_10: the categories that are in both a list and the history, with their shares of each. */
  SELECT
    "list_profile_k_10"."algorithm" AS "algorithm",
    "list_profile_k_10"."user" AS "user",
    "history_profile"."share" AS "was",
    "list_profile_k_10"."share" AS "became"
  FROM "list_profile_k_10"
  JOIN "history_profile"
    ON "list_profile_k_10"."user" = "history_profile"."user"
    AND "list_profile_k_10"."category" = "history_profile"."category"
), "shared_categories_k_10_per_list" AS (
  /* shared_categories_k_10_per_list: sums over the rows of shared_categories_k_10, for each list */
  SELECT
    "algorithm",
    "user",
    SUM(
      "was" * (
        LN(
          "was" / (
            (
              1 - CAST(0.01 AS DOUBLE PRECISION)
            ) * "became" + CAST(0.01 AS DOUBLE PRECISION) * "was"
          )
        ) + LN(CAST(0.01 AS DOUBLE PRECISION))
      )
    ) AS "surprise_of_list@10"
  FROM "shared_categories_k_10"
  GROUP BY
    "algorithm",
    "user"
), "history_profile_per_list" AS (
  /* history_profile_per_list: sums over the rows of history_profile, for each list */
  SELECT
    "user",
    COUNT(*) AS "n_history_categories"
  FROM "history_profile"
  GROUP BY
    "user"
), "list_profile_k_10_per_list" AS (
  /* list_profile_k_10_per_list: sums over the rows of list_profile_k_10, for each list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) AS "n_list_categories@10"
  FROM "list_profile_k_10"
  GROUP BY
    "algorithm",
    "user"
), "judgments" AS (
  /* judgments: the truth, row by row; a row without a rating counts as rated 1, a row with a NULL id is left out. */
  SELECT
    "user"
  FROM "db"."truth"
  WHERE
    "user" IS NOT NULL AND "item" IS NOT NULL
), "truth_lists" AS (
  /* truth_lists: the lists that have a truth. */
  SELECT DISTINCT
    "user"
  FROM "judgments"
), "systems" AS (
  /* systems: what was measured: each value of the list columns that the truth has not. */
  SELECT DISTINCT
    "algorithm"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists" AS (
  /* lists: whom the mean is taken over: every list of the truth, for every system. */
  SELECT
    "truth_lists"."user" AS "user",
    "systems"."algorithm" AS "algorithm"
  FROM "truth_lists"
  CROSS JOIN "systems"
), "measured" AS (
  /* measured: one row per list, with what the metrics are computed from */
  SELECT
    "lists"."algorithm",
    "lists"."user",
    CASE
      WHEN COALESCE("surprises_per_list"."surprises_of_places@10 count", 0) = COALESCE("surprises_per_list"."surprises_of_places@10 count of n_all and n_users", 0)
      THEN COALESCE("surprises_per_list"."surprises_of_places@10 sum of n_all and n_users", 0)
    END AS "surprises_of_places@10",
    COALESCE("recommended_per_list"."n_recommended@10", 0) AS "n_recommended@10",
    -LN(CAST(0.01 AS DOUBLE PRECISION)) + COALESCE("shared_categories_k_10_per_list"."surprise_of_list@10", 0) AS "surprise_of_list@10",
    COALESCE("history_profile_per_list"."n_history_categories", 0) AS "n_history_categories",
    COALESCE("list_profile_k_10_per_list"."n_list_categories@10", 0) AS "n_list_categories@10"
  FROM "lists"
  LEFT JOIN "surprises_per_list"
    ON "lists"."algorithm" = "surprises_per_list"."algorithm"
    AND "lists"."user" = "surprises_per_list"."user"
  LEFT JOIN "recommended_per_list"
    ON "lists"."algorithm" = "recommended_per_list"."algorithm"
    AND "lists"."user" = "recommended_per_list"."user"
  LEFT JOIN "shared_categories_k_10_per_list"
    ON "lists"."algorithm" = "shared_categories_k_10_per_list"."algorithm"
    AND "lists"."user" = "shared_categories_k_10_per_list"."user"
  LEFT JOIN "history_profile_per_list"
    ON "lists"."user" = "history_profile_per_list"."user"
  LEFT JOIN "list_profile_k_10_per_list"
    ON "lists"."algorithm" = "list_profile_k_10_per_list"."algorithm"
    AND "lists"."user" = "list_profile_k_10_per_list"."user"
), "per_list" AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    "algorithm",
    "user",
    CAST("surprises_of_places@10" AS DOUBLE PRECISION) / NULLIF("n_recommended@10", 0) AS "surprisal@10",
    CASE WHEN "n_history_categories" > 0 AND "n_list_categories@10" > 0 THEN "surprise_of_list@10" END AS "miscalibration@10"
  FROM "measured"
), "means" AS (
  /* means: the values of the lists, aggregated for each system */
  SELECT
    "algorithm",
    COUNT(*) AS "n_lists",
    AVG(CAST("surprisal@10" AS DOUBLE PRECISION)) AS "surprisal@10",
    STDDEV_SAMP(CAST("surprisal@10" AS DOUBLE PRECISION)) AS "surprisal@10 std",
    CAST(1.9599639845400536 AS DOUBLE PRECISION) * STDDEV_SAMP(CAST("surprisal@10" AS DOUBLE PRECISION)) / SQRT(COUNT("surprisal@10")) AS "surprisal@10 ci(0.95)",
    AVG(CAST("miscalibration@10" AS DOUBLE PRECISION)) AS "miscalibration@10",
    STDDEV_SAMP(CAST("miscalibration@10" AS DOUBLE PRECISION)) AS "miscalibration@10 std",
    CAST(1.9599639845400536 AS DOUBLE PRECISION) * STDDEV_SAMP(CAST("miscalibration@10" AS DOUBLE PRECISION)) / SQRT(COUNT("miscalibration@10")) AS "miscalibration@10 ci(0.95)"
  FROM "per_list"
  GROUP BY
    "algorithm"
), "shown" AS (
  /* shown: the recommendations that a system is judged by: those of lists that have a truth. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."item",
    "recommended"."rank"
  FROM "recommended"
  JOIN "truth_lists"
    ON "recommended"."user" = "truth_lists"."user"
), "known_items" AS (
  /* known_items: the items that could be recommended: those of the catalogue, in each fold anew. */
  SELECT DISTINCT
    "item"
  FROM "db"."catalog"
  WHERE
    "item" IS NOT NULL
), "shown_known" AS (
  /* shown_known: those of them whose item could be recommended. */
  SELECT
    "shown"."algorithm" AS "algorithm",
    "shown"."user" AS "user",
    "shown"."item",
    "shown"."rank"
  FROM "shown"
  JOIN "known_items"
    ON "shown"."item" = "known_items"."item"
), "exposures_k_10" AS (
  /* exposures_k_10: how much of the first k places of all lists each item has: every recommended item of the catalogue. */
  SELECT
    "algorithm",
    SUM(CAST("rank" AS DOUBLE PRECISION) / "rank") AS "exposure"
  FROM "shown_known"
  WHERE
    "rank" <= 10
  GROUP BY
    "algorithm",
    "item"
), "exposure_levels_k_10" AS (
  /* exposure_levels_k_10: each exposure that an item has, with how many items have it. */
  SELECT
    "algorithm",
    "exposure",
    COUNT(*) AS "n_items"
  FROM "exposures_k_10"
  GROUP BY
    "algorithm",
    "exposure"
), "exposure_order_k_10" AS (
  /* exposure_order_k_10: the exposures, lowest first, with the place of the last item that has each. */
  SELECT
    "algorithm",
    "exposure",
    "n_items",
    SUM("n_items") OVER (
      PARTITION BY "algorithm"
      ORDER BY "exposure" NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS "last_place"
  FROM "exposure_levels_k_10"
), "exposure_order_k_10_per_system" AS (
  /* exposure_order_k_10_per_system: sums over the rows of exposure_order_k_10, for each system */
  SELECT
    "algorithm",
    SUM(
      "exposure" * (
        "n_items" * (
          2 * "last_place" - "n_items" + 1
        ) / CAST(2 AS DOUBLE PRECISION)
      )
    ) AS "exposure_by_place@10",
    SUM("exposure" * "n_items") AS "exposure@10",
    SUM("n_items") AS "n_exposed@10"
  FROM "exposure_order_k_10"
  GROUP BY
    "algorithm"
), "known_items_per_system" AS (
  /* known_items_per_system: sums over the rows of known_items */
  SELECT
    COUNT(DISTINCT "item") AS "n_known_items"
  FROM "known_items"
), "list_lengths_k_10" AS (
  /* list_lengths_k_10: how many of the first k places of each list are filled. */
  SELECT
    "algorithm",
    "user",
    COUNT(*) AS "length"
  FROM "shown"
  WHERE
    "rank" <= 10
  GROUP BY
    "algorithm",
    "user"
), "item_sums_k_10" AS (
  /* item_sums_k_10: for each item, the sum, over its places, of 1 over the root of the list's length. */
  SELECT
    "shown"."algorithm" AS "algorithm",
    SUM(1 / SQRT(CAST("list_lengths_k_10"."length" AS DOUBLE PRECISION))) AS "weight"
  FROM "shown"
  JOIN "list_lengths_k_10"
    ON "shown"."algorithm" = "list_lengths_k_10"."algorithm" AND "shown"."user" = "list_lengths_k_10"."user"
  WHERE
    "shown"."rank" <= 10
  GROUP BY
    "shown"."algorithm",
    "shown"."item"
), "item_sums_k_10_per_system" AS (
  /* item_sums_k_10_per_system: sums over the rows of item_sums_k_10, for each system */
  SELECT
    "algorithm",
    SUM("weight" * "weight") AS "squared_sum@10"
  FROM "item_sums_k_10"
  GROUP BY
    "algorithm"
), "list_lengths_k_10_per_system" AS (
  /* list_lengths_k_10_per_system: sums over the rows of list_lengths_k_10, for each system */
  SELECT
    "algorithm",
    COUNT(*) AS "n_vectors@10"
  FROM "list_lengths_k_10"
  GROUP BY
    "algorithm"
), "shown_known_per_system" AS (
  /* shown_known_per_system: sums over the rows of shown_known, for each system */
  SELECT
    "algorithm",
    COUNT(DISTINCT "item") FILTER(WHERE
      "rank" <= 10) AS "n_shown_known@10"
  FROM "shown_known"
  GROUP BY
    "algorithm"
)
SELECT
  "means"."algorithm" AS "algorithm",
  "n_lists",
  "surprisal@10",
  "surprisal@10 std",
  "surprisal@10 ci(0.95)",
  "miscalibration@10",
  "miscalibration@10 std",
  "miscalibration@10 ci(0.95)",
  (
    CAST((
      2 * "exposure_order_k_10_per_system"."exposure_by_place@10" + (
        COALESCE("known_items_per_system"."n_known_items", 0) - 2 * COALESCE("exposure_order_k_10_per_system"."n_exposed@10", 0) - 1
      ) * "exposure_order_k_10_per_system"."exposure@10"
    ) AS DOUBLE PRECISION) / NULLIF(
      COALESCE("known_items_per_system"."n_known_items", 0) * "exposure_order_k_10_per_system"."exposure@10",
      0
    )
  ) AS "gini@10",
  1 - CAST((
    "item_sums_k_10_per_system"."squared_sum@10" - COALESCE("list_lengths_k_10_per_system"."n_vectors@10", 0)
  ) AS DOUBLE PRECISION) / NULLIF(
    COALESCE("list_lengths_k_10_per_system"."n_vectors@10", 0) * (
      COALESCE("list_lengths_k_10_per_system"."n_vectors@10", 0) - 1
    ),
    0
  ) AS "personalization@10",
  (
    COALESCE("shown_known_per_system"."n_shown_known@10", 0) / CAST(NULLIF(COALESCE("known_items_per_system"."n_known_items", 0), 0) AS DOUBLE PRECISION)
  ) AS "coverage@10"
FROM "means"
LEFT JOIN "exposure_order_k_10_per_system"
  ON "means"."algorithm" = "exposure_order_k_10_per_system"."algorithm"
CROSS JOIN "known_items_per_system"
LEFT JOIN "item_sums_k_10_per_system"
  ON "means"."algorithm" = "item_sums_k_10_per_system"."algorithm"
LEFT JOIN "list_lengths_k_10_per_system"
  ON "means"."algorithm" = "list_lengths_k_10_per_system"."algorithm"
LEFT JOIN "shown_known_per_system"
  ON "means"."algorithm" = "shown_known_per_system"."algorithm"
ORDER BY
  "means"."algorithm"
