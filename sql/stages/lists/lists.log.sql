-- lists: one row per scored list: every list of the log, for every system of its partition.
--
-- when: missing = log
SELECT log_lists.log_id, systems.system_id
FROM log_lists
JOIN systems ON log_lists.partition_id = systems.partition_id
