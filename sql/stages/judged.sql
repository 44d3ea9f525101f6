-- judged: the truth, one row per list and item; where an item is repeated, its highest rating stands.
--
-- times: how many rows of the truth the item had in the list.
SELECT truth_id, item, MAX(rating) AS rating, COUNT(*) AS times
FROM judgments
GROUP BY truth_id, item
