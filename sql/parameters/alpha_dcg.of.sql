-- of: the value that the sum over the hits is divided by.
SELECT
  n_subtopics * perfect_novel_gains AS perfect, -- the value of a list of k items that are all relevant to every subtopic (ndeval)
  CAST(1 AS DOUBLE) AS one -- 1: the sum as it is (Clarke et al. 2008)
FROM metrics
