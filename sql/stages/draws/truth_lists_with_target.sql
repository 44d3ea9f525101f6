-- truth_lists_with_target: one row per truth list with relevant items whose target exposures are known.
--
-- They are unknown if the probability that a reader stops at one of the items is.
SELECT truth_id
FROM ideal_readers
GROUP BY truth_id
HAVING COUNT(*) = COUNT(reached)
