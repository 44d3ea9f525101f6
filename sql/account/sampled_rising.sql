-- sampled_rising: sampled lists of at least three items with a higher score in the lower half than in the upper half, by their ranks
--
-- needs: ranked scores
SELECT COALESCE(SUM(is_rising), 0) AS sampled_rising
FROM sampled_list_counts
