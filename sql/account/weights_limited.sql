-- weights_limited: weights that `limit` makes smaller
--
-- measured: weights
-- shown: if any
SELECT COALESCE(SUM(is_limited), 0) AS weights_limited
FROM relevant_weights
