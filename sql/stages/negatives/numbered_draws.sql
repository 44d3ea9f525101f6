-- numbered_draws: the items that may be drawn for each list, numbered in the order of their draw.
SELECT truth_id, item, ROW_NUMBER() OVER (PARTITION BY truth_id ORDER BY draw_key NULLS FIRST, item NULLS FIRST) AS draw_number
FROM draws
