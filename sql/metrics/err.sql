-- err: expected reciprocal rank: expected 1 / rank of the hit at which a reader stops, if the reader stops at each hit with probability `stop`.
--
-- formula: \sum_{i=1}^{k} y_i s_i \prod_{j=1}^{i-1} (1 - s_j)
-- subject: graded
-- undefined: the list has no relevant items, or a hit has a rating above max_rating, or above 1 with stop=rating.
-- range: [0, 1] if no rating is negative
-- source: Chapelle, Metzler, Zhang, Grinspan (2009), Expected reciprocal rank for graded relevance. doi:10.1145/1645953.1646033
SELECT CASE WHEN n_relevant > 0 THEN expected_stop END AS err
FROM metrics
