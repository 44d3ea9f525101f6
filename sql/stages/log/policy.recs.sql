-- policy: one row per item and position at which a policy may show it, with its probability from the recommendations.
--
-- when: input recs
SELECT list_id, item, COALESCE(position, 1) AS rank, probability
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
