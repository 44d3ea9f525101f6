-- gains_by_cost: sum, over the hits, of gain / log2(2 + the cost of the ideal list - the gains of the list, both down to the hit).
--
-- The sum in the logarithm is less than 2 only if items repeat and each repeat counts. Then it is taken to be 2.
-- range: (-inf, inf)
SELECT COALESCE(SUM(gain * LN(2) / LN(GREATEST(2 + cost - gain_so_far, 2))), 0) AS gains_by_cost
FROM hits_with_cost
WHERE rank <= $k
