-- hit: share of the orders of equal scores in which a relevant item is among the first k recommendations.
SELECT CASE WHEN n_relevant > 0 THEN chance_of_hit END AS hit
FROM metrics
