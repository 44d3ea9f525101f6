-- asked: the lists of the recommendations, as the truth would know them.
SELECT DISTINCT truth_id
FROM listed
