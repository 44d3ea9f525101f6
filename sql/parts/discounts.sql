-- discounts: sum of the discounts of the places that are filled.
--
-- range: [0, inf)
SELECT COALESCE(SUM($discount), 0) AS discounts
FROM recommended
WHERE rank <= $k
