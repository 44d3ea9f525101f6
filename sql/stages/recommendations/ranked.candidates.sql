-- ranked: one row per recommendation of a candidate, with its rank among the candidates of its list.
--
-- The candidates of a list are the items of its truth and its negatives.
-- is_tied_with_above: 1 if the row has the same score as the row above it. It has no meaning in the first row of a list.
-- when: ranked among candidates and unjudged = irrelevant
SELECT
  ranked_among_all.list_id, ranked_among_all.item, ranked_among_all.score,
  ROW_NUMBER() OVER (PARTITION BY ranked_among_all.list_id ORDER BY ranked_among_all.rank NULLS FIRST) AS rank,
  CASE
    WHEN ranked_among_all.score = LAG(ranked_among_all.score) OVER (PARTITION BY ranked_among_all.list_id ORDER BY ranked_among_all.rank NULLS FIRST)
      OR (ranked_among_all.score IS NULL AND LAG(ranked_among_all.score) OVER (PARTITION BY ranked_among_all.list_id ORDER BY ranked_among_all.rank NULLS FIRST) IS NULL)
      THEN 1 ELSE 0
  END AS is_tied_with_above
FROM ranked_among_all
LEFT JOIN distinct_judgments ON ranked_among_all.truth_id = distinct_judgments.truth_id AND ranked_among_all.item = distinct_judgments.item
LEFT JOIN negatives ON ranked_among_all.truth_id = negatives.truth_id AND ranked_among_all.item = negatives.item
WHERE distinct_judgments.item IS NOT NULL OR negatives.item IS NOT NULL
