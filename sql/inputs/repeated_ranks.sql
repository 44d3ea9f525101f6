-- repeated_ranks: how many lists repeat a rank, and how many of them are numbered as RANK() and DENSE_RANK() number tied items.
--
-- $before is the rank before the first: 0 or -1.
SELECT
  COUNT(*) AS n_lists,
  COUNT(CASE WHEN last - $before = n - n_last + 1 THEN 1 END) AS n_tied,
  COUNT(CASE WHEN last - $before = n_ranks AND most > fewest THEN 1 END) AS n_dense
FROM (
  SELECT
    SUM(n) AS n,
    MAX(place) AS last,
    MIN(n_last) AS n_last,
    COUNT(*) AS n_ranks,
    MAX(n) AS most,
    MIN(n) AS fewest
  FROM (
    SELECT
      list_id,
      rank AS place,
      COUNT(*) AS n,
      COUNT(DISTINCT item) AS n_items,
      FIRST_VALUE(COUNT(*)) OVER (PARTITION BY list_id ORDER BY rank DESC NULLS LAST) AS n_last
    FROM recs
    WHERE list_id IS NOT NULL AND rank IS NOT NULL
    GROUP BY list_id, rank
  ) AS by_rank
  GROUP BY list_id
  HAVING MAX(n) > 1 AND SUM(n) = SUM(n_items)
) AS by_list
