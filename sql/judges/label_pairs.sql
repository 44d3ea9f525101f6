-- label_pairs: how people's labels compare with the judge's, over the lists that people labelled.
WITH pairs AS (
  SELECT judge, people, COUNT(people) OVER (PARTITION BY truth_id) AS n_people
  FROM ratings
)
SELECT
  COUNT(judge) AS n_judge,
  COUNT(judge + people) AS n_both,
  COUNT(CASE WHEN judge = people THEN 1 END) AS n_equal,
  COUNT(CASE WHEN judge <= 0 THEN 1 END) AS n_judge_zeros,
  COUNT(CASE WHEN people <= 0 THEN 1 END) AS n_people_zeros,
  MAX(judge) AS highest_of_judge,
  MAX(people) AS highest_of_people
FROM pairs
WHERE n_people > 0
