-- discounted_gains: sum, over the hits, of gain times discount.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM($gain * $discount), 0) AS discounted_gains
FROM hits
WHERE rank <= $k
