-- lists: whom the mean is taken over: the lists that were recommended something and have a truth.
SELECT DISTINCT recs.list_id
FROM recs
JOIN truth_lists ON recs.truth_id = truth_lists.truth_id
WHERE recs.list_id IS NOT NULL
