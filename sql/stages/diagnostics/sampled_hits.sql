-- sampled_hits: the recommendations of the sampled lists that are relevant, and whether each stands in its list's lower half.
SELECT
  sampled_places.list_id, sampled_places.item,
  CASE WHEN sampled_places.place * 2 > sampled_places.length + 1 THEN 1 ELSE 0 END AS is_low,
  CASE WHEN sampled_places.place * 2 < sampled_places.length + 1 THEN 1 ELSE 0 END AS is_high
FROM sampled_places
JOIN sampled_relevant ON sampled_places.truth_id = sampled_relevant.truth_id AND sampled_places.item = sampled_relevant.item
