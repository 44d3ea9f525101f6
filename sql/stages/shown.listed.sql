-- shown: the recommendations that a system is judged by: all of them.
SELECT list_id, item, rank
FROM recommended
