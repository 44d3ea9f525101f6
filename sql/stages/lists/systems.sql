-- systems: the compared systems of each partition: those that have recommendations in it.
--
-- The rows of a partition are then the same, whether it is evaluated alone or together with the others.
SELECT DISTINCT partition_id, system_id
FROM recs
WHERE list_id IS NOT NULL
