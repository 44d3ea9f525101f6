-- moved_up: the recommendations without what repeats: what follows moves up.
SELECT list_id, item, score, ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY first_rank) AS rank
FROM firsts
