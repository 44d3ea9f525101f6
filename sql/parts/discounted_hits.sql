-- discounted_hits: sum of the discounts of the hits.
--
-- range: [0, inf)
SELECT COALESCE(SUM($discount), 0) AS discounted_hits
FROM hits
WHERE rank <= $k
