-- items_with_judgment: one row per truth list and item that counts as judged.
SELECT truth_id, item
FROM distinct_judgments
WHERE $unjudged
