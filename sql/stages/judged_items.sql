-- judged_items: the items that the truth mentions, for whatever list.
SELECT DISTINCT item
FROM judgments
