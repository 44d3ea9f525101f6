-- log_repeated: positions that an impression of the log holds more than once
--
-- needs: log
-- shown: if any
SELECT COUNT(*) AS log_repeated
FROM repeated_log_positions
