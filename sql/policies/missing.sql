-- missing: the lists that the means are taken over.
SELECT
  NULL AS zero, -- every list of the truth, for every system of its partition; a list without recommendations scores 0 if the metric is defined
  NULL AS skip, -- lists that are in both the recommendations and the truth
  NULL AS listed, -- every list of the recommendations, in the truth or not
  NULL AS history, -- every list of the history, for every system of its partition
  NULL AS baseline, -- every list of the baseline, for every system of its partition
  NULL AS log -- every list of the log, for every system of its partition
