-- distance: the distance between two distributions. Categories that the list lacks need no row, because both add up to 1.
SELECT
  SUM(GREATEST(share - target, 0)) AS variation, -- total variation: half the sum of the absolute differences
  1 + SUM((target * (LN(2 * target / (target + share)) / LN(2) - 1) + share * (LN(2 * share / (target + share)) / LN(2) - 1)) / 2) AS js -- Jensen-Shannon divergence, in bits (TREC Fair Ranking reports 1 minus it)
FROM list_attention_targets
