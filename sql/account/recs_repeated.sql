-- recs_repeated: relevant items recommended again in a list; credited once, unless a metric says otherwise
--
-- shown: if any
SELECT COALESCE(SUM(n_repeated), 0) AS recs_repeated
FROM metrics
