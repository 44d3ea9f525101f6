-- unjudged_recommendations: one row per recommendation that the truth of its list does not have.
SELECT recs.list_id, recs.item
FROM recs
LEFT JOIN distinct_judgments ON recs.truth_id = distinct_judgments.truth_id AND recs.item = distinct_judgments.item
WHERE recs.list_id IS NOT NULL AND recs.item IS NOT NULL AND distinct_judgments.item IS NULL
