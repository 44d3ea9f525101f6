-- discounts_by_misses: sum, over the hits, of 1 / log2(2 + the misses above the hit).
--
-- range: [0, inf)
SELECT COALESCE(SUM(LN(2) / LN(2 + rank - hit_number)), 0) AS discounts_by_misses
FROM hits
WHERE rank <= $k
