-- ranked: one row per recommendation of a judged item, ranked again after unjudged items are removed, so that later items move up.
--
-- is_tied_with_above: 1 if the row has the same score as the row above it. It has no meaning in the first row of a list.
-- when: unjudged = removed, removed_negative
SELECT
  ranked_among_all.list_id, ranked_among_all.item, ranked_among_all.score,
  ROW_NUMBER() OVER (PARTITION BY ranked_among_all.list_id ORDER BY ranked_among_all.rank NULLS FIRST) AS rank,
  CASE
    WHEN ranked_among_all.score = LAG(ranked_among_all.score) OVER (PARTITION BY ranked_among_all.list_id ORDER BY ranked_among_all.rank NULLS FIRST)
      OR (ranked_among_all.score IS NULL AND LAG(ranked_among_all.score) OVER (PARTITION BY ranked_among_all.list_id ORDER BY ranked_among_all.rank NULLS FIRST) IS NULL)
      THEN 1 ELSE 0
  END AS is_tied_with_above
FROM ranked_among_all
JOIN items_with_judgment ON ranked_among_all.truth_id = items_with_judgment.truth_id AND ranked_among_all.item = items_with_judgment.item
