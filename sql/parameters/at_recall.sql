-- at_recall: the recall level, as a share of the relevant items.
--
-- range: [0, 1]
SELECT 0 AS at_recall
