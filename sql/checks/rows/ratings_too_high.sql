-- ratings_too_high: Some ratings are too high for a gain of 2^rating.
--
-- `gain=exponential` is for grades, such as 0 to 4. Up to a rating of 900, sums of 2^rating are finite on every engine; a list with a
-- higher rating has no value. Take the logarithm of counts, such as plays or clicks: `LN(1 + plays)`, or set `gain=linear`.
--
-- rows: rows of the truth with a finite rating above 900
-- of: truth
-- measured: gain
-- needs: powers
-- order: 35
-- say: {n: rating is; ratings are} above 900 in the truth, such as in {truth}. Sums of 2^rating become infinite, so
--    gain=exponential has no number. If they are counts, as of plays, take their logarithm, as in LN(1 + plays), or
--    set gain=linear.
SELECT truth_id, item
FROM judgments
WHERE rating > 900 AND rating <= 1.7976931348623157e308
