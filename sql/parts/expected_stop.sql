-- expected_stop: mean of 1 / rank over where a reader stops, who stops at each hit with the chance `stop`.
--
-- undefined: a hit is rated above max_rating.
-- range: [0, 1] while no rating is negative
SELECT CASE WHEN COUNT(*) = COUNT(stop) THEN COALESCE(SUM(stop * reached / rank), 0) END AS expected_stop
FROM cascade
WHERE rank <= $k
