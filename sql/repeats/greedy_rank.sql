-- greedy_rank: puts the item that adds most at the next rank of the ideal order, and lowers the worth of items of its subtopics.
--
-- $number: the rank. Scores are compared to 9 decimals, so that equal scores are equal on every engine.
WITH scored AS (
  SELECT
    truth_id, subtopic, worth, kept, item_number, rank, gain,
    CASE WHEN rank = 0 THEN FLOOR(SUM(worth) OVER (PARTITION BY truth_id, item_number) * 1000000000 + 0.5) ELSE -1 END AS score
  FROM previous
),
ordered AS (
  SELECT
    truth_id, subtopic, worth, kept, item_number, rank, gain,
    RANK() OVER (PARTITION BY truth_id ORDER BY score DESC, item_number DESC) AS place
  FROM scored
)
SELECT
  truth_id, subtopic, kept, item_number,
  CASE WHEN place = 1 AND rank = 0 THEN $number ELSE rank END AS rank,
  CASE WHEN place = 1 AND rank = 0 THEN worth ELSE gain END AS gain,
  worth * CASE
    WHEN MAX(CASE WHEN place = 1 AND rank = 0 THEN 1 ELSE 0 END) OVER (PARTITION BY truth_id, subtopic) = 1 THEN kept ELSE CAST(1 AS DOUBLE)
  END AS worth
FROM ordered
