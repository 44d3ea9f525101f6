-- recommended_items: the distinct recommended items of all systems, at any rank.
SELECT DISTINCT item
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
