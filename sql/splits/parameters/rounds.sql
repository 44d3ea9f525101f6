-- rounds: how often k_core counts again what is left; more rounds change nothing once all have enough interactions.
--
-- range: integer [1, 30]
SELECT 10 AS rounds
