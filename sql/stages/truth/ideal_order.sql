-- ideal_order: one row per relevant item of a truth list, with its rank in the ideal order.
--
-- Stages can join it by list. They cannot join `ideal`, which may have one ideal list for each number of relevant items.
SELECT truth_id, item, rating, ROW_NUMBER() OVER (PARTITION BY truth_id ORDER BY rating DESC) AS rank
FROM distinct_judgments
WHERE $relevance
