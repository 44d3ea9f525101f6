-- judgments: the truth of the lists that were recommended something, row by row.
--
-- Where the mean is over those only: however large the truth is, no more of it is grouped and joined.
-- when: query missing in (skip, listed) and not diagnostics
SELECT truth.truth_id, truth.item, COALESCE(truth.rating, CAST(1 AS DOUBLE)) AS rating
FROM truth
JOIN asked ON truth.truth_id = asked.truth_id
WHERE truth.item IS NOT NULL
