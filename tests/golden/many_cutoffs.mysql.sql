-- Many cutoffs: the query has the same steps, however many there are.
-- ndcg@1..8, recall@1..8, ap@1..8, rr@8, hit@8, f_beta@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, a list for each algorithm, user.
-- ndcg@1, ndcg@2, ndcg@3, ndcg@4, ndcg@5, ndcg@6, ndcg@7, ndcg@8: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
-- recall@1, recall@2, recall@3, recall@4, recall@5, recall@6, recall@7, recall@8: share of the relevant items that are among the first k.
-- ap@1, ap@2, ap@3, ap@4, ap@5, ap@6, ap@7, ap@8: average precision: mean, over the relevant items, of the precision at the rank of each. Its mean over lists is MAP.
-- rr@8: reciprocal rank: 1 / rank of the first hit, 0 if there is no hit among the first k. Its mean over lists is MRR.
-- hit@8: 1 if a relevant item is among the first k recommendations, else 0. Its mean over lists is the hit rate.
-- f_beta@10: weighted harmonic mean of two metrics, by default precision P and recall R: (1 + beta^2) P R / (beta^2 P + R), 0 if both are 0.
WITH `unnumbered_hits` AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT `recs`.`algorithm`, `recs`.`user`, MIN(CAST(`recs`.`rank` AS SIGNED)) AS `rank`
  FROM `db`.`recs`
  JOIN `db`.`truth` ON `recs`.`user` = `truth`.`user` AND `recs`.`item` = `truth`.`item`
  WHERE `recs`.`algorithm` IS NOT NULL AND `recs`.`rank` <= 10
  GROUP BY `recs`.`algorithm`, `recs`.`user`, `recs`.`item`
), `hits` AS (
  /* hits: one row per hit, numbered from the top of the list. */
  SELECT
    `algorithm`,
    `user`,
    `rank`,
    CAST(ROW_NUMBER() OVER (
      PARTITION BY `unnumbered_hits`.`algorithm`, `unnumbered_hits`.`user`
      ORDER BY CASE WHEN `unnumbered_hits`.`rank` IS NULL THEN 1 ELSE 0 END, `unnumbered_hits`.`rank`
    ) AS SIGNED) AS `hit_number`
  FROM `unnumbered_hits`
), `hits_per_list` AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    `algorithm`,
    `user`,
    SUM(CASE WHEN `rank` <= 1 THEN LN(2) / LN(`rank` + 1) END) AS `dcg_by_rank_at_1`,
    SUM(CASE WHEN `rank` <= 2 THEN LN(2) / LN(`rank` + 1) END) AS `dcg_by_rank_at_2`,
    SUM(CASE WHEN `rank` <= 3 THEN LN(2) / LN(`rank` + 1) END) AS `dcg_by_rank_at_3`,
    SUM(CASE WHEN `rank` <= 4 THEN LN(2) / LN(`rank` + 1) END) AS `dcg_by_rank_at_4`,
    SUM(CASE WHEN `rank` <= 5 THEN LN(2) / LN(`rank` + 1) END) AS `dcg_by_rank_at_5`,
    SUM(CASE WHEN `rank` <= 6 THEN LN(2) / LN(`rank` + 1) END) AS `dcg_by_rank_at_6`,
    SUM(CASE WHEN `rank` <= 7 THEN LN(2) / LN(`rank` + 1) END) AS `dcg_by_rank_at_7`,
    SUM(CASE WHEN `rank` <= 8 THEN LN(2) / LN(`rank` + 1) END) AS `dcg_by_rank_at_8`,
    CAST(COUNT(CASE WHEN `rank` <= 1 THEN 1 END) AS SIGNED) AS `n_hits_at_1`,
    CAST(COUNT(CASE WHEN `rank` <= 2 THEN 1 END) AS SIGNED) AS `n_hits_at_2`,
    CAST(COUNT(CASE WHEN `rank` <= 3 THEN 1 END) AS SIGNED) AS `n_hits_at_3`,
    CAST(COUNT(CASE WHEN `rank` <= 4 THEN 1 END) AS SIGNED) AS `n_hits_at_4`,
    CAST(COUNT(CASE WHEN `rank` <= 5 THEN 1 END) AS SIGNED) AS `n_hits_at_5`,
    CAST(COUNT(CASE WHEN `rank` <= 6 THEN 1 END) AS SIGNED) AS `n_hits_at_6`,
    CAST(COUNT(CASE WHEN `rank` <= 7 THEN 1 END) AS SIGNED) AS `n_hits_at_7`,
    CAST(COUNT(CASE WHEN `rank` <= 8 THEN 1 END) AS SIGNED) AS `n_hits_at_8`,
    SUM(CASE WHEN `rank` <= 1 THEN CAST(`hit_number` AS DOUBLE) / `rank` END) AS `precisions_at_hits_at_1`,
    SUM(CASE WHEN `rank` <= 2 THEN CAST(`hit_number` AS DOUBLE) / `rank` END) AS `precisions_at_hits_at_2`,
    SUM(CASE WHEN `rank` <= 3 THEN CAST(`hit_number` AS DOUBLE) / `rank` END) AS `precisions_at_hits_at_3`,
    SUM(CASE WHEN `rank` <= 4 THEN CAST(`hit_number` AS DOUBLE) / `rank` END) AS `precisions_at_hits_at_4`,
    SUM(CASE WHEN `rank` <= 5 THEN CAST(`hit_number` AS DOUBLE) / `rank` END) AS `precisions_at_hits_at_5`,
    SUM(CASE WHEN `rank` <= 6 THEN CAST(`hit_number` AS DOUBLE) / `rank` END) AS `precisions_at_hits_at_6`,
    SUM(CASE WHEN `rank` <= 7 THEN CAST(`hit_number` AS DOUBLE) / `rank` END) AS `precisions_at_hits_at_7`,
    SUM(CASE WHEN `rank` <= 8 THEN CAST(`hit_number` AS DOUBLE) / `rank` END) AS `precisions_at_hits_at_8`,
    MIN(CASE WHEN `rank` <= 8 THEN `rank` END) AS `first_hit_at_8`,
    CAST(COUNT(*) AS SIGNED) AS `n_hits_at_10`
  FROM `hits`
  GROUP BY `algorithm`, `user`
), `positions` AS (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT `rank`
  FROM (
    SELECT 1 AS `rank` UNION ALL SELECT 2 AS `rank` UNION ALL SELECT 3 AS `rank` UNION ALL SELECT 4 AS `rank` UNION ALL
    SELECT 5 AS `rank` UNION ALL SELECT 6 AS `rank` UNION ALL SELECT 7 AS `rank` UNION ALL SELECT 8 AS `rank`
  ) AS `positions`
), `ideal_per_list` AS (
  /* ideal_per_list: one row per number of relevant items, with aggregates that metrics are computed from */
  SELECT
    `counts`.`rank` AS `n_relevant`,
    SUM(CASE WHEN `positions`.`rank` <= 1 THEN LN(2) / LN(`positions`.`rank` + 1) END) AS `ideal_dcg_at_1`,
    SUM(CASE WHEN `positions`.`rank` <= 2 THEN LN(2) / LN(`positions`.`rank` + 1) END) AS `ideal_dcg_at_2`,
    SUM(CASE WHEN `positions`.`rank` <= 3 THEN LN(2) / LN(`positions`.`rank` + 1) END) AS `ideal_dcg_at_3`,
    SUM(CASE WHEN `positions`.`rank` <= 4 THEN LN(2) / LN(`positions`.`rank` + 1) END) AS `ideal_dcg_at_4`,
    SUM(CASE WHEN `positions`.`rank` <= 5 THEN LN(2) / LN(`positions`.`rank` + 1) END) AS `ideal_dcg_at_5`,
    SUM(CASE WHEN `positions`.`rank` <= 6 THEN LN(2) / LN(`positions`.`rank` + 1) END) AS `ideal_dcg_at_6`,
    SUM(CASE WHEN `positions`.`rank` <= 7 THEN LN(2) / LN(`positions`.`rank` + 1) END) AS `ideal_dcg_at_7`,
    SUM(LN(2) / LN(`positions`.`rank` + 1)) AS `ideal_dcg_at_8`
  FROM `positions` AS `counts`
  JOIN `positions` ON `positions`.`rank` <= `counts`.`rank`
  GROUP BY `counts`.`rank`
), `relevant_counts` AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT `user`, CAST(COUNT(DISTINCT `item`) AS SIGNED) AS `n_relevant`
  FROM `db`.`truth`
  WHERE `user` IS NOT NULL AND `item` IS NOT NULL
  GROUP BY `user`
), `systems` AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT `algorithm`
  FROM `db`.`recs`
  WHERE `algorithm` IS NOT NULL AND `user` IS NOT NULL
), `measured` AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    `systems`.`algorithm`,
    `relevant_counts`.`user`,
    COALESCE(`hits_per_list`.`dcg_by_rank_at_1`, 0) AS `dcg_by_rank_at_1`,
    COALESCE(`ideal_per_list`.`ideal_dcg_at_1`, 0) AS `ideal_dcg_at_1`,
    COALESCE(`hits_per_list`.`dcg_by_rank_at_2`, 0) AS `dcg_by_rank_at_2`,
    COALESCE(`ideal_per_list`.`ideal_dcg_at_2`, 0) AS `ideal_dcg_at_2`,
    COALESCE(`hits_per_list`.`dcg_by_rank_at_3`, 0) AS `dcg_by_rank_at_3`,
    COALESCE(`ideal_per_list`.`ideal_dcg_at_3`, 0) AS `ideal_dcg_at_3`,
    COALESCE(`hits_per_list`.`dcg_by_rank_at_4`, 0) AS `dcg_by_rank_at_4`,
    COALESCE(`ideal_per_list`.`ideal_dcg_at_4`, 0) AS `ideal_dcg_at_4`,
    COALESCE(`hits_per_list`.`dcg_by_rank_at_5`, 0) AS `dcg_by_rank_at_5`,
    COALESCE(`ideal_per_list`.`ideal_dcg_at_5`, 0) AS `ideal_dcg_at_5`,
    COALESCE(`hits_per_list`.`dcg_by_rank_at_6`, 0) AS `dcg_by_rank_at_6`,
    COALESCE(`ideal_per_list`.`ideal_dcg_at_6`, 0) AS `ideal_dcg_at_6`,
    COALESCE(`hits_per_list`.`dcg_by_rank_at_7`, 0) AS `dcg_by_rank_at_7`,
    COALESCE(`ideal_per_list`.`ideal_dcg_at_7`, 0) AS `ideal_dcg_at_7`,
    COALESCE(`hits_per_list`.`dcg_by_rank_at_8`, 0) AS `dcg_by_rank_at_8`,
    COALESCE(`ideal_per_list`.`ideal_dcg_at_8`, 0) AS `ideal_dcg_at_8`,
    COALESCE(`hits_per_list`.`n_hits_at_1`, 0) AS `n_hits_at_1`,
    COALESCE(`relevant_counts`.`n_relevant`, 0) AS `n_relevant`,
    COALESCE(`hits_per_list`.`n_hits_at_2`, 0) AS `n_hits_at_2`,
    COALESCE(`hits_per_list`.`n_hits_at_3`, 0) AS `n_hits_at_3`,
    COALESCE(`hits_per_list`.`n_hits_at_4`, 0) AS `n_hits_at_4`,
    COALESCE(`hits_per_list`.`n_hits_at_5`, 0) AS `n_hits_at_5`,
    COALESCE(`hits_per_list`.`n_hits_at_6`, 0) AS `n_hits_at_6`,
    COALESCE(`hits_per_list`.`n_hits_at_7`, 0) AS `n_hits_at_7`,
    COALESCE(`hits_per_list`.`n_hits_at_8`, 0) AS `n_hits_at_8`,
    COALESCE(`hits_per_list`.`precisions_at_hits_at_1`, 0) AS `precisions_at_hits_at_1`,
    COALESCE(`hits_per_list`.`precisions_at_hits_at_2`, 0) AS `precisions_at_hits_at_2`,
    COALESCE(`hits_per_list`.`precisions_at_hits_at_3`, 0) AS `precisions_at_hits_at_3`,
    COALESCE(`hits_per_list`.`precisions_at_hits_at_4`, 0) AS `precisions_at_hits_at_4`,
    COALESCE(`hits_per_list`.`precisions_at_hits_at_5`, 0) AS `precisions_at_hits_at_5`,
    COALESCE(`hits_per_list`.`precisions_at_hits_at_6`, 0) AS `precisions_at_hits_at_6`,
    COALESCE(`hits_per_list`.`precisions_at_hits_at_7`, 0) AS `precisions_at_hits_at_7`,
    COALESCE(`hits_per_list`.`precisions_at_hits_at_8`, 0) AS `precisions_at_hits_at_8`,
    `hits_per_list`.`first_hit_at_8` AS `first_hit_at_8`,
    COALESCE(`hits_per_list`.`n_hits_at_10`, 0) AS `n_hits_at_10`
  FROM `relevant_counts`
  CROSS JOIN `systems`
  LEFT JOIN `hits_per_list`
    ON `systems`.`algorithm` = `hits_per_list`.`algorithm`
    AND `relevant_counts`.`user` = `hits_per_list`.`user`
  LEFT JOIN `ideal_per_list`
    ON COALESCE(LEAST(8, COALESCE(`relevant_counts`.`n_relevant`, 0)), 8, COALESCE(`relevant_counts`.`n_relevant`, 0)) = `ideal_per_list`.`n_relevant`
)
SELECT
  `algorithm`,
  CAST(COUNT(*) AS SIGNED) AS `n_lists`,
  AVG(CAST(CAST(`dcg_by_rank_at_1` AS DOUBLE) / NULLIF(`ideal_dcg_at_1`, 0) AS DOUBLE)) AS `ndcg_at_1`,
  AVG(CAST(CAST(`dcg_by_rank_at_2` AS DOUBLE) / NULLIF(`ideal_dcg_at_2`, 0) AS DOUBLE)) AS `ndcg_at_2`,
  AVG(CAST(CAST(`dcg_by_rank_at_3` AS DOUBLE) / NULLIF(`ideal_dcg_at_3`, 0) AS DOUBLE)) AS `ndcg_at_3`,
  AVG(CAST(CAST(`dcg_by_rank_at_4` AS DOUBLE) / NULLIF(`ideal_dcg_at_4`, 0) AS DOUBLE)) AS `ndcg_at_4`,
  AVG(CAST(CAST(`dcg_by_rank_at_5` AS DOUBLE) / NULLIF(`ideal_dcg_at_5`, 0) AS DOUBLE)) AS `ndcg_at_5`,
  AVG(CAST(CAST(`dcg_by_rank_at_6` AS DOUBLE) / NULLIF(`ideal_dcg_at_6`, 0) AS DOUBLE)) AS `ndcg_at_6`,
  AVG(CAST(CAST(`dcg_by_rank_at_7` AS DOUBLE) / NULLIF(`ideal_dcg_at_7`, 0) AS DOUBLE)) AS `ndcg_at_7`,
  AVG(CAST(CAST(`dcg_by_rank_at_8` AS DOUBLE) / NULLIF(`ideal_dcg_at_8`, 0) AS DOUBLE)) AS `ndcg_at_8`,
  AVG(CAST(CAST(`n_hits_at_1` AS DOUBLE) / NULLIF(`n_relevant`, 0) AS DOUBLE)) AS `recall_at_1`,
  AVG(CAST(CAST(`n_hits_at_2` AS DOUBLE) / NULLIF(`n_relevant`, 0) AS DOUBLE)) AS `recall_at_2`,
  AVG(CAST(CAST(`n_hits_at_3` AS DOUBLE) / NULLIF(`n_relevant`, 0) AS DOUBLE)) AS `recall_at_3`,
  AVG(CAST(CAST(`n_hits_at_4` AS DOUBLE) / NULLIF(`n_relevant`, 0) AS DOUBLE)) AS `recall_at_4`,
  AVG(CAST(CAST(`n_hits_at_5` AS DOUBLE) / NULLIF(`n_relevant`, 0) AS DOUBLE)) AS `recall_at_5`,
  AVG(CAST(CAST(`n_hits_at_6` AS DOUBLE) / NULLIF(`n_relevant`, 0) AS DOUBLE)) AS `recall_at_6`,
  AVG(CAST(CAST(`n_hits_at_7` AS DOUBLE) / NULLIF(`n_relevant`, 0) AS DOUBLE)) AS `recall_at_7`,
  AVG(CAST(CAST(`n_hits_at_8` AS DOUBLE) / NULLIF(`n_relevant`, 0) AS DOUBLE)) AS `recall_at_8`,
  AVG(
    CAST(CASE
      WHEN `n_relevant` > 0
      THEN CAST(`precisions_at_hits_at_1` AS DOUBLE) / NULLIF(COALESCE(LEAST(1, `n_relevant`), 1, `n_relevant`), 0)
    END AS DOUBLE)
  ) AS `ap_at_1`,
  AVG(
    CAST(CASE
      WHEN `n_relevant` > 0
      THEN CAST(`precisions_at_hits_at_2` AS DOUBLE) / NULLIF(COALESCE(LEAST(2, `n_relevant`), 2, `n_relevant`), 0)
    END AS DOUBLE)
  ) AS `ap_at_2`,
  AVG(
    CAST(CASE
      WHEN `n_relevant` > 0
      THEN CAST(`precisions_at_hits_at_3` AS DOUBLE) / NULLIF(COALESCE(LEAST(3, `n_relevant`), 3, `n_relevant`), 0)
    END AS DOUBLE)
  ) AS `ap_at_3`,
  AVG(
    CAST(CASE
      WHEN `n_relevant` > 0
      THEN CAST(`precisions_at_hits_at_4` AS DOUBLE) / NULLIF(COALESCE(LEAST(4, `n_relevant`), 4, `n_relevant`), 0)
    END AS DOUBLE)
  ) AS `ap_at_4`,
  AVG(
    CAST(CASE
      WHEN `n_relevant` > 0
      THEN CAST(`precisions_at_hits_at_5` AS DOUBLE) / NULLIF(COALESCE(LEAST(5, `n_relevant`), 5, `n_relevant`), 0)
    END AS DOUBLE)
  ) AS `ap_at_5`,
  AVG(
    CAST(CASE
      WHEN `n_relevant` > 0
      THEN CAST(`precisions_at_hits_at_6` AS DOUBLE) / NULLIF(COALESCE(LEAST(6, `n_relevant`), 6, `n_relevant`), 0)
    END AS DOUBLE)
  ) AS `ap_at_6`,
  AVG(
    CAST(CASE
      WHEN `n_relevant` > 0
      THEN CAST(`precisions_at_hits_at_7` AS DOUBLE) / NULLIF(COALESCE(LEAST(7, `n_relevant`), 7, `n_relevant`), 0)
    END AS DOUBLE)
  ) AS `ap_at_7`,
  AVG(
    CAST(CASE
      WHEN `n_relevant` > 0
      THEN CAST(`precisions_at_hits_at_8` AS DOUBLE) / NULLIF(COALESCE(LEAST(8, `n_relevant`), 8, `n_relevant`), 0)
    END AS DOUBLE)
  ) AS `ap_at_8`,
  AVG(
    CAST(CASE WHEN `n_relevant` > 0 THEN COALESCE(CAST(1 AS DOUBLE) / `first_hit_at_8`, 0) END AS DOUBLE)
  ) AS `rr_at_8`,
  AVG(
    CAST(CASE
      WHEN `n_relevant` > 0
      THEN CASE WHEN `first_hit_at_8` IS NOT NULL THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
    END AS DOUBLE)
  ) AS `hit_at_8`,
  AVG(
    CAST(CASE
      WHEN (
        CAST(`n_hits_at_10` AS DOUBLE) / 10
      ) + (
        CAST(`n_hits_at_10` AS DOUBLE) / NULLIF(`n_relevant`, 0)
      ) = 0
      THEN CAST(0 AS DOUBLE)
      ELSE CAST((
        1 + 1
      ) * (
        CAST(`n_hits_at_10` AS DOUBLE) / 10
      ) * (
        CAST(`n_hits_at_10` AS DOUBLE) / NULLIF(`n_relevant`, 0)
      ) AS DOUBLE) / (
        (
          CAST(`n_hits_at_10` AS DOUBLE) / 10
        ) + (
          CAST(`n_hits_at_10` AS DOUBLE) / NULLIF(`n_relevant`, 0)
        )
      )
    END AS DOUBLE)
  ) AS `f_beta_at_10`
FROM `measured`
GROUP BY `algorithm`
ORDER BY CASE WHEN `algorithm` IS NULL THEN 1 ELSE 0 END, `algorithm`
