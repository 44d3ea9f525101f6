-- lists: whom the mean is taken over: every list of the recommendations.
--
-- when: missing = listed
SELECT list_id
FROM listed
