-- shares_below_hits: sum, over the hits, of the share of the irrelevant items of the catalogue that rank below the hit.
--
-- range: [0, inf)
SELECT n_hits - misses_before_hits / NULLIF(GREATEST(n_negatives, 0), 0) AS shares_below_hits
FROM metrics
