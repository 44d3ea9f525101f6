-- alone: what a hit is worth in a list whose truth has no judged irrelevant item.
SELECT
  0 AS credited, -- as much as one with no such item above it
  CASE WHEN n_judged_hits > 0 THEN NULL ELSE 0 END AS undefined -- nothing: a list with such hits is undefined (ranx)
FROM metrics
