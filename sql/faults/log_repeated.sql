-- log_repeated: Some impressions of the log hold a position more than once.
--
-- n: the positions.
-- needs: log
-- samples: log repeated_log_positions
SELECT log_repeated AS n
FROM account
WHERE log_repeated > 0
