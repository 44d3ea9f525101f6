-- rr: mean of 1 / rank of the first hit over all orders of equal scores; 0 if there is no hit among the first k.
SELECT CASE WHEN n_relevant > 0 THEN mean_reciprocal_rank END AS rr
FROM metrics
