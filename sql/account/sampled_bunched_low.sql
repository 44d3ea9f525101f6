-- sampled_bunched_low: sampled hits in the lower half of a list whose scores bunch at the high end
--
-- needs: score
SELECT COALESCE(SUM(is_low), 0) AS sampled_bunched_low
FROM sampled_hits_in_bunched_lists
