-- lists_with_gaps: one row per list of the recommendations that lacks a rank above its last rank.
SELECT list_id
FROM suspect_rank_counts
GROUP BY list_id
HAVING MAX(rank) > COUNT(*)
