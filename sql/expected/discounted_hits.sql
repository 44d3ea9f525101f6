-- discounted_hits: mean of the sum of the discounts of the hits.
SELECT COALESCE(SUM(chance * $discount), 0) AS discounted_hits
FROM hit_chances
WHERE position <= $k
