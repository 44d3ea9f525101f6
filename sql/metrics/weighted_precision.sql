-- weighted_precision: precision with places worth their discount: discounts of the hits over discounts of the places.
--
-- undefined: nothing is relevant, or the list is empty.
-- range: [0, 1]
-- source: Moffat, Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness. doi:10.1145/1416950.1416952
SELECT CASE WHEN n_relevant > 0 THEN discounted_hits / NULLIF(discounts, 0) END AS weighted_precision
FROM metrics
