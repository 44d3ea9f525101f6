-- judgments: the rows of the truth, only for lists that have recommendations. A missing rating counts as 1.
--
-- If the means are taken only over lists with recommendations, the rest of a large truth need not be grouped or joined.
-- when: query missing in (skip, listed) and not diagnostics
SELECT truth.truth_id, truth.item, COALESCE(truth.rating, CAST(1 AS DOUBLE)) AS rating
FROM truth
JOIN recommended_truth_lists ON truth.truth_id = recommended_truth_lists.truth_id
WHERE truth.item IS NOT NULL
