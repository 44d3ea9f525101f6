-- sampled_bunched_high: sampled hits in the upper half of a list whose scores bunch at the high end
--
-- needs: score
SELECT COALESCE(SUM(is_high), 0) AS sampled_bunched_high
FROM sampled_hits_in_bunched_lists
