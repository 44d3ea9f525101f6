-- relevant_popularity: mean popularity of the relevant items of the list; an item without a popularity has popularity 0.
--
-- undefined: the list has no relevant items.
-- range: [0, inf)
SELECT AVG(CAST(COALESCE(n_users, 0) AS DOUBLE)) AS relevant_popularity
FROM relevant_popularity
