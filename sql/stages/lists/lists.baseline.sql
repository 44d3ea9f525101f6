-- lists: one row per scored list: every list of the baseline, for every system of its partition.
--
-- when: missing = baseline
SELECT baseline_lists.baseline_id, systems.system_id
FROM baseline_lists
JOIN systems ON baseline_lists.partition_id = systems.partition_id
