-- sampled_bunched_high: sampled hits in the upper half of a list whose scores bunch at the high end
--
-- needs: score
SELECT COALESCE(SUM(CASE WHEN is_bunched = 1 THEN n_high END), 0) AS sampled_bunched_high
FROM sampled_list_counts
