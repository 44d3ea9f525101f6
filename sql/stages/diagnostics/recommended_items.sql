-- recommended_items: the different items recommended, by whatever system and at whatever rank.
SELECT DISTINCT item
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
