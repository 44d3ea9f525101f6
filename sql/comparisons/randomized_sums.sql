-- randomized_sums: one row per metric, pair of systems and replicate, with the sum of the differences under random signs.
--
-- Each of the four bits of a hexadecimal digit is the sign of a list in another replicate; a list whose bit is not set
-- changes its sign. `observed` is the sum without changes, `spread` the sum of the absolute differences.
-- source: Smucker, Allan, Carterette (2007), A comparison of statistical significance tests. doi:10.1145/1321440.1321528
SELECT
  pair_id,
  (block - 1) * 120 + (position - 1) * 4 + bit AS replicate,
  SUM(CASE WHEN STRPOS(digits, digit) > 0 THEN total ELSE -total END) AS total,
  SUM(total) AS observed,
  SUM(spread) AS spread
FROM digit_sums
CROSS JOIN bits
GROUP BY pair_id, block, position, bit
