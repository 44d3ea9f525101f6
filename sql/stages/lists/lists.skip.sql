-- lists: whom the mean is taken over: the lists that were recommended something and have a truth.
--
-- when: missing = skip
SELECT listed.list_id
FROM listed
JOIN truth_lists ON listed.truth_id = truth_lists.truth_id
