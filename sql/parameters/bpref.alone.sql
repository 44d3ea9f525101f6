-- alone: the value of a hit in a list whose truth has no judged irrelevant items.
SELECT
  0 AS credited, -- 1, as for a hit with no irrelevant item above it
  CASE WHEN n_judged_hits > 0 THEN NULL ELSE 0 END AS undefined -- no value: the metric is undefined for a list that has a hit (ranx)
FROM metrics
