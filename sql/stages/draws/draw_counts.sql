-- draw_counts: one row per system and truth list, with the number of its scored lists in this row of the summary: its draws.
SELECT truth_id, by_id, COUNT(*) AS n_draws
FROM lists
GROUP BY truth_id, by_id
