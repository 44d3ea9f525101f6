-- recommendations_with_pool: one row per recommendation of a candidate, with its rank among the candidates of its list.
--
-- The last rank is the number of candidates. A pool column is not read: it counts the items of the whole ranking.
-- when: ranked among candidates and unjudged = irrelevant
SELECT list_id, score, rank, rank AS pool
FROM ranked
