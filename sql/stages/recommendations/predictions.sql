-- predictions: one row per recommended item with a score and a rating, at its best rank: the score is the prediction of the rating.
SELECT first_occurrences.list_id, first_occurrences.first_rank AS rank, CAST(first_occurrences.score AS DOUBLE) - CAST(distinct_judgments.rating AS DOUBLE) AS error
FROM first_occurrences
JOIN distinct_judgments
  ON first_occurrences.truth_id = distinct_judgments.truth_id AND first_occurrences.item = distinct_judgments.item
WHERE first_occurrences.score IS NOT NULL
