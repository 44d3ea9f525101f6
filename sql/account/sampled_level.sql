-- sampled_level: sampled lists of at least three items whose scores are all equal, NULL or NaN
--
-- needs: score
SELECT COALESCE(SUM(is_level), 0) AS sampled_level
FROM sampled_list_counts
