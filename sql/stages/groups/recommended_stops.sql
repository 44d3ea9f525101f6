-- recommended_stops: one row per recommendation among the first k, with the probability that a reader who gets to it stops there.
--
-- A reader does not stop at an item that is no hit.
SELECT
  recommended.list_id, recommended.rank,
  CASE WHEN hit_stops.rank IS NULL THEN CAST(0 AS DOUBLE) ELSE hit_stops.stop END AS stop
FROM recommended
LEFT JOIN hit_stops
  ON recommended.list_id = hit_stops.list_id AND recommended.item = hit_stops.item AND recommended.rank = hit_stops.rank
WHERE recommended.rank <= $k
