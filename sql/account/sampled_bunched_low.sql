-- sampled_bunched_low: sampled hits in the lower half of a list whose scores bunch at the high end
--
-- needs: score
SELECT COALESCE(SUM(CASE WHEN is_bunched = 1 THEN n_low END), 0) AS sampled_bunched_low
FROM sampled_list_counts
