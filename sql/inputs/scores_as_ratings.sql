-- scores_as_ratings: a row if the ratings of the truth look like scores: fractions that all differ, in nine of ten lists.
SELECT n_lists
FROM (
  SELECT COUNT(*) AS n_lists, COUNT(CASE WHEN n = n_different AND n_whole = 0 THEN 1 END) AS n_scored
  FROM (
    SELECT
      COUNT(*) AS n,
      COUNT(DISTINCT value) AS n_different,
      COUNT(CASE WHEN value = FLOOR(value) THEN 1 END) AS n_whole
    FROM (SELECT truth_id, rating AS value FROM truth WHERE rating IS NOT NULL LIMIT $sample) AS rated
    GROUP BY truth_id
    HAVING COUNT(*) >= 3
  ) AS by_list
) AS list_counts
WHERE n_lists >= 5 AND 10 * n_scored >= 9 * n_lists
