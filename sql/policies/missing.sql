-- missing: which lists the mean is taken over.
SELECT
  NULL AS zero, -- every list of the truth, for every system; a missing one scores 0 wherever the metric is defined
  NULL AS skip, -- lists that are in both the recommendations and the truth
  NULL AS listed, -- every list of the recommendations, whether or not it has a truth
  NULL AS history, -- every list of the history, for every system
  NULL AS baseline -- every list of the baseline, for every system
