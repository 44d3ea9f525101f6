-- lists: one row per scored list: every list of the truth, for every system of its partition.
--
-- when: missing = zero
SELECT truth_lists.truth_id, systems.system_id
FROM truth_lists
JOIN systems ON truth_lists.partition_id = systems.partition_id
