-- lists: one row per scored list: every list of the recommendations.
--
-- when: missing = listed
SELECT list_id
FROM recommended_lists
