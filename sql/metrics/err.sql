-- err: expected reciprocal rank: mean of 1 / rank over where a reader stops, who stops at a relevant item with the chance `stop`.
--
-- undefined: nothing is relevant, or a hit is rated above max_rating.
-- range: [0, 1] while no rating is negative
-- source: Chapelle, Metzler, Zhang, Grinspan (2009), Expected reciprocal rank for graded relevance. doi:10.1145/1645953.1646033
SELECT CASE WHEN n_relevant > 0 THEN expected_stop END AS err
FROM metrics
