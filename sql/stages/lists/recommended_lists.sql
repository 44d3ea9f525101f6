-- recommended_lists: one row per list of the recommendations.
SELECT DISTINCT list_id
FROM recs
WHERE list_id IS NOT NULL
