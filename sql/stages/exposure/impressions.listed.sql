-- impressions: the recommendations of the lists that the means are taken over: all lists.
--
-- when: missing = listed
SELECT list_id, item, rank
FROM recommended
