-- leads_over_popularity: sum, over the hits, of the positions by which the list ranks the item above its popularity rank.
--
-- range: [0, inf)
SELECT COALESCE(SUM(GREATEST(popularity_rank - rank, 0)), 0) AS leads_over_popularity
FROM hit_popularity_ranks
WHERE rank <= $k
