-- pooled_precision: precision over all lists together: hits of all lists, divided by their positions.
--
-- A list weighs as much as its divisor. The mean of precision weighs all lists alike.
-- subject: hits
-- formula: \frac{\sum_{s \in S} \sum_{i=1}^{k} \mathrm{hit}_i}{\sum_{s \in S} k}
-- undefined: the sum of the divisors is 0.
-- range: [0, 1]
-- aliases: micro_precision
-- source: micro-averaging, as in C. D. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval" (2008), section 13.6.
SELECT SUM(n_hits) / CAST(NULLIF(SUM($divisor), 0) AS DOUBLE) AS pooled_precision
FROM metrics
