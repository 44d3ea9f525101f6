-- distinct_judgments: one row per truth list and item. No item is repeated.
--
-- when: unique truth
SELECT truth_id, item, rating
FROM judgments
