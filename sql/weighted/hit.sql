-- hit: weight of the first hit among the first k recommendations; 0 if there is none.
SELECT CASE WHEN n_relevant > 0 THEN first_hit_weight END AS hit
FROM metrics
