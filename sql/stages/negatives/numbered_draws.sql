-- numbered_draws: one row per truth list and item that may be drawn for it, numbered in the order of the draw.
SELECT truth_id, item, ROW_NUMBER() OVER (PARTITION BY truth_id ORDER BY draw_key NULLS FIRST, item NULLS FIRST) AS draw_number
FROM draws
