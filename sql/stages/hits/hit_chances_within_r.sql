-- hit_chances_within_r: one row per rank among the first R that may hold a hit, over all orders of equal scores.
--
-- R is the number of relevant items of the list. chance: the share of the orders in which the rank holds a hit.
SELECT hit_chances.list_id, hit_chances.rank, hit_chances.position, hit_chances.chance
FROM hit_chances
JOIN relevant_counts ON hit_chances.truth_id = relevant_counts.truth_id
WHERE hit_chances.rank <= relevant_counts.n_relevant
