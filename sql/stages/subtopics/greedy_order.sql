-- greedy_order: one row per truth list, subtopic and item that is relevant to it, with the rank of the item in the greedy ideal order.
--
-- rank: 0 for items below the largest cutoff. gain: the worth of the item for this subtopic, at its rank.
-- repeated: greedy_rank
SELECT truth_id, subtopic, worth, kept, item_number, 0 AS rank, CAST(0 AS DOUBLE) AS gain
FROM subtopic_values
