-- shown: the recommendations that a system is judged by: all of them.
--
-- when: missing = listed
SELECT list_id, item, rank
FROM recommended
