-- ideal_order: the relevant items of each truth list with their ranks in the ideal order, for sums from rank 1 to each.
--
-- Stages can join it by list. They cannot join `ideal`, which may have one ideal list for each number of relevant items.
SELECT truth_id, rating, ROW_NUMBER() OVER (PARTITION BY truth_id ORDER BY rating DESC) AS rank
FROM distinct_judgments
WHERE $relevance
