-- tied_row_counts: one row per list, score with repeated hits, and number of rows of a hit, or of two hits together.
--
-- n_hits: the hits with this number of rows. n_pairs: the pairs of hits that have this number of rows together.
SELECT
  hit.list_id, hit.first_rank, hit.last_rank,
  CASE WHEN hit.rank = other.rank THEN hit.n_rows ELSE hit.n_rows + other.n_rows END AS n_rows,
  COUNT(CASE WHEN hit.rank = other.rank THEN 1 END) AS n_hits,
  COUNT(CASE WHEN hit.rank < other.rank THEN 1 END) AS n_pairs
FROM hits_tied_with_repeats AS hit
JOIN hits_tied_with_repeats AS other
  ON hit.list_id = other.list_id AND hit.first_rank = other.first_rank AND hit.rank <= other.rank
GROUP BY
  hit.list_id, hit.first_rank, hit.last_rank,
  CASE WHEN hit.rank = other.rank THEN hit.n_rows ELSE hit.n_rows + other.n_rows END
