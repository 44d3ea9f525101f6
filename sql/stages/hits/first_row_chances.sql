-- first_row_chances: one row per list, score with repeated hits, number of rows of a hit or of two, and rank with the score.
--
-- chance: the share of the orders in which the rank holds the first of c rows, of n rows with the score. It is c / n for place
-- 0, and (n - x - c + 1) / (n - x) times that of the place before for place x.
-- needs: repeats
SELECT
  tied_row_counts.list_id, tied_row_counts.n_rows, tied_row_counts.n_hits, tied_row_counts.n_pairs, tied_ranks.rank,
  CASE WHEN tied_ranks.rank + tied_row_counts.n_rows <= tied_row_counts.last_rank + 1 THEN
    EXP(SUM(LN(
      CASE WHEN tied_ranks.rank > tied_row_counts.first_rank AND tied_ranks.rank + tied_row_counts.n_rows <= tied_row_counts.last_rank + 1
        THEN CAST(tied_row_counts.last_rank - tied_ranks.rank - tied_row_counts.n_rows + 2 AS DOUBLE) / (tied_row_counts.last_rank - tied_ranks.rank + 1)
        ELSE CAST(1 AS DOUBLE)
      END
    )) OVER (
      PARTITION BY tied_row_counts.list_id, tied_row_counts.first_rank, tied_row_counts.n_rows
      ORDER BY tied_ranks.rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )) * tied_row_counts.n_rows / (tied_row_counts.last_rank - tied_row_counts.first_rank + 1)
    ELSE CAST(0 AS DOUBLE)
  END AS chance
FROM tied_row_counts
JOIN tied_ranks ON tied_row_counts.list_id = tied_ranks.list_id AND tied_row_counts.first_rank = tied_ranks.first_rank
