-- lists: one row per scored list: every list of the history, for every system of its partition.
--
-- when: missing = history
SELECT history_lists.history_id, systems.system_id
FROM history_lists
JOIN systems ON history_lists.partition_id = systems.partition_id
