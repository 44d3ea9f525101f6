-- ranked: every recommendation with its rank.
--
-- Rows with a NULL id are left out.
SELECT list_id, item, score, $ties AS rank
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
