-- overlap_share_totals: one row per list and rank down to which both lists may have a shared item, with sums over these items.
--
-- n_shared: the number of these items. shared: the sum of the products of their two shares.
SELECT
  list_id, rank,
  COUNT(*) AS n_shared,
  SUM(list_share * baseline_share) AS shared,
  SUM(list_share) AS list_share,
  SUM(baseline_share) AS baseline_share
FROM overlap_shares
GROUP BY list_id, rank
