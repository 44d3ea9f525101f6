-- ranked_baseline: one row per recommendation of the baseline, with its rank. Rows with a NULL id are left out.
--
-- given_rank: its rank in the input; NULL if scores order the baseline.
SELECT baseline_id, item, score, $ties AS rank, rank AS given_rank
FROM baseline
WHERE baseline_id IS NOT NULL AND item IS NOT NULL
