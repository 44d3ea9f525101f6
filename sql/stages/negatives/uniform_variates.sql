-- uniform_variates: one row per truth list and item that may be drawn for it, with a number between 0 and 1 from their hash.
--
-- Half a unit of the last digit is added, so that the number is never 0.
SELECT
  truth_id,
  item,
  (STRPOS('0123456789abcdef', SUBSTRING(hash, 1, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 1)
    + (STRPOS('0123456789abcdef', SUBSTRING(hash, 2, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 2)
    + (STRPOS('0123456789abcdef', SUBSTRING(hash, 3, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 3)
    + (STRPOS('0123456789abcdef', SUBSTRING(hash, 4, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 4)
    + (STRPOS('0123456789abcdef', SUBSTRING(hash, 5, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 5)
    + (STRPOS('0123456789abcdef', SUBSTRING(hash, 6, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 6)
    + (STRPOS('0123456789abcdef', SUBSTRING(hash, 7, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 7)
    + (STRPOS('0123456789abcdef', SUBSTRING(hash, 8, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 8)
    + (STRPOS('0123456789abcdef', SUBSTRING(hash, 9, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 9)
    + (STRPOS('0123456789abcdef', SUBSTRING(hash, 10, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 10)
    + (STRPOS('0123456789abcdef', SUBSTRING(hash, 11, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 11)
    + (STRPOS('0123456789abcdef', SUBSTRING(hash, 12, 1)) - 1) / POWER(CAST(16 AS DOUBLE), 12)
    + CAST(0.5 AS DOUBLE) / POWER(CAST(16 AS DOUBLE), 12) AS u
FROM seeded_hashes
