-- expected_stop: expected `decay` of the hit at which a reader stops, if the reader stops at each hit with probability `stop`.
--
-- undefined: a hit has a rating above max_rating.
-- range: [0, 1] if no rating is negative
SELECT CASE WHEN COUNT(*) = COUNT(stop) THEN COALESCE(SUM(stop * reached * $decay), 0) END AS expected_stop
FROM cascade
WHERE rank <= $k
