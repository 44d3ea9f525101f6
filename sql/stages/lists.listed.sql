-- lists: whom the mean is taken over: every list of the recommendations.
SELECT list_id
FROM listed
