-- discounts_to_k: sum of the discounts of the ranks 1 to k, also if the list is shorter.
--
-- cutoff: needed
-- range: [0, inf)
SELECT SUM($discount) AS discounts_to_k
FROM positions
WHERE rank <= $k
