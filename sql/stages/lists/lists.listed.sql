-- lists: the lists that the means are taken over: every list of the recommendations.
--
-- when: missing = listed
SELECT list_id
FROM recommended_lists
