-- truth_repeated: rows of the truth that repeat an item of their list; the highest rating stands
--
-- shown: if any
SELECT COALESCE(SUM(times - 1), 0) AS truth_repeated
FROM judged
