-- precisions_from_recalls: sum, over the eleven recall levels 0, 0.1, ..., 1, of the highest precision at the rank of a hit from the level on.
--
-- range: [0, 11]
SELECT
  COALESCE(MAX(CAST(hit_number AS DOUBLE) / rank), 0) +
  COALESCE(MAX(CASE WHEN hit_number >= FLOOR(CAST(0.9 AS DOUBLE) + CAST(0.1 AS DOUBLE) * n_relevant) THEN CAST(hit_number AS DOUBLE) / rank END), 0) +
  COALESCE(MAX(CASE WHEN hit_number >= FLOOR(CAST(0.9 AS DOUBLE) + CAST(0.2 AS DOUBLE) * n_relevant) THEN CAST(hit_number AS DOUBLE) / rank END), 0) +
  COALESCE(MAX(CASE WHEN hit_number >= FLOOR(CAST(0.9 AS DOUBLE) + CAST(0.3 AS DOUBLE) * n_relevant) THEN CAST(hit_number AS DOUBLE) / rank END), 0) +
  COALESCE(MAX(CASE WHEN hit_number >= FLOOR(CAST(0.9 AS DOUBLE) + CAST(0.4 AS DOUBLE) * n_relevant) THEN CAST(hit_number AS DOUBLE) / rank END), 0) +
  COALESCE(MAX(CASE WHEN hit_number >= FLOOR(CAST(0.9 AS DOUBLE) + CAST(0.5 AS DOUBLE) * n_relevant) THEN CAST(hit_number AS DOUBLE) / rank END), 0) +
  COALESCE(MAX(CASE WHEN hit_number >= FLOOR(CAST(0.9 AS DOUBLE) + CAST(0.6 AS DOUBLE) * n_relevant) THEN CAST(hit_number AS DOUBLE) / rank END), 0) +
  COALESCE(MAX(CASE WHEN hit_number >= FLOOR(CAST(0.9 AS DOUBLE) + CAST(0.7 AS DOUBLE) * n_relevant) THEN CAST(hit_number AS DOUBLE) / rank END), 0) +
  COALESCE(MAX(CASE WHEN hit_number >= FLOOR(CAST(0.9 AS DOUBLE) + CAST(0.8 AS DOUBLE) * n_relevant) THEN CAST(hit_number AS DOUBLE) / rank END), 0) +
  COALESCE(MAX(CASE WHEN hit_number >= FLOOR(CAST(0.9 AS DOUBLE) + CAST(0.9 AS DOUBLE) * n_relevant) THEN CAST(hit_number AS DOUBLE) / rank END), 0) +
  COALESCE(MAX(CASE WHEN hit_number >= FLOOR(CAST(0.9 AS DOUBLE) + CAST(1.0 AS DOUBLE) * n_relevant) THEN CAST(hit_number AS DOUBLE) / rank END), 0)
  AS precisions_from_recalls
FROM hits_with_relevant_count
WHERE rank <= $k
