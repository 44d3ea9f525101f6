-- firsts: the recommendations, each item of a list once, with its best rank.
SELECT list_id, item, MIN(rank) AS first_rank
FROM ranked
GROUP BY list_id, item
