-- lists_met: how many lists of the truth have recommendations, and how many lists there are.
SELECT COUNT(recommended.is_met) AS n_met, COUNT(*) AS n_lists
FROM (SELECT DISTINCT truth_id FROM truth) AS truth_lists
LEFT JOIN (SELECT DISTINCT truth_id, 1 AS is_met FROM recs) AS recommended
  ON truth_lists.truth_id = recommended.truth_id
