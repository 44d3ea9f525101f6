-- Three metrics of algorithms over users, ranked by a rank column: the plain case.
-- ndcg@10, recall@5,10, ap@10
WITH `ranked` AS (
  /* ranked: every recommendation with its rank; rows with a NULL id are left out. */
  SELECT
    `algorithm`,
    `user`,
    `item`,
    CAST(`rank` AS BIGINT) AS `rank`
  FROM `db`.`recs`
  WHERE
    `algorithm` IS NOT NULL AND `user` IS NOT NULL AND `item` IS NOT NULL
), `recommended` AS (
  /* recommended: the recommendations down to the largest cutoff. */
  SELECT
    `algorithm`,
    `user`,
    `item`,
    `rank`
  FROM `ranked`
  WHERE
    `rank` <= 10
), `judgments` AS (
  /* judgments: the rows of the truth; a missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT
    `user`,
    `item`,
    CAST(1 AS DOUBLE) AS `rating`
  FROM `db`.`truth`
  WHERE
    `user` IS NOT NULL AND `item` IS NOT NULL
), `relevant` AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT
    `user`,
    `item`
  FROM `judgments`
  WHERE
    `rating` > 0
), `matches` AS (
  /* matches: the recommendations of relevant items. */
  SELECT
    `recommended`.`algorithm` AS `algorithm`,
    `recommended`.`user` AS `user`,
    `recommended`.`item`,
    `recommended`.`rank`
  FROM `recommended`
  JOIN `relevant`
    ON `recommended`.`user` = `relevant`.`user` AND `recommended`.`item` = `relevant`.`item`
), `unnumbered_hits` AS (
  /* unnumbered_hits: the relevant items that were recommended, each once, with its best rank and its highest rating. */
  SELECT
    `algorithm`,
    `user`,
    MIN(`rank`) AS `rank`
  FROM `matches`
  GROUP BY
    `algorithm`,
    `user`,
    `item`
), `hits` AS (
  /* hits: the relevant items that were recommended, numbered from the top of the list. */
  SELECT
    `algorithm`,
    `user`,
    `rank`,
    ROW_NUMBER() OVER (PARTITION BY `algorithm`, `user` ORDER BY `rank` NULLS LAST) AS `hit_number`
  FROM `unnumbered_hits`
), `hits_per_list` AS (
  /* hits_per_list: aggregates over the rows of hits, for each list */
  SELECT
    `algorithm`,
    `user`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 10) AS `dcg_by_rank_at_10`,
    COUNT(*) FILTER(WHERE
      `rank` <= 5) AS `n_hits_at_5`,
    COUNT(*) FILTER(WHERE
      `rank` <= 10) AS `n_hits_at_10`,
    SUM(CAST(`hit_number` AS DOUBLE) / `rank`) FILTER(WHERE
      `rank` <= 10) AS `precisions_at_hits_at_10`
  FROM `hits`
  GROUP BY
    `algorithm`,
    `user`
), `positions` AS (
  /* positions: the ranks from 1 to the largest cutoff. */
  SELECT
    `rank`
  FROM VALUES
    (1),
    (2),
    (3),
    (4),
    (5),
    (6),
    (7),
    (8),
    (9),
    (10) AS `positions`(`rank`)
), `ideal` AS (
  /* ideal: the ranks of an ideal list, for each possible number of relevant items. */
  SELECT
    `counts`.`rank` AS `n_relevant`,
    `positions`.`rank` AS `rank`
  FROM `positions` AS `counts`
  JOIN `positions`
    ON `positions`.`rank` <= `counts`.`rank`
), `ideal_per_list` AS (
  /* ideal_per_list: aggregates over the rows of ideal, for each number of relevant items */
  SELECT
    `n_relevant`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 10) AS `ideal_dcg_at_10`
  FROM `ideal`
  GROUP BY
    `n_relevant`
), `relevant_counts` AS (
  /* relevant_counts: the number of rows, items and relevant items of each truth list. */
  SELECT
    `user`,
    COUNT(DISTINCT `item`) FILTER(WHERE
      `rating` > 0) AS `n_relevant`
  FROM `judgments`
  GROUP BY
    `user`
), `relevant_counts_per_list` AS (
  /* relevant_counts_per_list: aggregates over the rows of relevant_counts, for each list */
  SELECT
    `user`,
    `n_relevant`
  FROM `relevant_counts`
), `systems` AS (
  /* systems: the compared systems of each partition: those that have recommendations in it. */
  SELECT DISTINCT
    `algorithm`
  FROM `db`.`recs`
  WHERE
    `algorithm` IS NOT NULL AND `user` IS NOT NULL
), `lists` AS (
  /* lists: the lists that the means are taken over: every list of the truth, for every system of its partition. */
  SELECT /*+ BROADCAST(`systems`) */
    `relevant_counts`.`user` AS `user`,
    `systems`.`algorithm` AS `algorithm`
  FROM `relevant_counts`
  CROSS JOIN `systems`
), `measured` AS (
  /* measured: one row per list, with the aggregates that its metrics need */
  SELECT
    `lists`.`algorithm`,
    `lists`.`user`,
    COALESCE(`hits_per_list`.`dcg_by_rank_at_10`, 0) AS `dcg_by_rank_at_10`,
    COALESCE(`ideal_per_list`.`ideal_dcg_at_10`, 0) AS `ideal_dcg_at_10`,
    COALESCE(`hits_per_list`.`n_hits_at_5`, 0) AS `n_hits_at_5`,
    COALESCE(`relevant_counts_per_list`.`n_relevant`, 0) AS `n_relevant`,
    COALESCE(`hits_per_list`.`n_hits_at_10`, 0) AS `n_hits_at_10`,
    COALESCE(`hits_per_list`.`precisions_at_hits_at_10`, 0) AS `precisions_at_hits_at_10`
  FROM `lists`
  LEFT JOIN `hits_per_list`
    ON `lists`.`algorithm` = `hits_per_list`.`algorithm` AND `lists`.`user` = `hits_per_list`.`user`
  LEFT JOIN `relevant_counts_per_list`
    ON `lists`.`user` = `relevant_counts_per_list`.`user`
  LEFT JOIN `ideal_per_list`
    ON LEAST(10, COALESCE(`relevant_counts_per_list`.`n_relevant`, 0)) = `ideal_per_list`.`n_relevant`
), `per_list` AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    `algorithm`,
    `user`,
    `dcg_by_rank_at_10` / NULLIF(`ideal_dcg_at_10`, 0) AS `ndcg_at_10`,
    `n_hits_at_5` / NULLIF(`n_relevant`, 0) AS `recall_at_5`,
    `n_hits_at_10` / NULLIF(`n_relevant`, 0) AS `recall_at_10`,
    CASE WHEN `n_relevant` > 0 THEN `precisions_at_hits_at_10` / NULLIF(LEAST(10, `n_relevant`), 0) END AS `ap_at_10`
  FROM `measured`
)
SELECT
  `algorithm`,
  COUNT(*) AS `n_lists`,
  AVG(CAST(`ndcg_at_10` AS DOUBLE)) AS `ndcg_at_10`,
  AVG(CAST(`recall_at_5` AS DOUBLE)) AS `recall_at_5`,
  AVG(CAST(`recall_at_10` AS DOUBLE)) AS `recall_at_10`,
  AVG(CAST(`ap_at_10` AS DOUBLE)) AS `ap_at_10`
FROM `per_list`
GROUP BY
  `algorithm`
ORDER BY
  `algorithm` NULLS LAST
