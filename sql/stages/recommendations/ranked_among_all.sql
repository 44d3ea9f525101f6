-- ranked_among_all: one row per recommendation, with its rank among all recommendations of its list.
SELECT list_id, item, score, $ties AS rank
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
