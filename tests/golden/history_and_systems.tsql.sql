-- Metrics of lists and of systems side by side, from a history, items and a catalogue; deviation, interval.
-- surprisal@10, miscalibration@10, gini@10, personalization@10, coverage@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, history db.history, items db.items, catalog db.catalog, a list for each algorithm, user.
-- surprisal@10: mean self-information of the first k recommendations: the fewer users have the item in their history, the higher.
-- miscalibration@10: divergence between the category distribution of the first k recommendations and that of the list's history, 0 if they are equal.
-- gini@10: Gini coefficient of the exposure of items among the first k recommendations of all lists.
-- personalization@10: 1 - mean cosine similarity of all pairs of lists, by the items of their first k recommendations.
-- coverage@10: catalogue coverage: distinct items among the first k recommendations of all lists, as a share of the catalogue.
WITH [history_items] AS (
  /* history_items: one row per list of the history and item. */
  SELECT DISTINCT [user], [item]
  FROM [db].[history]
  WHERE [user] IS NOT NULL AND [item] IS NOT NULL
), [popularity] AS (
  /* popularity: one row per fold and item, with the number of users (lists of the history) who have it. */
  SELECT [item], COUNT_BIG(*) AS [n_users]
  FROM [history_items]
  GROUP BY [item]
), [history_lists] AS (
  /* history_lists: one row per list of the history. */
  SELECT DISTINCT [user]
  FROM [db].[history]
  WHERE [user] IS NOT NULL AND [item] IS NOT NULL
), [user_counts] AS (
  /* user_counts: one row per fold, with the number of users (lists of the history). */
  SELECT COUNT_BIG(*) AS [n_all_users]
  FROM [history_lists]
), [recommended_user_counts_per_list] AS (
  /* recommended_user_counts_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    [recs].[algorithm],
    [recs].[user],
    COUNT_BIG(*) AS [surprises_at_10_count],
    COUNT_BIG(
      LOG(CAST(NULLIF([user_counts].[n_all_users], 0) AS FLOAT) / COALESCE([popularity].[n_users], 1)) / NULLIF(LOG(NULLIF([user_counts].[n_all_users], 0)), 0)
    ) AS [surprises_at_10_count_of_n_all_users_and_n_users],
    SUM(
      LOG(CAST(NULLIF([user_counts].[n_all_users], 0) AS FLOAT) / COALESCE([popularity].[n_users], 1)) / NULLIF(LOG(NULLIF([user_counts].[n_all_users], 0)), 0)
    ) AS [surprises_at_10_sum_of_n_all_users_and_n_users]
  FROM [db].[recs]
  LEFT JOIN [popularity] ON [recs].[item] = [popularity].[item]
  CROSS JOIN [user_counts]
  WHERE
    [recs].[algorithm] IS NOT NULL
    AND [recs].[user] IS NOT NULL
    AND [recs].[item] IS NOT NULL
    AND [recs].[rank] <= 10
  GROUP BY [recs].[algorithm], [recs].[user]
), [recommended_per_list] AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT [algorithm], [user], COUNT_BIG(*) AS [n_recommended_at_10]
  FROM [db].[recs]
  WHERE [algorithm] IS NOT NULL AND [user] IS NOT NULL AND [item] IS NOT NULL AND [rank] <= 10
  GROUP BY [algorithm], [user]
), [categories] AS (
  /* categories: one row per fold, item and category. */
  SELECT DISTINCT [item], [genre] AS [category]
  FROM [db].[items]
  WHERE [item] IS NOT NULL AND [genre] IS NOT NULL
), [item_category_counts] AS (
  /* item_category_counts: one row per fold and item, with the number of its categories. */
  SELECT [item], COUNT_BIG(*) AS [n_categories]
  FROM [categories]
  GROUP BY [item]
), [list_category_weights_k_10] AS (
  /* list_category_weights_k_10: one row per list and category, with its weight among the first k ranks. Each item splits a weight of 1 among its categories. */
  SELECT
    [recs].[algorithm],
    [recs].[user],
    [categories].[category],
    SUM(CAST(1 AS FLOAT) / [item_category_counts].[n_categories]) AS [weight]
  FROM [db].[recs]
  JOIN [categories] ON [recs].[item] = [categories].[item]
  JOIN [item_category_counts] ON [recs].[item] = [item_category_counts].[item]
  WHERE [recs].[algorithm] IS NOT NULL AND [recs].[user] IS NOT NULL AND [recs].[rank] <= 10
  GROUP BY [recs].[algorithm], [recs].[user], [categories].[category]
), [list_category_shares_k_10] AS (
  /* list_category_shares_k_10: one row per list and category, with its share among the first k ranks. The shares of a list add up to 1. */
  SELECT
    [algorithm],
    [user],
    [category],
    CAST([weight] AS FLOAT) / SUM([weight]) OVER (PARTITION BY [algorithm], [user]) AS [share]
  FROM [list_category_weights_k_10]
), [history_category_weights] AS (
  /* history_category_weights: one row per list of the history and category, with the category's weight. Each item splits a weight of 1 among its categories. */
  SELECT
    [history_items].[user] AS [user],
    [categories].[category],
    SUM(CAST(1 AS FLOAT) / [item_category_counts].[n_categories]) AS [weight]
  FROM [history_items]
  JOIN [categories] ON [history_items].[item] = [categories].[item]
  JOIN [item_category_counts] ON [history_items].[item] = [item_category_counts].[item]
  GROUP BY [history_items].[user], [categories].[category]
), [history_category_shares] AS (
  /* history_category_shares: one row per list of the history and category, with the category's share. The shares of a list add up to 1. */
  SELECT [user], [category], CAST([weight] AS FLOAT) / SUM([weight]) OVER (PARTITION BY [user]) AS [share]
  FROM [history_category_weights]
), [shared_categories_k_10_per_list] AS (
  /* shared_categories_k_10_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    [list_category_shares_k_10].[algorithm],
    [list_category_shares_k_10].[user],
    SUM(
      [history_category_shares].[share] * (
        LOG(
          [history_category_shares].[share] / (
            (
              1 - CAST(0.01 AS FLOAT)
            ) * [list_category_shares_k_10].[share] + CAST(0.01 AS FLOAT) * [history_category_shares].[share]
          )
        ) + LOG(CAST(0.01 AS FLOAT))
      )
    ) AS [kl_divergence_at_10]
  FROM [list_category_shares_k_10]
  JOIN [history_category_shares]
    ON [list_category_shares_k_10].[user] = [history_category_shares].[user]
    AND [list_category_shares_k_10].[category] = [history_category_shares].[category]
  GROUP BY [list_category_shares_k_10].[algorithm], [list_category_shares_k_10].[user]
), [history_category_shares_per_list] AS (
  /* history_category_shares_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT [user], COUNT_BIG(*) AS [n_history_categories]
  FROM [history_category_shares]
  GROUP BY [user]
), [list_category_shares_k_10_per_list] AS (
  /* list_category_shares_k_10_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT [algorithm], [user], COUNT_BIG(*) AS [n_list_categories_at_10]
  FROM [list_category_shares_k_10]
  GROUP BY [algorithm], [user]
), [truth_lists] AS (
  /* truth_lists: one row per truth list. */
  SELECT DISTINCT [user]
  FROM [db].[truth]
  WHERE [user] IS NOT NULL AND [item] IS NOT NULL
), [systems] AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT [algorithm]
  FROM [db].[recs]
  WHERE [algorithm] IS NOT NULL AND [user] IS NOT NULL
), [per_list] AS (
  /* per_list: one row per scored list, with its metrics */
  SELECT
    [systems].[algorithm],
    [truth_lists].[user],
    CAST(CASE
      WHEN COALESCE([recommended_user_counts_per_list].[surprises_at_10_count], 0) = COALESCE([recommended_user_counts_per_list].[surprises_at_10_count_of_n_all_users_and_n_users], 0)
      THEN COALESCE([recommended_user_counts_per_list].[surprises_at_10_sum_of_n_all_users_and_n_users], 0)
    END AS FLOAT) / NULLIF(COALESCE([recommended_per_list].[n_recommended_at_10], 0), 0) AS [surprisal_at_10],
    CASE
      WHEN COALESCE([history_category_shares_per_list].[n_history_categories], 0) > 0
      AND COALESCE([list_category_shares_k_10_per_list].[n_list_categories_at_10], 0) > 0
      THEN -LOG(CAST(0.01 AS FLOAT)) + COALESCE([shared_categories_k_10_per_list].[kl_divergence_at_10], 0)
    END AS [miscalibration_at_10]
  FROM [truth_lists]
  CROSS JOIN [systems]
  LEFT JOIN [recommended_user_counts_per_list]
    ON [systems].[algorithm] = [recommended_user_counts_per_list].[algorithm]
    AND [truth_lists].[user] = [recommended_user_counts_per_list].[user]
  LEFT JOIN [recommended_per_list]
    ON [systems].[algorithm] = [recommended_per_list].[algorithm]
    AND [truth_lists].[user] = [recommended_per_list].[user]
  LEFT JOIN [shared_categories_k_10_per_list]
    ON [systems].[algorithm] = [shared_categories_k_10_per_list].[algorithm]
    AND [truth_lists].[user] = [shared_categories_k_10_per_list].[user]
  LEFT JOIN [history_category_shares_per_list] ON [truth_lists].[user] = [history_category_shares_per_list].[user]
  LEFT JOIN [list_category_shares_k_10_per_list]
    ON [systems].[algorithm] = [list_category_shares_k_10_per_list].[algorithm]
    AND [truth_lists].[user] = [list_category_shares_k_10_per_list].[user]
), [means] AS (
  /* means: one row per system, with the means and other aggregates over its lists */
  SELECT
    [algorithm],
    COUNT_BIG(*) AS [n_lists],
    AVG(CAST([surprisal_at_10] AS FLOAT)) AS [surprisal_at_10],
    STDEV(CAST([surprisal_at_10] AS FLOAT)) AS [surprisal_at_10_std],
    CAST(1.9599639845400536 AS FLOAT) * STDEV(CAST([surprisal_at_10] AS FLOAT)) / SQRT(COUNT_BIG([surprisal_at_10])) AS [surprisal_at_10_ci_0_95],
    AVG(CAST([miscalibration_at_10] AS FLOAT)) AS [miscalibration_at_10],
    STDEV(CAST([miscalibration_at_10] AS FLOAT)) AS [miscalibration_at_10_std],
    CAST(1.9599639845400536 AS FLOAT) * STDEV(CAST([miscalibration_at_10] AS FLOAT)) / SQRT(COUNT_BIG([miscalibration_at_10])) AS [miscalibration_at_10_ci_0_95]
  FROM [per_list]
  GROUP BY [algorithm]
), [impressions] AS (
  /* impressions: one row per recommendation of a scored list: a list that the truth has. */
  SELECT
    [recs].[algorithm] AS [algorithm],
    [recs].[user] AS [user],
    [recs].[item],
    CAST([recs].[rank] AS BIGINT) AS [rank]
  FROM [db].[recs]
  JOIN [truth_lists] ON [recs].[user] = [truth_lists].[user]
  WHERE [recs].[algorithm] IS NOT NULL AND [recs].[item] IS NOT NULL AND [recs].[rank] <= 10
), [catalog_items] AS (
  /* catalog_items: one row per fold and item that could be recommended: an item of the catalogue. */
  SELECT DISTINCT [item]
  FROM [db].[catalog]
  WHERE [item] IS NOT NULL
), [impressions_in_catalog] AS (
  /* impressions_in_catalog: one row per recommendation of a catalogue item in a scored list. */
  SELECT
    [impressions].[algorithm] AS [algorithm],
    [impressions].[user] AS [user],
    [impressions].[item],
    [impressions].[rank]
  FROM [impressions]
  JOIN [catalog_items] ON [impressions].[item] = [catalog_items].[item]
), [exposures_k_10] AS (
  /* exposures_k_10: one row per system and recommended item of the catalogue, with its exposure among the first k ranks of all lists. */
  SELECT [algorithm], SUM(CAST([rank] AS FLOAT) / [rank]) AS [exposure]
  FROM [impressions_in_catalog]
  GROUP BY [algorithm], [item]
), [exposure_levels_k_10] AS (
  /* exposure_levels_k_10: one row per system and exposure level (a value that items have as their exposure), with the number of these items. */
  SELECT [algorithm], [exposure], COUNT_BIG(*) AS [n_items]
  FROM [exposures_k_10]
  GROUP BY [algorithm], [exposure]
), [exposure_level_order_k_10] AS (
  /* exposure_level_order_k_10: one row per system and exposure level, the lowest first, with the position of the last item of the level. */
  SELECT
    [algorithm],
    [exposure],
    [n_items],
    SUM([n_items]) OVER (PARTITION BY [algorithm] ORDER BY [exposure] ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS [last_position]
  FROM [exposure_levels_k_10]
), [exposure_level_order_k_10_per_system] AS (
  /* exposure_level_order_k_10_per_system: one row per system, with aggregates that metrics are computed from */
  SELECT
    [algorithm],
    SUM([exposure] * (
      [n_items] * (
        2 * [last_position] - [n_items] + 1
      ) / CAST(2 AS FLOAT)
    )) AS [exposure_by_position_at_10],
    SUM([exposure] * [n_items]) AS [exposure_at_10],
    SUM([n_items]) AS [n_exposed_at_10]
  FROM [exposure_level_order_k_10]
  GROUP BY [algorithm]
), [catalog_items_per_system] AS (
  /* catalog_items_per_system: one row, with aggregates that metrics are computed from */
  SELECT COUNT_BIG(DISTINCT [item]) AS [n_distinct_catalog_items]
  FROM [catalog_items]
), [list_lengths_k_10] AS (
  /* list_lengths_k_10: one row per list, with the number of its impressions among the first k ranks. */
  SELECT [algorithm], [user], COUNT_BIG(*) AS [length]
  FROM [impressions]
  GROUP BY [algorithm], [user]
), [summed_list_vectors_k_10] AS (
  /* summed_list_vectors_k_10: one row per system and item, with the item's number in the sum of the unit vectors of all lists. */
  SELECT
    [impressions].[algorithm] AS [algorithm],
    SUM(1 / SQRT(CAST([list_lengths_k_10].[length] AS FLOAT))) AS [weight]
  FROM [impressions]
  JOIN [list_lengths_k_10]
    ON [impressions].[algorithm] = [list_lengths_k_10].[algorithm]
    AND [impressions].[user] = [list_lengths_k_10].[user]
  GROUP BY [impressions].[algorithm], [impressions].[item]
), [summed_list_vectors_k_10_per_system] AS (
  /* summed_list_vectors_k_10_per_system: one row per system, with aggregates that metrics are computed from */
  SELECT [algorithm], SUM([weight] * [weight]) AS [squared_sum_at_10]
  FROM [summed_list_vectors_k_10]
  GROUP BY [algorithm]
), [list_lengths_k_10_per_system] AS (
  /* list_lengths_k_10_per_system: one row per system, with aggregates that metrics are computed from */
  SELECT [algorithm], COUNT_BIG(*) AS [n_nonempty_lists_at_10]
  FROM [list_lengths_k_10]
  GROUP BY [algorithm]
), [impressions_in_catalog_per_system] AS (
  /* impressions_in_catalog_per_system: one row per system, with aggregates that metrics are computed from */
  SELECT [algorithm], COUNT_BIG(DISTINCT [item]) AS [n_recommended_catalog_items_at_10]
  FROM [impressions_in_catalog]
  GROUP BY [algorithm]
)
SELECT
  [means].[algorithm] AS [algorithm],
  [means].[n_lists] AS [n_lists],
  [means].[surprisal_at_10] AS [surprisal_at_10],
  [means].[surprisal_at_10_std] AS [surprisal_at_10_std],
  [means].[surprisal_at_10_ci_0_95] AS [surprisal_at_10_ci_0_95],
  [means].[miscalibration_at_10] AS [miscalibration_at_10],
  [means].[miscalibration_at_10_std] AS [miscalibration_at_10_std],
  [means].[miscalibration_at_10_ci_0_95] AS [miscalibration_at_10_ci_0_95],
  (
    CAST((
      2 * [exposure_level_order_k_10_per_system].[exposure_by_position_at_10] + (
        COALESCE([catalog_items_per_system].[n_distinct_catalog_items], 0) - 2 * COALESCE([exposure_level_order_k_10_per_system].[n_exposed_at_10], 0) - 1
      ) * [exposure_level_order_k_10_per_system].[exposure_at_10]
    ) AS FLOAT) / NULLIF(
      COALESCE([catalog_items_per_system].[n_distinct_catalog_items], 0) * [exposure_level_order_k_10_per_system].[exposure_at_10],
      0
    )
  ) AS [gini_at_10],
  1 - CAST((
    [summed_list_vectors_k_10_per_system].[squared_sum_at_10] - COALESCE([list_lengths_k_10_per_system].[n_nonempty_lists_at_10], 0)
  ) AS FLOAT) / NULLIF(
    COALESCE([list_lengths_k_10_per_system].[n_nonempty_lists_at_10], 0) * (
      COALESCE([list_lengths_k_10_per_system].[n_nonempty_lists_at_10], 0) - 1
    ),
    0
  ) AS [personalization_at_10],
  (
    COALESCE([impressions_in_catalog_per_system].[n_recommended_catalog_items_at_10], 0) / CAST(NULLIF(COALESCE([catalog_items_per_system].[n_distinct_catalog_items], 0), 0) AS FLOAT)
  ) AS [coverage_at_10]
FROM [means]
LEFT JOIN [exposure_level_order_k_10_per_system]
  ON [means].[algorithm] = [exposure_level_order_k_10_per_system].[algorithm]
CROSS JOIN [catalog_items_per_system]
LEFT JOIN [summed_list_vectors_k_10_per_system]
  ON [means].[algorithm] = [summed_list_vectors_k_10_per_system].[algorithm]
LEFT JOIN [list_lengths_k_10_per_system] ON [means].[algorithm] = [list_lengths_k_10_per_system].[algorithm]
LEFT JOIN [impressions_in_catalog_per_system] ON [means].[algorithm] = [impressions_in_catalog_per_system].[algorithm]
ORDER BY CASE WHEN [means].[algorithm] IS NULL THEN 1 ELSE 0 END, [means].[algorithm]
