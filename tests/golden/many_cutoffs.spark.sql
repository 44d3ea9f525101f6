-- Many cutoffs: the query has the same steps, however many there are.
-- ndcg@1..8, recall@1..8, ap@1..8, rr@8, hit@8, f_beta@10
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
      `rank` <= 1) AS `dcg_by_rank@1`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 2) AS `dcg_by_rank@2`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 3) AS `dcg_by_rank@3`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 4) AS `dcg_by_rank@4`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 5) AS `dcg_by_rank@5`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 6) AS `dcg_by_rank@6`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 7) AS `dcg_by_rank@7`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 8) AS `dcg_by_rank@8`,
    COUNT(*) FILTER(WHERE
      `rank` <= 1) AS `n_hits@1`,
    COUNT(*) FILTER(WHERE
      `rank` <= 2) AS `n_hits@2`,
    COUNT(*) FILTER(WHERE
      `rank` <= 3) AS `n_hits@3`,
    COUNT(*) FILTER(WHERE
      `rank` <= 4) AS `n_hits@4`,
    COUNT(*) FILTER(WHERE
      `rank` <= 5) AS `n_hits@5`,
    COUNT(*) FILTER(WHERE
      `rank` <= 6) AS `n_hits@6`,
    COUNT(*) FILTER(WHERE
      `rank` <= 7) AS `n_hits@7`,
    COUNT(*) FILTER(WHERE
      `rank` <= 8) AS `n_hits@8`,
    SUM(CAST(`hit_number` AS DOUBLE) / `rank`) FILTER(WHERE
      `rank` <= 1) AS `precisions_at_hits@1`,
    SUM(CAST(`hit_number` AS DOUBLE) / `rank`) FILTER(WHERE
      `rank` <= 2) AS `precisions_at_hits@2`,
    SUM(CAST(`hit_number` AS DOUBLE) / `rank`) FILTER(WHERE
      `rank` <= 3) AS `precisions_at_hits@3`,
    SUM(CAST(`hit_number` AS DOUBLE) / `rank`) FILTER(WHERE
      `rank` <= 4) AS `precisions_at_hits@4`,
    SUM(CAST(`hit_number` AS DOUBLE) / `rank`) FILTER(WHERE
      `rank` <= 5) AS `precisions_at_hits@5`,
    SUM(CAST(`hit_number` AS DOUBLE) / `rank`) FILTER(WHERE
      `rank` <= 6) AS `precisions_at_hits@6`,
    SUM(CAST(`hit_number` AS DOUBLE) / `rank`) FILTER(WHERE
      `rank` <= 7) AS `precisions_at_hits@7`,
    SUM(CAST(`hit_number` AS DOUBLE) / `rank`) FILTER(WHERE
      `rank` <= 8) AS `precisions_at_hits@8`,
    MIN(`rank`) FILTER(WHERE
      `rank` <= 8) AS `first_hit@8`,
    COUNT(*) FILTER(WHERE
      `rank` <= 10) AS `n_hits@10`
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
    (8) AS `positions`(`rank`)
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
      `rank` <= 1) AS `ideal_dcg@1`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 2) AS `ideal_dcg@2`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 3) AS `ideal_dcg@3`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 4) AS `ideal_dcg@4`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 5) AS `ideal_dcg@5`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 6) AS `ideal_dcg@6`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 7) AS `ideal_dcg@7`,
    SUM(LN(2) / LN(`rank` + 1)) FILTER(WHERE
      `rank` <= 8) AS `ideal_dcg@8`
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
    COALESCE(`hits_per_list`.`dcg_by_rank@1`, 0) AS `dcg_by_rank@1`,
    COALESCE(`ideal_per_list`.`ideal_dcg@1`, 0) AS `ideal_dcg@1`,
    COALESCE(`hits_per_list`.`dcg_by_rank@2`, 0) AS `dcg_by_rank@2`,
    COALESCE(`ideal_per_list`.`ideal_dcg@2`, 0) AS `ideal_dcg@2`,
    COALESCE(`hits_per_list`.`dcg_by_rank@3`, 0) AS `dcg_by_rank@3`,
    COALESCE(`ideal_per_list`.`ideal_dcg@3`, 0) AS `ideal_dcg@3`,
    COALESCE(`hits_per_list`.`dcg_by_rank@4`, 0) AS `dcg_by_rank@4`,
    COALESCE(`ideal_per_list`.`ideal_dcg@4`, 0) AS `ideal_dcg@4`,
    COALESCE(`hits_per_list`.`dcg_by_rank@5`, 0) AS `dcg_by_rank@5`,
    COALESCE(`ideal_per_list`.`ideal_dcg@5`, 0) AS `ideal_dcg@5`,
    COALESCE(`hits_per_list`.`dcg_by_rank@6`, 0) AS `dcg_by_rank@6`,
    COALESCE(`ideal_per_list`.`ideal_dcg@6`, 0) AS `ideal_dcg@6`,
    COALESCE(`hits_per_list`.`dcg_by_rank@7`, 0) AS `dcg_by_rank@7`,
    COALESCE(`ideal_per_list`.`ideal_dcg@7`, 0) AS `ideal_dcg@7`,
    COALESCE(`hits_per_list`.`dcg_by_rank@8`, 0) AS `dcg_by_rank@8`,
    COALESCE(`ideal_per_list`.`ideal_dcg@8`, 0) AS `ideal_dcg@8`,
    COALESCE(`hits_per_list`.`n_hits@1`, 0) AS `n_hits@1`,
    COALESCE(`relevant_counts_per_list`.`n_relevant`, 0) AS `n_relevant`,
    COALESCE(`hits_per_list`.`n_hits@2`, 0) AS `n_hits@2`,
    COALESCE(`hits_per_list`.`n_hits@3`, 0) AS `n_hits@3`,
    COALESCE(`hits_per_list`.`n_hits@4`, 0) AS `n_hits@4`,
    COALESCE(`hits_per_list`.`n_hits@5`, 0) AS `n_hits@5`,
    COALESCE(`hits_per_list`.`n_hits@6`, 0) AS `n_hits@6`,
    COALESCE(`hits_per_list`.`n_hits@7`, 0) AS `n_hits@7`,
    COALESCE(`hits_per_list`.`n_hits@8`, 0) AS `n_hits@8`,
    COALESCE(`hits_per_list`.`precisions_at_hits@1`, 0) AS `precisions_at_hits@1`,
    COALESCE(`hits_per_list`.`precisions_at_hits@2`, 0) AS `precisions_at_hits@2`,
    COALESCE(`hits_per_list`.`precisions_at_hits@3`, 0) AS `precisions_at_hits@3`,
    COALESCE(`hits_per_list`.`precisions_at_hits@4`, 0) AS `precisions_at_hits@4`,
    COALESCE(`hits_per_list`.`precisions_at_hits@5`, 0) AS `precisions_at_hits@5`,
    COALESCE(`hits_per_list`.`precisions_at_hits@6`, 0) AS `precisions_at_hits@6`,
    COALESCE(`hits_per_list`.`precisions_at_hits@7`, 0) AS `precisions_at_hits@7`,
    COALESCE(`hits_per_list`.`precisions_at_hits@8`, 0) AS `precisions_at_hits@8`,
    `hits_per_list`.`first_hit@8` AS `first_hit@8`,
    COALESCE(`hits_per_list`.`n_hits@10`, 0) AS `n_hits@10`
  FROM `lists`
  LEFT JOIN `hits_per_list`
    ON `lists`.`algorithm` = `hits_per_list`.`algorithm` AND `lists`.`user` = `hits_per_list`.`user`
  LEFT JOIN `relevant_counts_per_list`
    ON `lists`.`user` = `relevant_counts_per_list`.`user`
  LEFT JOIN `ideal_per_list`
    ON LEAST(8, COALESCE(`relevant_counts_per_list`.`n_relevant`, 0)) = `ideal_per_list`.`n_relevant`
), `per_list` AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    `algorithm`,
    `user`,
    `dcg_by_rank@1` / NULLIF(`ideal_dcg@1`, 0) AS `ndcg@1`,
    `dcg_by_rank@2` / NULLIF(`ideal_dcg@2`, 0) AS `ndcg@2`,
    `dcg_by_rank@3` / NULLIF(`ideal_dcg@3`, 0) AS `ndcg@3`,
    `dcg_by_rank@4` / NULLIF(`ideal_dcg@4`, 0) AS `ndcg@4`,
    `dcg_by_rank@5` / NULLIF(`ideal_dcg@5`, 0) AS `ndcg@5`,
    `dcg_by_rank@6` / NULLIF(`ideal_dcg@6`, 0) AS `ndcg@6`,
    `dcg_by_rank@7` / NULLIF(`ideal_dcg@7`, 0) AS `ndcg@7`,
    `dcg_by_rank@8` / NULLIF(`ideal_dcg@8`, 0) AS `ndcg@8`,
    `n_hits@1` / NULLIF(`n_relevant`, 0) AS `recall@1`,
    `n_hits@2` / NULLIF(`n_relevant`, 0) AS `recall@2`,
    `n_hits@3` / NULLIF(`n_relevant`, 0) AS `recall@3`,
    `n_hits@4` / NULLIF(`n_relevant`, 0) AS `recall@4`,
    `n_hits@5` / NULLIF(`n_relevant`, 0) AS `recall@5`,
    `n_hits@6` / NULLIF(`n_relevant`, 0) AS `recall@6`,
    `n_hits@7` / NULLIF(`n_relevant`, 0) AS `recall@7`,
    `n_hits@8` / NULLIF(`n_relevant`, 0) AS `recall@8`,
    CASE WHEN `n_relevant` > 0 THEN `precisions_at_hits@1` / NULLIF(LEAST(1, `n_relevant`), 0) END AS `ap@1`,
    CASE WHEN `n_relevant` > 0 THEN `precisions_at_hits@2` / NULLIF(LEAST(2, `n_relevant`), 0) END AS `ap@2`,
    CASE WHEN `n_relevant` > 0 THEN `precisions_at_hits@3` / NULLIF(LEAST(3, `n_relevant`), 0) END AS `ap@3`,
    CASE WHEN `n_relevant` > 0 THEN `precisions_at_hits@4` / NULLIF(LEAST(4, `n_relevant`), 0) END AS `ap@4`,
    CASE WHEN `n_relevant` > 0 THEN `precisions_at_hits@5` / NULLIF(LEAST(5, `n_relevant`), 0) END AS `ap@5`,
    CASE WHEN `n_relevant` > 0 THEN `precisions_at_hits@6` / NULLIF(LEAST(6, `n_relevant`), 0) END AS `ap@6`,
    CASE WHEN `n_relevant` > 0 THEN `precisions_at_hits@7` / NULLIF(LEAST(7, `n_relevant`), 0) END AS `ap@7`,
    CASE WHEN `n_relevant` > 0 THEN `precisions_at_hits@8` / NULLIF(LEAST(8, `n_relevant`), 0) END AS `ap@8`,
    CASE WHEN `n_relevant` > 0 THEN COALESCE(CAST(1 AS DOUBLE) / `first_hit@8`, 0) END AS `rr@8`,
    CASE
      WHEN `n_relevant` > 0
      THEN CASE WHEN `first_hit@8` IS NOT NULL THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
    END AS `hit@8`,
    CASE
      WHEN 1 * 1 * (
        `n_hits@10` / 10
      ) + (
        `n_hits@10` / NULLIF(`n_relevant`, 0)
      ) = 0
      THEN CAST(0 AS DOUBLE)
      ELSE (
        1 + 1 * 1
      ) * (
        `n_hits@10` / 10
      ) * (
        `n_hits@10` / NULLIF(`n_relevant`, 0)
      ) / (
        1 * 1 * (
          `n_hits@10` / 10
        ) + (
          `n_hits@10` / NULLIF(`n_relevant`, 0)
        )
      )
    END AS `f_beta@10`
  FROM `measured`
)
SELECT
  `algorithm`,
  COUNT(*) AS `n_lists`,
  AVG(CAST(`ndcg@1` AS DOUBLE)) AS `ndcg@1`,
  AVG(CAST(`ndcg@2` AS DOUBLE)) AS `ndcg@2`,
  AVG(CAST(`ndcg@3` AS DOUBLE)) AS `ndcg@3`,
  AVG(CAST(`ndcg@4` AS DOUBLE)) AS `ndcg@4`,
  AVG(CAST(`ndcg@5` AS DOUBLE)) AS `ndcg@5`,
  AVG(CAST(`ndcg@6` AS DOUBLE)) AS `ndcg@6`,
  AVG(CAST(`ndcg@7` AS DOUBLE)) AS `ndcg@7`,
  AVG(CAST(`ndcg@8` AS DOUBLE)) AS `ndcg@8`,
  AVG(CAST(`recall@1` AS DOUBLE)) AS `recall@1`,
  AVG(CAST(`recall@2` AS DOUBLE)) AS `recall@2`,
  AVG(CAST(`recall@3` AS DOUBLE)) AS `recall@3`,
  AVG(CAST(`recall@4` AS DOUBLE)) AS `recall@4`,
  AVG(CAST(`recall@5` AS DOUBLE)) AS `recall@5`,
  AVG(CAST(`recall@6` AS DOUBLE)) AS `recall@6`,
  AVG(CAST(`recall@7` AS DOUBLE)) AS `recall@7`,
  AVG(CAST(`recall@8` AS DOUBLE)) AS `recall@8`,
  AVG(CAST(`ap@1` AS DOUBLE)) AS `ap@1`,
  AVG(CAST(`ap@2` AS DOUBLE)) AS `ap@2`,
  AVG(CAST(`ap@3` AS DOUBLE)) AS `ap@3`,
  AVG(CAST(`ap@4` AS DOUBLE)) AS `ap@4`,
  AVG(CAST(`ap@5` AS DOUBLE)) AS `ap@5`,
  AVG(CAST(`ap@6` AS DOUBLE)) AS `ap@6`,
  AVG(CAST(`ap@7` AS DOUBLE)) AS `ap@7`,
  AVG(CAST(`ap@8` AS DOUBLE)) AS `ap@8`,
  AVG(CAST(`rr@8` AS DOUBLE)) AS `rr@8`,
  AVG(CAST(`hit@8` AS DOUBLE)) AS `hit@8`,
  AVG(CAST(`f_beta@10` AS DOUBLE)) AS `f_beta@10`
FROM `per_list`
GROUP BY
  `algorithm`
ORDER BY
  `algorithm` NULLS LAST
