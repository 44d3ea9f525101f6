-- What differs from another system's lists.
-- unexpectedness@10, serendipity@10, rbo@10
WITH [ranked] AS (
  /* ranked: every recommendation with its rank; rows with a NULL id are left out. */
  SELECT
    [algorithm],
    [user],
    [item],
    CAST([rank] AS BIGINT) AS [rank]
  FROM [db].[recs]
  WHERE
    [algorithm] IS NOT NULL AND [user] IS NOT NULL AND [item] IS NOT NULL
), [recommended] AS (
  /* recommended: the recommendations down to the largest cutoff. */
  SELECT
    [algorithm],
    [user],
    [item],
    [rank]
  FROM [ranked]
  WHERE
    [rank] <= 10
), [recommended_per_list] AS (
  /* recommended_per_list: aggregates over the rows of recommended, for each list */
  SELECT
    [algorithm],
    [user],
    COUNT_BIG(CASE WHEN [rank] <= 10 THEN 1 END) AS [n_recommended_at_10]
  FROM [recommended]
  GROUP BY
    [algorithm],
    [user]
), [ranked_baseline] AS (
  /* ranked_baseline: every row of the baseline with its rank; rows with a NULL id are left out. */
  SELECT
    [user],
    [item],
    CAST([rank] AS BIGINT) AS [rank]
  FROM [db].[baseline]
  WHERE
    [user] IS NOT NULL AND [item] IS NOT NULL
), [baseline_top_items] AS (
  /* baseline_top_items: the items of each list of the baseline down to the largest cutoff, each once, with its best rank. */
  SELECT
    [user],
    [item],
    MIN([rank]) AS [rank]
  FROM [ranked_baseline]
  WHERE
    [rank] <= 10
  GROUP BY
    [user],
    [item]
), [baseline_top_items_per_list] AS (
  /* baseline_top_items_per_list: aggregates over the rows of baseline_top_items, for each list */
  SELECT
    [user],
    COUNT_BIG(CASE WHEN [rank] <= 10 THEN 1 END) AS [n_baseline_at_10]
  FROM [baseline_top_items]
  GROUP BY
    [user]
), [recommended_in_baseline] AS (
  /* recommended_in_baseline: the recommendations whose item is also in the baseline, with the larger of its two ranks. */
  SELECT
    [recommended].[algorithm] AS [algorithm],
    [recommended].[user] AS [user],
    GREATEST([recommended].[rank], [baseline_top_items].[rank]) AS [rank]
  FROM [recommended]
  JOIN [baseline_top_items]
    ON [recommended].[user] = [baseline_top_items].[user]
    AND [recommended].[item] = [baseline_top_items].[item]
), [recommended_in_baseline_per_list] AS (
  /* recommended_in_baseline_per_list: aggregates over the rows of recommended_in_baseline, for each list */
  SELECT
    [algorithm],
    [user],
    COUNT_BIG(CASE WHEN [rank] <= 10 THEN 1 END) AS [n_in_baseline_at_10]
  FROM [recommended_in_baseline]
  GROUP BY
    [algorithm],
    [user]
), [judgments] AS (
  /* judgments: the rows of the truth; a missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT
    [user],
    [item],
    CAST(1 AS FLOAT) AS [rating]
  FROM [db].[truth]
  WHERE
    [user] IS NOT NULL AND [item] IS NOT NULL
), [relevant] AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT
    [user],
    [item]
  FROM [judgments]
  WHERE
    [rating] > 0
), [matches] AS (
  /* matches: the recommendations of relevant items. */
  SELECT
    [recommended].[algorithm] AS [algorithm],
    [recommended].[user] AS [user],
    [recommended].[item],
    [recommended].[rank]
  FROM [recommended]
  JOIN [relevant]
    ON [recommended].[user] = [relevant].[user] AND [recommended].[item] = [relevant].[item]
), [unnumbered_hits] AS (
  /* unnumbered_hits: the relevant items that were recommended, each once, with its best rank and its highest rating. */
  SELECT
    [algorithm],
    [user],
    [item],
    MIN([rank]) AS [rank]
  FROM [matches]
  GROUP BY
    [algorithm],
    [user],
    [item]
), [hits_per_list] AS (
  /* hits_per_list: aggregates over the rows of unnumbered_hits, for each list */
  SELECT
    [algorithm],
    [user],
    COUNT_BIG(CASE WHEN [rank] <= 10 THEN 1 END) AS [n_hits_at_10]
  FROM [unnumbered_hits]
  GROUP BY
    [algorithm],
    [user]
), [hits_in_baseline] AS (
  /* hits_in_baseline: the hits whose item is also in the baseline, with the larger of its two ranks. */
  SELECT
    [unnumbered_hits].[algorithm] AS [algorithm],
    [unnumbered_hits].[user] AS [user],
    GREATEST([unnumbered_hits].[rank], [baseline_top_items].[rank]) AS [rank]
  FROM [unnumbered_hits]
  JOIN [baseline_top_items]
    ON [unnumbered_hits].[user] = [baseline_top_items].[user]
    AND [unnumbered_hits].[item] = [baseline_top_items].[item]
), [hits_in_baseline_per_list] AS (
  /* hits_in_baseline_per_list: aggregates over the rows of hits_in_baseline, for each list */
  SELECT
    [algorithm],
    [user],
    COUNT_BIG(CASE WHEN [rank] <= 10 THEN 1 END) AS [n_hits_in_baseline_at_10]
  FROM [hits_in_baseline]
  GROUP BY
    [algorithm],
    [user]
), [overlap] AS (
  /* overlap: the items that a list and its baseline share, each once, with the larger of its two ranks. */
  SELECT
    [recommended].[algorithm] AS [algorithm],
    [recommended].[user] AS [user],
    GREATEST(MIN([recommended].[rank]), MIN([baseline_top_items].[rank])) AS [rank]
  FROM [recommended]
  JOIN [baseline_top_items]
    ON [recommended].[user] = [baseline_top_items].[user]
    AND [recommended].[item] = [baseline_top_items].[item]
  GROUP BY
    [recommended].[algorithm],
    [recommended].[user],
    [recommended].[item]
), [positions] AS (
  /* positions: the ranks from 1 to the largest cutoff. */
  SELECT
    [rank]
  FROM (VALUES
    (1),
    (2),
    (3),
    (4),
    (5),
    (6),
    (7),
    (8),
    (9),
    (10)) AS [positions]([rank])
), [overlap_by_position] AS (
  /* overlap_by_position: each shared item, repeated for every rank from its own to the largest cutoff. */
  SELECT
    [overlap].[algorithm] AS [algorithm],
    [overlap].[user] AS [user],
    [positions].[rank]
  FROM [overlap]
  JOIN [positions]
    ON [overlap].[rank] <= [positions].[rank]
), [overlap_by_position_per_list] AS (
  /* overlap_by_position_per_list: aggregates over the rows of overlap_by_position, for each list */
  SELECT
    [algorithm],
    [user],
    SUM(CASE WHEN [rank] <= 10 THEN CAST(POWER(CAST(0.85 AS FLOAT), [rank] - 1) AS FLOAT) / [rank] END) AS [agreements_at_10]
  FROM [overlap_by_position]
  GROUP BY
    [algorithm],
    [user]
), [truth_lists] AS (
  /* truth_lists: the lists of the truth. */
  SELECT DISTINCT
    [user]
  FROM [judgments]
), [systems] AS (
  /* systems: the compared systems of each partition: those that have recommendations in it. */
  SELECT DISTINCT
    [algorithm]
  FROM [db].[recs]
  WHERE
    [algorithm] IS NOT NULL AND [user] IS NOT NULL
), [lists] AS (
  /* lists: the lists that the means are taken over: every list of the truth, for every system of its partition. */
  SELECT
    [truth_lists].[user] AS [user],
    [systems].[algorithm] AS [algorithm]
  FROM [truth_lists]
  CROSS JOIN [systems]
), [measured] AS (
  /* measured: one row per list, with the aggregates that its metrics need */
  SELECT
    [lists].[algorithm],
    [lists].[user],
    COALESCE([recommended_per_list].[n_recommended_at_10], 0) AS [n_recommended_at_10],
    COALESCE([baseline_top_items_per_list].[n_baseline_at_10], 0) AS [n_baseline_at_10],
    COALESCE([recommended_in_baseline_per_list].[n_in_baseline_at_10], 0) AS [n_in_baseline_at_10],
    COALESCE([hits_per_list].[n_hits_at_10], 0) AS [n_hits_at_10],
    COALESCE([hits_in_baseline_per_list].[n_hits_in_baseline_at_10], 0) AS [n_hits_in_baseline_at_10],
    COALESCE([overlap_by_position_per_list].[agreements_at_10], 0) AS [agreements_at_10]
  FROM [lists]
  LEFT JOIN [recommended_per_list]
    ON [lists].[algorithm] = [recommended_per_list].[algorithm]
    AND [lists].[user] = [recommended_per_list].[user]
  LEFT JOIN [baseline_top_items_per_list]
    ON [lists].[user] = [baseline_top_items_per_list].[user]
  LEFT JOIN [recommended_in_baseline_per_list]
    ON [lists].[algorithm] = [recommended_in_baseline_per_list].[algorithm]
    AND [lists].[user] = [recommended_in_baseline_per_list].[user]
  LEFT JOIN [hits_per_list]
    ON [lists].[algorithm] = [hits_per_list].[algorithm] AND [lists].[user] = [hits_per_list].[user]
  LEFT JOIN [hits_in_baseline_per_list]
    ON [lists].[algorithm] = [hits_in_baseline_per_list].[algorithm]
    AND [lists].[user] = [hits_in_baseline_per_list].[user]
  LEFT JOIN [overlap_by_position_per_list]
    ON [lists].[algorithm] = [overlap_by_position_per_list].[algorithm]
    AND [lists].[user] = [overlap_by_position_per_list].[user]
), [per_list] AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    [algorithm],
    [user],
    CASE
      WHEN [n_recommended_at_10] > 0 AND [n_baseline_at_10] > 0
      THEN 1 - [n_in_baseline_at_10] / CAST([n_recommended_at_10] AS FLOAT)
      ELSE NULL
    END AS [unexpectedness_at_10],
    CASE
      WHEN [n_baseline_at_10] > 0
      THEN (
        [n_hits_at_10] - [n_hits_in_baseline_at_10]
      ) / CAST(NULLIF([n_recommended_at_10], 0) AS FLOAT)
    END AS [serendipity_at_10],
    CASE
      WHEN [n_recommended_at_10] > 0 AND [n_baseline_at_10] > 0
      THEN [agreements_at_10] * (
        1 - CAST(0.85 AS FLOAT)
      ) / (
        1 - POWER(CAST(0.85 AS FLOAT), 10)
      )
    END AS [rbo_at_10]
  FROM [measured]
)
SELECT
  [algorithm],
  COUNT_BIG(*) AS [n_lists],
  AVG(CAST([unexpectedness_at_10] AS FLOAT)) AS [unexpectedness_at_10],
  AVG(CAST([serendipity_at_10] AS FLOAT)) AS [serendipity_at_10],
  AVG(CAST([rbo_at_10] AS FLOAT)) AS [rbo_at_10]
FROM [per_list]
GROUP BY
  [algorithm]
ORDER BY
  CASE WHEN [algorithm] IS NULL THEN 1 ELSE 0 END, [algorithm]
