-- sampled_hits: relevant recommendations of the first 500 lists of the truth
SELECT COUNT(*) AS sampled_hits
FROM sampled_hits
