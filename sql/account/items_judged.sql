-- items_judged: distinct items of the truth
--
-- counted: in doubt
SELECT COUNT(*) AS items_judged
FROM items_in_truth
