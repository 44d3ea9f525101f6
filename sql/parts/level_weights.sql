-- level_weights: weight of all recall levels, as many as there are relevant items.
--
-- range: [0, inf)
SELECT SUM($level_weight) AS level_weights
FROM relevant_levels
