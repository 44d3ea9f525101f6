-- ideal_novelty: one row per item of the greedy ideal order and subtopic that it is relevant to, with its rank and its gain.
--
-- The item that adds most to the items above comes first; of several, the last by name, as in ndeval.
SELECT truth_id, rank, gain
FROM greedy_order
WHERE rank > 0
