-- unordered_scores: how many recommendations have a higher score than the recommendation before them in their list.
--
-- $sign is -1 if a lower score is better, otherwise 1.
SELECT COUNT(CASE WHEN $sign * value > $sign * value_before THEN 1 END) AS n
FROM (
  SELECT value, LAG(value) OVER (PARTITION BY list_id ORDER BY place NULLS FIRST) AS value_before
  FROM (SELECT list_id, rank AS place, score AS value FROM recs WHERE score IS NOT NULL LIMIT $sample) AS listed
) AS pairs
