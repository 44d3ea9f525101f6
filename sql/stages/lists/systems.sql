-- systems: one row per partition and system that has recommendations in it.
--
-- So a partition has the same lists, whether it is evaluated alone or together with other partitions.
SELECT DISTINCT partition_id, system_id
FROM recs
WHERE list_id IS NOT NULL
