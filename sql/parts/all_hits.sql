-- all_hits: sum of the discounts of the first k places.
--
-- cutoff: needed
-- range: [0, inf)
SELECT SUM($discount) AS all_hits
FROM places
WHERE rank <= $k
