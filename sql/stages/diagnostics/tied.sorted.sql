-- tied: for each list, whether recommendations share a score, as far as the first place beyond the deepest cutoff.
--
-- Told from row to row where an engine sorts the recommendations to rank them, without a group for every score.
-- when: sorted recs
SELECT list_id, MAX(CASE WHEN rank > 1 THEN is_alike ELSE 0 END) AS is_tied
FROM ranked
WHERE rank <= $deepest + 1
GROUP BY list_id
