-- rare_hits: the hits with how many users know each item, and how many users there are.
SELECT hits.list_id, hits.rank, hits.rating, popularity.n_users, population.n_all
FROM hits
LEFT JOIN popularity ON hits.item = popularity.item
CROSS JOIN population
