-- unjudged_recommendations: one row per recommendation that nobody judged.
SELECT recs.list_id, recs.item
FROM recs
LEFT JOIN items_with_judgment ON recs.truth_id = items_with_judgment.truth_id AND recs.item = items_with_judgment.item
WHERE recs.list_id IS NOT NULL AND recs.item IS NOT NULL AND items_with_judgment.item IS NULL
