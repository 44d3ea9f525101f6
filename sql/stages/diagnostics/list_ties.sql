-- list_ties: one row per list, with a flag for equal scores among the items down to the largest cutoff and the next.
SELECT
  list_id,
  CASE WHEN COUNT(score) > COUNT(DISTINCT score) OR COUNT(*) > COUNT(score) + 1 THEN 1 ELSE 0 END AS is_tied
FROM ranked
WHERE rank <= $deepest + 1
GROUP BY list_id
