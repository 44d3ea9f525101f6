-- subtopic_hits: one row per hit and subtopic that it is relevant to, numbered within the subtopic from the top of the list.
--
-- hit_number: 1 for the first hit of a subtopic, 2 for the second, and so on.
SELECT
  hits.list_id, subtopic_items.subtopic, hits.rank,
  ROW_NUMBER() OVER (PARTITION BY hits.list_id, subtopic_items.subtopic ORDER BY hits.rank) AS hit_number
FROM hits
JOIN subtopic_items ON hits.truth_id = subtopic_items.truth_id AND hits.item = subtopic_items.item
