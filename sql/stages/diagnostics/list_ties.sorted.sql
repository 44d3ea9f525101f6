-- list_ties: one row per list, with a flag for equal scores among the items down to the largest cutoff and the next.
--
-- An engine that sorts the recommendations to rank them compares each row with the row above. It needs no group per score.
-- when: sorted recs
SELECT list_id, MAX(CASE WHEN rank > 1 THEN is_tied_with_above ELSE 0 END) AS is_tied
FROM ranked
WHERE rank <= $deepest + 1
GROUP BY list_id
