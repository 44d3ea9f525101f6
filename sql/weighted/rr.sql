-- rr: weight of the first hit, divided by its rank; 0 if there is no hit among the first k.
SELECT CASE WHEN n_relevant > 0 THEN first_hit_weight_by_rank END AS rr
FROM metrics
