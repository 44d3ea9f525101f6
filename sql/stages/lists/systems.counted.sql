-- systems: one row per partition and system that has recommendations in it.
--
-- when: required recommended_list_counts
SELECT DISTINCT partition_id, system_id
FROM recommended_list_counts
