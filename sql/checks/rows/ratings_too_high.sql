-- ratings_too_high: Some ratings are too high for a gain of 2^rating.
--
-- `gain=exponential` is for grades, such as 0 to 4. Sums of 2^rating have no floating-point number from a rating of 1024 on, so a
-- rating may be 1000 at most. Take the logarithm of counts, such as plays or clicks: `LN(1 + plays)`, or set `gain=linear`.
--
-- rows: rows of the truth with a finite rating above 1000
-- of: truth
-- measured: gain
-- needs: powers
-- order: 35
-- say: {n: rating is; ratings are} above 1,000 in the truth, such as in {truth}. From 1,024 on, 2^rating is infinite, so
--    gain=exponential has no number. If they are counts, as of plays, take their logarithm, as in LN(1 + plays), or
--    set gain=linear.
SELECT truth_id, item
FROM judgments
WHERE rating > 1000 AND rating <= 1.7976931348623157e308
