-- draws_with_target: one row per system and scored truth list with relevant items, with the number of its draws.
SELECT draw_counts.truth_id, draw_counts.by_id, draw_counts.n_draws
FROM draw_counts
JOIN truth_lists_with_target ON draw_counts.truth_id = truth_lists_with_target.truth_id
