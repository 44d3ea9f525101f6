-- recommended_items: one row per recommended item, of all systems and at any rank.
SELECT DISTINCT item
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
