-- log_repeated: Some impressions of the log hold a position more than once.
--
-- If a list was shown several times, a column must tell its impressions apart; if several items were shown at once,
-- a column must hold their positions. Name them: `rm.Input(log, columns={"impression": "…"})`.
--
-- rows: positions that an impression of the log holds more than once
-- of: log
-- needs: log
-- order: 18
-- say: The log has {n: position; positions} of a list more than once, such as {log}. If a list was shown several
--    times, name the column that tells its impressions apart; if several items were shown at once, name their
--    position: {columns of log impression position}.
SELECT log_id, impression_id, rank, COUNT(*) AS n_rows
FROM logged
GROUP BY log_id, impression_id, rank
HAVING COUNT(*) > 1
