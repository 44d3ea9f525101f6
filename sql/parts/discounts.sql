-- discounts: sum of the discounts of the first k recommendations.
--
-- range: [0, inf)
SELECT COALESCE(SUM($discount), 0) AS discounts
FROM recommended
WHERE rank <= $k
