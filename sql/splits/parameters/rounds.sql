-- rounds: the number of rounds of k_core; once all users and items have enough interactions, more rounds change nothing.
--
-- range: integer [1, 30]
SELECT 10 AS rounds
