-- items_judged: distinct items of the truth
SELECT COUNT(*) AS items_judged
FROM items_in_truth
